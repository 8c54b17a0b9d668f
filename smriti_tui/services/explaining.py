"""What the difference in a conflict is, in a model's words, when a person asks for it.

The background model gets the sides of one conflict and nothing else. The request is stored in the
Space before it goes out and ended with what came (DESIGN 10.18). It never settles anything.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from smriti_tui.domain.context import context_sha256, rebuild
from smriti_tui.domain.errors import Invalid, ProviderError
from smriti_tui.domain.events import Estimate, LeftOut, Limit, RequestEnded, RequestStored, Segment
from smriti_tui.domain.explain_text import ASK, MOST_CHARACTERS, PREAMBLE, TEMPLATE, versions
from smriti_tui.domain.ids import CheckpointId, RequestId, SpaceId, new_id
from smriti_tui.domain.merge_slots import Slot
from smriti_tui.domain.model import Fault, Message, TurnStatus
from smriti_tui.domain.tokens import VERSION, text_tokens, total_tokens
from smriti_tui.domain.values import repair_text, sha256
from smriti_tui.providers.base import Chunk, Finished, Loading, ModelCall, Retrying, TextDelta
from smriti_tui.services.caller import Caller
from smriti_tui.services.models import Limits, ModelChoice, Provider, Resolve
from smriti_tui.store import requests

MOST_ANSWER = 12_000
"""Characters after which what comes is no explanation any more: the call is stopped."""


@dataclass(frozen=True)
class Explained:
    """The last step: all that the model said."""

    text: str
    model: str


@dataclass(frozen=True)
class Asked:
    """The request is stored and goes out now."""

    request: RequestId
    model: str
    messages: tuple[Message, ...]
    max_tokens: int


ExplainStep = Asked | Loading | Retrying | TextDelta | Explained


def progress(step: ExplainStep) -> str:
    """What a step has to say on the way, empty for nothing."""
    match step:
        case Loading():
            return f"loading the provider library, {step.elapsed_s:.0f} s"
        case Retrying():
            return f"retrying in {step.wait_s:.1f} s ({step.attempt} of {step.of}): {step.message}"
        case _:
            return ""


def piece(step: ExplainStep) -> str:
    """What a step adds to the text."""
    return step.text if isinstance(step, TextDelta) else ""


@dataclass(frozen=True)
class Question:
    """A conflict of a merge."""

    space: SpaceId
    ours: CheckpointId
    theirs: CheckpointId
    slot: Slot[Any]


@dataclass(frozen=True)
class ExplainService:
    """`resolve` gives the background model of the settings."""

    caller: Caller
    limits: Limits
    provider: Provider
    resolve: Resolve

    async def explain(self, question: Question) -> AsyncGenerator[ExplainStep, None]:
        """Asks; changes nothing. Closing it or cancelling its task stops the call.

        Raises:
            ProviderError: no background model is set, or the call failed.
            Invalid: the conflict does not fit the model's window.
        """
        choice = self.resolve(None)
        limit = await self.limits.ask(choice)
        asked = await self._stored(question, choice, limit)
        got = _Got()
        try:
            yield asked
            async with contextlib.aclosing(self.provider.stream(_call(choice, asked))) as chunks:
                async for chunk in chunks:
                    got.take(chunk, choice)
                    if isinstance(chunk, Loading | Retrying | TextDelta):
                        yield chunk
            got.check(choice)
        except ProviderError as error:
            await self._end(question, got.ended(asked, "cut" if got.text else "failed", error))
            raise
        except (GeneratorExit, asyncio.CancelledError):
            await self._end(question, got.ended(asked, "stopped"))
            raise
        await self._end(question, got.ended(asked, "complete"))
        yield Explained(got.text, choice.name)

    async def _stored(self, question: Question, choice: ModelChoice, limit: Limit) -> Asked:
        """Stores the request. Cancelled meanwhile, it is stored all the same, and ended."""
        storing = asyncio.create_task(asyncio.to_thread(self._store, question, choice, limit))
        try:
            return await asyncio.shield(storing)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await self._end(question, _Got().ended(await storing, "stopped"))
            raise

    def _store(self, question: Question, choice: ModelChoice, limit: Limit) -> Asked:
        stream = f"space/{question.space}"
        request, texts = _request(question, RequestId(new_id()), choice, limit)
        messages = rebuild(request.segments, texts, {})
        tokens = total_tokens(messages)
        if tokens + limit.reserve > limit.tokens:
            raise Invalid(
                f"This conflict has {tokens:,} tokens; {choice.name} takes {limit.tokens:,}.",
                "Choose another background.model, or look at the sides yourself.",
                code="too_long",
            )
        with self.caller.write() as scope, self.caller.read() as tx:
            known = requests.texts(tx, stream, set(texts))
            scope.append(
                stream,
                replace(
                    request,
                    texts={key: text for key, text in texts.items() if key not in known},
                    context_sha256=context_sha256(messages),
                    estimate=Estimate(VERSION, tokens),
                ),
            )
        return Asked(request.request, choice.model, messages, limit.reserve)

    async def _end(self, question: Question, event: RequestEnded) -> None:
        """Writes the end once, however often this task is cancelled."""
        await asyncio.shield(asyncio.to_thread(self._write_end, question.space, event))

    def _write_end(self, space: SpaceId, event: RequestEnded) -> None:
        with self.caller.write() as scope:
            scope.append(f"space/{space}", event)


@dataclass
class _Got:
    """What has arrived. Reasoning is no part of an explanation."""

    parts: list[str] = field(default_factory=list)
    characters: int = 0
    finished: Finished | None = None

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def take(self, chunk: Chunk, choice: ModelChoice) -> None:
        """Raises: ProviderError, far more came than was asked for."""
        if isinstance(chunk, Finished):
            self.finished = chunk
        elif isinstance(chunk, TextDelta):
            self.parts.append(chunk.text)
            self.characters += len(chunk.text)
            if self.characters > MOST_ANSWER:
                raise ProviderError(
                    f"{choice.name} does not come to an end.", _ELSE, kind="repeating"
                )

    def check(self, choice: ModelChoice) -> None:
        """Raises: ProviderError, the answer broke off or is none."""
        if self.finished is None:
            raise ProviderError("The answer broke off.", _ELSE, kind="cut")
        if not self.text.strip():
            raise ProviderError(f"{choice.name} said nothing.", _ELSE, kind="empty")

    def ended(
        self, asked: Asked, status: TurnStatus, error: ProviderError | None = None
    ) -> RequestEnded:
        fault = Fault(error.kind, f"{error.message} {error.hint}".strip()) if error else None
        done = self.finished
        usage, cost = (done.usage, done.cost) if done else (None, None)
        return RequestEnded(asked.request, status, self.text, usage, cost, fault)


_ELSE = "Ask again, or choose another background.model. The conflict is as it was."


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
    question: Question, request: RequestId, choice: ModelChoice, limit: Limit
) -> tuple[RequestStored, dict[str, str]]:
    """The request without what is known only once its messages are made, and its texts by hash."""
    parts: list[tuple[Literal["system", "user"], str, str]] = [
        ("system", PREAMBLE, "system: what to explain, and that nothing is chosen")
    ]
    left: list[LeftOut] = []
    for version in versions(question.slot):
        parts.append(("system", repair_text(version.text)[0], f"version {version.name}"))
        if version.cut:
            label = f"version {version.name}"
            left.append(LeftOut("text", "cut", label=label, kept=MOST_CHARACTERS, of=version.of))
    parts.append(("user", ASK, "the question for an explanation"))
    stored = RequestStored(
        request=request,
        purpose="explain",
        model=choice.model,
        limit=limit,
        estimate=Estimate(VERSION, 0),
        template=TEMPLATE,
        segments=tuple(_text(*part) for part in parts),
        left_out=tuple(left),
        context_sha256="",
        anchors=(question.ours, question.theirs),
        params={**choice.params, "max_tokens": limit.reserve},
    )
    return stored, {sha256(text): text for _, text, _ in parts}


def _text(role: Literal["system", "user"], text: str, what: str) -> Segment:
    return Segment("text", role, sha256(text), what, tokens=text_tokens(text))
