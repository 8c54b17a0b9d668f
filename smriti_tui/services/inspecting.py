"""One request as the context inspector, the CLI and MCP show it; and its export."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import SessionId, file_name_id
from smriti_tui.domain.render.context_rows import ContextFacts, request_json
from smriti_tui.services.chat import ChatService
from smriti_tui.services.contexts import ContextService, Prepared, StoredContext
from smriti_tui.services.sessions import SessionService

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
    ) -> ContextFacts:
        """What a send would hold now. A blank `message` is shown as a placeholder.

        Raises:
            NotFound, Invalid; ProviderError when no model is set.
        """
        choice = self.chat.resolve(model)
        limit = self.chat.limits.known(choice)
        if ask_again is not None:
            prepared = self.contexts.prepare(session, limit, ask_again=ask_again, scope=scope)
        else:
            text = message if message.strip() else _NOTHING_TYPED
            prepared = self.chat.preview(session, text, model=model, scope=scope)
        facts = prepared_facts(prepared, choice.model, dict(choice.params))
        return replace(facts, placeholder=ask_again is None and not message.strip())

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


def prepared_facts(prepared: Prepared, model: str, params: dict[str, object]) -> ContextFacts:
    """Of a context that was assembled and not sent."""
    context = prepared.context
    return ContextFacts(
        session=prepared.session.id,
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
        scope=prepared.scope,
        line=prepared.view.line.line,
    )


def stored_facts(stored: StoredContext, session: SessionId | None) -> ContextFacts:
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
        position=stored.request.position,
        recorded_at=stored.request.recorded_at,
    )


def write_request(facts: ContextFacts, folder: Path) -> Path:
    """Writes the request as JSON into a new file of `folder`, readable by its owner alone.

    Raises:
        SmritiError: the file cannot be written; nothing is left behind.
    """
    what = f"answer-{facts.answer}" if facts.answer is not None else "next-send"
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
