"""Which turns of a line are sent, and why each other one is not (DESIGN 3.1, 10.9, 10.10).

The one place that decides isolation. It looks at lines, sequence numbers and answers, never at
times.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from smriti_tui.domain.events import LeftOut
from smriti_tui.domain.model import Checkpoint, Line, LineRun, Mode, Turn


@dataclass(frozen=True)
class LineView:
    """Where a session stands: its current line, anchor, floor and the state in scope."""

    line: Line
    mode: Mode
    anchor: Checkpoint | None
    scope: tuple[Checkpoint, ...]
    """The anchor and, with scope 3, up to two ancestors along first parents; oldest first."""
    checkpoint_last: int
    """Last source turn of the newest checkpoint made from this line, 0 if none exists."""
    last_seq: int
    """Highest sequence number of the session."""

    @property
    def floor(self) -> int:
        """Turns up to this number stay out (DESIGN 10.10)."""
        return max(self.line.history_base_seq, self.checkpoint_last)


def chosen_answer(question: Turn | None, answers: Iterable[Turn]) -> int | None:
    """Number of the answer that is sent for a question (DESIGN 10.9), None if there is none.

    A named answer wins; else the newest with text that ended complete or stopped; else the first
    with any text.
    """
    ordered = sorted(answers, key=lambda turn: turn.sequence_number)
    if question is not None and question.chosen is not None:
        named = [turn for turn in ordered if turn.sequence_number == question.chosen]
        if named:
            return question.chosen
    whole = [turn for turn in ordered if turn.text and turn.status in ("complete", "stopped")]
    if whole:
        return whole[-1].sequence_number
    some = [turn for turn in ordered if turn.text and turn.status == "cut"]
    return some[0].sequence_number if some else None


def chosen_answers(turns: Sequence[Turn]) -> dict[int, int | None]:
    """Question number to the number of its chosen answer, for all questions among `turns`."""
    questions = {turn.sequence_number: turn for turn in turns if turn.role == "user"}
    answers: dict[int, list[Turn]] = {number: [] for number in questions}
    for turn in turns:
        if turn.role == "assistant" and turn.question is not None:
            answers.setdefault(turn.question, []).append(turn)
    return {
        number: chosen_answer(questions.get(number), siblings)
        for number, siblings in answers.items()
    }


def reasons(turns: Sequence[Turn], beneath: Sequence[Turn] = ()) -> dict[int, str | None]:
    """For each turn of a line above its floor: None if it may be sent, else why it is not.

    `beneath` holds questions at or below the floor that have answers above it, with all their
    answers: they take part in choosing and are never sent.
    """
    chosen = chosen_answers([*beneath, *turns])
    return {turn.sequence_number: _reason(turn, chosen) for turn in turns}


def _reason(turn: Turn, chosen: dict[int, int | None]) -> str | None:
    if turn.role == "system":
        return "system"
    if turn.status == "running":
        return "running"
    if not turn.content:
        return "no text"
    answer = turn.role == "assistant" and turn.question is not None
    if answer and chosen.get(turn.question or 0) != turn.sequence_number:
        return "not chosen"
    return None


def newest_run(turns: Sequence[Turn], costs: Sequence[int], room: int) -> int:
    """Index of the first turn that is sent, so that `turns[index:]` costs at most `room` tokens.

    Whole turns only, newest first; where the run must be cut it starts at a question.
    """
    start = len(turns)
    while start > 0 and costs[start - 1] <= room:
        start -= 1
        room -= costs[start]
    if start == 0:
        return 0
    while start < len(turns) and turns[start].role != "user":
        start += 1
    return start


def left_out_turns(
    view: LineView,
    runs: Sequence[LineRun],
    why: dict[int, str | None],
    sent: Sequence[int],
    last: int,
) -> tuple[LeftOut, ...]:
    """All turns 1 to `last` that are not in `sent`, as ranges with their reasons (DESIGN 10.10).

    `why` holds the examined turns of the line; what lies on the line above the floor but was not
    examined, or was and does not fit, is left out by the window.
    """
    ranges: list[LeftOut] = []
    for run in runs:
        if run.first > last:
            break
        _run_ranges(view, run, why, set(sent), min(run.last, last), ranges)
    return tuple(ranges)


def _run_ranges(
    view: LineView,
    run: LineRun,
    why: dict[int, str | None],
    sent: set[int],
    last: int,
    ranges: list[LeftOut],
) -> None:
    first = run.first
    for upper, reason in _unexamined(view, run.line):
        if first <= min(upper, last):
            _extend(ranges, first, min(upper, last), reason)
            first = min(upper, last) + 1
    if first > last or run.line != view.line.line:
        return
    examined = min((number for number in why if number >= first), default=last + 1)
    if first < examined:
        _extend(ranges, first, min(examined - 1, last), "window")
    for number in range(max(first, examined), last + 1):
        if number not in sent:
            _extend(ranges, number, number, why.get(number) or "window")


def _unexamined(view: LineView, line: int) -> list[tuple[int, str]]:
    """Upper ends of what stays out without a look at the turns, lowest first."""
    base = view.line.history_base_seq
    bounds = [(base, "before the boundary")] if base else []
    if line != view.line.line:
        return [*bounds, (view.last_seq + 1, "other line")]
    if view.checkpoint_last > base:
        bounds.append((view.checkpoint_last, "in the checkpoint"))
    return bounds


def _extend(ranges: list[LeftOut], first: int, last: int, reason: str) -> None:
    before = ranges[-1] if ranges else None
    if before and before.reason == reason and before.last == first - 1:
        ranges[-1] = replace(before, last=last)
    else:
        ranges.append(LeftOut(what="turns", reason=reason, first=first, last=last))
