"""The tools: one per operation, thin. Text and document are those of the command line.

A docstring here is what the model reads.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import ConfigDict, create_model

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.render.brief import brief
from smriti_tui.domain.render.documents import (
    branches_document,
    checkpoints_document,
    full_checkpoint_document,
    space_document,
    spaces_document,
)
from smriti_tui.domain.render.fitting import with_clipped_artifacts
from smriti_tui.domain.render.lists import branch_table, checkpoint_table, space_facts, space_table
from smriti_tui.domain.render.log_events import appended_document, appended_text, event_document
from smriti_tui.domain.render.printed import json_text
from smriti_tui.domain.render.reviews import shown_document
from smriti_tui.domain.render.saving import omitted_text, saved_document, saved_text
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.domain.values import utc_text
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import answer, failure
from smriti_tui.mcp.extracting import extract, notes
from smriti_tui.services import Services
from smriti_tui.services.logs import NewEvent

MOST_TOKENS = 10_000
"""By our estimate; hosts take about 25,000. Above it, artifacts are clipped and events wait."""
DEFAULT_ROWS, DEFAULT_EVENTS = 50, 100


@dataclass(frozen=True)
class SpaceTools:
    services: Services

    def list_spaces(self) -> CallToolResult:
        """List all Spaces, last changed first."""
        found = self.services.spaces.all()
        return answer(spaces_document(found), space_table(found, _now()))

    def create_space(
        self,
        name: a.NewName,
        description: a.Description = "",
        project_root: a.ProjectRoot = "",
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Make a Space: the container of one project's checkpoints."""
        self.services.caller.repeated(command_id or None, "space.created")
        made = self.services.spaces.create(
            name,
            description=description,
            project_root=a.root_of(project_root),
            command_id=command_id or None,
        )
        return answer(space_document(made), space_facts(made))

    def branches(self, space: a.SpaceName) -> CallToolResult:
        """List the branches of a Space with their heads and dispositions."""
        found = self.services.spaces.find(space)
        branches = self.services.spaces.branches(found.id)
        return answer(branches_document(found, branches), branch_table(branches))


