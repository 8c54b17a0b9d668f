"""What the eye sees as one sign: grapheme clusters, by the rules of Unicode.

A joined emoji, a letter with its accents and a Devanagari syllable are several code points each;
the cursor passes them, and backspace takes them, as one. The rules come from `regex`, which is
loaded when the first text that needs them is met: plain ASCII never does.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

if TYPE_CHECKING:
    import regex

REACH = 256
"""Code points around a place that are looked at; no cluster of a written language is longer."""


@cache
def _pattern() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"\X")


def load() -> None:
    """Loads the rules: in a thread, before somebody types what needs them."""
    _pattern()


def cluster_around(line: str, column: int) -> tuple[int, int]:
    """Start and end of the cluster that holds the code point at `column`.

    At the end of the line both are its length.
    """
    if column >= len(line):
        return len(line), len(line)
    start = column
    while start > 0 and not line[start - 1 : start + 1].isascii() and column - start < REACH:
        start -= 1
    if start == column and line[column : column + 2].isascii():
        return column, column + 1
    for found in _pattern().finditer(line, start, min(len(line), column + REACH)):
        if found.end() > column:
            return found.start(), found.end()
    return column, column + 1


def snapped(line: str, column: int) -> int:
    """The start of the cluster in whose middle `column` lies, else `column`."""
    return cluster_around(line, column)[0]


class ClusterText(Text):
    """A line whose styles cover whole clusters: the cursor never stands in the middle of one, which
    would tear a sign apart on its way to the terminal."""

    def stylize(self, style: str | Style, start: int = 0, end: int | None = None) -> None:
        """As `Text.stylize`, from the start of the first cluster to the end of the last."""
        plain = self.plain
        if start > 0:
            start = snapped(plain, start)
        if end is not None and 0 < end <= len(plain):
            end = max(end, cluster_around(plain, end - 1)[1])
        super().stylize(style, start, end)


def whole_signs(strip: Strip) -> Strip:
    """The same line, with what a change of style cut off a sign put back to it."""
    if strip.text.isascii():
        return strip
    segments: list[Segment] = []
    for segment in strip:
        if segments and not segment.control and segments[-1].text:
            before = segments[-1]
            joined = before.text + segment.text
            end = cluster_around(joined, len(before.text) - 1)[1]
            segments[-1] = Segment(joined[:end], before.style)
            segment = Segment(joined[end:], segment.style)
        segments.append(segment)
    return Strip(segments, strip.cell_length)
