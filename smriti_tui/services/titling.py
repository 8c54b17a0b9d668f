"""A title for a session, by the background model, when a person asks for one.

The model gets the turns that the session's next send would hold, and nothing else. The request is
stored before it goes out and ended with what came (DESIGN 10.18).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from typing import Literal

from smriti_tui.domain.context import check_reach, context_sha256, rebuild, turn_segments
from smriti_tui.domain.errors import Invalid, ProviderError
from smriti_tui.domain.events import Estimate, LeftOut, Limit, RequestEnded, RequestStored, Segment
from smriti_tui.domain.ids import RequestId, SessionId, new_id
from smriti_tui.domain.model import Cost, Fault, Message, Session, TurnStatus, Usage
from smriti_tui.domain.title_text import ASK, PREAMBLE, TEMPLATE, safe_title
from smriti_tui.domain.tokens import VERSION, message_tokens, text_tokens, total_tokens
from smriti_tui.domain.values import sha256
from smriti_tui.providers.base import (
    Chunk,
    Finished,
    Loading,
    ModelCall,
    Retrying,
    TextDelta,
)
from smriti_tui.services.answers import settle_before_reading
from smriti_tui.services.caller import Caller
from smriti_tui.services.contexts import Prepared, prepare
from smriti_tui.services.models import Limits, ModelChoice, Provider, Resolve
from smriti_tui.services.sessions import SessionService
from smriti_tui.store import requests
from smriti_tui.store.engine import Tx

ENOUGH_TOKENS = 16_000
"""The newest turns of so many tokens tell what a session is about; more would only cost."""
MAX_ANSWER = 4_000
"""Characters after which what comes is no title any more."""


@dataclass(frozen=True)
class Asked:
    """The request is stored and goes out now."""

    session: SessionId
    request: RequestId
    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    seen: str
    """The session's title before."""


@dataclass(frozen=True)
class Suggested:
    """The last step of a suggestion: one line, never empty."""

    title: str
    seen: str


@dataclass(frozen=True)
class Titled:
    """The last step: the session with its new title."""

    session: Session


TitleStep = Asked | Loading | Retrying | Suggested | Titled


def progress(step: TitleStep) -> str:
    """What a step has to say on the way, empty for nothing."""
    match step:
        case Asked():
            return f"asking {step.model} for a title"
        case Loading():
            return f"loading the provider library, {step.elapsed_s:.0f} s"
        case Retrying():
            return f"retrying in {step.wait_s:.1f} s ({step.attempt} of {step.of}): {step.message}"
        case _:
            return ""


@dataclass(frozen=True)
class TitleService:
    """`resolve` gives the background model of the settings."""

    caller: Caller
    sessions: SessionService
    limits: Limits
    provider: Provider
    resolve: Resolve

    async def title(
        self, session: SessionId, *, command_id: str | None = None
    ) -> AsyncGenerator[TitleStep, None]:
        """Asks for a title and gives it to the session.

        Raises: as `suggest`.
            Conflict: the session was renamed meanwhile, and keeps that title (code `renamed`).
        """
        async with contextlib.aclosing(self.suggest(session)) as steps:
            async for step in steps:
                yield step
                if isinstance(step, Suggested):
                    found = await asyncio.to_thread(
                        self.sessions.rename,
                        session,
                        step.title,
                        seen=step.seen,
                        command_id=command_id,
                    )
                    yield Titled(found)

    async def suggest(self, session: SessionId) -> AsyncGenerator[TitleStep, None]:
        """Asks for a title; changes nothing. Closing it or cancelling its task stops the call.

        Raises:
            NotFound. Invalid: nothing was said that would be sent (code `no_turns`).
            ProviderError: no background model is set, the call failed, or its answer is no title.
        """
        choice = self.resolve(None)
        limit = await self.limits.ask(choice)
        asked = await self._stored(session, choice, limit)
        got = _Got()
        try:
            yield asked
            async with contextlib.aclosing(self.provider.stream(_call(choice, asked))) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Loading | Retrying):
                        yield chunk
                    else:
                        got.take(chunk, choice)
            got.check(choice)
        except ProviderError as error:
            await self._end(asked, got.ended("cut" if got.text else "failed", error))
            raise
        except (GeneratorExit, asyncio.CancelledError):
            await self._end(asked, got.ended("stopped"))
            raise
        await self._end(asked, got.ended("complete"))
        if not (title := safe_title(got.text)):
            raise _no_title(choice)
        yield Suggested(title, asked.seen)

    async def _stored(self, session: SessionId, choice: ModelChoice, limit: Limit) -> Asked:
        """Stores the request. Cancelled meanwhile, it is stored all the same, and ended."""
        storing = asyncio.create_task(asyncio.to_thread(self._store, session, choice, limit))
        try:
            return await asyncio.shield(storing)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await self._end(await storing, _Got().ended("stopped"))
            raise

    def _store(self, session: SessionId, choice: ModelChoice, limit: Limit) -> Asked:
        settle_before_reading(self.caller, session)
        stream = f"session/{session}"
        with self.caller.write() as scope, self.caller.read() as tx:
            prepared, limit = self._prepared(tx, session, limit)
            check_reach(prepared.context, prepared.view, prepared.turns)
            request = _request(prepared, RequestId(new_id()), choice, limit)
            texts = {sha256(text): text for text in (PREAMBLE, ASK)}
            known = requests.texts(tx, stream, set(texts))
            fresh = {key: text for key, text in texts.items() if key not in known}
            messages = rebuild(request.segments, texts, prepared.turns)
            scope.append(
                stream,
                replace(
                    request,
                    texts=dict(fresh),
                    context_sha256=context_sha256(messages),
                    estimate=Estimate(VERSION, total_tokens(messages)),
                ),
            )
        seen = prepared.session.title
        return Asked(session, request.request, choice.model, messages, limit.reserve, seen)

    def _prepared(self, tx: Tx, session: SessionId, limit: Limit) -> tuple[Prepared, Limit]:
        """What the next send would hold: of its newest turns as many as are enough."""
        for bound in (_bounded(limit), limit):
            prepared = prepare(tx, session, bound, message=ASK, ask_again=None, scope=1)
            if len(prepared.context.sent) > 1:
                return prepared, bound
        said = prepared.session.last_seq > 0
        why = "Nothing was said in this session yet"
        if said:
            why = "Of what was said in this session nothing would be sent now"
        raise Invalid(
            f"{why}, so a model has nothing to make a title of.",
            "Name it yourself." if said else "Ask something first, or name it yourself.",
            code="no_turns",
        )

    async def _end(self, asked: Asked, ended: _Ended) -> None:
        """Writes the end once, however often this task is cancelled."""
        event = RequestEnded(
            asked.request, ended.status, ended.text, ended.usage, ended.cost, ended.error
        )
        await asyncio.shield(asyncio.to_thread(self._write_end, asked.session, event))

    def _write_end(self, session: SessionId, event: RequestEnded) -> None:
        with self.caller.write() as scope:
            scope.append(f"session/{session}", event)