@dataclass(frozen=True)
class CheckpointTools:
    services: Services

    def list_checkpoints(
        self,
        space: a.SpaceName,
        branch: a.BranchName = "",
        author: a.Author = "",
        limit: a.Rows = DEFAULT_ROWS,
    ) -> CallToolResult:
        """List the checkpoints of a Space, newest first."""
        found = self.services.spaces.find(space)
        rows = self.services.checkpoints.of_space(
            found.id, branch=branch or None, author=author or None, limit=limit + 1
        )
        more = ""
        if len(rows) > limit:
            more = f"There are more than these {limit}: give a higher limit, a branch or an author."
        shown = rows[:limit]
        return answer(checkpoints_document(found, shown), checkpoint_table(shown, _now()), more)

    def show_checkpoint(
        self, checkpoint_id: a.CheckpointName, full_artifacts: a.FullArtifacts = False
    ) -> CallToolResult:
        """Show everything a checkpoint holds, with its notes."""
        return self._brief(checkpoint_id, full_artifacts)

    def restore(
        self, checkpoint_id: a.CheckpointName, full_artifacts: a.FullArtifacts = False
    ) -> CallToolResult:
        """Give the continuation brief of a checkpoint, to go on from there. Changes nothing."""
        return self._brief(checkpoint_id, full_artifacts)

    def _brief(self, wanted: str, full: bool) -> CallToolResult:
        found = self.services.checkpoints.find(wanted)
        notes = self.services.checkpoints.notes(found.id)
        space = self.services.spaces.get(found.body.space).name
        reviewed = self.services.reviewing.latest(found.id)
        text, left = brief(found, space, notes, reviewed), ""
        if not full and text_tokens(text) > MOST_TOKENS:
            found, left = with_clipped_artifacts(found)
            text = brief(found, space, notes, reviewed)
        more = f"{left} Call again with full_artifacts for all of it." if left else ""
        document = shown_document(full_checkpoint_document(found, space, notes), reviewed)
        return answer(document, text, more)

    def create_checkpoint(
        self,
        space: a.SpaceName,
        content: a.Content = None,
        markdown: a.Markdown = "",
        keep_unverified: a.KeepUnverified = False,
        session: a.SessionName = "",
        branch: a.BranchName = "",
        expect_head: a.ExpectHead = "",
        carry: a.Carry = "none",
        author: a.Author = "",
        project_root: a.ProjectRoot = "",
        dry_run: a.DryRun = False,
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Save a checkpoint: an immutable, structured snapshot of what is settled. Give `content`,
        or `markdown` to have it extracted by the background model, each item checked against the
        document. Without session and branch it goes on main."""
        found = self.services.spaces.find(space)
        given = None if markdown else a.checkpoint_content(content)
        self.services.caller.repeated(command_id or None, "checkpoint.saved")
        into = self.services.sessions.find(session).id if session else None
        saved, taken = None, None
        if given is None:
            a.check_alone(content)
            saved = self.services.checkpoints.earlier(found.id, command_id or None)
        if given is None and saved is None:
            self.services.checkpoints.check_place(
                found.id, session=into, branch=branch or None, expect_head=expect_head or None
            )
            taken = extract(self.services, found.id, markdown, keep=keep_unverified)
            given = taken.content
        if given is not None:
            saved = self.services.checkpoints.create(
                found.id,
                replace(
                    given,
                    author=author or given.author,
                    project_root=a.root_of(project_root) or given.project_root,
                ),
                session=into,
                branch=branch or None,
                expect_head=expect_head or None,
                carry_all=carry == "all",
                dry_run=dry_run,
                command_id=command_id or None,
            )
        assert saved is not None
        return answer(
            saved_document(saved.checkpoint, saved.omitted, dry_run=dry_run, extracted=taken),
            saved_text(saved.checkpoint, found.name, dry_run=dry_run),
            omitted_text(saved.omitted, "`carry: all` takes them along."),
            *notes(taken),
        )


@dataclass(frozen=True)
class LogTools:
    services: Services

    def log_append(
        self,
        stream: a.OpenStream,
        type: a.EventType,  # noqa: A002 (the word of the contract)
        payload: a.Payload,
        expect_version: a.ExpectVersion = None,
        event_id: a.EventId = "",
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Append an event to an open stream of the log, for your own process's facts."""
        event = NewEvent(type, a.payload_object(payload), event_id or None)
        self.services.caller.repeated(command_id or None, type)
        stored = self.services.log.append(
            stream, [event], expected_version=expect_version, command_id=command_id or None
        )
        return answer(appended_document(stream, stored), appended_text(stream, stored))

    def log_read(
        self,
        stream: a.Stream = "",
        all_streams: a.AllStreams = False,
        after: a.After = 0,
        limit: a.Events = DEFAULT_EVENTS,
    ) -> CallToolResult:
        """Read events as JSON lines: of a stream after a version, or of all after a position."""
        if bool(stream) == all_streams:
            raise Invalid(
                "Name a stream or set all_streams.", "One of them, not both.", code="usage"
            )
        lines, documents, following = self._page(stream or None, after, limit)
        damaged = sum(document["damaged"] is not None for document in documents)
        document = {"events": documents, "next_after": following}
        text = "".join(f"{line}\n" for line in lines)
        if damaged:
            error = SmritiError(
                f"{counted(damaged, 'event')} cannot be read.",
                "Run `smriti log verify`.",
                code="log_damaged",
            )
            return failure(error, document, text)
        more = f"More events follow: call again with after {following}." if following else ""
        return answer(document, text, more)

    def _page(
        self, stream: str | None, after: int, limit: int
    ) -> tuple[list[str], list[dict[str, object]], int | None]:
        """Lines and documents that fit into one answer, one at least; and after which event the
        next page begins, if there is one."""
        lines: list[str] = []
        documents: list[dict[str, object]] = []
        used, last = 0, after
        with closing(self.services.log.read(stream, after, limit + 1)) as events:
            for event in events:
                document = event_document(event)
                line = json_text(document)
                used += text_tokens(line)
                if lines and (used > MOST_TOKENS or len(lines) == limit):
                    return lines, documents, last
                lines.append(line)
                documents.append(document)
                last = event.position if stream is None else event.version
        return lines, documents, None


class _Strict(ArgModelBase):
    """Arguments of which none may be unknown."""

    model_config = ConfigDict(extra="forbid")


class _Made(NamedTuple):
    """A tool: its name without the prefix is the method's."""

    function: Callable[..., CallToolResult]
    writes: bool = False


def tools(services: Services) -> list[Tool]:
    """All tools, on these services."""
    spaces = SpaceTools(services)
    checkpoints = CheckpointTools(services)
    log = LogTools(services)
    return [
        _tool(*made)
        for made in (
            _Made(spaces.list_spaces),
            _Made(spaces.create_space, writes=True),
            _Made(spaces.branches),
            _Made(checkpoints.list_checkpoints),
            _Made(checkpoints.show_checkpoint),
            _Made(checkpoints.create_checkpoint, writes=True),
            _Made(checkpoints.restore),
            _Made(log.log_append, writes=True),
            _Made(log.log_read),
        )
    ]


def _tool(function: Callable[..., CallToolResult], writes: bool) -> Tool:
    """Without an output schema, and with a strict input schema: an argument that nobody knows is
    refused, never dropped."""
    name = function.__name__
    made = Tool.from_function(
        function,
        name=f"smriti_{name}",
        description=" ".join((inspect.getdoc(function) or "").split()),
        annotations=ToolAnnotations(
            read_only_hint=not writes,
            destructive_hint=False,
            idempotent_hint=not writes,
            open_world_hint=False,
        ),
        structured_output=False,
    )
    loose = made.fn_metadata.arg_model
    strict = create_model(f"{name}_arguments", __base__=(loose, _Strict))
    schema = strict.model_json_schema(by_alias=True)
    del schema["title"]
    for argument in schema["properties"].values():
        argument.pop("title", None)
    metadata = FuncMetadata(arg_model=strict)
    return made.model_copy(update={"fn_metadata": metadata, "parameters": schema})


def _now() -> str:
    return utc_text(datetime.now(UTC))
