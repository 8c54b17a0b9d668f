"""The strip of time travel: where one is in a Space's events, and what happened around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from smriti_tui.domain.clean import clean_line
from smriti_tui.widgets.row_list import cut

WIDE = 100
SLOT = 11
"""Cells that a checkpoint takes on the line: its id and a gap."""
MOST_MARKS = 8


@dataclass(frozen=True, slots=True)
class StripStep:
    """An event: its position, who did it, what it was."""

    position: int
    actor: str
    words: str


@dataclass(frozen=True, slots=True)
class StripMark:
    """A checkpoint by its short id, at the position that saved it."""

    position: int
    name: str


@dataclass(frozen=True)
class StripView:
    """A place in time; everything ascends."""

    here: StripStep = field(default_factory=lambda: StripStep(0, "", ""))
    before: tuple[StripStep, ...] = ()
    after: tuple[StripStep, ...] = ()
    marks: tuple[StripMark, ...] = ()
    when: str = ""
    newest: int = 0
    """Position of the newest event of the log."""
    last: int = 0
    """Position of the newest event of this Space."""
    newer: int = 0
    """Events that came since one has looked back."""


def title_line(view: StripView, width: int) -> Content:
    """What this is, where one is, and whether the present has moved on."""
    words = [
        "TIME TRAVEL", "read only", f"event {view.here.position:,} of {view.newest:,}", view.when,
        f"by {view.here.actor}" if view.here.actor else "",
    ]  # fmt: skip
    gap = "   " if width >= WIDE else "  "
    right = _newer(view.newer) if view.newer else "everything is as it was then"
    left = gap.join(clean_line(word) for word in words if word)
    if view.newer or width >= WIDE:
        left = cut(left, max(width - cell_len(right) - 4, 0)).rstrip()
        space = max(width - cell_len(left) - cell_len(right) - 2, 1)
        return Content.assemble((f" {left}", "bold"), " " * space, right)
    return Content.styled(f" {cut(left, max(width - 2, 0)).rstrip()}", "bold")


def _newer(count: int) -> str:
    return "1 newer event" if count == 1 else f"{count:,} newer events"


# ---- the line of checkpoints -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Slot:
    above: str
    sign: str
    here: bool = False


def line_rows(view: StripView, width: int) -> tuple[Content, Content]:
    """The ids of the checkpoints, and the line with the present place among them."""
    slots, more = _slots(view, min(max(width // SLOT - 2, 0), MOST_MARKS))
    room = max(width - 4, 1)
    above, line = [" "] * width, [" ", " ", *("-" * room)]
    if more:
        line[2] = "<"
    marked = (0, 0)
    for at, slot in enumerate(slots):
        place = 2 + (room - 1) * (at + 1) // (len(slots) + 1) if at < len(slots) - 1 else 1 + room
        begin = _put(line, place, slot.sign)
        _put(above, place, slot.above)
        if slot.here:
            marked = (begin, begin + len(slot.sign))
    text = "".join(line)[:width]
    drawn = Content.assemble(
        text[: marked[0]], (text[marked[0] : marked[1]], "bold"), text[marked[1] :]
    )
    return Content("".join(above)[:width]), drawn


def _slots(view: StripView, most: int) -> tuple[list[_Slot], bool]:
    """What stands on the line from left to right, and whether there are earlier checkpoints."""
    here = view.here.position
    before = [mark for mark in view.marks if mark.position < here]
    after = [mark for mark in view.marks if mark.position > here]
    own = next((mark.name for mark in view.marks if mark.position == here), "")
    ahead = min(len(after), max(most // 2, most - len(before)))
    kept = before[-(most - ahead) :] if most > ahead else []
    sign = f"[{here}]"
    slots = [_Slot(mark.name, "o") for mark in kept]
    if here >= view.last:
        slots.append(_Slot("now", sign, here=True))
    else:
        slots.append(_Slot(own, sign, here=True))
        slots += [_Slot(mark.name, "o") for mark in after[:ahead]]
        slots.append(_Slot("now", "|"))
    return slots, len(kept) < len(before)


def _put(cells: list[str], place: int, text: str) -> int:
    """Writes a text around a place, or as near as it fits; returns where it begins."""
    begin = max(min(place - len(text) // 2, len(cells) - len(text)), 0)
    cells[begin : begin + len(text)] = text
    return begin


# ---- the events around -------------------------------------------------------------------------


def event_rows(view: StripView, width: int, rows: int) -> list[Content]:
    """Events in columns, each read downwards; the one of now is bold."""
    columns = 3 if width >= WIDE else 2
    back = rows if columns == 3 else rows - 1
    steps: list[StripStep | None] = [*view.before[-back:]] if back else []
    steps = [*([None] * (back - len(steps))), *steps, view.here, *view.after]
    cell = (width - 2) // columns
    return [_event_row(steps[row::rows][:columns], view.here, cell) for row in range(rows)]


def _event_row(steps: Sequence[StripStep | None], here: StripStep, cell: int) -> Content:
    parts = [Content("  ")]
    for step in steps:
        words = "" if step is None else f"{step.position} {step.actor}  {step.words}"
        shown = cut(clean_line(words), max(cell - 2, 0))
        parts.append(Content.styled(shown, "bold" if step is here else ""))
        parts.append(Content(" " * max(cell - cell_len(shown), 0)))
    return Content("").join(parts)


class TimeStrip(Widget):
    """Two to five lines, as many as there is room for."""

    DEFAULT_CSS = "TimeStrip { height: 5; max-height: 20vh; }"

    view: reactive[StripView] = reactive(StripView())

    def render(self) -> Content:
        """The lines that fit: first what this is, last the events."""
        width, height = self.size.width, self.size.height
        above, line = line_rows(self.view, width)
        rows = [title_line(self.view, width)]
        if height >= 4:
            rows.append(above)
        if height >= 3:
            rows.append(line)
        rows += event_rows(self.view, width, 2 if height >= 5 else 1)
        return Content("\n").join(rows[: max(height, 1)])
