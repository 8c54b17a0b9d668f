"""How a method becomes a tool: its docstring is what the model reads, its schema is strict."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.types import ToolAnnotations
from pydantic import ConfigDict, create_model

from smriti_tui.domain.values import utc_text
from smriti_tui.mcp.opening import Opening

if TYPE_CHECKING:
    from smriti_tui.services import Services

Kind = Literal["reads", "writes", "destroys"]
PREFIX = "smriti_"
SILENT: tuple[object, ...] = ("", None, False)
"""Defaults that say no more than that an argument may be left out."""


@dataclass(frozen=True)
class Group:
    """Tools of one concept."""

    opening: Opening

    @property
    def services(self) -> Services:
        return self.opening.services()

    @staticmethod
    def now() -> str:
        return utc_text(datetime.now(UTC))


class _Strict(ArgModelBase):
    """Arguments of which none may be unknown."""

    model_config = ConfigDict(extra="forbid")


def made(kind: Kind, *functions: Callable[..., Any]) -> list[Tool]:
    """Tools of one kind: without an output schema, and with a strict input schema: an argument that
    nobody knows is refused, never dropped."""
    return [_tool(function, kind) for function in functions]


def _tool(function: Callable[..., Any], kind: Kind) -> Tool:
    name = function.__name__
    tool = Tool.from_function(
        function,
        name=f"{PREFIX}{name}",
        description=" ".join((inspect.getdoc(function) or "").split()),
        annotations=ToolAnnotations(
            read_only_hint=kind == "reads", destructive_hint=kind == "destroys"
        ),
        structured_output=False,
    )
    loose = tool.fn_metadata.arg_model
    strict = create_model(f"{name}_arguments", __base__=(loose, _Strict))
    schema = _terse(strict.model_json_schema(by_alias=True))
    metadata = FuncMetadata(arg_model=strict)
    return tool.model_copy(update={"fn_metadata": metadata, "parameters": schema})


def _terse(schema: dict[str, Any]) -> dict[str, Any]:
    """Without what a model reads for nothing: every host sends all schemas with every question."""
    del schema["title"]
    for argument in schema["properties"].values():
        argument.pop("title", None)
        kinds = argument.get("anyOf", [])
        if len(kinds) == 2 and kinds[1] == {"type": "null"}:  # it may be left out
            argument |= {**argument.pop("anyOf")[0]}
        if argument.get("default") in SILENT:
            argument.pop("default", None)
    return schema
