"""Context assembly: what a model is told, as a pure function (DESIGN section 4, 10.18, 10.19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.events import Estimate, LeftOut, Limit, Segment
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.model import LineRun, Message, Turn
from smriti_tui.domain.state_text import TEMPLATE, StatePart, state_parts
from smriti_tui.domain.tokens import VERSION, message_tokens, text_tokens
from smriti_tui.domain.values import canonical, sha256
from smriti_tui.domain.window import LineView, left_out_turns, newest_run, reasons


@dataclass(frozen=True)
class ContextInput:
    """All that decides what is sent. Nothing else may."""

    view: LineView
    turns: tuple[Turn, ...]
    """The newest turns of the current line above its floor, ascending; enough to fill the
    window."""
    runs: tuple[LineRun, ...]
    limit: Limit
    message: str | None = None
    """Content of the new user message; None with `ask_again`."""
    ask_again: int | None = None
    """Number of the question that is asked again."""
    branch_tip: CheckpointId | None = None
    beneath: tuple[Turn, ...] = ()
    """See `window.reasons`."""


@dataclass(frozen=True)
class Context:
    """The messages, and everything needed to store, show and rebuild them."""

    messages: tuple[Message, ...]
    segments: tuple[Segment, ...]
    texts: Mapping[str, str]
    """SHA-256 to text, for every text segment."""
    left_out: tuple[LeftOut, ...]
    estimate: Estimate
    limit: Limit
    sha256: str
    template: str = TEMPLATE
    sent: tuple[int, ...] = field(default=())
    """Sequence numbers of the turns in `messages`, ascending; a new message counts as the next."""


def context_sha256(messages: Sequence[Message]) -> str:
    """SHA-256 over the canonical list of `{role, content}` that litellm gets."""
    return sha256(canonical([{"role": m.role, "content": m.content} for m in messages]))


def assemble(given: ContextInput) -> Context:
    """The context of the next send, or of asking a question again.

    Raises:
        Invalid: the message alone does not fit the window (code `too_long`; its details hold the
            size as `tokens` and the `window`), or is blank.
    """
    parts, left_state = state_parts(given.view.scope)
    number, final = _final_message(given)
    earlier = [turn for turn in given.turns if turn.sequence_number < number]
    why = reasons(given.turns, given.beneath)
    for later in given.turns:
        if later.sequence_number > number:
            why[later.sequence_number] = why[later.sequence_number] or "not chosen"
    candidates = [turn for turn in earlier if why[turn.sequence_number] is None]
    system = [Message("system", "\n\n".join(part.text for part in parts))] if parts else []
    room = given.limit.tokens - given.limit.reserve
    room -= sum(message_tokens(m.content) for m in [*system, final])
    if room < 0:
        raise _too_long(given, -room)
    costs = [message_tokens(turn.content) for turn in candidates]
    start = newest_run(candidates, costs, room)
    history = candidates[start:]
    messages = (*system, *(Message(t.role, t.content) for t in history), final)
    sent = (*(turn.sequence_number for turn in history), number)
    return Context(
        messages=messages,
        segments=(
            *_text_segments(parts),
            *turn_segments(sent, [*costs[start:], message_tokens(final.content)]),
        ),
        texts={sha256(part.text): part.text for part in parts},
        left_out=(
            *left_out_turns(given.view, given.runs, why, sent, given.view.last_seq),
            *left_state,
            *_not_in_scope(given),
        ),
        estimate=Estimate(VERSION, sum(message_tokens(m.content) for m in messages)),
        limit=given.limit,
        sha256=context_sha256(messages),
        sent=sent,
    )


def _final_message(given: ContextInput) -> tuple[int, Message]:
    if given.ask_again is not None:
        for turn in given.turns:
            if turn.sequence_number == given.ask_again:
                return given.ask_again, Message("user", turn.content)
        raise Invalid(
            f"Turn {given.ask_again} is not a question of this line.", "Fork to ask it again."
        )
    if not given.message or not given.message.strip():
        raise Invalid("The message is empty.", "Type something to send.", field="message")
    return given.view.last_seq + 1, Message("user", given.message)


def _too_long(given: ContextInput, over: int) -> Invalid:
    error = Invalid(
        f"The message does not fit: {over:,} token{'s' if over > 1 else ''} over the window of "
        f"{given.limit.tokens:,} ({given.limit.source}), of which {given.limit.reserve:,} are "
        "kept for the answer.",
        "Shorten it or choose a model with a larger window.",
        field="message",
        code="too_long",
    )
    limit = given.limit
    error.details |= {"tokens": limit.tokens - limit.reserve + over, "window": limit.tokens}
    return error


def _text_segments(parts: Sequence[StatePart]) -> list[Segment]:
    return [
        Segment("text", "system", sha256(p.text), p.what, p.checkpoint, tokens=text_tokens(p.text))
        for p in parts
    ]


def turn_segments(sent: Sequence[int], costs: Sequence[int]) -> list[Segment]:
    """Unbroken ranges of the numbers `sent`, with their summed tokens."""
    ranges: list[list[int]] = []
    for number, cost in zip(sent, costs, strict=True):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
            ranges[-1][2] += cost
        else:
            ranges.append([number, number, cost])
    return [Segment("turns", first=a, last=b, what="turns", tokens=cost) for a, b, cost in ranges]


def _not_in_scope(given: ContextInput) -> tuple[LeftOut, ...]:
    tip = given.branch_tip
    if tip is None or tip in {checkpoint.id for checkpoint in given.view.scope}:
        return ()
    return (LeftOut("checkpoint", "not in scope", checkpoint=tip),)


def rebuild(
    segments: Sequence[Segment], texts: Mapping[str, str], turns: Mapping[int, Turn]
) -> tuple[Message, ...]:
    """The messages of a stored request, from its segments alone (DESIGN 10.18).

    Raises:
        SmritiError: a text or turn that the request names is missing (code `context_broken`).
    """
    system: list[str] = []
    messages: list[Message] = []
    for segment in segments:
        if segment.kind == "text":
            text = texts.get(segment.sha256 or "")
            if text is None:
                raise _broken(f"text {segment.sha256}")
            if segment.role == "system":
                system.append(text)
            else:
                messages.append(Message(segment.role or "user", text))
        else:
            messages += [_turn_message(turns, n) for n in _numbers(segment)]
    head = [Message("system", "\n\n".join(system))] if system else []
    return (*head, *messages)


def _numbers(segment: Segment) -> range:
    return range(segment.first or 0, (segment.last or 0) + 1)


def _turn_message(turns: Mapping[int, Turn], number: int) -> Message:
    turn = turns.get(number)
    if turn is None:
        raise _broken(f"turn {number}")
    return Message(turn.role, turn.content)


def _broken(what: str) -> SmritiError:
    return SmritiError(
        f"A stored request cannot be rebuilt: {what} is missing.",
        "Run `smriti log verify`.",
        code="context_broken",
    )


def check_reach(context: Context, view: LineView, turns: Mapping[int, Turn]) -> None:
    """Self-check before a send, independent of `assemble`: refuses a context that the line cannot
    reach (DESIGN 3.1).

    Raises:
        SmritiError: a turn of another line, at or below the floor, or not yet ended (code
            `isolation`); a state text of a checkpoint outside the scope.
    """
    for number in context.sent:
        turn = turns.get(number)
        if turn is None and number == view.last_seq + 1:
            continue
        if turn is None or turn.line != view.line.line or number <= view.floor:
            raise _unreachable(f"turn {number} is not reachable on line {view.line.line}")
        if turn.role == "system" or turn.status == "running":
            raise _unreachable(f"turn {number} must not be sent")
    allowed = {checkpoint.id for checkpoint in view.scope}
    for segment in context.segments:
        if segment.checkpoint is not None and segment.checkpoint not in allowed:
            raise _unreachable(f"checkpoint {segment.checkpoint} is not in scope")


def _unreachable(what: str) -> SmritiError:
    return SmritiError(
        f"The send was refused by its self-check: {what}.",
        "Nothing was sent. This is a fault of the program: please report it.",
        code="isolation",
    )
