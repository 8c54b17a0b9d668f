"""One question to the background model: stored before it goes out, ended with what came.

Titles, explanations and whatever else a person asks a model for beside the chat go this way (DESIGN
10.18). The chat's answers have their own, because they are turns.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from smriti_tui.domain.context import context_sha256, rebuild
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.events import Estimate, Limit, RequestEnded, RequestStored, Segment
from smriti_tui.domain.ids import RequestId
from smriti_tui.domain.model import Fault, Message, Turn, TurnStatus
from smriti_tui.domain.tokens import VERSION, text_tokens, total_tokens
from smriti_tui.domain.values import repair_text, sha256
from smriti_tui.providers.base import (
    AnswerForm,
    Chunk,
    Finished,
    Loading,
    ModelCall,
    Retrying,
    TextDelta,
)
from smriti_tui.services.answer_form import PARAMETER, Schema, held_to, refuses
from smriti_tui.services.caller import Caller
from smriti_tui.services.models import Limits, ModelChoice, Provider, Resolve
from smriti_tui.store import requests
from smriti_tui.store.engine import Tx


@dataclass(frozen=True)
class Order:
    """What is to be asked."""

    stream: str
    """Where the request is stored."""
    request: RequestStored
    """Without what is known only once its messages are made: texts, estimate and hash."""
    texts: Mapping[str, str]
    """What its text segments refer to, by SHA-256."""
    turns: Mapping[int, Turn] = field(default_factory=dict)
    """What its turn segments refer to, by number."""
    schema: Schema | None = None
    """JSON schema of the answer, where it is to be a JSON object. Its words must say so too: not
    every provider takes one, and nobody else checks the answer. `domain/answer_schema` builds it in
    the shape that the strict ones ask for."""


@dataclass(frozen=True)
class Asked:
    """The request is stored and goes out now."""

    stream: str
    request: RequestId
    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    added: Mapping[str, object] = field(default_factory=dict)
    """Parameters beside those of the model's entry: the form that the answer is held to."""


@dataclass(frozen=True)
class Answered:
    """The last step: all that the model said as the log has it, reasoning left out."""

    text: str
    model: str
    """As the settings name it."""
    finish: str | None


Step = Asked | Loading | Retrying | TextDelta | Answered
MakeOrder = Callable[[Tx, ModelChoice, Limit], Order]


def progress(step: object, what: str = "") -> str:
    """What a step has to say on the way, empty for nothing; `what` is asked for."""
    match step:
        case Asked():
            return f"asking {step.model} for {what}" if what else ""
        case Loading():
            return f"loading the provider library, {step.elapsed_s:.0f} s"
        case Retrying(wait_s=0):
            return f"asking once more: {step.message}"
        case Retrying():
            return f"retrying in {step.wait_s:.1f} s ({step.attempt} of {step.of}): {step.message}"
        case _:
            return ""


def piece(step: Step) -> str:
    """What a step adds to the answer."""
    return step.text if isinstance(step, TextDelta) else ""


def text_segment(role: Literal["system", "user"], text: str, what: str) -> Segment:
    """The segment of a text that an order holds."""
    return Segment("text", role, sha256(text), what, tokens=text_tokens(text))