@dataclass(frozen=True)
class _Ended:
    status: TurnStatus
    text: str
    usage: Usage | None = None
    cost: Cost | None = None
    error: Fault | None = None


@dataclass
class _Got:
    """What has arrived. Reasoning is no part of a title."""

    parts: list[str] = field(default_factory=list)
    finished: Finished | None = None

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def take(self, chunk: Chunk, choice: ModelChoice) -> None:
        """Raises: ProviderError, far more came than a title."""
        if isinstance(chunk, Finished):
            self.finished = chunk
        elif isinstance(chunk, TextDelta):
            self.parts.append(chunk.text)
            if sum(map(len, self.parts)) > MAX_ANSWER:
                raise _no_title(choice)

    def check(self, choice: ModelChoice) -> None:
        """Raises: ProviderError, the answer broke off or was withheld."""
        if self.finished is None:
            raise ProviderError("The answer broke off.", _STAYS, kind="cut")
        if self.finished.finish == "content_filter":
            raise _no_title(choice)

    def ended(self, status: TurnStatus, error: ProviderError | None = None) -> _Ended:
        fault = Fault(error.kind, f"{error.message} {error.hint}".strip()) if error else None
        done = self.finished
        usage, cost = (done.usage, done.cost) if done else (None, None)
        return _Ended(status, self.text, usage, cost, fault)


_STAYS = "The title stays as it is. Ask again, or choose another background.model."


def _no_title(choice: ModelChoice) -> ProviderError:
    return ProviderError(f"{choice.name} gave nothing that is a title.", _STAYS, kind="bad_reply")


def _bounded(limit: Limit) -> Limit:
    tokens = min(limit.tokens, ENOUGH_TOKENS)
    return Limit(tokens, limit.source, min(limit.reserve, max(tokens // 4, 1)))


def _call(choice: ModelChoice, asked: Asked) -> ModelCall:
    return ModelCall(
        model=choice.model,
        messages=asked.messages,
        max_tokens=asked.max_tokens,
        api_base=choice.api_base,
        api_key=choice.api_key,
        params=choice.params,
        timeout_s=choice.timeout_s,
        retries=choice.retries,
    )


def _request(
    prepared: Prepared, request: RequestId, choice: ModelChoice, limit: Limit
) -> RequestStored:
    """The request without what is known only once its messages are made."""
    context, view = prepared.context, prepared.view
    sent = context.sent[:-1]  # The last number is that of a message which is none here.
    costs = [message_tokens(prepared.turns[number].content) for number in sent]
    state = [LeftOut("checkpoint", "not for a title", checkpoint=c.id) for c in view.scope]
    return RequestStored(
        request=request,
        purpose="title",
        model=choice.model,
        limit=limit,
        estimate=Estimate(VERSION, 0),
        template=TEMPLATE,
        segments=(
            _text("system", PREAMBLE, "system: what a title is"),
            *turn_segments(sent, costs),
            _text("user", ASK, "the question for a title"),
        ),
        left_out=(*(left for left in context.left_out if left.what == "turns"), *state),
        context_sha256="",
        line=view.line.line,
        scope=prepared.scope,
        params={**choice.params, "max_tokens": limit.reserve},
    )


def _text(role: Literal["system", "user"], text: str, what: str) -> Segment:
    return Segment("text", role, sha256(text), what, tokens=text_tokens(text))
