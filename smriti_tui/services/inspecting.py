"""One request as the context inspector, the CLI and MCP show it; and its export."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from smriti_tui.domain.context import Context, ContextInput, assemble
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.events import Limit
from smriti_tui.domain.ids import (
    CheckpointId,
    RequestId,
    SessionId,
    file_name_id,
    kind_and_owner,
)
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.model import Line
from smriti_tui.domain.render.context_request import request_json
from smriti_tui.domain.render.context_rows import ContextFacts
from smriti_tui.domain.window import LineView
from smriti_tui.services.answers import settle_before_reading
from smriti_tui.services.chat import ChatService
from smriti_tui.services.contexts import ContextService, Prepared, StoredContext, stored_context
from smriti_tui.services.models import ModelChoice
from smriti_tui.services.sessions import SessionService
from smriti_tui.store import checkpoints, requests, reviews, sessions, spaces

_NOTHING_TYPED = "(what you type next)"
"""Stands for the message while none is typed, so that the rest can be seen; never sent."""
_TRIES = 1000


@dataclass(frozen=True)
class Inspector:
    """Built from the services by who shows a request."""

    contexts: ContextService
    chat: ChatService
    sessions: SessionService

    def next_send(
        self,
        session: SessionId,
        message: str,
        *,
        model: str | None = None,
        scope: int = 1,
        ask_again: int | None = None,
        mentions: MentionRule | None = None,
    ) -> ContextFacts:
        """What a send would hold now. A blank `message` is shown as a placeholder.

        Raises:
            NotFound, Invalid; ProviderError when no model is set.
        """
        choice = self.chat.resolve(model)
        limit = self.chat.limits.known(choice)
        settle_before_reading(self.contexts.caller, session)
        if ask_again is not None:
            prepared = self.contexts.prepare(session, limit, ask_again=ask_again, scope=scope)
        else:
            text = message if message.strip() else _NOTHING_TYPED
            prepared = self.chat.preview(session, text, model=model, scope=scope, mentions=mentions)
        facts = prepared_facts(prepared, choice.model, _params(choice, limit))
        return replace(facts, placeholder=ask_again is None and not message.strip())

    def mounting(
        self,
        checkpoint: CheckpointId,
        *,
        session: SessionId | None = None,
        model: str | None = None,
        scope: int = 1,
    ) -> ContextFacts:
        """What a model would be given right after mounting `checkpoint` in `session`.

        Raises:
            NotFound; ProviderError when no model is set.
        """
        choice = self.chat.resolve(model)
        limit = self.chat.limits.known(choice)
        with self.contexts.caller.read() as tx:
            runs = tuple(sessions.line_runs(tx, session)) if session else ()
            last = sessions.session(tx, session).last_seq if session else 0
            chain = checkpoints.first_parents(tx, checkpoint, 3 if scope == 3 else 1)
            branch = checkpoints.checkpoint(tx, checkpoint).branch
            tip = spaces.branch(tx, branch).tip
        number = max((run.line for run in runs), default=1) + 1
        line = Line(session or SessionId(""), number, checkpoint, last)
        view = LineView(line, "RESTORED", chain[-1], chain, 0, last)
        context = assemble(
            ContextInput(view, (), runs, limit, message=_NOTHING_TYPED, branch_tip=tip)
        )
        facts = context_facts(context, choice.model, _params(choice, limit), line.session)
        return replace(
            facts,
            placeholder=True,
            mounting=checkpoint,
            scope=scope,
            anchors=tuple(each.id for each in chain),
            line=number,
        )

    def answer(self, session: SessionId, number: int) -> ContextFacts:
        """The context of an answer, rebuilt from the store now.

        Raises:
            NotFound; SmritiError (code `context_broken`) when it cannot be rebuilt.
        """
        stored = self.contexts.stored(session, number)
        turns = self.sessions.turns(session, number, number)
        facts = stored_facts(stored, session)
        if not turns:
            return facts
        return replace(facts, usage=turns[0].usage, cost=turns[0].cost)

    def request(self, request: RequestId) -> ContextFacts:
        """A stored request by its id, rebuilt from the store now, with what was answered to it.

        Raises:
            SmritiError (code `context_broken`): it is not there, or cannot be rebuilt.
        """
        with self.contexts.caller.read() as tx:
            stored = stored_context(tx, requests.request(tx, request))
            end = reviews.spent(tx, request)
        kind, owner = kind_and_owner(stored.request.stream)
        facts = stored_facts(stored, SessionId(owner if kind == "session" else ""))
        if end is None:
            return facts
        return replace(facts, usage=end.usage, cost=end.cost, raw=end.text)


def _params(choice: ModelChoice, limit: Limit) -> dict[str, object]:
    """What a send puts beside the messages."""
    return {**choice.params, "max_tokens": limit.reserve}


def prepared_facts(prepared: Prepared, model: str, params: dict[str, object]) -> ContextFacts:
    """Of a context that was assembled and not sent."""
    facts = context_facts(prepared.context, model, params, prepared.session.id)
    return replace(
        facts,
        scope=prepared.scope,
        line=prepared.view.line.line,
        mode=prepared.view.mode,
        anchors=tuple(each.id for each in prepared.view.scope),
    )


def context_facts(
    context: Context, model: str, params: dict[str, object], session: SessionId
) -> ContextFacts:
    return ContextFacts(
        session=session,
        line=None,
        model=model,
        messages=context.messages,
        segments=context.segments,
        texts=context.texts,
        left_out=context.left_out,
        estimate=context.estimate,
        limit=context.limit,
        template=context.template,
        sha256=context.sha256,
        params=params,
    )


def stored_facts(stored: StoredContext, session: SessionId) -> ContextFacts:
    """Of a stored request, without what its answer reported."""
    event = stored.request.event
    return ContextFacts(
        session=session,
        model=event.model,
        messages=stored.messages,
        segments=event.segments,
        texts=stored.texts,
        left_out=event.left_out,
        estimate=event.estimate,
        limit=event.limit,
        template=event.template,
        sha256=stored.sha256,
        stored_sha256=event.context_sha256,
        answer=stored.request.answer,
        purpose=event.purpose,
        params=event.params,
        scope=event.scope,
        line=event.line,
        anchors=event.anchors,
        request=event.request,
        position=stored.request.position,
        recorded_at=stored.request.recorded_at,
    )


def write_request(facts: ContextFacts, folder: Path) -> Path:
    """Writes the request as JSON into a new file of `folder`, readable by its owner alone.

    Raises:
        SmritiError: the file cannot be written; nothing is left behind.
    """
    sent = f"{facts.purpose}-{file_name_id(facts.request)}" if facts.request else "next-send"
    what = f"answer-{facts.answer}" if facts.answer is not None else sent
    stem = f"smriti-context-{file_name_id(facts.session or 'request')}-{what}"
    text = json.dumps(request_json(facts), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    for count in range(1, _TRIES):
        path = folder / (f"{stem}.json" if count == 1 else f"{stem}-{count}.json")
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        except OSError as error:
            raise _failed(path, error) from error
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            with contextlib.suppress(OSError):
                path.unlink()
            raise _failed(path, error) from error
        return path
    raise SmritiError(f"There are too many exports in {folder}.", "Move some away.")


def _failed(path: Path, error: OSError) -> SmritiError:
    return SmritiError(
        f"{path} could not be written: {error.strerror}.",
        "Start in a folder that you may write.",
    )
