"""The client of the provider process: a `ChatModel` for every model that is not the demo's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from types import TracebackType

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers import preflight, wire, wording
from smriti_tui.providers.base import (
    Chunk,
    Finished,
    Loading,
    ModelCall,
    ReasoningDelta,
    Retrying,
    TextDelta,
)
from smriti_tui.providers.pipe import ChildPipe
from smriti_tui.providers.retry import wait_before_retry
from smriti_tui.providers.wire import ModelLimits, WireMessage
from smriti_tui.providers.wording import Asked

LOADING_TICK_S = 0.5
# Beyond the silence that the child allows by itself: then it hangs.
HUNG_GRACE_S = 15.0
_LIMITS_S = 20.0


class ProviderProcess:
    """Answers by way of one child process, started when first needed and again after it died.

    Any number of calls at once, from any thread and event loop.
    """

    def __init__(self) -> None:
        self._pipe: ChildPipe | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> ProviderProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """Process id of the running child."""
        pipe = self._pipe
        return pipe.pid if pipe is not None and pipe.alive else None

    @property
    def ready(self) -> bool:
        """Whether a call now would not have to wait for the provider library."""
        pipe = self._pipe
        return pipe is not None and pipe.alive and pipe.ready

    def start(self) -> None:
        """Starts the child if none runs, without waiting for it to load: for warming it up early.

        Raises:
            ProviderError: `child_died`, the system cannot start it.
        """
        self._running()

    def close(self) -> None:
        """Ends the child within a second; calls in flight raise. A later call starts a new one."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.close()

    async def aclose(self) -> None:
        """As `close`, without stopping the event loop."""
        await asyncio.to_thread(self.close)

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """Answers `call`; tries again by its `retries`, never after the first word has come.

        Raises:
            ProviderError: every fault; `details` holds `kind`, `status`, `attempts`.
        """
        call = preflight.checked(call)
        attempt = 0
        while True:
            attempt += 1
            began = False
            try:
                async with aclosing(self._try(call)) as chunks:
                    async for chunk in chunks:
                        if isinstance(chunk, Finished):
                            yield replace(chunk, attempts=attempt)
                            return
                        began = began or isinstance(chunk, TextDelta | ReasoningDelta)
                        yield chunk
            except ProviderError as error:
                again = None if began else _again(error, attempt, call.retries)
                if again is None:
                    error.details["attempts"] = attempt
                    raise
                yield again
                await asyncio.sleep(again.wait_s)

    async def limits(self, model: str) -> ModelLimits:
        """Window and prices of `model`; starts and loads the library if need be.

        Raises:
            ProviderError: `child_died`, `timeout`.
        """
        asked = Asked(model, timeout_s=_LIMITS_S)
        replies = self._replies(asked, {"op": "limits", "model": model}, _LIMITS_S)
        async with aclosing(replies) as messages:
            async for message in messages:
                if not isinstance(message, Loading):
                    return wire.limits(message)
        raise _died(asked, "")

    async def _try(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        asked = Asked(call.model, call.api_base, call.timeout_s, call.setting)
        silence = call.timeout_s + HUNG_GRACE_S
        async with aclosing(self._replies(asked, wire.chat(0, call), silence)) as messages:
            async for message in messages:
                if isinstance(message, Loading):
                    yield message
                    continue
                match wire.text_of(message, "type"):
                    case "text":
                        yield TextDelta(wire.text_of(message, "text"))
                    case "reasoning":
                        yield ReasoningDelta(wire.text_of(message, "text"))
                    case "failed":
                        raise wire.error_of(message)
                    case "finished":
                        yield wire.finished(message)

    async def _replies(
        self, asked: Asked, order: WireMessage, silence_s: float
    ) -> AsyncGenerator[WireMessage | Loading, None]:
        """Gives an order, yields its replies up to the last, and `Loading` while the library loads.

        Leaving it early cancels the order.
        """
        pipe = self._pipe
        if pipe is None or not pipe.alive:
            pipe = await asyncio.to_thread(self._running)
        inbox: asyncio.Queue[WireMessage] = asyncio.Queue()
        number = pipe.open(_into(inbox))
        over = False
        try:
            pipe.send({**order, "id": number})
            if not pipe.ready:
                yield Loading(pipe.age_s)
            while not over:
                ready = pipe.ready
                try:
                    async with asyncio.timeout(silence_s if ready else LOADING_TICK_S):
                        message = await inbox.get()
                except TimeoutError:
                    if ready:
                        raise _hung(asked) from None
                    yield Loading(pipe.age_s)
                    continue
                kind = wire.text_of(message, "type")
                if kind == "ended":
                    over = True
                    raise _died(asked, pipe.broken)
                if kind == "ready":
                    yield Loading(pipe.age_s, ready=True)
                else:
                    over = kind not in ("text", "reasoning")
                    yield message
        finally:
            pipe.drop(number)
            if not over:
                pipe.send({"op": "cancel", "id": number})

    def _running(self) -> ChildPipe:
        with self._lock:
            if self._pipe is None or not self._pipe.alive:
                try:
                    self._pipe = ChildPipe()
                except OSError as error:
                    raise ProviderError(
                        f"The provider process cannot be started: {error.strerror or error}.",
                        "Run `smriti doctor`.",
                        kind="child_died",
                    ) from error
            return self._pipe


def _into(inbox: asyncio.Queue[WireMessage]) -> Callable[[WireMessage], None]:
    """Puts messages of another thread into `inbox`, on the loop that runs now."""
    loop = asyncio.get_running_loop()

    def put(message: WireMessage) -> None:
        # The loop may have ended, and with it whoever asked.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(inbox.put_nowait, message)

    return put


def _again(error: ProviderError, attempt: int, retries: int) -> Retrying | None:
    asked_wait = error.details.get("retry_after_s")
    wait_s = wait_before_retry(
        error.kind, attempt, retries, asked_wait if isinstance(asked_wait, float) else None
    )
    if wait_s is None:
        return None
    return Retrying(attempt, retries + 1, wait_s, error.kind, error.message)


def _died(asked: Asked, broken: str) -> ProviderError:
    if broken:
        return ProviderError(
            f"The provider library cannot be loaded for {asked.shown}: {clean_line(broken)}.",
            "Install Smriti again, or run `smriti doctor`.",
            kind="child_died",
        )
    return ProviderError(
        f"The provider process ended during the call of {asked.shown} at {asked.provider}.",
        "Send again: it is started anew.",
        kind="child_died",
    )


def _hung(asked: Asked) -> ProviderError:
    return ProviderError(
        wording.message("timeout", asked), wording.hint("timeout", asked), kind="timeout"
    )
