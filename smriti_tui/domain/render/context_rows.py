"""What the context inspector and its text twin show of one request, as plain rows (ux 4.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from smriti_tui.domain.events import LeftOut, Segment
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.model import Cost, Message, Purpose, Role
from smriti_tui.domain.render.context_text import ShownContext
from smriti_tui.domain.tokens import VERSION, message_tokens
from smriti_tui.domain.values import canonical, sha256


@dataclass(frozen=True)
class ContextFacts(ShownContext):
    """All that is known of one request, sent or not; the text twin shows the same."""

    texts: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 to text, for every text segment."""
    purpose: Purpose = "chat"
    cost: Cost | None = None
    placeholder: bool = False
    """Nothing is typed yet; a stand-in is the last message."""
    mounting: CheckpointId | None = None
    """The checkpoint that is mounted for this look only; nothing is changed by it."""
    raw: str | None = None
    """What was answered to a request that is no turn's, letter by letter."""

    @property
    def sent(self) -> bool:
        return self.stored_sha256 is not None

    @property
    def size_bytes(self) -> int:
        """UTF-8 bytes of all contents."""
        return sum(len(message.content.encode()) for message in self.messages)


@dataclass(frozen=True)
class Piece:
    """One text within a part, exactly as it goes out."""

    text: str
    role: Role
    turn: int | None = None

    @property
    def size_bytes(self) -> int:
        return len(self.text.encode())


@dataclass(frozen=True)
class PartRow:
    """A line of the list of what is sent."""

    number: int
    what: str
    origin: str
    tokens: int
    sha256: str
    pieces: tuple[Piece, ...]
    checkpoint: CheckpointId | None = None
    first: int | None = None
    last: int | None = None

    @property
    def size_bytes(self) -> int:
        return sum(piece.size_bytes for piece in self.pieces)


@dataclass(frozen=True)
class LeftRow:
    """A line of the list of what stays out, and why."""

    what: str
    why: str
    things: int
    """How many turns, items or texts the line stands for."""
    checkpoint: CheckpointId | None = None
    first: int | None = None


def grouped(number: int) -> str:
    """`2114` as `2,114`."""
    return f"{number:,}"


def turn_range(first: int, last: int) -> str:
    """`turn 5`, `turns 5 to 9`."""
    return f"turn {first}" if first == last else f"turns {first} to {last}"


# ---- what is sent ------------------------------------------------------------------------------


def part_rows(facts: ContextFacts) -> tuple[PartRow, ...]:
    """The parts in the order they are sent; the newest question is a part of its own."""
    left = iter(facts.messages)
    if facts.messages and any(s.kind == "text" and s.role == "system" for s in facts.segments):
        next(left)  # the system message, which its text parts make up
    rows: list[PartRow] = []
    for segment in facts.segments:
        if segment.kind == "text":
            rows.append(_text_row(facts, segment, left))
        else:
            rows += _turn_rows(facts, segment, left)
    return tuple(replace(row, number=number) for number, row in enumerate(rows, 1))


def _text_row(facts: ContextFacts, segment: Segment, left: Iterator[Message]) -> PartRow:
    role: Role = segment.role or "user"
    text = facts.texts.get(segment.sha256 or "", "")
    if role != "system":
        text = next(left).content
    return PartRow(
        number=0,
        what=segment.what or f"text ({role})",
        origin=short(segment.checkpoint) if segment.checkpoint else facts.template,
        tokens=segment.tokens,
        sha256=segment.sha256 or sha256(text),
        pieces=(Piece(text, role),),
        checkpoint=segment.checkpoint,
    )


def _turn_rows(facts: ContextFacts, segment: Segment, left: Iterator[Message]) -> list[PartRow]:
    first, last = segment.first or 0, segment.last or 0
    pieces: list[Piece] = []
    for number in range(first, last + 1):
        message = next(left)
        pieces.append(Piece(message.content, message.role, number))
    is_end = segment is facts.segments[-1] and pieces[-1].role == "user"
    if not is_end or facts.estimate.version != VERSION:
        return [_turns_row(facts, tuple(pieces), segment.tokens)]
    own = message_tokens(pieces[-1].text)
    question = _turns_row(facts, (pieces[-1],), own)
    word = "your question" if facts.sent else "your next message"
    word = "nothing typed yet" if facts.placeholder else word
    question = replace(question, what=f"{question.what} ({word})")
    if len(pieces) == 1:
        return [question]
    return [_turns_row(facts, tuple(pieces[:-1]), segment.tokens - own), question]


def _turns_row(facts: ContextFacts, pieces: tuple[Piece, ...], tokens: int) -> PartRow:
    first, last = pieces[0].turn or 0, pieces[-1].turn or 0
    listed = [{"role": piece.role, "content": piece.text} for piece in pieces]
    return PartRow(
        number=0,
        what=turn_range(first, last),
        origin=short(facts.session),
        tokens=tokens,
        sha256=sha256(canonical(listed)),
        pieces=pieces,
        first=first,
        last=last,
    )


def sum_rows(facts: ContextFacts) -> tuple[tuple[str, str], ...]:
    """Name and figure of the lines under the parts; the figures add up to what was counted."""
    frame = facts.estimate.tokens - sum(segment.tokens for segment in facts.segments)
    rows = [("joins and message frame", grouped(frame))] if frame else []
    rows.append(("counted", grouped(facts.estimate.tokens)))
    return (*rows, ("reported", reported_tokens(facts)))


def reported_tokens(facts: ContextFacts) -> str:
    """The provider's own figure, or why there is none."""
    if not facts.sent:
        return "not sent"
    return grouped(facts.usage.input_tokens) if facts.usage else "unknown"


def budget_lines(facts: ContextFacts) -> tuple[str, str]:
    """That there is nothing else, and how much of the model's window the request takes."""
    limit = facts.limit
    used = round(100 * facts.estimate.tokens / limit.tokens) if limit.tokens else 100
    verb = "was sent" if facts.sent else "would be sent"
    share = f"{used} %" if used or not facts.estimate.tokens else "under 1 %"
    budget = f"Budget {grouped(limit.tokens)} tokens ({limit.source}), used {share}."
    return f"Nothing else {verb}.", budget


# ---- what stays out ----------------------------------------------------------------------------


def left_rows(facts: ContextFacts) -> tuple[LeftRow, ...]:
    """Everything that stays out, in the stored order."""
    return tuple(_left_row(left) for left in facts.left_out)


def left_total(facts: ContextFacts) -> int:
    """How many turns, items, texts and checkpoints stay out."""
    return sum(row.things for row in left_rows(facts))


def _left_row(left: LeftOut) -> LeftRow:
    why = left.reason
    if left.what == "turns":
        first, last = left.first or 0, left.last or 0
        return LeftRow(turn_range(first, last), why, last - first + 1, first=first)
    if left.kept is not None and left.of is not None:
        why = f"{why}: {grouped(left.kept)} of {grouped(left.of)} characters"
    things = 1 if left.count is None else left.count
    return LeftRow(_left_what(left), why, things, checkpoint=left.checkpoint)


_ONE: Mapping[str, str] = {"entities": "entity", "items": "item", "tasks": "task"}


def _left_what(left: LeftOut) -> str:
    if left.what == "checkpoint":
        return f"checkpoint {short(left.checkpoint or '')}"
    what = f'{left.what} "{left.label}"' if left.label is not None else left.what
    if left.count is not None:
        what = f"1 {_ONE.get(what, what)}" if left.count == 1 else f"{left.count} {what}"
    return f"{what} of {short(left.checkpoint)}" if left.checkpoint else what
