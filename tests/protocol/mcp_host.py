"""An MCP host for tests: the SDK's own client on the installed `smriti-mcp`, called from plain
tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import TextContent, Tool

from tests.protocol.mcp_lines import SCRIPT


@dataclass(frozen=True)
class Told:
    """What a tool answered."""

    failed: bool
    texts: tuple[str, ...]
    document: Any

    @property
    def text(self) -> str:
        return self.texts[0]

    @property
    def error(self) -> dict[str, Any]:
        """The error of a call that must fail, in its one form."""
        assert self.failed, self.texts
        error: dict[str, Any] = self.document["error"]
        assert set(error) == {"code", "message", "hint", "details"}
        assert self.texts[-2] == f"error: {error['message']} {error['hint']}".strip() + "\n"
        assert json.loads(self.texts[-1]) == {"error": error}
        return error


@dataclass(frozen=True)
class Host:
    client: Client
    portal: BlockingPortal

    def call(self, tool: str, **arguments: object) -> Told:
        asked = partial(self.client.call_tool, f"smriti_{tool}", dict(arguments))
        result = self.portal.call(asked)
        blocks = [block for block in result.content if isinstance(block, TextContent)]
        texts = tuple(block.text for block in blocks)
        return Told(result.is_error, texts, result.structured_content)

    def ok(self, tool: str, **arguments: object) -> Told:
        told = self.call(tool, **arguments)
        assert not told.failed, told.texts
        return told

    def tools(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}


@contextmanager
def hosted(environment: Mapping[str, str], errors: Path, *arguments: str) -> Iterator[Host]:
    """A server of its own. What it writes on standard error is in `errors` afterwards."""
    server = StdioServerParameters(command=str(SCRIPT), args=list(arguments), env=dict(environment))
    with errors.open("w", encoding="utf-8") as log, start_blocking_portal() as portal:
        client = Client(stdio_client(server, errlog=log))
        with portal.wrap_async_context_manager(client):
            yield Host(client, portal)
