"""Drawing with ASCII alone: box lines, blocks, arrows and dots become signs of any terminal.

It works on what is about to be written, whichever widget drew it, so that nothing can be forgotten.
Letters of all scripts stay as they are; a box that somebody drew in a text becomes an ASCII box,
in the same columns.
"""

# ruff: noqa: RUF001 (the signs that look like others are what this file is about)

from __future__ import annotations

import re
import unicodedata
from types import MappingProxyType

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_OTHERS = {
    "═": "=", "║": "|", "╱": "/", "╲": "\\", "╳": "X",
    "←": "<", "→": ">", "↑": "^", "↓": "v", "↔": "-", "↕": "|", "⇒": ">", "⇐": "<",
    "▶": ">", "►": ">", "▸": ">", "▷": ">", "◀": "<", "◄": "<", "◂": "<", "▼": "v", "▾": "v",
    "▲": "^", "▴": "^", "•": "*", "●": "*", "◆": "*", "■": "#", "▪": "#", "○": "o", "◦": "o",
    "◯": "o", "□": "o", "▫": "o", "◇": "o", "·": ".", "…": ".", "–": "-", "—": "-", "‐": "-",
    "‑": "-", "−": "-", "×": "x", "✓": "+", "✔": "+", "✗": "x", "✘": "x", "“": '"', "”": '"',
    "„": '"', "‘": "'", "’": "'", "‚": "'", "\u00a0": " ", "\ufffd": "?", "█": "#", "▌": "|",
    "▐": "|", "▎": "|", "▏": "|", "▍": "|", "▊": "|", "▉": "|", "▋": "|", "▕": "|", "▔": "-",
    "▁": "_", "▂": "_", "▀": "#", "▄": "#", "─": "-",
}  # fmt: skip


def _sign(code: int) -> str:
    """The ASCII sign of a box line or a block, by the Unicode name."""
    glyph = chr(code)
    if glyph in _OTHERS:
        return _OTHERS[glyph]
    name = unicodedata.name(glyph, "")
    if not name.startswith("BOX DRAWINGS"):
        return "#"
    rest = name.replace("LIGHT", "").replace("HEAVY", "").replace("DASH", "")
    if ("HORIZONTAL" in rest and " AND " not in rest) or rest.split()[-1] in ("LEFT", "RIGHT"):
        return "+" if " AND " in rest else "-"
    if " AND " in rest:
        return "+"
    return "|"


_ASCII = MappingProxyType(
    str.maketrans(
        {
            **{chr(code): _sign(code) for code in range(0x2500, 0x25A0)},
            **{chr(code): "?" for code in range(0x2400, 0x2427)},
            **_OTHERS,
        }
    )
)
_DRAWN = re.compile(f"[{''.join(map(re.escape, map(chr, _ASCII)))}]")


def ascii_drawing(text: str) -> str:
    """`text` with its drawing signs in ASCII, in the same number of cells."""
    if text.isascii():
        return text
    return _DRAWN.sub(lambda found: str(found[0].translate(_ASCII)), text)


class AsciiFilter(LineFilter):
    """Writes all drawing in ASCII while it is enabled."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """`segments` in ASCII; the same list where there is nothing to change."""
        return [_in_ascii(segment) for segment in segments]


def _in_ascii(segment: Segment) -> Segment:
    text, style, control = segment
    if control:
        return segment
    handle = style.meta.get("@mouse.down") if style is not None and style._meta else None
    if handle == "grab":
        return Segment("#" * cell_len(text), style)
    if handle in ("scroll_up", "scroll_down"):
        return Segment("|" * cell_len(text), style)
    return segment if text.isascii() else Segment(ascii_drawing(text), style)
