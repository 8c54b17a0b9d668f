"""The server on its wire: the SDK's protocol, our tools, our errors."""

from __future__ import annotations

import io
import logging
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, InputRequiredResult

from smriti_tui import __version__
from smriti_tui.domain.clean import clean
from smriti_tui.domain.render.printed import escaped
from smriti_tui.mcp.answers import failure, typed
from smriti_tui.mcp.tools import tools
from smriti_tui.mcp.wire import Wire
from smriti_tui.services import Services

INSTRUCTIONS = (
    "Smriti is version control for reasoning: a Space holds checkpoints, immutable snapshots of "
    "what is settled (decisions, assumptions, tasks, open questions, artifacts). There is no "
    "current Space: name it in every call. Ids may be shortened to 4 or more characters."
)


class SmritiServer(MCPServer[Any]):
    """Every failure of a tool is a tool error with code and hint, never a traceback."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            return failure(typed(name, error))

    async def run_on(self, wire: Wire) -> None:
        """Serves until the wire's input ends."""
        wire.serving()
        # As `run_stdio_async`, which takes the process's own streams alone.
        low = self._lowlevel_server
        async with stdio_server(_Source(wire), _Sink(wire)) as (incoming, outgoing):
            try:
                await low.run(incoming, outgoing, low.create_initialization_options())
            finally:
                wire.hang_up()


def serve(wire: Wire, services: Services) -> None:
    server = SmritiServer(
        "smriti",
        title="Smriti",
        version=__version__,
        instructions=INSTRUCTIONS,
        tools=tools(services),
        log_level="WARNING",
    )
    anyio.run(server.run_on, wire)


def start_log(level: str) -> None:
    """Logs go to standard error, cleaned: our own from `level` (a word of `log.level`) up, those of
    libraries from warnings up, or all while debugging."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Cleaned("%(levelname)s %(name)s: %(message)s"))
    own = logging.getLevelNamesMapping()[level.upper()]
    others = own if own == logging.DEBUG else max(own, logging.WARNING)
    logging.basicConfig(level=others, handlers=[handler])
    logging.getLogger("smriti_tui").setLevel(own)


class _Cleaned(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return clean(super().format(record))


class _Source(anyio.AsyncFile[str]):
    """The wire's input as the SDK reads it."""

    def __init__(self, wire: Wire) -> None:
        super().__init__(io.StringIO(), limiter=anyio.CapacityLimiter(1))
        self._wire = wire

    async def readline(self) -> str:
        return await anyio.to_thread.run_sync(self._wire.next_line, limiter=self.limiter)


class _Sink(anyio.AsyncFile[str]):
    """The wire's output as the SDK writes it: a message per call."""

    def __init__(self, wire: Wire) -> None:
        super().__init__(io.StringIO(), limiter=anyio.CapacityLimiter(1))
        self._wire = wire

    async def write(self, b: object) -> int:
        text = str(b)
        await anyio.to_thread.run_sync(self._wire.send, escaped(text), limiter=self.limiter)
        return len(text)
