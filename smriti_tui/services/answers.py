"""How an answer begins and ends in the log, also when its process died (DESIGN 10.8 to 10.13)."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from smriti_tui.domain.context import check_reach
from smriti_tui.domain.errors import Conflict, ContextMoved, StoreError
from smriti_tui.domain.events import (
    AnswerChosen,
    AnswerEnded,
    AnswerStarted,
    Owner,
    RequestStored,
    TurnAdded,
)
from smriti_tui.domain.ids import RequestId, SessionId, new_id, short
from smriti_tui.domain.model import Fault, Turn, TurnAttachment
from smriti_tui.domain.values import parse_utc, utc_text
from smriti_tui.domain.window import chosen_answer
from smriti_tui.services.caller import Caller
from smriti_tui.services.contexts import Basis, Prepared
from smriti_tui.store import checkpoints, requests, sessions
from smriti_tui.store.decoding import decoded
from smriti_tui.store.engine import Tx
from smriti_tui.store.scope import WriteScope

SILENT_S = 60
"""An owner on another host that gave no sign for this long is taken for gone."""


@dataclass(frozen=True)
class Begun:
    """Numbers of a send that is stored and may now go to the provider."""

    session: SessionId
    question: int
    answer: int
    line: int
    request: RequestId
    context_sha256: str
    keeps_choice: bool = False
    """The answer that was sent so far stays the one, until a person chooses."""


@dataclass(frozen=True)
class Ask:
    """What is asked of whom: all of a send but its context."""

    model: str
    params: dict[str, object]
    text: str | None
    """What was typed, None where a question is asked again."""
    content: str
    command_id: str | None = None
    attachments: tuple[TurnAttachment, ...] = ()
    """What `content` quotes of what the text mentions."""
    keeps_choice: bool = False
    """See `Begun`."""


def begin(caller: Caller, prepared: Prepared, ask: Ask) -> Begun | None:
    """Stores the question (unless it is asked again), the request and the start of its answer in
    one transaction. None when the session or its anchor moved meanwhile: assemble again.

    Raises:
        Conflict: the command was carried out before (code `repeated`); nothing is written.
    """
    stream = f"session/{prepared.session.id}"
    with caller.write(ask.command_id) as scope, caller.read() as tx:
        _refuse_repeat(scope, stream)
        if scope.version(stream) != prepared.session_version or _moved_below(scope, tx, prepared):
            return None
        return _store(scope, tx, prepared, ask)


def begin_under_lock(
    caller: Caller, session: SessionId, prepare: Callable[[Tx], Prepared], ask: Ask
) -> tuple[Prepared, Begun]:
    """As `begin`, for a session that others keep writing to: its context is assembled while nobody
    else can write, so this always gets its turn.

    Raises:
        Conflict: as `begin`; and what `prepare` raises.
    """
    with caller.write(ask.command_id) as scope, caller.read() as tx:
        _refuse_repeat(scope, f"session/{session}")
        prepared = prepare(tx)
        return prepared, _store(scope, tx, prepared, ask)


def _refuse_repeat(scope: WriteScope, stream: str) -> None:
    if scope.earlier(AnswerStarted, stream):
        raise Conflict(
            "This command was carried out before.",
            "Its answer stands in the session; nothing was sent.",
            code="repeated",
        )


def _store(scope: WriteScope, tx: Tx, prepared: Prepared, ask: Ask) -> Begun:
    session = prepared.session.id
    stream = f"session/{session}"
    check_reach(prepared.context, prepared.view, prepared.turns)
    line, number = prepared.view.line.line, prepared.view.last_seq + 1
    question = prepared.ask_again
    if question is None:
        text = ask.text or ask.content
        typed = TurnAdded(number, line, "user", text, ask.content, attachments=ask.attachments)
        scope.append(stream, typed)
        question, number = number, number + 1
    request = RequestId(new_id())
    known = requests.texts(tx, stream, set(prepared.context.texts))
    fresh = {k: v for k, v in prepared.context.texts.items() if k not in known}
    scope.append(stream, _request(prepared, request, ask.model, ask.params, fresh))
    owner = this_process()
    scope.append(stream, AnswerStarted(number, line, question, request, ask.model, owner))
    if ask.keeps_choice:
        _name_choice(scope, tx, prepared, question)
    return Begun(
        session, question, number, line, request, prepared.context.sha256, ask.keeps_choice
    )


def _name_choice(scope: WriteScope, tx: Tx, prepared: Prepared, question: int) -> None:
    """Names the answer that is sent now. It is written with the start of the new one, so that it
    holds however that ends, in whatever process."""
    asked = sessions.turn(tx, prepared.session.id, question)
    chosen = chosen_answer(asked, sessions.answers_to(tx, prepared.session.id, question))
    if asked.chosen is None and chosen is not None:
        scope.append(f"session/{prepared.session.id}", AnswerChosen(question, chosen))


def _request(
    prepared: Prepared,
    request: RequestId,
    model: str,
    params: dict[str, object],
    fresh: dict[str, str],
) -> RequestStored:
    context = prepared.context
    return RequestStored(
        request=request,
        purpose="chat",
        model=model,
        limit=context.limit,
        estimate=context.estimate,
        template=context.template,
        segments=context.segments,
        left_out=context.left_out,
        context_sha256=context.sha256,
        line=prepared.view.line.line,
        anchors=tuple(checkpoint.id for checkpoint in prepared.view.scope),
        scope=prepared.scope,
        params=params,
        texts=dict(fresh),
    )


def _moved_below(scope: WriteScope, tx: Tx, prepared: Prepared) -> bool:
    """Whether what the session stands on changed without an event of its own: the branch under a
    HEAD line, the checkpoint under a mounted one, or one that was made from this line."""
    view = prepared.view
    made = checkpoints.last_source_turn(tx, prepared.session.id, view.line.line)
    if (made[1] if made else 0) != view.checkpoint_last:
        return True
    anchor = view.anchor.id if view.anchor else None
    branch = prepared.session.branch
    if view.line.line == 1 and branch is not None:
        row = scope.tables.one("branch", {"id": branch}, ("head", "start"))
        return row is None or (row[0] or row[1]) != anchor
    if anchor is not None:
        row = scope.tables.one("checkpoint", {"id": anchor}, ("deleted",))
        return row is None or bool(row[0]) or (made is not None and made[0] != anchor)
    return False


def moved(now: Basis, seen: Basis | None) -> ContextMoved:
    """Says what came since the person looked; without `seen`, that another question came."""
    what = "another question was asked"
    if seen is not None:
        what = "the session changed"
        if seen.line != now.line:
            what = "a checkpoint was mounted or unmounted"
        elif seen.anchor != now.anchor:
            what = f"the state moved to {short(now.anchor)}" if now.anchor else "the state is gone"
        elif seen.last_seq != now.last_seq:
            what = f"turn {now.last_seq} was added"
        elif seen.chosen != now.chosen:
            what = "another answer was chosen"
    return ContextMoved(
        f"Before this was sent, {what}.", "Look at it, then send again; your text is kept."
    )


def end(caller: Caller, begun: Begun, ended: AnswerEnded) -> Turn:
    """Writes the end of an answer and returns it as stored.

    If somebody ended it meanwhile, taking this process for gone, the answer becomes a sibling
    (DESIGN 10.13). An answer that comes after a choice was made is the new choice.
    """
    stream = f"session/{begun.session}"
    with caller.write() as scope, caller.read() as tx:
        turn = sessions.turn(tx, begun.session, begun.answer)
        number = begun.answer
        if turn.status != "running":
            number = sessions.session(tx, begun.session).last_seq + 1
            model = ended.model or turn.model or ""
            scope.append(
                stream,
                AnswerStarted(
                    number, begun.line, begun.question, begun.request, model, this_process()
                ),
            )
        scope.append(stream, replace(ended, sequence_number=number))
        question = sessions.turn(tx, begun.session, begun.question)
        whole = ended.status in ("complete", "stopped") and bool(ended.text)
        if whole and question.chosen is not None and not begun.keeps_choice:
            scope.append(stream, AnswerChosen(begun.question, number))
    _drop_partial(caller, begun.session, begun.answer)
    with caller.read() as tx:
        return sessions.turn(tx, begun.session, number)


def settle_orphans(caller: Caller, session: SessionId | None = None) -> list[Turn]:
    """Ends the answers whose process is gone with what had arrived; returns them."""
    with caller.read() as tx:
        running = sessions.running_answers(tx, session)
    settled: list[Turn] = []
    for turn, owner_text in running:
        partial = caller.store.side.partial(turn.session, turn.sequence_number)
        beat = partial.beat_at if partial else turn.recorded_at
        if _alive(decoded(Owner, owner_text, "a running answer"), beat, caller.store.now()):
            continue
        text = partial.text if partial else ""
        reasoning = (partial.reasoning or None) if partial else None
        fault = Fault("process_gone", "The program that received this answer ended.")
        with caller.write() as scope, caller.read() as tx:
            if sessions.turn(tx, turn.session, turn.sequence_number).status != "running":
                continue
            scope.append(
                f"session/{turn.session}",
                AnswerEnded(
                    turn.sequence_number,
                    "cut" if text else "failed",
                    text,
                    reasoning=reasoning,
                    model=turn.model,
                    error=fault,
                ),
            )
        _drop_partial(caller, turn.session, turn.sequence_number)
        settled.append(turn)
    return settled


def still_answering(running: Sequence[Turn]) -> Conflict:
    """What keeps a session from being deleted: whoever receives the answer would lose it."""
    turn = running[0]
    return Conflict(
        f"Answer {turn.sequence_number} of session {short(turn.session)} is still on its way.",
        "Stop it or wait for its end; nothing was deleted.",
        code="answering",
        details={"sessions": sorted({each.session for each in running})},
    )


def settle_before_reading(caller: Caller, session: SessionId) -> None:
    """As `settle_orphans`, for who is about to show a session: a send would do the same first.
    Where nothing can be written now, nothing can be sent either, and they stay."""
    with contextlib.suppress(StoreError):
        settle_orphans(caller, session)


def _drop_partial(caller: Caller, session: SessionId, number: int) -> None:
    """Forgets the copy of an answer whose end is stored; one that stays does no harm."""
    with contextlib.suppress(StoreError):
        caller.store.side.drop_partial(session, number)


class OwedEnds:
    """Ends of answers that the database would not take. They are written as soon as it does, so
    that no answer of a living process stays running for ever. Safe from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: list[tuple[Begun, AnswerEnded]] = []

    def keep(self, begun: Begun, ended: AnswerEnded) -> None:
        with self._lock:
            self._ends.append((begun, ended))

    def pay(self, caller: Caller) -> None:
        """Writes them all.

        Raises:
            StoreError: the database is still away; what is left stays owed.
        """
        with self._lock:
            while self._ends:
                end(caller, *self._ends[0])
                del self._ends[0]


# ---- processes ---------------------------------------------------------------------------------


def this_process() -> Owner:
    return Owner(socket.gethostname(), os.getpid(), process_started(os.getpid()) or "")


def process_started(pid: int) -> str | None:
    """When a process of this machine started, in ticks since boot; None if it is not there.

    Where the system does not tell, an empty text for every process that is there.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        fields = stat.rpartition(")")[2].split()
        return None if fields[0] == "Z" else fields[19]
    except OSError:
        if Path("/proc/self/stat").exists():
            return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return ""
    return ""


def _alive(owner: Owner, beat_at: str, now: str) -> bool:
    if owner.host == socket.gethostname():
        return process_started(owner.pid) == owner.started
    return utc_text(parse_utc(beat_at) + timedelta(seconds=SILENT_S)) > now
