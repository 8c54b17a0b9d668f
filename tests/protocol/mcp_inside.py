"""A server in this process, without a transport: for what goes wrong behind the protocol."""

from __future__ import annotations

from typing import Any

import anyio
from mcp.types import CallToolResult, TextContent

from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.serving import SmritiServer


class Inside:
    def __init__(self, database: str) -> None:
        self.opening = Opening({"database.url": database, "actor": "ada"}, lambda: None)
        self.server = SmritiServer(self.opening)
        self.said = ""
        """All texts of the last call."""

    def call(self, tool: str, **arguments: object) -> Any:
        result = anyio.run(self.server.call_tool, f"smriti_{tool}", arguments)
        assert isinstance(result, CallToolResult)
        self.said = "".join(each.text for each in result.content if isinstance(each, TextContent))
        return result.structured_content

    def fails(self, tool: str, **arguments: object) -> dict[str, Any]:
        error: dict[str, Any] = self.call(tool, **arguments)["error"]
        assert error["code"] != "unexpected"
        assert error["hint"]
        return error
