"""Receiving one answer: what streams in is kept twice a second, and it ends exactly once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from smriti_tui.domain.errors import ProviderError, SmritiError
from smriti_tui.domain.events import AnswerEnded
from smriti_tui.domain.model import Cost, Fault, Turn, TurnStatus, Usage
from smriti_tui.domain.values import repair_text
from smriti_tui.providers.base import Finished, ModelCall
from smriti_tui.services import answers
from smriti_tui.services.caller import Caller
from smriti_tui.services.models import ModelChoice, Provider
from smriti_tui.services.steps import (
    ChatStep,
    Ended,
    Loading,
    ReasoningDelta,
    Retrying,
    Started,
    TextDelta,
)

FLUSH_S = 0.5


@dataclass(frozen=True)
class _Outcome:
    """How an answer ended; without a status it was a fault, named by what had arrived."""

    status: TurnStatus | None = None
    finish: str | None = None
    usage: Usage | None = None
    cost: Cost | None = None
    error: Fault | None = None


class Receiver:
    """Receives one answer, keeps what has arrived, and writes its end."""

    def __init__(self, caller: Caller, started: Started, choice: ModelChoice) -> None:
        self._caller = caller
        self._started = started
        self._choice = choice
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._attempts = 1
        self._ending: asyncio.Task[Turn] | None = None

    async def receive(self, provider: Provider) -> AsyncGenerator[ChatStep, None]:
        """Yields `Started`, what arrives, then `Ended`. Closing it or cancelling its task stops the
        answer: the connection closes and what arrived is kept."""
        saver = asyncio.create_task(self._save_now_and_then())
        try:
            yield self._started
            async with contextlib.aclosing(provider.stream(self._call())) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Finished):
                        yield Ended(await self._end(self._complete(chunk)))
                        return
                    self._take(chunk)
                    yield chunk
            broken = ProviderError("The answer broke off.", "Ask again.", kind="cut")
            yield Ended(await self._end(_faulty(broken)))
        except ProviderError as error:
            yield Ended(await self._end(_faulty(error)))
        except (GeneratorExit, asyncio.CancelledError):
            # Stopped by the person, or the program is leaving.
            await self.stop()
            raise
        finally:
            saver.cancel()

    async def stop(self) -> None:
        """Ends the answer with what has arrived."""
        await self._end(_Outcome("stopped"))

    def _call(self) -> ModelCall:
        choice = self._choice
        context = self._started.prepared.context
        return ModelCall(
            model=choice.model,
            messages=context.messages,
            max_tokens=context.limit.reserve,
            api_base=choice.api_base,
            api_key=choice.api_key,
            params=choice.params,
            timeout_s=choice.timeout_s,
            retries=choice.retries,
        )

    def _take(self, chunk: TextDelta | ReasoningDelta | Retrying | Loading) -> None:
        if isinstance(chunk, TextDelta):
            self._text.append(chunk.text)
        elif isinstance(chunk, ReasoningDelta):
            self._reasoning.append(chunk.text)
        elif isinstance(chunk, Retrying):
            self._attempts = chunk.attempt + 1

    def _complete(self, chunk: Finished) -> _Outcome:
        self._attempts = chunk.attempts
        return _Outcome("complete", chunk.finish, chunk.usage, chunk.cost)

    async def _save_now_and_then(self) -> None:
        """Keeps the partial answer; a write that finds the database busy is made up by the next."""
        saved = -1
        while True:
            await asyncio.sleep(FLUSH_S)
            if (size := len(self._text) + len(self._reasoning)) != saved:
                with contextlib.suppress(SmritiError):
                    await asyncio.to_thread(self._save)
                    saved = size

    def _save(self) -> None:
        text, reasoning = self._arrived()
        begun = self._started.begun
        if self._ending is None:
            self._caller.store.side.save_partial(begun.session, begun.answer, text, reasoning)

    def _arrived(self) -> tuple[str, str]:
        text, _ = repair_text("".join(self._text))
        reasoning, _ = repair_text("".join(self._reasoning))
        return text, reasoning

    async def _end(self, outcome: _Outcome) -> Turn:
        """Writes the end once, whoever asks and however often this task is cancelled."""
        if self._ending is None:
            self._ending = asyncio.create_task(asyncio.to_thread(self._write_end, outcome))
        return await asyncio.shield(self._ending)

    def _write_end(self, outcome: _Outcome) -> Turn:
        text, reasoning = self._arrived()
        event = AnswerEnded(
            self._started.begun.answer,
            outcome.status or ("cut" if text else "failed"),
            text,
            reasoning=reasoning or None,
            finish=outcome.finish,
            model=self._choice.model,
            usage=outcome.usage,
            cost=outcome.cost,
            attempts=self._attempts,
            error=outcome.error,
        )
        return answers.end(self._caller, self._started.begun, event)


def _faulty(error: ProviderError) -> _Outcome:
    return _Outcome(error=Fault(error.kind, f"{error.message} {error.hint}".strip()))
