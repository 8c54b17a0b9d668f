"""What a model is told: the next send, any stored answer, and the proof that both are true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from smriti_tui.domain.context import Context, ContextInput, assemble, context_sha256, rebuild
from smriti_tui.domain.errors import NotFound, SmritiError
from smriti_tui.domain.events import Limit, Segment
from smriti_tui.domain.ids import CheckpointId, RequestId, SessionId, kind_and_owner
from smriti_tui.domain.model import Message, Mode, Session, Turn, TurnAttachment
from smriti_tui.domain.tokens import message_tokens
from smriti_tui.domain.window import LineView, chosen_answers
from smriti_tui.services.caller import Caller
from smriti_tui.store import checkpoints, redacted, requests, sessions, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.requests import StoredRequest

PAGE = 100


@dataclass(frozen=True)
class Basis:
    """What a context was made from; if it changed, the context is not the one that was seen."""

    line: int
    anchor: CheckpointId | None
    floor: int
    last_seq: int
    chosen: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True)
class Prepared:
    """A context with all that is checked again before it is sent."""

    session: Session
    view: LineView
    context: Context
    basis: Basis
    turns: dict[int, Turn]
    session_version: int
    scope: int
    ask_again: int | None = None
    attachments: tuple[TurnAttachment, ...] = ()
    """What the new message quotes of what it mentions."""


@dataclass(frozen=True)
class StoredContext:
    """A request as it was stored, rebuilt from the store now."""

    request: StoredRequest
    messages: tuple[Message, ...]
    sha256: str
    """Of the rebuilt messages."""
    texts: dict[str, str]
    turns: dict[int, Turn]

    @property
    def verified(self) -> bool:
        """Whether the rebuilt bytes are those that were stored before the send."""
        return self.sha256 == self.request.event.context_sha256


@dataclass(frozen=True)
class Verdict:
    """Outcome of rebuilding one request; `reason` is empty when it is the same."""

    request: RequestId
    session: SessionId | None
    answer: int | None
    reason: str
    unended: bool = False
    """It asks for no answer of the chat, and its end is not there: the program that asked has ended
    first, or still waits."""
    redacted: bool = False
    """A text was taken out of its stream since, so that it cannot be what was sent."""


@dataclass(frozen=True)
class ContextService:
    caller: Caller

    def view(self, session: SessionId, scope: int = 1) -> LineView:
        """Where a session stands: line, mode, anchor, floor. Raises: NotFound."""
        with self.caller.read() as tx:
            return line_view(tx, sessions.session(tx, session), scope)

    def prepare(
        self,
        session: SessionId,
        limit: Limit,
        *,
        message: str | None = None,
        ask_again: int | None = None,
        scope: int = 1,
    ) -> Prepared:
        """The context of the next send (or of asking question `ask_again` again).

        Raises:
            NotFound: no such session. Invalid: blank or too long.
        """
        with self.caller.read() as tx:
            return prepare(tx, session, limit, message=message, ask_again=ask_again, scope=scope)

    def stored(self, session: SessionId, answer: int) -> StoredContext:
        """The context of an answer. Raises: NotFound; SmritiError when it cannot be rebuilt."""
        with self.caller.read() as tx:
            turn = sessions.turn(tx, session, answer)
            if turn.request is None:
                raise NotFound(
                    f"Turn {answer} was not answered by a model here, so it has no context.",
                    "Give the number of an answer.",
                )
            return stored_context(tx, requests.request(tx, turn.request))

    def verify(self, session: SessionId | None = None) -> Iterator[Verdict]:
        """Rebuilds every stored request (of a session) and compares byte for byte by hash. Whatever
        is wrong with one is its verdict; the others are looked at all the same."""
        with self.caller.read() as tx:
            for owner, number, request in requests.answers_asked(tx, session):
                found = Verdict(request, owner, number, _fault(tx, request, owner, number))
                yield _since_redacted(tx, found)
            for request in requests.without_answer(tx, session):
                yield _since_redacted(tx, _verdict(tx, request))


def _since_redacted(tx: Tx, verdict: Verdict) -> Verdict:
    """One that does not hold because a text was taken out, as the log says, is told as that."""
    if not verdict.reason:
        return verdict
    stream = requests.stream_of_request(tx, verdict.request)
    if stream is None or not redacted.of_stream(tx, stream):
        return verdict
    return replace(verdict, reason="", redacted=True)


def _verdict(tx: Tx, request: RequestId) -> Verdict:
    """Of a request that no answer names."""
    try:
        stored = requests.request(tx, request)
    except SmritiError as error:
        return Verdict(request, None, None, error.message.rstrip("."))
    reason = _fault(tx, request, None, None)
    if not reason and stored.event.purpose == "chat":
        reason = "no answer names it"
    unended = stored.event.purpose != "chat" and stored.status is None
    return Verdict(request, _session_of(stored), stored.answer, reason, unended)


def _fault(tx: Tx, request: RequestId, session: SessionId | None, number: int | None) -> str:
    """Why a request is not what was stored before it was sent; empty if it is."""
    try:
        stored = requests.request(tx, request)
        if not stored_context(tx, stored).verified:
            return "the rebuilt messages differ from what was stored"
        if session is None or number is None:
            return ""
        turn = sessions.turn(tx, session, number)
        if _session_of(stored) != session or turn.context_sha256 != stored.event.context_sha256:
            return "the answer names a context that is not its own"
        # A second answer to one request is that of a process that was taken for gone.
        named = sessions.turn(tx, session, stored.answer or 0)
        return "" if named.request == request else "the request names another answer"
    except SmritiError as error:
        return error.message.rstrip(".")


def _session_of(request: StoredRequest) -> SessionId | None:
    kind, owner = kind_and_owner(request.stream)
    return SessionId(owner) if kind == "session" else None


def stored_context(tx: Tx, request: StoredRequest) -> StoredContext:
    """Rebuilds a stored request from texts and turns. Raises: SmritiError (code
    `context_broken`)."""
    segments = request.event.segments
    digests = {segment.sha256 for segment in segments if segment.sha256}
    texts = requests.texts(tx, request.stream, digests)
    turns = _segment_turns(tx, _session_of(request), segments)
    messages = rebuild(segments, texts, turns)
    return StoredContext(request, messages, context_sha256(messages), texts, turns)


def _segment_turns(
    tx: Tx, session: SessionId | None, segments: tuple[Segment, ...]
) -> dict[int, Turn]:
    turns: dict[int, Turn] = {}
    for segment in segments:
        if session is not None and segment.first is not None and segment.last is not None:
            for turn in sessions.turns_between(tx, session, segment.first, segment.last):
                turns[turn.sequence_number] = turn
    return turns


def line_view(tx: Tx, session: Session, scope: int) -> LineView:
    """The current line of a session with its anchor, mode and floor (DESIGN section 4)."""
    line = sessions.line(tx, session.id, session.current_line)
    made = checkpoints.last_source_turn(tx, session.id, line.line)
    mode: Mode = "FRESH"
    anchor: CheckpointId | None = None
    if session.branch is not None and line.line == 1:
        branch = spaces.branch(tx, session.branch)
        anchor = branch.tip
        mode = "FORKED" if branch.start and not branch.head else "HEAD"
    elif session.branch is not None:
        anchor = made[0] if made else line.anchor
        mode = "RESTORED"
    chain = checkpoints.first_parents(tx, anchor, 3 if scope == 3 else 1)
    return LineView(
        line=line,
        mode=mode,
        anchor=chain[-1] if chain else None,
        scope=chain,
        checkpoint_last=made[1] if made else 0,
        last_seq=session.last_seq,
    )


def prepare(
    tx: Tx,
    session_id: SessionId,
    limit: Limit,
    *,
    message: str | None,
    ask_again: int | None,
    scope: int,
) -> Prepared:
    """Reads what decides a context and assembles it; see `ContextService.prepare`."""
    session = sessions.session(tx, session_id)
    view = line_view(tx, session, scope)
    turns = _window_turns(tx, view, limit)
    branch = spaces.branch(tx, session.branch) if session.branch else None
    given = ContextInput(
        view=view,
        turns=turns,
        runs=tuple(sessions.line_runs(tx, session_id)),
        limit=limit,
        message=message,
        ask_again=ask_again,
        branch_tip=branch.tip if branch else None,
        beneath=_beneath(tx, session_id, turns),
    )
    basis = Basis(
        line=view.line.line,
        anchor=view.anchor.id if view.anchor else None,
        floor=view.floor,
        last_seq=view.last_seq,
        chosen=tuple(sorted(chosen_answers(turns).items())),
    )
    return Prepared(
        session=session,
        view=view,
        context=assemble(given),
        basis=basis,
        turns={turn.sequence_number: turn for turn in turns},
        session_version=sessions.stream_version(tx, f"session/{session_id}"),
        scope=scope,
        ask_again=ask_again,
    )


def _window_turns(tx: Tx, view: LineView, limit: Limit) -> tuple[Turn, ...]:
    """The newest turns of the line above its floor, ascending: as many as can matter."""
    found: list[Turn] = []
    tokens, below = 0, view.last_seq + 1
    while tokens <= limit.tokens:
        page = sessions.newest_turns(tx, view.line.session, view.line.line, view.floor, below, PAGE)
        found += page
        tokens += sum(message_tokens(turn.content) for turn in page)
        if len(page) < PAGE:
            break
        below = page[-1].sequence_number
    return tuple(reversed(found))


def _beneath(tx: Tx, session: SessionId, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Questions below the first of `turns` that are answered among them, with all their answers."""
    known = {turn.sequence_number for turn in turns}
    asked = {turn.question for turn in turns if turn.question is not None} - known
    found: list[Turn] = []
    for question in sorted(asked):
        answers = sessions.answers_to(tx, session, question)
        found += [sessions.turn(tx, session, question)]
        found += [turn for turn in answers if turn.sequence_number not in known]
    return tuple(found)
