"""The controlled comparison: another answer's stored context with exactly one thing changed.

With another model or parameter the messages are those that were stored before the other answer was
asked for, byte for byte (DESIGN 10.9). With another scope the turns are the same ones, and the
state is told from the checkpoint that they stood on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from smriti_tui.domain.context import Context, context_sha256
from smriti_tui.domain.errors import Conflict, Invalid, SmritiError
from smriti_tui.domain.events import Estimate, LeftOut, Limit, RequestStored, Segment
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Checkpoint, LineRun, Message, Turn
from smriti_tui.domain.state_text import TEMPLATE, state_parts
from smriti_tui.domain.tokens import VERSION, message_tokens, text_tokens
from smriti_tui.domain.values import sha256
from smriti_tui.domain.window import LineView
from smriti_tui.providers.preflight import RESERVED
from smriti_tui.services.contexts import Basis, Prepared, StoredContext, line_view, stored_context
from smriti_tui.services.models import ModelChoice
from smriti_tui.store import checkpoints, requests, sessions
from smriti_tui.store.engine import Tx

FORK = "Fork before that question to ask it again there."


@dataclass(frozen=True)
class OneChange:
    """What differs from the other answer's request; exactly one of these is given."""

    model: str | None = None
    scope: int | None = None
    params: Mapping[str, object] | None = None
    """Parameters of the call with their new values, the others stay."""

    def check(self) -> None:
        """Raises: Invalid: none or several are given, or a parameter that the program sets."""
        given = [each for each in (self.model, self.scope, self.params) if each]
        if len(given) != 1:
            raise Invalid(
                "Exactly one thing is changed in a comparison.",
                "Give a model, a scope or a parameter.",
                code="one_change",
            )
        if self.scope not in (None, 1, 3):
            raise Invalid("The scope is 1 or 3.", "Give one of them.", field="scope")
        if taken := sorted(RESERVED.intersection(self.params or ())):
            raise Invalid(
                f"The program sets {taken[0]} itself.", "Change another parameter.", field="param"
            )
        try:
            json.dumps(dict(self.params or {}), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise Invalid(
                "A parameter's value is no JSON.", "Give a number, a text or the like.",
                field="param",
            ) from error  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """Which model the new answer is asked of, with what."""

    choice: ModelChoice
    limit: Limit
    """Its window and reserve."""


@dataclass(frozen=True)
class OldSide:
    """An answer that another one can be asked for beside."""

    turn: Turn
    request: RequestStored
    checkpoints: int
    """How many checkpoints a scope of 3 would hold."""


def old_side(tx: Tx, session_id: SessionId, answer: int) -> OldSide:
    """Raises: as `prepare_beside`."""
    view = line_view(tx, sessions.session(tx, session_id), 1)
    turn = sessions.turn(tx, session_id, answer)
    stored = _stored(tx, turn)
    _check_place(tx, turn, stored, view)
    event = stored.request.event
    newest = event.anchors[-1] if event.anchors else None
    return OldSide(turn, event, len(checkpoints.first_parents(tx, newest, 3)))


def same_model(stored: RequestStored, choice: ModelChoice, change: OneChange) -> Asked:
    """The other answer's own model and parameters, less what is changed.

    Raises:
        Conflict: the name leads to another model than it did.
        Invalid: the parameter has that value already, or the model takes none.
    """
    if choice.model != stored.model:
        raise Conflict(
            f"That answer came from {stored.model}, which is not set up as it was.",
            "Choose another model as the one change.",
            code="model_changed",
        )
    params = {name: value for name, value in stored.params.items() if name != "max_tokens"}
    changed = {**params, **(change.params or {})}
    if change.params:
        if choice.model.startswith("demo/"):
            raise Invalid("The demo models take no parameters.", "Change the model.", field="param")
        if changed == params:
            raise Invalid("The parameter has that value already.", "Give another.", field="param")
    return Asked(replace(choice, params=changed), stored.limit)


def other_model(stored: RequestStored, choice: ModelChoice, limit: Limit) -> Asked:
    """Another model with the parameters of its own entry. Raises: Invalid: it is the same one."""
    mine = {name: value for name, value in stored.params.items() if name != "max_tokens"}
    if choice.model == stored.model and dict(choice.params) == mine:
        raise Invalid(
            f"{choice.name} is the model of that answer: nothing would change.",
            "Choose another model.",
            field="model",
        )
    return Asked(choice, limit)


def prepare_beside(
    tx: Tx, session_id: SessionId, answer: int, change: OneChange, limit: Limit
) -> Prepared:
    """The context of the other answer, ready to be sent once more for the same question.

    Raises:
        NotFound: no such session or turn. Invalid: not an answer of a model here; it does not fit
            the window (code `too_long`).
        Conflict: only a fork could do it (code `no_sibling`), it has no text, or nothing would
            change.
    """
    session = sessions.session(tx, session_id)
    view = line_view(tx, session, 1)
    turn = sessions.turn(tx, session_id, answer)
    stored = _stored(tx, turn)
    _check_place(tx, turn, stored, view)
    event = stored.request.event
    state = tuple(_existing(tx, each) for each in event.anchors)
    if change.scope is not None:
        state, context = _with_scope(tx, stored, state, change.scope, limit)
    else:
        context = _as_stored(stored, limit)
    _check_room(context)
    runs = sessions.line_runs(tx, session_id)
    left = (*context.left_out, *_since(event, context, view, runs))
    turns = {**stored.turns, turn.sequence_number: turn}
    basis = Basis(
        view.line.line, view.anchor.id if view.anchor else None, view.floor, view.last_seq, ()
    )
    return Prepared(
        session=session,
        view=replace(view, scope=state),
        context=replace(context, left_out=left),
        basis=basis,
        turns=turns,
        session_version=sessions.stream_version(tx, f"session/{session_id}"),
        scope=change.scope or event.scope,
        ask_again=turn.question,
    )


# ---- what must hold ------------------------------------------------------------------------------


def _stored(tx: Tx, turn: Turn) -> StoredContext:
    if turn.role != "assistant" or turn.question is None or turn.request is None:
        raise Invalid(
            f"Turn {turn.sequence_number} was not answered by a model here.",
            "Give the number of an answer.",
        )
    if turn.status == "running" or not turn.text:
        still = "is still on its way" if turn.status == "running" else "has no text to compare with"
        raise Conflict(
            f"Answer {turn.sequence_number} {still}.", "Choose another answer.", code="no_text"
        )
    stored = stored_context(tx, requests.request(tx, turn.request))
    if not stored.verified:
        raise SmritiError(
            f"The context of answer {turn.sequence_number} cannot be rebuilt as it was.",
            "Run `smriti context verify`.",
            code="context_broken",
        )
    return stored


def _check_place(tx: Tx, turn: Turn, stored: StoredContext, view: LineView) -> None:
    """Only the last question of the current line, above its floor, gets another answer (10.9); and
    nothing is sent of which a checkpoint has taken in a part since."""
    newest = sessions.newest_turns(
        tx, turn.session, view.line.line, view.floor, view.last_seq + 1, 200
    )
    last = next((each.sequence_number for each in newest if each.role == "user"), None)
    if turn.line != view.line.line or turn.question != last:
        raise _no_sibling(f"Question {turn.question} is not the last one of what is sent now.")
    if any(number <= view.floor for number in _sent(stored.request.event)):
        raise _no_sibling("A checkpoint has taken in turns of that context since.")


def _no_sibling(why: str) -> Conflict:
    return Conflict(why, FORK, code="no_sibling")


def _existing(tx: Tx, anchor: object) -> Checkpoint:
    found = checkpoints.find_checkpoint(tx, anchor)  # type: ignore[arg-type]
    if found is None:
        raise _no_sibling("The checkpoint that this answer stood on was deleted.")
    return found


def _check_room(context: Context) -> None:
    """All of it is sent or nothing: a turn that is left out would be a second change."""
    limit = context.limit
    over = context.estimate.tokens + limit.reserve - limit.tokens
    if over > 0:
        raise Invalid(
            f"That context does not fit: {over:,} over the window of {limit.tokens:,} tokens "
            f"({limit.source}), of which {limit.reserve:,} are kept for the answer.",
            "Choose a model with a larger window.",
            code="too_long",
        )


# ---- contexts ----------------------------------------------------------------------------------


def _sent(event: RequestStored) -> tuple[int, ...]:
    """Numbers of the turns that a request sent, the question last."""
    return tuple(
        number
        for segment in event.segments
        if segment.first is not None and segment.last is not None
        for number in range(segment.first, segment.last + 1)
    )


def _as_stored(stored: StoredContext, limit: Limit) -> Context:
    event = stored.request.event
    return Context(
        messages=stored.messages,
        segments=event.segments,
        texts=stored.texts,
        left_out=event.left_out,
        estimate=event.estimate,
        limit=limit,
        sha256=stored.sha256,
        template=event.template,
        sent=_sent(event),
    )


def _with_scope(
    tx: Tx, stored: StoredContext, state: tuple[Checkpoint, ...], scope: int, limit: Limit
) -> tuple[tuple[Checkpoint, ...], Context]:
    """The same turns under more or fewer checkpoints, the newest of which is the same."""
    event = stored.request.event
    if event.template != TEMPLATE:
        raise _no_sibling("The state is told in other words now than it was then.")
    chain = checkpoints.first_parents(tx, state[-1].id if state else None, scope)
    parts, left_state = state_parts(chain)
    turns = [segment for segment in event.segments if segment.kind != "text"]
    said = stored.messages[1:] if stored.messages[0].role == "system" else stored.messages
    head = (Message("system", "\n\n".join(part.text for part in parts)),) if parts else ()
    messages = (*head, *said)
    digest = context_sha256(messages)
    if digest == stored.sha256:
        raise Conflict(
            f"With scope {scope} the context would be the same.",
            "There are no more checkpoints on this line; change something else.",
            code="same_context",
        )
    texts = [
        Segment("text", "system", sha256(p.text), p.what, p.checkpoint, tokens=text_tokens(p.text))
        for p in parts
    ]
    of_turns = tuple(left for left in event.left_out if left.what == "turns")
    return chain, Context(
        messages=messages,
        segments=(*texts, *turns),
        texts={sha256(part.text): part.text for part in parts},
        left_out=(*of_turns, *left_state, *_out_of_scope(event, chain)),
        estimate=Estimate(VERSION, sum(message_tokens(each.content) for each in messages)),
        limit=limit,
        sha256=digest,
        sent=_sent(event),
    )


def _out_of_scope(event: RequestStored, chain: tuple[Checkpoint, ...]) -> tuple[LeftOut, ...]:
    inside = {checkpoint.id for checkpoint in chain}
    return tuple(
        left
        for left in event.left_out
        if left.what == "checkpoint" and left.checkpoint not in inside
    )


def _since(
    event: RequestStored, context: Context, view: LineView, runs: list[LineRun]
) -> tuple[LeftOut, ...]:
    """The turns that came after the stored request, none of which is sent: the manifest names every
    turn (10.10)."""
    known = [left.last or 0 for left in event.left_out if left.what == "turns"]
    first = max((*known, *context.sent), default=0) + 1
    found = []
    for run in runs:
        low, high = max(run.first, first), run.last
        if low <= high:
            reason = "not chosen" if run.line == view.line.line else "other line"
            found.append(LeftOut("turns", reason, first=low, last=high))
    return tuple(found)
