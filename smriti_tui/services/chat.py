"""Asking a model: the one asynchronous service.

The person's turn is durable before the provider is called; what streams in is kept twice a second;
the answer ends with exactly one event: complete, stopped, cut or failed (DESIGN 3.5, 10.8).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace

from smriti_tui.domain.errors import Conflict, Invalid, SmritiError
from smriti_tui.domain.events import AnswerChosen, Limit
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.model import Turn
from smriti_tui.domain.values import check_size, repair_text
from smriti_tui.services import answers
from smriti_tui.services.answers import Ask, OwedEnds
from smriti_tui.services.caller import Caller
from smriti_tui.services.contexts import Basis, ContextService, Prepared, line_view, prepare
from smriti_tui.services.mentions import MentionService, WrittenOut
from smriti_tui.services.models import Limits, ModelChoice, Provider, Resolve
from smriti_tui.services.receiving import Receiver
from smriti_tui.services.sides import (
    OldSide,
    OneChange,
    old_side,
    other_model,
    prepare_beside,
    same_model,
)
from smriti_tui.services.steps import ChatStep, Started
from smriti_tui.store import sessions
from smriti_tui.store.engine import Tx

ATTEMPTS = 3
"""How often a context is assembled without the lock, when others keep writing to the session."""


@dataclass(frozen=True)
class ChatService:
    caller: Caller
    contexts: ContextService
    limits: Limits
    provider: Provider
    resolve: Resolve
    owed: OwedEnds = field(default_factory=OwedEnds, repr=False)

    def preview(
        self,
        session: SessionId,
        message: str,
        *,
        model: str | None = None,
        scope: int = 1,
        mentions: MentionRule | None = None,
    ) -> Prepared:
        """What a send would hold, without sending; with `mentions`, what the message mentions too.

        Raises:
            NotFound, Invalid; ProviderError when no model is set.
        """
        text, _ = repair_text(message)
        limit = self.limits.known(self.resolve(model))
        written = self._write_out(session, text, mentions)
        prepared = self.contexts.prepare(session, limit, message=written.content, scope=scope)
        return replace(prepared, attachments=written.attachments)

    def send(
        self,
        session: SessionId,
        text: str,
        *,
        model: str | None = None,
        scope: int = 1,
        seen: Basis | None = None,
        mentions: MentionRule | None = None,
        command_id: str | None = None,
    ) -> AsyncGenerator[ChatStep, None]:
        """Asks; yields `Started`, then what arrives, then `Ended`.

        With `mentions`, what the text mentions is read now and goes to the model behind the text;
        the turn records of each what was sent. With `seen`, a send whose context is not the one
        that was looked at is refused. Closing the iterator or cancelling its task stops the answer
        and keeps what arrived.

        Raises:
            NotFound, Invalid: before anything is stored; the text stays with the caller. So with a
            mentioned file that cannot be sent (code `mention`).
            ProviderError: no model is set; nothing is stored.
            ContextMoved: `seen` does not hold any more; nothing is stored.
            Conflict: `command_id` was carried out before (code `repeated`).
        """
        return self._ask(session, text, model, scope, seen, mentions, command_id)

    def retry(
        self,
        session: SessionId,
        *,
        model: str | None = None,
        scope: int = 1,
        command_id: str | None = None,
    ) -> AsyncGenerator[ChatStep, None]:
        """Asks the last question of the current line again; the answer becomes a sibling.

        Raises:
            Conflict: there is no such question above the floor (DESIGN 10.9).
            ContextMoved: another one was asked meanwhile. Else as `send`.
        """
        return self._ask(session, None, model, scope, None, None, command_id)

    def old_side(self, session: SessionId, answer: int) -> OldSide:
        """An answer that another one can be asked for beside.

        Raises:
            NotFound, Invalid; Conflict: only a fork could do it (code `no_sibling`), or the answer
            has no text.
        """
        with self.caller.read() as tx:
            return old_side(tx, session, answer)

    def beside(
        self,
        session: SessionId,
        answer: int,
        change: OneChange,
        *,
        via: str | None = None,
        command_id: str | None = None,
    ) -> AsyncGenerator[ChatStep, None]:
        """Asks the question of an answer again by that answer's stored context, with exactly one
        thing changed. The answer that is sent so far stays the one, until a person chooses.

        `via` is the alias of the answer's own model, where several entries have it.

        Raises:
            Conflict: siblings are not possible there (code `no_sibling`), or nothing would change.
            Invalid: not exactly one change, or it does not fit. Else as `send`.
        """
        return self._ask_beside(session, answer, change, via, command_id)

    async def _ask_beside(
        self,
        session: SessionId,
        answer: int,
        change: OneChange,
        via: str | None,
        command_id: str | None,
    ) -> AsyncGenerator[ChatStep, None]:
        change.check()
        await asyncio.to_thread(self._settle, session)
        stored = (await asyncio.to_thread(self.contexts.stored, session, answer)).request.event
        choice = self.resolve(change.model or via or stored.model)
        if change.model is not None:
            asked = other_model(stored, choice, await self.limits.ask(choice))
        else:
            asked = same_model(stored, choice, change)

        def look(tx: Tx) -> Prepared:
            return prepare_beside(tx, session, answer, change, asked.limit)

        params: dict[str, object] = {**asked.choice.params, "max_tokens": asked.limit.reserve}
        ask = Ask(choice.model, params, None, "", command_id, keeps_choice=True)
        storing = asyncio.to_thread(self._stored_once, session, look, ask)
        receiver = await self._stored(asyncio.create_task(storing), asked.choice)
        async with contextlib.aclosing(receiver.receive(self.provider)) as steps:
            async for step in steps:
                yield step

    def _stored_once(self, session: SessionId, look: Callable[[Tx], Prepared], ask: Ask) -> Started:
        for _ in range(ATTEMPTS):
            with self.caller.read() as tx:
                prepared = look(tx)
            if begun := answers.begin(self.caller, prepared, ask):
                return Started(begun, prepared, ask.model)
        prepared, begun = answers.begin_under_lock(self.caller, session, look, ask)
        return Started(begun, prepared, ask.model)

    def _last_question(self, session: SessionId) -> int:
        with self.caller.read() as tx:
            view = line_view(tx, sessions.session(tx, session), 1)
            turns = sessions.newest_turns(
                tx, session, view.line.line, view.floor, view.last_seq + 1, 200
            )
        question = next((t.sequence_number for t in turns if t.role == "user"), None)
        if question is None:
            raise Conflict(
                "There is no question here that can be asked again.",
                "Ask a new one, or fork after an earlier turn.",
                code="no_question",
            )
        return question

    def choose(self, session: SessionId, answer: int, *, command_id: str | None = None) -> Turn:
        """Makes an answer the one of its question that is sent.

        Raises:
            NotFound; Invalid: not an answer; Conflict: of another line, below the floor, running or
            without text.
        """
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            turn = sessions.turn(tx, session, answer)
            if not scope.earlier(AnswerChosen, f"session/{session}"):
                view = line_view(tx, sessions.session(tx, session), 1)
                _check_choice(turn, view.line.line, view.floor)
                event = AnswerChosen(turn.question or 0, answer)
                scope.append(f"session/{session}", event)
        return turn

    async def _ask(
        self,
        session: SessionId,
        text: str | None,
        model: str | None,
        scope: int,
        seen: Basis | None,
        mentions: MentionRule | None,
        command_id: str | None,
    ) -> AsyncGenerator[ChatStep, None]:
        choice = self.resolve(model)
        message, _ = repair_text(text or "")
        check_size(message)
        await asyncio.to_thread(self._settle, session)
        written = await asyncio.to_thread(self._write_out, session, message, mentions)
        check_size(written.content)
        ask_again = None
        if text is None:
            ask_again = await asyncio.to_thread(self._last_question, session)
        limit = await self.limits.ask(choice)
        storing = asyncio.to_thread(
            self._begin, session, text, written, ask_again, choice, limit, scope, seen, command_id
        )
        receiver = await self._stored(asyncio.create_task(storing), choice)
        async with contextlib.aclosing(receiver.receive(self.provider)) as steps:
            async for step in steps:
                yield step

    def _write_out(self, session: SessionId, text: str, mentions: MentionRule | None) -> WrittenOut:
        if mentions is None:
            return WrittenOut(text)
        return MentionService(self.caller).write_out(session, text, mentions)

    def _settle(self, session: SessionId) -> None:
        self.owed.pay(self.caller)
        answers.settle_orphans(self.caller, session)

    async def _stored(self, storing: asyncio.Task[Started], choice: ModelChoice) -> Receiver:
        """The receiver of a send once it is stored. Cancelled meanwhile, the thread stores it all
        the same: then it is stopped before anything goes out."""
        try:
            return Receiver(self.caller, await asyncio.shield(storing), choice, self.owed)
        except asyncio.CancelledError:
            with contextlib.suppress(SmritiError):
                await Receiver(self.caller, await storing, choice, self.owed).stop()
            raise

    def _begin(
        self,
        session: SessionId,
        text: str | None,
        written: WrittenOut,
        ask_again: int | None,
        choice: ModelChoice,
        limit: Limit,
        scope: int,
        seen: Basis | None,
        command_id: str | None,
    ) -> Started:
        def look(tx: Tx) -> Prepared:
            prepared = prepare(
                tx,
                session,
                limit,
                message=None if ask_again is not None else written.content,
                ask_again=ask_again,
                scope=scope,
            )
            if seen is not None and prepared.basis != seen:
                raise answers.moved(prepared.basis, seen)
            if written.anchor not in (None, prepared.basis.anchor):
                raise answers.moved(prepared.basis, replace(prepared.basis, anchor=written.anchor))
            if ask_again is not None and _newest_question(prepared) != ask_again:
                raise answers.moved(prepared.basis, None)
            return prepared

        params: dict[str, object] = {**choice.params, "max_tokens": limit.reserve}
        ask = Ask(
            choice.model, params, text, written.content, command_id, written.attachments
        )  # fmt: skip
        return self._stored_once(session, look, ask)


def _newest_question(prepared: Prepared) -> int | None:
    return max((n for n, turn in prepared.turns.items() if turn.role == "user"), default=None)


def _check_choice(turn: Turn, line: int, floor: int) -> None:
    if turn.role != "assistant" or turn.question is None:
        raise Invalid(f"Turn {turn.sequence_number} is no answer.", "Give the number of an answer.")
    if turn.line != line or turn.question <= floor:
        raise Conflict(
            f"Answer {turn.sequence_number} is not on the part of the session that is sent.",
            "Fork after it instead.",
            code="not_on_line",
        )
    if turn.status == "running" or not turn.text:
        raise Conflict(
            f"Answer {turn.sequence_number} has no text.", "Choose one that has.", code="no_text"
        )
