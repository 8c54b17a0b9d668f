"""HTTP/1.1 over asyncio: small, but it sees a disconnect at once and can break off rudely."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Coroutine
from typing import Any

REASONS = {
    200: "OK",
    204: "No Content",
    307: "Temporary Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
}


class ClientGoneError(Exception):
    """The client closed its end while we were answering."""


class ServerDropError(Exception):
    """The scenario wants the connection broken."""


Serve = Callable[["Connection"], Coroutine[Any, Any, None]]


class Connection(asyncio.Protocol):
    """Buffers what arrives and remembers when the client went away."""

    def __init__(self, serve: Serve, open_connections: set[Connection]) -> None:
        self._serve, self._open = serve, open_connections
        self.buffer = bytearray()
        self.changed = asyncio.Event()
        self.gone = asyncio.Event()
        self.writable = asyncio.Event()
        self.writable.set()
        self.transport: asyncio.Transport | None = None
        self.task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._open.add(self)
        self.task = asyncio.get_running_loop().create_task(self._serve(self))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self.changed.set()

    def eof_received(self) -> bool:
        self.gone.set()
        self.changed.set()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()
        self.changed.set()
        self.writable.set()
        self._open.discard(self)

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    async def _more(self) -> bool:
        """Waits for more bytes; False at the end of the connection."""
        if self.gone.is_set():
            return False
        self.changed.clear()
        await self.changed.wait()
        return True

    async def until(self, mark: bytes, limit: int = 1 << 20) -> bytes | None:
        while mark not in self.buffer:
            if len(self.buffer) > limit or not await self._more():
                return None
        head, _, rest = bytes(self.buffer).partition(mark)
        self.buffer[:] = rest
        return head

    async def exactly(self, size: int) -> bytes | None:
        while len(self.buffer) < size:
            if not await self._more():
                return None
        data = bytes(self.buffer[:size])
        del self.buffer[:size]
        return data

    async def sleep(self, seconds: float) -> None:
        """Sleeps, but ends at once with ClientGoneError if the client leaves."""
        if self.gone.is_set():
            raise ClientGoneError
        if seconds <= 0:
            await asyncio.sleep(0)
            if self.gone.is_set():
                raise ClientGoneError
            return
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.gone.wait(), seconds)
            raise ClientGoneError

    async def write(self, data: bytes) -> None:
        if self.gone.is_set() or self.transport is None or self.transport.is_closing():
            raise ClientGoneError
        self.transport.write(data)
        await self.writable.wait()
        if self.gone.is_set():
            raise ClientGoneError

    async def reply(
        self,
        status: int,
        body: bytes,
        kind: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> None:
        extra = "".join(f"{k}: {v}\r\n" for k, v in (headers or {}).items())
        head = (
            f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}\r\n"
            f"content-type: {kind}\r\ncontent-length: {len(body)}\r\n{extra}\r\n"
        )
        await self.write(head.encode("latin-1") + body)

    async def reply_json(
        self, status: int, value: Any, headers: dict[str, str] | None = None
    ) -> None:
        await self.reply(status, json.dumps(value, ensure_ascii=False).encode(), headers=headers)

    async def start_chunked(self, kind: str, headers: dict[str, str]) -> None:
        extra = "".join(f"{k}: {v}\r\n" for k, v in headers.items())
        head = (
            f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncache-control: no-cache\r\n"
            f"transfer-encoding: chunked\r\n{extra}\r\n"
        )
        await self.write(head.encode("latin-1"))

    async def chunk(self, data: bytes) -> None:
        if data:
            await self.write(b"%x\r\n%s\r\n" % (len(data), data))

    def abort(self) -> ServerDropError:
        """Breaks the connection with no clean end of the body; the caller raises what it gets."""
        if self.transport:
            self.transport.abort()
        return ServerDropError()

    async def end_chunked(self) -> None:
        await self.write(b"0\r\n\r\n")
