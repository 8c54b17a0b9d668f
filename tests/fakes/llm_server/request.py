"""Reading a request off the wire, and what a model call asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.fakes.llm_server.connection import Connection

MAX_BODY = 64 * 1024 * 1024


@dataclass(frozen=True)
class Request:
    """One HTTP request; header names in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


async def read_request(conn: Connection) -> Request | None:
    """The next request, or None at the end of the connection or of what is acceptable."""
    head = await conn.until(b"\r\n\r\n")
    if head is None:
        return None
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = ([*lines[0].split(" ", 2), "", ""])[:3]
    headers = {
        k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])
    }
    body = await _read_body(conn, headers)
    return None if body is None else Request(method.upper(), target, headers, body)


async def _read_body(conn: Connection, headers: dict[str, str]) -> bytes | None:
    if headers.get("expect", "").lower() == "100-continue":
        await conn.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return await _read_chunked(conn)
    try:
        length = int(headers.get("content-length", "0") or 0)
    except ValueError:
        length = -1
    if not 0 <= length <= MAX_BODY:
        await conn.reply_json(413, {"error": {"message": "bad content-length"}})
        return None
    return await conn.exactly(length) if length else b""


async def _read_chunked(conn: Connection) -> bytes | None:
    out = bytearray()
    while True:
        size_line = await conn.until(b"\r\n")
        if size_line is None:
            return None
        size = int(size_line.split(b";")[0] or b"0", 16)
        data = await conn.exactly(size + 2)
        if data is None or len(out) + size > MAX_BODY:
            return None
        if size == 0:
            return bytes(out)
        out += data[:-2]


def parse_model(model: str) -> tuple[str, dict[str, str]]:
    """'openai/slow:delay_ms=50,tokens=9' -> ('slow', {'delay_ms': '50', 'tokens': '9'})"""
    name, _, rest = model.rsplit("/", 1)[-1].partition(":")
    params = dict(pair.split("=", 1) for pair in rest.split(",") if "=" in pair)
    return name, params


def text_of(content: Any) -> str:
    """The plain text of an OpenAI or Anthropic message content."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(p.get("text", "")) if isinstance(p, dict) else str(p) for p in content)
    return "" if content is None else str(content)


def messages_of(body: dict[str, Any]) -> list[dict[str, str]]:
    out: list[dict[str, str]] = []
    if body.get("system"):  # Anthropic: the system prompt stands beside the messages
        out.append({"role": "system", "content": text_of(body["system"])})
    for message in body.get("messages") or []:
        if isinstance(message, dict):
            out.append(
                {"role": str(message.get("role", "")), "content": text_of(message.get("content"))}
            )
    return out


def tokens_in(text: str) -> int:
    return max(1, len(text) // 4) if text else 0
