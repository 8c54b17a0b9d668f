"""From stored turns to what the transcript draws: folds, boundaries, answers with their facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Turn
from smriti_tui.domain.render.short_times import clock, clock_with_day
from smriti_tui.domain.render.turns_text import not_whole
from smriti_tui.domain.spending import amount_of, usd_words
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.window import chosen_answers
from smriti_tui.screens.desk.loads import SessionLook
from smriti_tui.widgets.header_bar import count
from smriti_tui.widgets.transcript_model import Entry, Folded, Notice, Rule, TurnView

GAP = "   "
LABELS = {"user": "you", "assistant": "assistant", "system": "system"}


def turn_view(turn: Turn, *, hint: str = "", out: bool = False, place: str = "") -> TurnView:
    """A stored turn as it is shown; `place` is its place among the answers to its question."""
    return TurnView(
        number=turn.sequence_number,
        role=turn.role,
        label=LABELS[turn.role],
        text=turn.text,
        meta=GAP.join(filter(None, (place, meta(turn)))),
        clock=clock_with_day(turn.said_at) if turn.said_at else clock(turn.recorded_at),
        status=turn.status,
        reasoning=turn.reasoning or "",
        note=turn.error.message if turn.error else not_whole(turn) or "",
        hint=hint,
        details=turn.details or 0,
        stays_out=out,
    )


def meta(turn: Turn) -> str:
    """Model, context hash, tokens and cost of an answer; what is not known is said to be so."""
    if turn.details is not None:
        return _imported_meta(turn)
    if turn.role != "assistant" or turn.question is None:
        return ""
    parts = [turn.model or "model unknown"]
    if turn.context_sha256:
        parts.append(f"ctx {turn.context_sha256[:4]}..")
    if turn.status != "running":
        parts += [_tokens(turn), _cost(turn)]
    return GAP.join(parts)


def _imported_meta(turn: Turn) -> str:
    """What another tool told of a turn, and how much stands beside its words."""
    parts = [turn.model or ""] if turn.role == "assistant" else []
    if turn.usage is not None:
        parts.append(_tokens(turn))
    if turn.details:
        parts.append(f"{counted(turn.details, 'detail')}: o")
    return GAP.join(filter(None, parts))


def _tokens(turn: Turn) -> str:
    usage = turn.usage
    if usage is None:
        return "tokens unknown"
    return f"{count(usage.input_tokens + usage.output_tokens)} tokens"


def _cost(turn: Turn) -> str:
    usd = amount_of(turn.cost.usd if turn.cost else None)
    return "cost unknown" if usd is None else usd_words(usd)


@dataclass
class FoldPages:
    """Turns of opened folds, read when they come into view."""

    turns: dict[int, Turn] = field(default_factory=dict)
    wanted: set[int] = field(default_factory=set)
    ask: Callable[[], None] = lambda: None

    def keep(self, turns: Sequence[Turn], most: int) -> None:
        """Takes over what was read and lets go of what stands farthest from it."""
        self.turns.update({turn.sequence_number: turn for turn in turns})
        over = len(self.turns) - most
        if over > 0 and turns:
            here = turns[0].sequence_number
            for number in sorted(self.turns, key=lambda at: abs(at - here))[-over:]:
                del self.turns[number]


@dataclass(frozen=True)
class FoldTurns(Sequence[TurnView]):
    """The turns of a fold; one that is not read yet is shown as such, and asked for."""

    first: int
    last: int
    pages: FoldPages = field(compare=False, repr=False)
    read: int = 0
    """Number of turns of the range that are read: with more, it is another value."""

    def __len__(self) -> int:
        return self.last - self.first + 1

    @overload
    def __getitem__(self, index: int) -> TurnView: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TurnView]: ...
    def __getitem__(self, index: int | slice) -> TurnView | Sequence[TurnView]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        number = self.first + index % len(self)
        turn = self.pages.turns.get(number)
        if turn is not None:
            return turn_view(turn, out=True)
        if number not in self.pages.wanted:
            self.pages.wanted.add(number)
            self.pages.ask()
        return TurnView(number, "user", "turn", "is being read ...", stays_out=True)


@dataclass(frozen=True)
class Spot:
    """What else decides how a session is shown."""

    pages: FoldPages
    window: tuple[tuple[int, int], ...] = ()
    """Ranges that do not fit the window of the next send."""
    sent_now: TurnView | None = None
    """A question that is on its way into the log."""
    letter: Callable[[str], str] = str
    """A letter key in the words of a hint."""


def entries(look: SessionLook, spot: Spot) -> list[Entry]:
    """The whole conversation as far as it is read."""
    found: list[Entry] = []
    view = look.view
    base, floor = view.line.history_base_seq, view.floor
    marks = _marks(look)
    for number in sorted(at for at in marks if at == 0):
        found.append(marks[number])
    for first, last, reason in _stretches(look, spot.window):
        if reason:
            found.append(_fold(first, last, reason, spot.pages))
        else:
            found += _turns(look, first, last, spot)
        for at in (base, floor):
            if at and first <= at <= last and marks.get(at) and marks[at] not in found:
                found.append(marks[at])
    for at in (base, floor):
        if at and marks.get(at) and marks[at] not in found:
            found.append(marks[at])
    if spot.sent_now is not None and spot.sent_now.number > view.last_seq:
        found.append(spot.sent_now)
        # The first send after a start may wait some seconds for the provider library.
        found.append(Notice("on its way ...   esc stops", place="sent"))
    if not found:
        words = f"Nothing was said here yet. {_to_the_prompt(spot.letter)}"
        found.append(Notice(words, place="empty"))
    return found


def first_drawn(look: SessionLook, window: Sequence[tuple[int, int]]) -> int:
    """The first turn that is drawn as one; those before it are within folds, which read their own
    turns."""
    drawn = (first for first, _, reason in _stretches(look, window) if not reason)
    return next(drawn, look.view.last_seq + 1)


def again(letter: Callable[[str], str]) -> str:
    """The hint below an answer that is not whole."""
    return f"{letter('R')} asks again"


def _to_the_prompt(letter: Callable[[str], str]) -> str:
    key = letter("i")
    return f"{key} goes to the prompt." if key == "i" else "What you type below starts it."


def _marks(look: SessionLook) -> dict[int, Rule]:
    """The boundary rules, by the number of the turn that they stand behind."""
    view = look.view
    line, marks = view.line, {}
    if view.mode == "RESTORED" and line.anchor is not None:
        label = f"restored to {short(line.anchor)}"
        marks[line.history_base_seq] = Rule(label, place=str(line.line))
    elif line.line == 1 and look.branch is not None and look.branch.start is not None:
        marks[0] = Rule(f"forked from {short(look.branch.start)}", place="1")
    if view.checkpoint_last > line.history_base_seq and view.anchor is not None:
        label = f"checkpoint {short(view.anchor.id)}"
        marks[view.checkpoint_last] = Rule(label, place=f"floor-{line.line}")
    return marks


def _stretches(
    look: SessionLook, window: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, str]]:
    """Unbroken ranges with the reason why they stay out, empty for those that are sent."""
    view = look.view
    base, made = view.line.history_base_seq, view.checkpoint_last
    current: list[tuple[int, int, str]] = []
    for run in look.runs:
        cuts = [(base, "before the boundary")]
        if run.line != view.line.line:
            cuts.append((run.last, "on another line"))
        elif made > base:
            cuts.append((made, "in the checkpoint"))
        first = run.first
        for upper, reason in (*cuts, *[(b, "does not fit the window") for _, b in window]):
            last = min(upper, run.last)
            if first <= last:
                _join(current, first, last, reason)
                first = last + 1
        if first <= run.last:
            _join(current, first, run.last, "")
    yield from current


def _join(found: list[tuple[int, int, str]], first: int, last: int, reason: str) -> None:
    if found and reason and found[-1][2] == reason and found[-1][1] == first - 1:
        found[-1] = (found[-1][0], last, reason)
    else:
        found.append((first, last, reason))


def _fold(first: int, last: int, reason: str, pages: FoldPages) -> Folded:
    turns = f"turn {first} stays" if first == last else f"turns {first}-{last} stay"
    read = sum(1 for number in pages.turns if first <= number <= last)
    shown = FoldTurns(first, last, pages, read)
    return Folded(f"{turns} out ({reason})", first, last, shown, hint="x: why")


def _turns(look: SessionLook, first: int, last: int, spot: Spot) -> Iterator[Entry]:
    """The turns of a stretch that is sent, as far as they are read."""
    if first < look.low:
        above = min(last, look.low - 1)
        yield Notice(f"turns {first}-{above} stand above; they are read as you go up", "above")
    turns = [turn for turn in look.turns if first <= turn.sequence_number <= last]
    chosen = chosen_answers(turns)
    newest = _newest_by_question(turns)
    places = _places(turns)
    for turn in turns:
        number, question = turn.sequence_number, turn.question
        if turn.role != "assistant" or question is None or turn.status == "running":
            yield turn_view(turn)
        elif chosen.get(question) == number or (
            chosen.get(question) is None and newest[question] == number
        ):
            bad = turn.status in ("failed", "cut", "stopped") and number == look.view.last_seq
            hint = again(spot.letter) if bad else ""
            yield turn_view(turn, hint=hint, place=places.get(number, ""))
        else:
            yield _sibling(turn, spot.pages)


def _places(turns: Sequence[Turn]) -> dict[int, str]:
    """`2 of 3`, by the number of an answer that has others to its question that could be sent."""
    answers: dict[int, list[int]] = {}
    for turn in turns:
        if turn.question is not None and can_be_sent(turn):
            answers.setdefault(turn.question, []).append(turn.sequence_number)
    return {
        number: f"{at} of {len(numbers)}"
        for numbers in answers.values()
        if len(numbers) > 1
        for at, number in enumerate(numbers, 1)
    }


def can_be_sent(turn: Turn) -> bool:
    """Whether an answer may be chosen: it has ended, and with some text."""
    return turn.role == "assistant" and turn.status != "running" and bool(turn.text)


def _newest_by_question(turns: Sequence[Turn]) -> Mapping[int, int]:
    return {
        turn.question: turn.sequence_number
        for turn in turns
        if turn.role == "assistant" and turn.question is not None
    }


def _sibling(turn: Turn, pages: FoldPages) -> Folded:
    number = turn.sequence_number
    pages.turns[number] = turn
    shown = FoldTurns(number, number, pages, 1)
    if turn.status == "failed":
        return Folded(f"answer {number} failed", number, number, shown)
    reason, hint = ("not chosen", "{ } choose") if turn.text else ("no text", "")
    return Folded(f"answer {number} stays out ({reason})", number, number, shown, hint=hint)
