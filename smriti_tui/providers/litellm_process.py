"""The program of the provider process: `python -m smriti_tui.providers.litellm_process`.

The only file that names litellm. It reads orders from its standard input and writes replies to what
was its standard output when it started (`wire` has the messages). The library prints on standard
output, takes seconds to import and may crash: all of that stays in here. The process ends at once
when its input ends, so it never outlives the program that started it. Keys arrive with their call
and are kept nowhere else than in memory.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator
from functools import partial
from typing import cast

from smriti_tui.providers import faults, names, wire
from smriti_tui.providers.base import AnswerForm, Cost
from smriti_tui.providers.deltas import DeltaBuffer
from smriti_tui.providers.failing import empty_failure, failure_of, raised_of
from smriti_tui.providers.keys import Scrubber
from smriti_tui.providers.reading import Tally, closing_usage, told_usage, usage_of, usd
from smriti_tui.providers.wire import ModelLimits, WireMessage
from smriti_tui.providers.wording import Asked

CONNECT_S = 10.0
# The library's own time-out comes first: it closes the connection by itself.
GRACE_S = 2.0
# Clients insist on some key, local servers on none.
NO_KEY = "none"
QUIET = {
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    # Any other mode of older releases reads `.env` files from the folders above.
    "LITELLM_MODE": "PRODUCTION",
    # An honest table or rule repeats a chunk more often than the library allows.
    "REPEATED_STREAMING_CHUNK_LIMIT": "1000000",
}


class Replies:
    """The way back. Used from the loop's thread alone; blocks while the reader is slow."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def send(self, message: WireMessage) -> None:
        rest = memoryview(wire.encode(message))
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError:
            os._exit(0)


class Program:
    """Carries out orders; several calls at once."""

    def __init__(self, replies: Replies) -> None:
        self._replies = replies
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._scrubber = Scrubber()

    def receive(self, line: bytes) -> None:
        """Takes one line of input, on the loop's thread."""
        order = wire.decode(line) or {}
        number = wire.whole_of(order, "id") or 0
        op = wire.text_of(order, "op")
        if op == "cancel":
            if (task := self._tasks.get(number)) is not None:
                task.cancel()
        elif op in ("chat", "limits"):
            work = self._chat(number, order) if op == "chat" else self._limits(number, order)
            task = asyncio.get_running_loop().create_task(work)
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._tasks.pop(number, None))

    async def _limits(self, number: int, order: WireMessage) -> None:
        # In a thread: for local models the library asks their server.
        known = await asyncio.to_thread(limits_of, wire.text_of(order, "model"))
        self._replies.send(wire.limits_message(number, known))

    async def _chat(self, number: int, order: WireMessage) -> None:
        asked = Asked(
            wire.text_of(order, "model"),
            wire.optional_text(order, "api_base"),
            wire.number_of(order, "timeout_s") or 60.0,
            wire.text_of(order, "setting"),
        )
        self._scrubber.learn(wire.optional_text(order, "api_key"))
        tally = Tally()
        deltas = DeltaBuffer(partial(self._send_delta, number))
        try:
            await self._stream(order, asked, tally, deltas)
            cost = await asyncio.to_thread(cost_of, asked.model, tally.usage)
        except Exception as error:  # noqa: BLE001 - the last resort: no fault may end the process
            deltas.flush()
            sent = wire.object_of(order, "params")
            failure = failure_of(error, asked, tally, self._scrubber, sent)
            self._replies.send(wire.failed_message(number, failure))
            return
        deltas.flush()
        if tally.empty:
            self._replies.send(wire.failed_message(number, empty_failure(asked, tally)))
        else:
            usage = usage_of(tally.usage)
            self._replies.send(wire.finished_message(number, tally.finish, usage, cost))

    def _send_delta(self, number: int, kind: str, text: str) -> None:
        self._replies.send({"type": kind, "id": number, "text": text})

    async def _stream(
        self, order: WireMessage, asked: Asked, tally: Tally, deltas: DeltaBuffer
    ) -> None:
        import litellm

        loop = asyncio.get_running_loop()
        silence = asked.timeout_s + GRACE_S
        stream = None
        try:
            async with asyncio.timeout(silence) as guard:
                stream = await litellm.acompletion(**arguments_of(order, asked))
                async for chunk in cast(AsyncIterator[object], stream):
                    guard.reschedule(loop.time() + silence)
                    for kind, words in tally.take(chunk):
                        deltas.add(kind, words)
                    # A burst is ready without waiting: other calls and `cancel` need a turn too.
                    await asyncio.sleep(0)
            tally.usage = tally.usage and told_usage(getattr(stream, "chunks", ()))
        except litellm.ServiceUnavailableError as error:
            # No finish reason, but the usage that closes an answer: all of it came.
            closing = closing_usage(getattr(stream, "chunks", ()))
            if not (tally.words and closing and faults.ended_early(raised_of(error))):
                raise
            tally.usage = closing
        finally:
            if stream is not None:
                await stream.aclose()


