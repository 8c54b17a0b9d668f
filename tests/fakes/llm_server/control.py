"""The routes that are no model call: what was received, queued replies, health, the model list."""

from __future__ import annotations

import json
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

from tests.fakes.llm_server.connection import Connection
from tests.fakes.llm_server.request import Request
from tests.fakes.llm_server.scenarios import SCENARIOS


class State(Protocol):
    """What the routes read and change."""

    records: list[dict[str, Any]]
    queue: list[dict[str, Any]]

    def forget(self) -> None: ...

    def add_script(self, replies: list[dict[str, Any]]) -> None: ...


async def control(state: State, conn: Connection, request: Request) -> None:
    url = urlsplit(request.target)
    path = url.path.rstrip("/") or "/"
    if path == "/health":
        status, value = 200, _health(state)
    elif path in ("/v1/models", "/models"):
        status, value = 200, _models()
    elif path == "/requests" or path.startswith("/requests/"):
        wanted = parse_qs(url.query).get("model", [None])[0]
        status, value = _requests(state, request.method, path, wanted)
    elif path == "/script" and request.method in ("POST", "DELETE"):
        status, value = _script(state, request)
    else:
        message = f"no such path: {request.method} {path}"
        status, value = 404, {"error": {"message": message, "type": "not_found_error"}}
    await conn.reply_json(status, value)


def _health(state: State) -> object:
    return {"ok": True, "requests": len(state.records)}


def _models() -> object:
    kind = {"object": "model", "created": 0, "owned_by": "fake", "type": "model"}
    listed = [{"id": name, "display_name": name, **kind} for name in SCENARIOS]
    return {"object": "list", "data": listed, "has_more": False}


def _requests(state: State, method: str, path: str, wanted: str | None) -> tuple[int, object]:
    if path == "/requests" and method == "DELETE":
        state.forget()
        return 200, {"ok": True}
    if path == "/requests":
        return 200, [r for r in state.records if wanted in (None, r["scenario"], r["model"])]
    key = path.rsplit("/", 1)[1]
    if key == "last":
        found = state.records[-1:]
    else:
        found = [r for r in state.records if str(r["id"]) == key]
    return (200, found[0]) if found else (404, {"error": {"message": "no such request"}})


def _script(state: State, request: Request) -> tuple[int, object]:
    if request.method == "DELETE":
        state.queue.clear()
        return 200, {"queued": 0}
    try:
        value = json.loads(request.body)
        state.add_script(value.get("replies", [value]) if isinstance(value, dict) else value)
    except (ValueError, AttributeError, TypeError) as error:
        return 400, {"error": {"message": f"not a script: {error}"}}
    return 200, {"queued": len(state.queue)}
