"""What is really drawn: every run of cells with its colours, and whether it can be read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rich.color import ColorSystem
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot
from textual.screen import ModalScreen

from smriti_tui.widgets.legible import LINE, TEXT, contrast


@dataclass(frozen=True)
class Faint:
    """Something that stands out too little."""

    text: str
    ratio: float
    ink: str
    ground: str

    def __str__(self) -> str:
        return f"{self.text!r} {self.ratio:.2f} ({self.ink} on {self.ground})"


def faint_runs(pilot: Pilot[int], *, of_256: bool = False) -> Iterator[Faint]:
    """Words below 4.5:1 and lines below 3:1 on the screen as it is; with `of_256` as a terminal of
    256 colours shows it.

    What lies behind a dialog is dimmed on purpose and does not count.
    """
    screen = pilot.app.screen
    region = screen.children[0].region if isinstance(screen, ModalScreen) else screen.region
    strips = screen._compositor.render_strips()[region.y : region.bottom]
    for strip in strips:
        for segment in strip.crop(region.x, region.right):
            text = segment.text.strip()
            if text and segment.style is not None and not segment.control:
                ink, ground = colours(segment.style, of_256=of_256)
                ratio = contrast(ink, ground)
                if ratio < (LINE if is_drawing(text) else TEXT):
                    yield Faint(text, ratio, ink.hex, ground.hex)


def is_drawing(text: str) -> bool:
    """Whether these cells are lines and blocks, not words."""
    return all(
        unicodedata.name(sign, "").startswith(("BOX DRAWINGS", "LOWER", "LEFT", "RIGHT", "FULL"))
        or sign.isspace()
        for sign in text
    )


def colours(style: Style, *, of_256: bool = False) -> tuple[Color, Color]:
    """Ink and ground as the terminal shows them."""
    assert style.color is not None
    assert style.bgcolor is not None
    assert not style.dim, "dim takes from the contrast what nobody measures"
    ink, ground = (
        Color.from_rich_color(color.downgrade(ColorSystem.EIGHT_BIT) if of_256 else color)
        for color in (style.color, style.bgcolor)
    )
    return (ground, ink) if style.reverse else (ink, ground)
