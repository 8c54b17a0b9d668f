"""The service itself: connections, the record of what came in, the answers."""

from __future__ import annotations

import asyncio
import dataclasses
import ipaddress
import json
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from tests.fakes.llm_server.answer import Answer
from tests.fakes.llm_server.anthropic_format import FORMATS, AnthropicFormat
from tests.fakes.llm_server.connection import ClientGoneError, Connection, ServerDropError
from tests.fakes.llm_server.control import control
from tests.fakes.llm_server.openai_format import OpenAIFormat
from tests.fakes.llm_server.plan import Call, Plan
from tests.fakes.llm_server.request import messages_of, parse_model, read_request
from tests.fakes.llm_server.scenarios import SCENARIOS, plan_from_script, plan_of

SECRET_HEADERS = frozenset({"authorization", "x-api-key", "api-key", "proxy-authorization"})


class Server:
    """The service; one event loop, any number of connections."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        default_delay: float = 0.0,
        log: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self.api_key, self.default_delay, self.log = api_key, default_delay, log
        self.records: list[dict[str, Any]] = []
        self.queue: list[dict[str, Any]] = []
        self.seen: dict[str, int] = {}
        self.number = 0
        self.connections: set[Connection] = set()
        self.server: asyncio.Server | None = None
        self.port = 0

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise SystemExit("only loopback addresses are served")
        self.server = await asyncio.get_running_loop().create_server(
            lambda: Connection(self.serve, self.connections), host, port
        )
        self.port = self.server.sockets[0].getsockname()[1]
        return self.port

    async def stop(self) -> None:
        if self.server:
            self.server.close()
        tasks = [c.task for c in self.connections if c.task]
        for connection in list(self.connections):
            if connection.transport:
                connection.transport.abort()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def serve(self, conn: Connection) -> None:
        """Answers the requests of one connection until it ends."""
        try:
            while not conn.gone.is_set():
                request = await read_request(conn)
                if request is None:
                    return
                path = urlsplit(request.target).path.rstrip("/") or "/"
                if path in FORMATS and request.method == "POST":
                    await self._model_call(conn, path, request.headers, request.body)
                else:
                    await control(self, conn, request)
                if request.headers.get("connection", "").lower() == "close":
                    return
        except (ClientGoneError, ServerDropError, ConnectionError):
            pass
        finally:
            if conn.transport and not conn.transport.is_closing():
                conn.transport.close()

    def add_script(self, replies: list[dict[str, Any]]) -> None:
        if not all(isinstance(r, dict) for r in replies):
            raise TypeError("each reply is an object")
        self.queue.extend(replies)

    def forget(self) -> None:
        self.records.clear()
        self.seen.clear()

    async def _model_call(
        self, conn: Connection, path: str, headers: dict[str, str], raw: bytes
    ) -> None:
        self.number += 1
        began = time.monotonic()
        try:
            body = json.loads(raw)
            if not isinstance(body, dict):
                raise ValueError("not an object")
        except ValueError as error:
            message = f"the body is not a JSON object: {error}"
            await conn.reply_json(
                400, {"error": {"message": message, "type": "invalid_request_error"}}
            )
            return
        model = str(body.get("model", ""))
        name, params = parse_model(model)
        self.seen[model] = self.seen.get(model, 0) + 1
        call = Call(model, name, params, messages_of(body), body, self.seen[model])
        wire = FORMATS[path](call, self.number)
        key = headers.get("x-api-key") or re.sub(
            r"(?i)^bearer\s+", "", headers.get("authorization", "")
        )
        record = new_record(self.number, path, wire, call, headers, key)
        self.records.append(record)
        try:
            await Answer(conn, wire, self._plan(call, key), record, began).send()
        except (ClientGoneError, ConnectionError):
            record["outcome"] = "client-disconnected"
            raise
        except ServerDropError:
            record["outcome"] = "dropped-by-server"
            raise
        except asyncio.CancelledError:
            record["outcome"] = "server-stopped"
            raise
        finally:
            record["ms"] = round((time.monotonic() - began) * 1000, 1)
            if self.log:
                self.log(record)

    def _plan(self, call: Call, key: str) -> Plan:
        if self.api_key and key != self.api_key:
            plan = SCENARIOS["unauthorized"][0](call)
        elif self.queue:
            plan = plan_from_script(self.queue.pop(0), call)
        else:
            plan = plan_of(call)
        return plan if plan.delay else dataclasses.replace(plan, delay=self.default_delay)


def new_record(
    number: int, path: str, wire: OpenAIFormat, call: Call, headers: dict[str, str], key: str
) -> dict[str, Any]:
    return {
        "id": number,
        "time": time.time(),
        "path": path,
        "format": "anthropic" if isinstance(wire, AnthropicFormat) else "openai",
        "model": call.model,
        "scenario": call.scenario,
        "stream": bool(call.body.get("stream")),
        "api_key_tail": key[-4:],
        "headers": {k: ("***" if k in SECRET_HEADERS else v) for k, v in headers.items()},
        "messages": call.messages,
        "body": call.body,
        "status": None,
        "outcome": "running",
        "chunks_sent": 0,
        "text_sent": "",
        "first_chunk_ms": None,
        "ms": None,
    }
