"""Playing a plan to a connection, in one of the two wire formats."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

from tests.fakes.llm_server.connection import Connection
from tests.fakes.llm_server.openai_format import OpenAIFormat
from tests.fakes.llm_server.plan import Plan

FOREVER_S = 86_400
KEPT_TEXT = 100_000


class Answer:
    """One answer under way; what becomes of it is written into `record`."""

    def __init__(
        self,
        conn: Connection,
        wire: OpenAIFormat,
        plan: Plan,
        record: dict[str, Any],
        began: float,
    ) -> None:
        self.conn, self.wire, self.plan, self.record, self.began = conn, wire, plan, record, began

    async def send(self) -> None:
        conn, plan, record = self.conn, self.plan, self.record
        if plan.never_answer:
            await conn.sleep(FOREVER_S)
        await conn.sleep(plan.first_delay)
        if plan.reset:
            raise conn.abort()
        record["status"] = self.wire.status(plan)
        if plan.raw_body is not None:
            record["outcome"] = "error-reply" if plan.status >= 400 else "complete"
            await conn.reply(plan.status, plan.raw_body, plan.raw_type, plan.headers)
        elif plan.status >= 400:
            record["outcome"] = "error-reply"
            await conn.reply_json(self.wire.status(plan), self.wire.error(plan), plan.headers)
        elif plan.ignore_stream or not record["stream"]:
            await self._whole()
        else:
            await self._stream()

    async def _whole(self) -> None:
        plan, conn = self.plan, self.conn
        pieces = []
        await conn.sleep(plan.headers_delay)
        for count, piece in enumerate(plan.pieces):
            if count in (plan.drop_after, plan.garbage_after, plan.error_after, plan.stop_after):
                raise conn.abort()
            if plan.stall_after == count:
                await conn.sleep(FOREVER_S)
            await conn.sleep(plan.delay)
            pieces.append(piece)
        text = self.record["text_sent"] = "".join(pieces)
        reply = self.wire.whole(plan, text, "".join(plan.reasoning))
        await conn.reply_json(200, reply, plan.headers)
        self.record["outcome"] = "complete"

    async def _stream(self) -> None:
        plan, conn, wire = self.plan, self.conn, self.wire
        await conn.start_chunked("text/event-stream; charset=utf-8", plan.headers)
        await conn.sleep(plan.headers_delay)
        await conn.chunk(wire.begin(plan))
        for text in plan.reasoning:
            await conn.sleep(plan.delay)
            await conn.chunk(wire.reasoning(text))
        async for count, text in self._paced():
            if await self._fault(count):
                return
            await conn.chunk(wire.piece(text, plan))
            self._sent(text)
        for index, tool in enumerate(plan.tool_calls):
            await conn.chunk(wire.tool(index, tool))
        await conn.chunk(wire.end(plan, self.record["text_sent"]))
        await conn.end_chunked()
        self.record["outcome"] = "complete"

    async def _fault(self, count: int) -> bool:
        """Plays what the plan has for this place; True if that was the end of the answer."""
        plan, conn, wire = self.plan, self.conn, self.wire
        if count == plan.drop_after:
            raise conn.abort()
        if count == plan.stall_after:
            await conn.sleep(FOREVER_S)
        if count == plan.stop_after:
            await conn.end_chunked()
            self.record["outcome"] = "complete"
            return True
        if count == plan.garbage_after:
            await conn.chunk(wire.garbage())
        if count == plan.error_after:
            await conn.chunk(wire.stream_error(plan))
            await conn.end_chunked()
            self.record["outcome"] = "error-reply"
            return True
        return False

    def _sent(self, text: str) -> None:
        record = self.record
        if record["first_chunk_ms"] is None:
            record["first_chunk_ms"] = round((time.monotonic() - self.began) * 1000, 1)
        record["chunks_sent"] += 1
        if len(record["text_sent"]) < KEPT_TEXT:
            record["text_sent"] += text

    async def _paced(self) -> AsyncIterator[tuple[int, str]]:
        for count, text in enumerate(self.plan.pieces):
            # The loop gets its turn now and then even at full speed.
            if self.plan.delay or count % 64 == 0:
                await self.conn.sleep(self.plan.delay)
            yield count, text
