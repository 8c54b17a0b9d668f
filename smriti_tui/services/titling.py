"""A title for a session, by the background model, when a person asks for one.

The model gets the turns that the session's next send would hold, and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from smriti_tui.domain.context import check_reach, turn_segments
from smriti_tui.domain.errors import Invalid, ProviderError
from smriti_tui.domain.events import Estimate, LeftOut, Limit, RequestStored
from smriti_tui.domain.ids import RequestId, SessionId, new_id
from smriti_tui.domain.model import Session
from smriti_tui.domain.title_text import ASK, PREAMBLE, TEMPLATE, safe_title
from smriti_tui.domain.tokens import VERSION, message_tokens
from smriti_tui.domain.values import sha256
from smriti_tui.providers.base import Loading, Retrying
from smriti_tui.services.answers import settle_before_reading
from smriti_tui.services.background import Answered, Asked, Background, Order, text_segment
from smriti_tui.services.contexts import Prepared, prepare
from smriti_tui.services.models import ModelChoice
from smriti_tui.services.sessions import SessionService
from smriti_tui.store.engine import Tx

ENOUGH_TOKENS = 16_000
"""The newest turns of so many tokens tell what a session is about; more would only cost."""
MAX_ANSWER = 4_000
"""Characters after which what comes is no title any more."""
_STAYS = "The title stays as it is. Ask again, or choose another background.model."


@dataclass(frozen=True)
class Suggested:
    """The last step of a suggestion: one line, never empty."""

    title: str
    seen: str
    """The session's title before."""


@dataclass(frozen=True)
class Titled:
    """The last step: the session with its new title."""

    session: Session


TitleStep = Asked | Loading | Retrying | Suggested | Titled


@dataclass(frozen=True)
class TitleService:
    """Asks the background model of the settings."""

    background: Background
    sessions: SessionService

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
        seen: list[str] = []

        def order(tx: Tx, choice: ModelChoice, limit: Limit) -> Order:
            prepared, bound = _prepared(tx, session, limit)
            check_reach(prepared.context, prepared.view, prepared.turns)
            seen.append(prepared.session.title)
            request = _request(prepared, choice, bound)
            texts = {sha256(text): text for text in (PREAMBLE, ASK)}
            return Order(f"session/{session}", request, texts, prepared.turns)

        await asyncio.to_thread(settle_before_reading, self.background.caller, session)
        asking = self.background.ask(order, most=MAX_ANSWER, otherwise=_STAYS)
        async with contextlib.aclosing(asking) as steps:
            async for step in steps:
                if isinstance(step, Answered):
                    if not (title := safe_title(step.text)):
                        raise ProviderError(
                            f"{step.model} gave nothing that is a title.", _STAYS, kind="bad_reply"
                        )
                    yield Suggested(title, seen[0])
                elif isinstance(step, Asked | Loading | Retrying):
                    yield step


def _prepared(tx: Tx, session: SessionId, limit: Limit) -> tuple[Prepared, Limit]:
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


def _bounded(limit: Limit) -> Limit:
    tokens = min(limit.tokens, ENOUGH_TOKENS)
    return Limit(tokens, limit.source, min(limit.reserve, max(tokens // 4, 1)))


def _request(prepared: Prepared, choice: ModelChoice, limit: Limit) -> RequestStored:
    context, view = prepared.context, prepared.view
    sent = context.sent[:-1]  # The last number is that of a message which is none here.
    costs = [message_tokens(prepared.turns[number].content) for number in sent]
    state = [LeftOut("checkpoint", "not for a title", checkpoint=c.id) for c in view.scope]
    return RequestStored(
        request=RequestId(new_id()),
        purpose="title",
        model=choice.model,
        limit=limit,
        estimate=Estimate(VERSION, 0),
        template=TEMPLATE,
        segments=(
            text_segment("system", PREAMBLE, "system: what a title is"),
            *turn_segments(sent, costs),
            text_segment("user", ASK, "the question for a title"),
        ),
        left_out=(*(left for left in context.left_out if left.what == "turns"), *state),
        context_sha256="",
        line=view.line.line,
        scope=prepared.scope,
        params={**choice.params, "max_tokens": limit.reserve},
    )
