"""Receiving one answer: what streams in is kept twice a second, and it ends exactly once."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from smriti_tui.domain.errors import ProviderError, SmritiError, StoreError
from smriti_tui.domain.events import AnswerEnded
from smriti_tui.domain.model import Cost, Fault, Turn, TurnStatus, Usage
from smriti_tui.domain.values import MAX_PAYLOAD_BYTES, canonical, repair_text
from smriti_tui.providers import wording
from smriti_tui.providers.base import Finished, ModelCall
from smriti_tui.providers.wording import Asked
from smriti_tui.services import answers
from smriti_tui.services.answers import OwedEnds
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
BEAT_S = 20.0
"""A sign of life for other machines also where nothing arrives (DESIGN 10.13)."""
MAX_ANSWER = MAX_PAYLOAD_BYTES // 4 - 65_536
"""Bound of one answer in characters of JSON, so that its end always fits into an event: each is at
most four bytes there."""


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

    def __init__(
        self, caller: Caller, started: Started, choice: ModelChoice, owed: OwedEnds
    ) -> None:
        self._caller = caller
        self._owed = owed
        self._started = started
        self._choice = choice
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._attempts = 1
        self._size = 0
        self._saving = threading.Lock()
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
        except Exception:
            # A fault of the program: the answer must not stay running for ever because of it.
            if self._ending is None:
                await self._end(_faulty(ProviderError("The program failed.", "Ask again.")))
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
        if isinstance(chunk, Retrying):
            self._attempts = chunk.attempt + 1
        elif isinstance(chunk, TextDelta | ReasoningDelta):
            self._size += len(canonical(chunk.text))
            if self._size > MAX_ANSWER:
                raise ProviderError(
                    "The answer grew past 4,000,000 characters and was stopped.",
                    "What came is kept; ask again for a shorter one.",
                    kind="cut",
                )
            kept = self._text if isinstance(chunk, TextDelta) else self._reasoning
            kept.append(chunk.text)

    def _complete(self, chunk: Finished) -> _Outcome:
        self._attempts = chunk.attempts
        text, _ = self._arrived()
        status: TurnStatus | None = "complete" if text else None
        error = None if text else self._no_text()
        return _Outcome(status, chunk.finish, chunk.usage, chunk.cost, error)

    def _no_text(self) -> Fault:
        """An answer that ends in good order without text is a fault (DESIGN section 6)."""
        asked = Asked(self._choice.model, self._choice.api_base)
        return Fault("empty", f"{wording.message('empty', asked)} {wording.hint('empty', asked)}")

    async def _save_now_and_then(self) -> None:
        """Keeps the partial answer; a write that finds the database busy is made up by the next."""
        saved, quiet_s = -1, 0.0
        while True:
            await asyncio.sleep(FLUSH_S)
            quiet_s += FLUSH_S
            if self._size != saved or quiet_s >= BEAT_S:
                size = self._size
                with contextlib.suppress(SmritiError):
                    await asyncio.to_thread(self._save)
                    saved, quiet_s = size, 0.0

    def _save(self) -> None:
        # An end that is being written waits for it, so that no partial answer comes after the end.
        with self._saving:
            if self._ending is None:
                self._keep_partial()

    def _keep_partial(self) -> None:
        begun = self._started.begun
        self._caller.store.side.save_partial(begun.session, begun.answer, *self._arrived())

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
        with self._saving:
            text, reasoning = self._arrived()
        event = AnswerEnded(
            self._started.begun.answer,
            outcome.status or ("cut" if text else "failed"),
            # As it came: the door repairs it, and counts what it repaired.
            "".join(self._text) if text else "",
            reasoning="".join(self._reasoning) if reasoning else None,
            finish=outcome.finish,
            model=self._choice.model,
            usage=outcome.usage,
            cost=outcome.cost,
            attempts=self._attempts,
            error=outcome.error,
        )
        try:
            return answers.end(self._caller, self._started.begun, event)
        except StoreError:
            self._owed.keep(self._started.begun, event)
            with contextlib.suppress(StoreError):
                self._keep_partial()
            raise


def _faulty(error: ProviderError) -> _Outcome:
    return _Outcome(error=Fault(error.kind, f"{error.message} {error.hint}".strip()))
