"""The event log: open streams for a team's own process."""

from __future__ import annotations

from contextlib import closing

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.render.log_events import appended_document, appended_text, event_document
from smriti_tui.domain.render.printed import json_text
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import DEFAULT_ROWS, MOST_TOKENS, TOO_MANY_TOKENS, answer, failure
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made

DEFAULT_EVENTS = 100


class LogTools(Group):
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
        from smriti_tui.services.logs import NewEvent

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
        return answer(document, text, more, most=None)

    def project(
        self, view: a.ViewName, version: a.Version = None, limit: a.Rows = DEFAULT_ROWS
    ) -> CallToolResult:
        """Fold a stream into its view: tracker (items by lane), orchestrator_status (phase, steps,
        decisions), agent_traces (runs, tokens, cost), buildlog, space:ID or state:ID."""
        from smriti_tui.services.projecting import position_of, projected

        now = self.now()
        if version is None:
            found = projected(self.services, view, now, limit)
        else:
            position = position_of(self.services, view, version)
            moment = self.services.moments.find(str(position))
            with self.opening.services_at(moment) as then:
                found = projected(then, view, moment.recorded_at, limit)
        most = MOST_TOKENS if limit <= DEFAULT_ROWS else None
        more = f"A `limit` above {DEFAULT_ROWS} shows all."
        return answer(found.document, found.text(), *found.warnings, most=most, more=more)

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
                if text_tokens(line) > TOO_MANY_TOKENS:
                    document = _without_payload(document, len(line))
                    line = json_text(document)
                used += text_tokens(line)
                if lines and (used > MOST_TOKENS or len(lines) == limit):
                    return lines, documents, last
                lines.append(line)
                documents.append(document)
                last = event.position if stream is None else event.version
        return lines, documents, None


def _without_payload(document: dict[str, object], characters: int) -> dict[str, object]:
    """An event that no host takes whole."""
    at = f"smriti log read --all --after {int(str(document['position'])) - 1} --limit 1"
    told = f"{characters:,} characters are left out; `{at}` prints them."
    return {**document, "payload": {"left_out": told}}


def tools(opening: Opening) -> list[Tool]:
    group = LogTools(opening)
    return [*made("writes", group.log_append), *made("reads", group.log_read, group.project)]
