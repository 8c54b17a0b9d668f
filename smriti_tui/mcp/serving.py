"""The server on its wire: the SDK's protocol, our tools, our errors.

Whatever is not needed to answer `initialize` is imported by the first call that needs it.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import ToolManager
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    Resource,
    ResourceTemplate,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
    jsonrpc_message_adapter,
)
from mcp.types import Prompt as MCPPrompt
from mcp.types import Tool as MCPTool
from pydantic import AnyUrl, ValidationError

from smriti_tui import __version__
from smriti_tui.domain.clean import clean
from smriti_tui.domain.render.printed import escaped
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.updates import Updates
from smriti_tui.mcp.waiting import allow_many, in_thread
from smriti_tui.mcp.wire import Wire

INSTRUCTIONS = (
    "Smriti is version control for reasoning: a Space holds checkpoints, immutable snapshots of "
    "what is settled (decisions, assumptions, tasks, open questions, artifacts). There is no "
    "current Space: name it in every call. Ids may be shortened to 4 or more characters."
)


class SmritiServer(MCPServer[Any]):
    """Every failure of a tool is a tool error with code and hint, never a traceback."""

    def __init__(self, opening: Opening) -> None:
        super().__init__(
            "smriti",
            title="Smriti",
            version=__version__,
            instructions=INSTRUCTIONS,
            log_level="WARNING",
        )
        self._opening = opening
        self.updates = Updates(opening)
        low = self._lowlevel_server
        low.add_request_handler(
            "resources/subscribe", SubscribeRequestParams, self.updates.subscribe
        )
        low.add_request_handler(
            "resources/unsubscribe", UnsubscribeRequestParams, self.updates.unsubscribe
        )
        low.add_request_handler(
            "subscriptions/listen", SubscriptionsListenRequestParams, self.updates.listen
        )

    # ---- tools ---------------------------------------------------------------------------------

    async def list_tools(self) -> list[MCPTool]:
        await self._stocked()
        return await super().list_tools()

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        await self._stocked()
        try:
            done = await super().call_tool(name, arguments, context)
            return self._with_notices(done)
        except ToolError as error:
            from smriti_tui.mcp.answers import failure, typed

            return failure(typed(name, error))

    def _with_notices(
        self, done: CallToolResult | InputRequiredResult
    ) -> CallToolResult | InputRequiredResult:
        """Likely secrets that were recorded meanwhile, in a block of their own behind the text."""
        notices = self._opening.notices()
        if notices and isinstance(done, CallToolResult):
            from smriti_tui.mcp.answers import noted

            return noted(done, [f"warning: {notice.words}." for notice in notices])
        return done

    async def _stocked(self) -> None:
        """Waits until the tools have loaded."""
        found = await in_thread(self._opening.tools)
        if not self._tool_manager.list_tools():
            self._tool_manager = ToolManager(tools=found)

    # ---- prompts -------------------------------------------------------------------------------

    async def list_prompts(self) -> list[MCPPrompt]:
        self._prompted()
        return await super().list_prompts()

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[Any, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        self._prompted()
        from smriti_tui.mcp.prompts import check_asked

        check_asked(self._prompt_manager.list_prompts(), name, arguments or {})
        return await super().get_prompt(name, arguments, context)

    def _prompted(self) -> None:
        from smriti_tui.mcp.prompts import prompts

        if not self._prompt_manager.list_prompts():
            for prompt in prompts():
                self.add_prompt(prompt)

    # ---- resources -----------------------------------------------------------------------------

    async def list_resources(self) -> list[Resource]:
        from smriti_tui.mcp import resources

        return await in_thread(resources.listed, self._opening)

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        from smriti_tui.mcp import resources

        return resources.templates()

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents]:
        from smriti_tui.mcp import resources

        return await in_thread(resources.read, self._opening, str(uri))

    # ---- transports ----------------------------------------------------------------------------

    async def run_on(self, wire: Wire) -> None:
        """Serves until the wire's input ends."""
        allow_many()
        # As `run_stdio_async`, which takes the process's own streams alone.
        low = self._lowlevel_server
        async with stdio_server(_Source(wire), _Sink(wire, self._opening.start)) as (taken, given):
            try:
                await low.run(taken, given, low.create_initialization_options())
            finally:
                wire.hang_up()


def serve(wire: Wire, flags: Mapping[str, object]) -> None:
    """Serves until the wire's input ends."""
    opening = Opening(flags, wire.serving)
    server = SmritiServer(opening)
    try:
        anyio.run(server.run_on, wire)
    finally:
        server.updates.close()
        opening.close()


def start_log() -> None:
    """Logs go to standard error, cleaned; from which level up is known once settings are read."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Cleaned("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


class _Cleaned(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return clean(super().format(record))


class _Source(anyio.AsyncFile[str]):
    """The wire's input as the SDK reads it."""

    def __init__(self, wire: Wire) -> None:
        super().__init__(io.StringIO(), limiter=anyio.CapacityLimiter(1))
        self._wire = wire

    async def readline(self) -> str:
        return await anyio.to_thread.run_sync(self._next, limiter=self.limiter)

    def _next(self) -> str:
        """The next message that the SDK takes: it drops the others without a word, and whoever sent
        one would wait for ever."""
        while line := self._wire.next_line():
            try:
                jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError:
                self._wire.refuse(line)
            else:
                break
        return line


class _Sink(anyio.AsyncFile[str]):
    """The wire's output as the SDK writes it: a message per call."""

    def __init__(self, wire: Wire, answered: Callable[[], None]) -> None:
        """`answered` is called after each message."""
        super().__init__(io.StringIO(), limiter=anyio.CapacityLimiter(1))
        self._wire, self._answered = wire, answered

    async def write(self, b: object) -> int:
        text = str(b)
        await anyio.to_thread.run_sync(self._wire.send, escaped(text), limiter=self.limiter)
        self._answered()
        return len(text)
