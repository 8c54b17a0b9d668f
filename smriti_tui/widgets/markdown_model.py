"""What the Markdown renderer gives: lines of styled spans that still know the words they came
from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rich.cells import cell_len

from smriti_tui.widgets.markdown_cells import TAB_CELLS, wrap

TAB = " " * TAB_CELLS


@dataclass(frozen=True, slots=True)
class MarkdownTheme:
    """The signs that the renderer draws by itself. Colours are no part of it: a style is a name
    here."""

    bullet: str
    rule: str
    quote: str
    column: str
    crossing: str
    ascii: bool = False


UNICODE_THEME = MarkdownTheme(bullet="•", rule="─", quote="│", column=" │ ", crossing="─┼─")
ASCII_THEME = MarkdownTheme(
    bullet="-", rule="-", quote=">", column=" | ", crossing="-+-", ascii=True
)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of one line. `style` is a set of style names, joined by spaces. `source` is what
    copying it gives: None means the text itself, an empty string that the renderer drew it.
    """

    text: str
    style: str = ""
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One row. `joint` is what stands between its words and the next row's in the source: a line
    break (perhaps behind spaces), the spaces at which a paragraph was wrapped, or nothing where a
    long word was folded."""

    spans: tuple[Span, ...] = ()
    joint: str = "\n"

    @property
    def text(self) -> str:
        """The row as shown."""
        return "".join(span.text for span in self.spans)

    @property
    def cells(self) -> int:
        """The row's width on the screen."""
        return sum(cell_len(span.text) for span in self.spans)

    def source(self, start: int = 0, end: int | None = None) -> str:
        """The words behind the characters `[start, end)` of the row as shown."""
        parts: list[str] = []
        at = 0
        for span in self.spans:
            size = len(span.text)
            low = max(start - at, 0)
            high = size if end is None else min(end - at, size)
            if low < high:
                parts.append(span.text[low:high] if span.source is None else span.source)
            at += size
        return "".join(parts)


class Run(NamedTuple):
    """Styled text before it is wrapped; a tab is still one character here."""

    text: str
    style: str = ""


BLANK = Line()


def copy_lines(lines: Iterable[tuple[Line, int, int | None]]) -> str:
    """The source words of a range of rows, each with the characters `[start, end)` taken from
    it."""
    parts: list[str] = []
    joint = ""
    for line, start, end in lines:
        parts.append(joint)
        parts.append(line.source(start, end))
        joint = line.joint
    return "".join(parts)


def wrap_runs(runs: Sequence[Run], width: int, *, hard: bool = False) -> list[Line]:
    """One logical line as rows of at most `width` cells; at least one row."""
    text = runs[0].text if len(runs) == 1 else "".join(run.text for run in runs)
    if len(runs) == 1 and 0 < len(text) <= width and text.isascii() and "\t" not in text:
        return [Line((Span(text, runs[0].style),))]
    lines: list[Line] = []
    cursor = _RunCursor(runs)
    for start, end, after in wrap(text, width, hard=hard):
        spans = cursor.take(start, end)
        lines.append(Line(spans, joint=text[end:after]))
    lines[-1] = replace(lines[-1], joint=f"{lines[-1].joint}\n")
    return lines


class _RunCursor:
    """Cuts runs by offsets into their joined text, in rising order."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        self._index = 0
        self._base = 0

    def take(self, start: int, end: int) -> tuple[Span, ...]:
        """The spans of `[start, end)`; a mark never begins a span, it stays with the sign that it
        changes."""
        spans: list[Span] = []
        while self._index < len(self._runs):
            text, style = self._runs[self._index]
            low, high = max(start - self._base, 0), min(end - self._base, len(text))
            if low < high:
                _add_spans(spans, text[low:high], style)
            if self._base + len(text) > end:
                break
            self._base += len(text)
            self._index += 1
        return tuple(spans)


def _add_spans(spans: list[Span], text: str, style: str) -> None:
    if spans and not (text.isascii() and spans[-1].text.isascii()):
        text = _give_marks_back(spans, text)
    if "\t" not in text:
        if text:
            spans.append(Span(text, style))
        return
    for index, piece in enumerate(text.split("\t")):
        if index:
            spans.append(Span(TAB, style, source="\t"))
        if piece:
            spans.append(Span(piece, style))


def _give_marks_back(spans: list[Span], text: str) -> str:
    """Moves leading joiners and marks to the span before, so that both are measured as one
    cluster."""
    joined = spans[-1].text.endswith("\u200d")
    size = 0
    while size < len(text) and text[size] != "\t" and (joined or cell_len(text[size]) == 0):
        joined = text[size] == "\u200d"
        size += 1
    if size and spans[-1].source is None:
        spans[-1] = replace(spans[-1], text=spans[-1].text + text[:size])
        return text[size:]
    return text


def prefixed(
    lines: Iterable[Line], first: Span, rest: Span, *, continued: bool = False
) -> list[Line]:
    """`lines` with a sign before them; what was wrapped from the row above copies without the
    sign."""
    result: list[Line] = []
    span = first
    for line in lines:
        shown = replace(span, source="") if continued else span
        result.append(Line((shown, *line.spans), line.joint))
        continued = not line.joint.endswith("\n")
        span = rest
    return result
