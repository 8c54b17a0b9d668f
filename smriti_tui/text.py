"""Text of unknown origin as values that Textual and Rich show literally, and the net below all of
it.

Textual and Rich read a plain `str` as markup in most widgets, and write control characters through
to the terminal. So whatever was not written in this program's source goes through one of these
functions.
"""

from __future__ import annotations

import re

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.text import Text
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter

from smriti_tui.domain.clean import clean, clean_line

_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)

_NET = re.compile(f"{_CONTROL.pattern}|\u200d(?: |$)")


def literal(text: str) -> Content:
    """`text`, cleaned, as content that is never read as markup; line breaks stay."""
    return Content(clean(text))


def literal_line(text: str) -> Content:
    """As `literal`, on one line: for titles, options and toasts."""
    return Content(clean_line(text))


def rich_literal(text: str) -> Text:
    """`text`, cleaned and on one line, for Tree labels and DataTable cells (they take Rich text
    alone)."""
    return Text(clean_line(text))


class ControlFilter(LineFilter):
    """Replaces control characters in what is about to be written, whichever widget let them
    through. It runs after layout, where such a character counted as zero cells wide. Its sign needs
    a cell, which is taken from the next run of two or more spaces of the same segment; where there
    is none the character is dropped. So columns and borders to the right never move.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """`segments` with control characters made visible; the same list where there are none."""
        if not any(_NET.search(segment.text) for segment in segments if not segment.control):
            return segments
        return [
            segment if segment.control else Segment(_tame(segment.text), segment.style)
            for segment in segments
        ]


def _tame(text: str) -> str:
    """`text` in the same number of cells, without control characters."""
    # Layout counts what follows a joiner as joined, also where it is a space.
    text = re.sub("\u200d(?: |$)", "", text)
    parts: list[str] = []
    debt = 0
    for piece in re.split(r"( {2,}| +$)", text):
        if piece and not piece.strip(" "):
            paid = min(debt, len(piece) - 1)
            debt -= paid
            parts.append(piece[paid:])
        else:
            shown = _CONTROL.sub(_sign, piece)
            debt += _owed(piece)
            parts.append(shown)
    if debt:
        return _CONTROL.sub(lambda match: "\ufffd" * get_character_cell_size(match.group()), text)
    return "".join(parts)


def _owed(text: str) -> int:
    """The cells that the signs for `text`'s control characters need beyond what the layout gave
    them."""
    return sum(1 - get_character_cell_size(match.group()) for match in _CONTROL.finditer(text))


def _sign(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"