@dataclass(frozen=True)
class Background:
    """`resolve` gives the background model of the settings."""

    caller: Caller
    limits: Limits
    provider: Provider
    resolve: Resolve

    async def ask(
        self, make: MakeOrder, *, most: int, otherwise: str, model: str | None = None
    ) -> AsyncGenerator[Step, None]:
        """Stores what `make` gives under the lock, asks, and ends the request with what came.

        `model` is a name or alias in the place of the settings' background model. Closing it or
        cancelling its task stops the call. More than `most` characters are no answer. `otherwise`
        is what to do instead, for the errors.

        A provider that refuses the form of the answer by name is asked once more without it. That
        is a second request, stored as such beside the failed one: `Retrying` tells of it, another
        `Asked` follows, and `make` is called again.

        Raises:
            ProviderError: no background model is set, the call failed, its answer broke off, was
                withheld, is empty or does not come to an end. Whatever `make` raises.
        """
        choice = self.resolve(model)
        limit = await self.limits.ask(choice)
        form = await self.limits.form(choice)
        asked = await self._stored(make, choice, limit, form)
        got = _Got(choice.name, most, otherwise)
        try:
            async with contextlib.aclosing(self._once(choice, asked, got)) as steps:
                async for step in steps:
                    yield step
        except ProviderError as error:
            if got.text or not (asked.added and refuses(error)):
                raise
            self.limits.refused(choice)
            yield Retrying(1, 2, 0, error.kind, f"{error.message} Now without {PARAMETER}.")
            asked = await self._stored(make, choice, limit, "none")
            got = _Got(choice.name, most, otherwise)
            async with contextlib.aclosing(self._once(choice, asked, got)) as steps:
                async for step in steps:
                    yield step
        text, _ = repair_text(got.text)
        yield Answered(text, choice.name, got.finished.finish if got.finished else None)

    async def _once(
        self, choice: ModelChoice, asked: Asked, got: _Got
    ) -> AsyncGenerator[Step, None]:
        """One request: its call into `got`, and its end into the log."""
        try:
            yield asked
            async with contextlib.aclosing(self.provider.stream(_call(choice, asked))) as chunks:
                async for chunk in chunks:
                    got.take(chunk)
                    if isinstance(chunk, Loading | Retrying | TextDelta):
                        yield chunk
            got.check()
        except ProviderError as error:
            await self._end(asked, got.ended(asked, "cut" if got.text else "failed", error))
            raise
        except (GeneratorExit, asyncio.CancelledError):
            await self._end(asked, got.ended(asked, "stopped"))
            raise
        await self._end(asked, got.ended(asked, "complete"))

    async def _stored(
        self, make: MakeOrder, choice: ModelChoice, limit: Limit, form: AnswerForm
    ) -> Asked:
        """Stores the request. Cancelled meanwhile, it is stored all the same, and ended."""
        storing = asyncio.create_task(asyncio.to_thread(self._store, make, choice, limit, form))
        try:
            return await asyncio.shield(storing)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                asked = await storing
                await self._end(asked, _Got("", 0, "").ended(asked, "stopped"))
            raise

    def _store(self, make: MakeOrder, choice: ModelChoice, limit: Limit, form: AnswerForm) -> Asked:
        with self.caller.write() as scope, self.caller.read() as tx:
            order = make(tx, choice, limit)
            messages = rebuild(order.request.segments, order.texts, order.turns)
            known = requests.texts(tx, order.stream, set(order.texts))
            added = held_to(order.schema, order.request.purpose, form, choice.params)
            request = replace(
                order.request,
                params={**order.request.params, **added},
                texts={key: text for key, text in order.texts.items() if key not in known},
                context_sha256=context_sha256(messages),
                estimate=Estimate(VERSION, total_tokens(messages)),
            )
            scope.append(order.stream, request)
        reserve = request.limit.reserve
        return Asked(order.stream, request.request, choice.model, messages, reserve, added)

    async def _end(self, asked: Asked, event: RequestEnded) -> None:
        """Writes the end once, however often this task is cancelled."""
        await asyncio.shield(asyncio.to_thread(self._write_end, asked.stream, event))

    def _write_end(self, stream: str, event: RequestEnded) -> None:
        with self.caller.write() as scope:
            scope.append(stream, event)


@dataclass
class _Got:
    """What has arrived."""

    name: str
    most: int
    otherwise: str
    parts: list[str] = field(default_factory=list)
    characters: int = 0
    finished: Finished | None = None

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def take(self, chunk: Chunk) -> None:
        """Raises: ProviderError, far more came than was asked for."""
        if isinstance(chunk, Finished):
            self.finished = chunk
        elif isinstance(chunk, TextDelta):
            self.parts.append(chunk.text)
            self.characters += len(chunk.text)
            if self.characters > self.most:
                raise self._fault(f"{self.name} does not come to an end.", "repeating")

    def check(self) -> None:
        """Raises: ProviderError, the answer is none."""
        if self.finished is None:
            raise self._fault("The answer broke off.", "cut")
        if self.finished.finish == "content_filter":
            raise self._fault(f"The answer of {self.name} was withheld by a filter.", "bad_reply")
        if not self.text.strip():
            raise self._fault(f"{self.name} said nothing.", "empty")

    def _fault(self, what: str, kind: str) -> ProviderError:
        return ProviderError(what, self.otherwise, kind=kind)

    def ended(
        self, asked: Asked, status: TurnStatus, error: ProviderError | None = None
    ) -> RequestEnded:
        fault = Fault(error.kind, f"{error.message} {error.hint}".strip()) if error else None
        done = self.finished
        usage, cost = (done.usage, done.cost) if done else (None, None)
        return RequestEnded(asked.request, status, self.text, usage, cost, fault)


def _call(choice: ModelChoice, asked: Asked) -> ModelCall:
    return ModelCall(
        model=choice.model,
        messages=asked.messages,
        max_tokens=asked.max_tokens,
        api_base=choice.api_base,
        api_key=choice.api_key,
        params={**choice.params, **asked.added},
        timeout_s=choice.timeout_s,
        retries=choice.retries,
        setting="background.model",
    )
