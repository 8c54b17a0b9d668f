"""Text that tries to drive the terminal, and what of it may reach one."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App

CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
SIGNS = st.sampled_from(
    [
        *"[]/\\$@=()\"'`*_#<>|~-: ae",
        "\n", "\r", "\t", "\x00", "\x07", "\x08", "\x0e", "\x1b", "\x7f", "\x84", "\x90", "\x9b",
        "\x9c", "\x9d", "\u061c", "\u200b", "\u200d", "\u200e", "\u2028", "\u202e", "\u2066",
        "\u2069", "\ufe0f", "\ufeff", "\ud800", "\udfff", "\u0301", "\u0947", "\u093f", "\u00ad",
        "क", "त", "漢", "ｗ", "ع", "ש", "👩", "❤", "\U0001f1eb", "\U000e0041", "가", "\u1100",
    ]
)  # fmt: skip
PIECES = st.sampled_from(
    [
        "[/]", "[red]", "[@click=app.quit]", "[link=http://a]", "[$x]", "[[a]]", "C:\\[dir]",
        "\x1b]52;c;cHduZWQ=\x07", "\x1b]0;owned\x07", "\x1b[2J", "\x9b31m", "\x90q\x9c", "\x1bc",
        "\x1b[?1049l", "\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\", "नमस्ते", "👩‍👩‍👧", "```\n",
        "| a | b |\n|--|--|\n",
        "- [ ] x\n", "# ", "> ", "$$x$$", "![x](javascript:a)", "<script>", "&#27;[2J", "a\u202eb",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(SIGNS, PIECES), max_size=24).map("".join)
BATCHES = st.lists(TEXTS, min_size=5, max_size=5)


def faults(app: App[Any]) -> list[str]:
    """What is wrong with the bytes that a terminal would get of the screen as it stands."""
    width = app.size.width
    found: list[str] = []
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        said = [segment for segment in strip if not segment.control]
        words = "".join(segment.text for segment in said)
        if CONTROL.search(words):
            found.append(f"row {y} drives the terminal: {words!r}")
        if any(segment.style and (segment.style.link or segment.style.meta.get("@click"))
               for segment in said):  # fmt: skip
            found.append(f"row {y} holds a link or an action: {words!r}")
        # Piece by piece: a joiner at the end of one joins nothing of the next.
        cells = sum(cell_len(segment.text) for segment in said)
        if width not in (cells, strip.cell_length) or cells != strip.cell_length:
            found.append(f"row {y} has {cells} cells of {width}: {words!r}")
        if (bad := CONTROL.search(_bare(strip.render(app.console)))) is not None:
            found.append(f"row {y} writes {bad.group()!r}: {words!r}")
    return found


def _bare(written: str) -> str:
    """What is written, without the colours that Textual writes itself."""
    return re.sub(r"\x1b\[[0-9;]*m", "", written)