def arguments_of(order: WireMessage, asked: Asked) -> dict[str, object]:
    """What litellm is called with; time-out, length and number of tries are never left to it."""
    import httpx

    key = wire.optional_text(order, "api_key")
    if key is None and asked.api_base and names.needs_key(asked.model):
        key = NO_KEY
    return {
        **wire.object_of(order, "params"),
        "model": asked.model,
        "messages": order.get("messages"),
        "max_tokens": order.get("max_tokens"),
        "api_base": asked.api_base,
        "api_key": key,
        "stream": True,
        "stream_options": {"include_usage": True},
        "timeout": httpx.Timeout(asked.timeout_s, connect=min(CONNECT_S, asked.timeout_s)),
        "max_retries": 0,
        "num_retries": 0,
    }


def limits_of(model: str) -> ModelLimits:
    """Window and prices of a model by the list that comes with the library."""
    import litellm

    try:
        info = litellm.get_model_info(model)
    except Exception:  # noqa: BLE001 - an unknown model raises a bare Exception in some releases
        return ModelLimits()
    # `info` itself turns an unknown price into 0.
    prices = litellm.model_cost.get(info.get("key") or model) or {}
    return ModelLimits(
        context_tokens=info.get("max_input_tokens"),
        output_tokens=info.get("max_output_tokens"),
        input_usd=usd(prices.get("input_cost_per_token")),
        output_usd=usd(prices.get("output_cost_per_token")),
        form=form_of(model),
    )


def form_of(model: str) -> AnswerForm:
    """What the answers of a model that the library knows can be held to, by its word."""
    import litellm

    if litellm.supports_response_schema(model):
        return "schema"
    try:
        name, provider, _, _ = litellm.get_llm_provider(model)
        taken = litellm.get_supported_openai_params(name, custom_llm_provider=provider)
    except Exception:  # noqa: BLE001 - as above
        return "none"
    return "json" if "response_format" in (taken or ()) else "none"


def cost_of(model: str, told: object | None) -> Cost | None:
    """The list price of an answer, or what the provider itself charged; None if nobody knows."""
    import litellm

    usage = usage_of(told)
    if usage is None:
        return None
    if charged := usd(getattr(told, "cost", None)):
        return Cost(charged, names.provider_of(model) or "provider")
    if limits_of(model).input_usd is None:
        return None
    try:
        parts = litellm.cost_per_token(
            model=model,
            prompt_tokens=usage.input_tokens,
            completion_tokens=usage.output_tokens,
            usage_object=told,
        )
    except Exception:  # noqa: BLE001 - a model without a price raises a bare Exception
        return None
    price = usd(sum(parts))
    return Cost(price, "litellm") if price is not None else None


def move_pipes_aside() -> tuple[int, int]:
    """Takes standard input and output away from whatever is imported later; returns both."""
    orders, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return orders, replies


def listen(fd: int, loop: asyncio.AbstractEventLoop, program: Program) -> None:
    """Hands the lines of `fd` to the loop, running or not yet; ends the process with the input."""
    with os.fdopen(fd, "rb", buffering=1 << 20) as lines:
        for line in lines:
            loop.call_soon_threadsafe(program.receive, line)
    os._exit(0)


def load_library() -> None:
    """Imports litellm without network, banner and log output. Takes seconds."""
    os.environ.update(QUIET)
    import litellm

    litellm.suppress_debug_info = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logger = logging.getLogger(name)
        logger.handlers = [logging.NullHandler()]
        logger.propagate = False


def main() -> int:
    orders, out = move_pipes_aside()
    # Ctrl+C in the terminal is for the program that started this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = Replies(out)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    program = Program(replies)
    threading.Thread(target=listen, args=(orders, loop, program), daemon=True).start()
    try:
        load_library()
    except Exception as error:  # noqa: BLE001 - told to the other side, which shows it
        replies.send({"type": "broken", "message": f"{type(error).__name__}: {error}"})
        return 1
    replies.send({"type": "ready"})
    loop.run_forever()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
