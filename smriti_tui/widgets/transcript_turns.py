"""Entries as rows: pure functions of an entry, a width and the signs to draw with.

Column 0 of every row is the margin, which the pane fills for the selected turn. Text is indented
by four.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.cells import cell_len, set_cell_size

from smriti_tui.domain.clean import clean_line
from smriti_tui.widgets.markdown_lines import render_markdown, render_plain
from smriti_tui.widgets.markdown_model import (
    BLANK,
    Line,
    MarkdownTheme,
    Run,
    Span,
    prefixed,
    wrap_runs,
)
from smriti_tui.widgets.transcript_model import (
    Entry,
    Folded,
    Notice,
    Rule,
    TurnView,
    status_words,
)

INDENT = 4
MARGIN = Span(" ", source="")
DISPLAY_LIMIT = 200_000
DISPLAY_BREAKS = 5_000
"""Characters and line breaks of one turn that are laid out; what is beyond is counted below."""
_TEXT = Span(" " * INDENT, source="")
_DEEP = Span(" " * (INDENT + 2), source="")


@dataclass(frozen=True, slots=True)
class Rendered:
    """The rows of one entry. `tone` is a style name below all its spans."""

    lines: tuple[Line, ...]
    tone: str = ""
    toggle_row: int = -1
    """The row that a click folds and unfolds, if any."""

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.lines)

    def line(self, row: int) -> Line:
        """The row at `row`."""
        return self.lines[row]


def render_entry(entry: Entry, width: int, theme: MarkdownTheme, *, opened: bool) -> Rendered:
    """`opened` shows a turn's reasoning; a fold is one line either way (its turns are entries)."""
    match entry:
        case TurnView():
            return render_turn(entry, body_lines(entry, width, theme), width, opened=opened)
        case Folded():
            return Rendered(tuple(_folded(entry, width)), "fold", toggle_row=0)
        case Rule():
            return Rendered((_rule(entry.label, width),), "boundary")
        case Notice():
            return Rendered(
                tuple(indented([*wrap_runs([Run(clean_line(entry.text))], width - INDENT)])),
                "notice",
            )


def render_turn(turn: TurnView, body: list[Line], width: int, *, opened: bool) -> Rendered:
    """A turn around rows of its text that are rendered already (not yet indented)."""
    lines = [header_line(turn, width)]
    if turn.reasoning:
        lines.append(reasoning_line(turn.reasoning, opened=opened))
        if opened:
            rows = render_plain(turn.reasoning.strip("\n"), width - INDENT - 2, "reasoning")
            lines.extend(prefixed(rows, _DEEP, _DEEP))
    lines.extend(indented(body))
    lines.extend(status_lines(turn, width))
    lines.append(BLANK)
    return Rendered(
        tuple(lines), "out" if turn.stays_out else "", toggle_row=1 if turn.reasoning else -1
    )


def body_lines(turn: TurnView, width: int, theme: MarkdownTheme) -> list[Line]:
    """The turn's text: an answer as Markdown, everything else exactly as typed."""
    if not turn.text:
        return []
    text = turn.text[:DISPLAY_LIMIT]
    if text.count("\n") > DISPLAY_BREAKS:
        text = "\n".join(text.split("\n", DISPLAY_BREAKS)[:-1])
    if turn.role == "assistant":
        lines = [*render_markdown(text, width - INDENT, theme)]
    else:
        lines = [*render_plain(text.removesuffix("\n"), width - INDENT)]
    beyond = len(turn.text) - len(text)
    if beyond:
        said = f"... {beyond} more characters are not drawn here; o opens the whole turn"
        lines.extend(wrap_runs([Run(said, "status")], width - INDENT))
    return lines


def indented(lines: list[Line]) -> list[Line]:
    """Rows of a turn's text, moved below its label."""
    return [indent(line) for line in lines]


def indent(line: Line) -> Line:
    """One row of a turn's text, moved below its label."""
    return Line((_TEXT, *line.spans), line.joint)


def header_line(turn: TurnView, width: int) -> Line:
    """Number and label, then the facts that fit, then the time at the right edge if it fits too."""
    label = clean_line(turn.label)
    spans = [MARGIN, Span(f"{turn.number:>2} {label}", "label")]
    if turn.stays_out:
        spans.append(Span("   not sent", "label"))
    used = sum(cell_len(span.text) for span in spans)
    meta = _fitting(clean_line(turn.meta), width - used - 3)
    if meta:
        spans.append(Span(f"   {meta}", "meta"))
        used += cell_len(meta) + 3
    clock = clean_line(turn.clock)
    gap = width - used - cell_len(clock) - 1
    if clock and gap >= 2:
        spans += [Span(" " * gap, source="  "), Span(clock, "meta")]
    return _cropped(Line(tuple(spans)), width)


def _fitting(meta: str, room: int) -> str:
    """Whole facts from the left, as many as fit."""
    while meta and cell_len(meta) > room:
        meta = meta[: max(meta.rfind("  "), 0)].rstrip()
    return meta


def _cropped(line: Line, width: int) -> Line:
    """`line`, cut where a label alone is wider than the pane."""
    over = line.cells - width
    if over <= 0:
        return line
    last = line.spans[-1]
    cut = replace(last, text=set_cell_size(last.text, max(cell_len(last.text) - over, 0)))
    return replace(line, spans=(*line.spans[:-1], cut))


def reasoning_line(reasoning: str, *, opened: bool, running: bool = False) -> Line:
    """The one line that stands for a model's thinking, with a sign for open or folded."""
    count = reasoning.strip("\n").count("\n") + 1
    return thinking_line(count, opened=opened, running=running)


def thinking_line(count: int, *, opened: bool, running: bool) -> Line:
    """As `reasoning_line`, for a number of lines."""
    verb = "thinking" if running else "thought"
    unit = "line" if count == 1 else "lines"
    said = f"{'-' if opened else '+'} {verb} for {count} {unit}"
    return indent(Line((Span(said, "reasoning", source=""),)))


def status_lines(turn: TurnView, width: int) -> list[Line]:
    """What became of the answer, in words, with the next key."""
    said = status_words(turn)
    if not said:
        return []
    style = "error" if turn.status in ("cut", "failed") else "status"
    words = clean_line(f"{said}   {turn.hint}" if turn.hint else said)
    return indented(wrap_runs([Run(words, style)], width - INDENT))


def _folded(entry: Folded, width: int) -> list[Line]:
    rows = prefixed(
        wrap_runs([Run(clean_line(entry.label))], width - 4),
        Span("   ", source=""),
        Span("   ", source=""),
    )
    hint = clean_line(entry.hint)
    gap = width - rows[0].cells - cell_len(hint) - 1
    if hint and len(rows) == 1 and gap >= 2:
        rows = [Line((*rows[0].spans, Span(" " * gap, source="  "), Span(hint, "meta")))]
    return rows


def _rule(label: str, width: int) -> Line:
    words = f" {clean_line(label)} " if label else ""
    words = set_cell_size(words, min(cell_len(words), width - 1))
    room = max(width - 1 - cell_len(words), 0)
    left, right = room // 2, room - room // 2
    spans = (
        MARGIN,
        Span(_dashes(left), source="--- "),
        Span(words, "rulelabel", source=words.strip()),
        Span(_dashes(right)[::-1] if right % 2 else _dashes(right), source=" ---"),
    )
    return Line(spans)


def _dashes(cells: int) -> str:
    return ("- " * (cells // 2 + 1))[:cells]
