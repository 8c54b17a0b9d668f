"""The least that an MCP server can be, for comparison."""

from __future__ import annotations

from mcp.server import MCPServer


def hello() -> str:
    """Say hello."""
    return "hello"


if __name__ == "__main__":
    server = MCPServer("bare")
    server.add_tool(hello)
    server.run("stdio")
