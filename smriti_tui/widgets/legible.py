"""Colours that can be read, whatever the theme: text at 4.5:1, lines that mean something at 3:1.

A theme gives its colours; where one of them comes too near to a ground it stands on, it is moved
towards black or white just as far as is needed. Grounds that are too far from each other for one
text colour are drawn together first. Pure: from the variables of a theme to variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from textual.color import Color

TEXT, LINE = 4.5, 3.0
"""WCAG 2: contrast of text (AA), and of parts of a drawing that carry meaning."""
_SPARE = 0.15
"""Rounding to 8 bits, and the tint of a focused input, take a little of it away."""
_STEP = 0.04
_BLACK, _WHITE = Color(0, 0, 0), Color(255, 255, 255)
_GROUNDS = ("background", "surface", "panel")
_TEXTS = ("primary", "secondary", "accent", "warning", "error", "success")

_ANSI_DARK: Mapping[str, str] = MappingProxyType(
    {
        "primary": "ansi_bright_cyan", "text-primary": "ansi_bright_cyan",
        "text-secondary": "ansi_bright_green", "text-accent": "ansi_bright_yellow",
        "text-warning": "ansi_bright_yellow", "text-error": "ansi_bright_red",
        "text-success": "ansi_bright_green", "error": "ansi_bright_red",
    }
)  # fmt: skip
_ANSI_LIGHT: Mapping[str, str] = MappingProxyType(
    {
        "primary": "ansi_blue", "text-primary": "ansi_blue", "text-secondary": "ansi_blue",
        "text-accent": "ansi_blue", "text-warning": "ansi_red", "text-error": "ansi_red",
        "text-success": "ansi_blue", "error": "ansi_red",
    }
)  # fmt: skip
_ANSI: Mapping[str, str] = MappingProxyType(
    {
        "text": "ansi_default", "text-muted": "ansi_default", "text-disabled": "ansi_default",
        "foreground-muted": "ansi_default", "foreground": "ansi_default",
        "primary-muted": "ansi_default", "border-blurred": "ansi_default",
        "input-cursor-background": "ansi_default", "input-cursor-foreground": "ansi_default",
        "input-cursor-text-style": "reverse", "error-muted": "transparent",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_bright_white",
        "screen-selection-background": "ansi_blue",
        "screen-selection-foreground": "ansi_bright_white",
        "scrollbar": "ansi_default", "scrollbar-hover": "ansi_default",
        "scrollbar-active": "ansi_default", "scrollbar-background": "ansi_bright_black",
        "scrollbar-background-hover": "ansi_bright_black",
        "scrollbar-background-active": "ansi_bright_black",
    }
)  # fmt: skip
"""The terminal's own colours: only pairs that its palette is made for."""


def contrast(one: Color, other: Color) -> float:
    """The ratio of WCAG 2, from 1 to 21; both colours opaque."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    def linear(part: int) -> float:
        value = part / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)


def legible(variables: Mapping[str, str], *, dark: bool, ansi: bool) -> dict[str, str]:
    """The variables of a theme with those colours changed that could not be read."""
    if ansi:
        return {**variables, **_ANSI, **(_ANSI_DARK if dark else _ANSI_LIGHT)}
    return {**variables, **_moved(variables, _BLACK if not dark else _WHITE)}


def _moved(variables: Mapping[str, str], ink: Color) -> dict[str, str]:
    background = _opaque(variables["background"], _BLACK if ink == _WHITE else _WHITE)
    # Three grounds that one ink can be read on, with room for muted words.
    grounds = {
        name: _near(_opaque(variables[name], background), background, [ink], TEXT + 1)
        for name in _GROUNDS
    }
    background = grounds["background"]
    boost = grounds["surface"] + Color.parse(variables["boost"])
    grounds["boost"] = _near(boost.with_alpha(1), background, [ink], TEXT + 1)
    on = list(grounds.values())
    foreground = apart(_opaque(variables["foreground"], background), on, TEXT, ink)
    muted = apart(foreground.blend(background, 0.35), on, TEXT, ink)
    found = {**grounds, "foreground": foreground, "text": foreground}
    found |= dict.fromkeys(
        ("text-muted", "text-disabled", "foreground-muted", "foreground-disabled"), muted
    )
    for name in _TEXTS:
        color = _opaque(variables[name], background)
        found[f"text-{name}"] = apart(_opaque(variables[f"text-{name}"], background), on, TEXT, ink)
        found[name] = apart(color, on, LINE, ink)
        # A filled note: the same words must stand on it.
        fill = _opaque(variables[f"{name}-muted"], background)
        found[f"{name}-muted"] = _near(fill, background, [foreground], TEXT)
    found["primary-muted"] = apart(_opaque(variables["primary-muted"], background), on, LINE, ink)
    return {name: color.hex for name, color in {**found, **_parts(found, variables, ink)}.items()}


def _parts(
    found: Mapping[str, Color], variables: Mapping[str, str], ink: Color
) -> dict[str, Color]:
    """Cursors, selections and scrollbars."""
    background, foreground = found["background"], found["foreground"]
    on = [found[name] for name in ("background", "surface", "panel", "boost")]
    chosen = _near(found["primary"].blend(background, 0.5), background, [foreground], TEXT)
    track = _opaque(variables["scrollbar-background"], background)
    thumb = apart(_opaque(variables["scrollbar"], background), [track, *on], LINE, ink)
    return {
        "border": apart(_opaque(variables["border"], background), on, LINE, ink),
        "border-blurred": apart(_opaque(variables["border-blurred"], background), on, LINE, ink),
        "input-cursor-background": foreground,
        "input-cursor-foreground": background,
        "input-selection-background": chosen,
        "input-selection-foreground": foreground,
        "screen-selection-background": chosen,
        "screen-selection-foreground": foreground,
        "scrollbar": thumb,
        "scrollbar-hover": thumb,
        "scrollbar-active": thumb,
    }


def apart(color: Color, grounds: Sequence[Color], ratio: float, ink: Color) -> Color:
    """`color`, moved towards `ink` until it stands out from all `grounds` by `ratio`."""
    return _walk(color, ink, grounds, ratio)


def _near(ground: Color, home: Color, inks: Sequence[Color], ratio: float) -> Color:
    """`ground`, drawn towards `home` until all `inks` stand out from it by `ratio`."""
    return _walk(ground, home, inks, ratio)


def _walk(start: Color, end: Color, others: Sequence[Color], ratio: float) -> Color:
    at = 0.0
    while at < 1:
        color = start.blend(end, at, alpha=1)
        if min(contrast(color, other) for other in others) >= ratio + _SPARE:
            return color
        at += _STEP
    return end


def _opaque(text: str, ground: Color) -> Color:
    color = Color.parse(text)
    return color if color.a == 1 else (ground + color).with_alpha(1)
