"""A screen as text, and below it what is bold, reversed or underlined: all that is left without
colour."""

from __future__ import annotations

import asyncio
import re
import time

from rich.style import Style
from textual.strip import Strip
from textual.widgets import Input, TextArea

from tests.ui.stage import Go, idle

LOOK_S = 0.01
STILL_LOOKS = 2
"""Drawings in a row that must be the same."""
LONG_S = 30.0
CHANCE = re.compile(r"(smriti-demo-)([a-z0-9_]+)")
"""The name of the folder that a demo's throw-away database lies in."""
MARKS = (("reverse", "r"), ("underline", "u"), ("bold", "b"), ("italic", "i"), ("dim", "d"))


def _strips(pilot: Go) -> list[Strip]:
    return pilot.app.screen._compositor.render_strips()


def words(pilot: Go) -> str:
    """What stands on the screen, without the white space at the ends of its lines."""
    text = "\n".join(strip.text.rstrip() for strip in _strips(pilot))
    return CHANCE.sub(lambda found: found[1] + "x" * len(found[2]), text)


def emphasis(pilot: Go) -> str:
    """A letter for each cell that stands out by more than its colour."""
    return "\n".join(
        "".join(_mark(segment.style) * segment.cell_length for segment in strip).rstrip()
        for strip in _strips(pilot)
    )


def _mark(style: Style | None) -> str:
    if style is None:
        return " "
    return next((letter for name, letter in MARKS if getattr(style, name)), " ")


async def still(pilot: Go, *, opened: bool = True) -> None:
    """Waits until nothing moves. With `opened` the desk must be there."""
    deadline = time.monotonic() + LONG_S
    seen, since = "", 0
    while since < STILL_LOOKS:
        assert time.monotonic() < deadline, "the screen does not come to rest"
        await pilot.pause()
        await asyncio.sleep(LOOK_S)
        for text in (*pilot.app.screen.query(TextArea), *pilot.app.screen.query(Input)):
            text.cursor_blink = False
        if opened and not idle(pilot):
            since = 0
            continue
        now = words(pilot)
        since = since + 1 if now == seen else 0
        seen = now


async def until(pilot: Go, sign: str) -> None:
    """Waits until something stands on the screen."""
    deadline = time.monotonic() + LONG_S
    while sign not in words(pilot):
        assert time.monotonic() < deadline, f"no {sign!r} on\n{words(pilot)}"
        await pilot.pause()
        await asyncio.sleep(LOOK_S)
