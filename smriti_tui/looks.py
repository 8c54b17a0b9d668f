"""How the app looks: theme, glyphs, motion. Part of the first frame: Textual alone.

`NO_COLOR` leaves every colour to the terminal: what is left is words, signs, bold and reversed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.constants import TEXTUAL_ANIMATIONS

from smriti_tui.config.light import DEFAULT_THEME, LightConfig
from smriti_tui.glyphs import AsciiFilter
from smriti_tui.keys import KeyTable
from smriti_tui.widgets.legible import legible
from smriti_tui.widgets.themes import ANSI_DARK, ANSI_LIGHT, themes

if TYPE_CHECKING:
    from textual.filter import LineFilter

ASCII = "-ascii"


class LookingApp(App[int], inherit_bindings=False):
    """Owns theme, glyphs and motion."""

    table: KeyTable

    def __init__(self, light: LightConfig, **options: Any) -> None:
        """`light.theme` may name no theme: the default is taken, and whoever shows complaints asks
        `knows_theme`."""
        plain = _no_colour()
        super().__init__(ansi_color=True if plain else None, **options)
        self._ascii = AsciiFilter()
        for theme in themes():
            self.register_theme(theme)
        self.theme = light.theme if self.knows_theme(light.theme) else DEFAULT_THEME
        self._apply(light.glyphs, light.motion)

    def knows_theme(self, name: str) -> bool:
        """Whether there is such a theme."""
        return name in self.available_themes

    def get_css_variables(self) -> dict[str, str]:
        """The theme's colours, with those moved that could not be read."""
        found = legible(
            super().get_css_variables(),
            dark=self.current_theme.dark,
            ansi=self.current_theme.ansi,
        )
        self.theme_variables = found
        return found

    def drawing_filters(self) -> Sequence[LineFilter]:
        """What comes last, behind all others."""
        return [self._ascii] if self.has_class(ASCII) else []

    def take_theme(self, name: str) -> None:
        """Takes another theme at once, where there is such a one."""
        if self.knows_theme(name) and name != self.theme:
            self.theme = name

    def take_look(self, glyphs: str, *, motion: bool) -> None:
        """Takes other glyphs and motion at once, on all screens."""
        if self._apply(glyphs, motion):
            self.refresh_css(animate=False)
            for screen in self.screen_stack:
                for widget in screen.walk_children(with_self=True):
                    widget.notify_style_update()
                    widget.refresh()

    def take_keys(self, table: KeyTable) -> None:
        """Takes other keys at once."""
        self.table = table
        self.set_keymap(dict(table.changed))

    def _apply(self, glyphs: str, motion: bool) -> bool:
        self.animation_level = TEXTUAL_ANIMATIONS if motion else "none"
        changed = self.has_class(ASCII) != (glyphs == "ascii")
        self.set_class(glyphs == "ascii", ASCII)
        return changed

    def fit_colours(self) -> None:
        """On a terminal of 16 colours: its own, since a theme's would fall together."""
        if self.console.color_system == "standard" and not self.current_theme.ansi:
            self.theme = ANSI_DARK if self.current_theme.dark else ANSI_LIGHT


def _no_colour() -> bool:
    """Whether `NO_COLOR` is set to something, as its convention asks; Textual takes any."""
    if os.environ.get("NO_COLOR") == "":
        del os.environ["NO_COLOR"]
    return "NO_COLOR" in os.environ
