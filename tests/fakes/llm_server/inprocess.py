"""The server in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

from tests.fakes.llm_server.server import Server


class FakeLLMServer:
    """The server in a thread of its own: for pytest fixtures and quick experiments."""

    def __init__(self, **options: Any) -> None:
        self._options, self._ready = options, threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._main()), name="fake-llm-server", daemon=True
        )
        self.port = 0

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._server = Server(**self._options)
        self.port = await self._server.start()
        self._ready.set()
        await self._stop.wait()
        await self._server.stop()

    def __enter__(self) -> FakeLLMServer:
        self._thread.start()
        if not self._ready.wait(10):
            raise RuntimeError("the fake LLM server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop and self._stop:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    @property
    def anthropic_base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def openai_base(self) -> str:
        return f"{self.anthropic_base}/v1"

    def requests(self, model: str | None = None) -> list[dict[str, Any]]:
        return [r for r in list(self._server.records) if model in (None, r["scenario"], r["model"])]

    def script(self, *replies: dict[str, Any]) -> None:
        self._server.add_script(list(replies))

    def clear(self) -> None:
        self._server.records.clear()
        self._server.queue.clear()
        self._server.seen.clear()

    def wait_for(
        self, test: Callable[[dict[str, Any]], bool], timeout: float = 5.0
    ) -> dict[str, Any]:
        """Waits until some recorded request passes the test; returns it."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            for record in list(self._server.records):
                if test(record):
                    return record
            time.sleep(0.005)
        raise TimeoutError("no recorded request passed the test")
