"""Checkpoints: listed, shown, saved, marked, deleted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.extracted import Extracted
from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.domain.model import Space
from smriti_tui.domain.render.documents import (
    checkpoints_document,
    full_checkpoint_document,
    note_document,
)
from smriti_tui.domain.render.done import checkpoints_deleted, note_added
from smriti_tui.domain.render.extracted import extracted_text, extraction_warnings
from smriti_tui.domain.render.fitting import shorter
from smriti_tui.domain.render.lists import checkpoint_table
from smriti_tui.domain.render.reviews import shown_document
from smriti_tui.domain.render.saving import omitted_text, saved_document, saved_text
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import DEFAULT_ROWS, MOST_TOKENS, answer
from smriti_tui.mcp.asking import last_step
from smriti_tui.mcp.briefs import briefed, fits
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made
from smriti_tui.mcp.waiting import in_thread

if TYPE_CHECKING:
    from smriti_tui.services.checkpoints import Saved

KEEP = "`keep_unverified` keeps what is not in the document, marked as yours."


@dataclass(frozen=True)
class _Place:
    """Where a checkpoint is to be saved, and how."""

    space: Space
    session: SessionId | None
    branch: str | None
    expect_head: str | None
    carry_all: bool
    author: str
    project_root: str | None
    dry_run: bool
    command_id: str | None


class CheckpointTools(Group):
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
        most = MOST_TOKENS if limit <= DEFAULT_ROWS else None
        document = checkpoints_document(found, shown)
        table = checkpoint_table(shown, self.now())
        return answer(document, table, more, most=most, more="A `limit` above 50 shows all rows.")

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
        found = briefed(self.services, wanted, full=full)
        told = full_checkpoint_document(found.checkpoint, found.space, found.notes)
        left = found.left_out
        more = f"{left} Call again with `full_artifacts` for all of it." if left else ""
        document = shown_document(told, found.reviewed)
        return answer(document, found.text, more, most=None if full else MOST_TOKENS)

    async def create_checkpoint(
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

        def begin() -> tuple[_Place, CheckpointInput | None, Saved | None]:
            into = self.services.spaces.find(space)
            given = None if markdown else a.checkpoint_content(content)
            self.services.caller.repeated(command_id or None, "checkpoint.saved")
            place = _Place(
                into,
                self.services.sessions.find(session).id if session else None,
                branch or None,
                expect_head or None,
                carry == "all",
                author,
                a.root_of(project_root),
                dry_run,
                command_id or None,
            )
            if given is not None:
                return place, given, None
            a.check_alone(content)
            return place, None, self._earlier(place)

        place, given, saved = await in_thread(begin)
        taken: Extracted | None = None
        if saved is None and given is None:
            asking = self.services.extracting.extract(
                place.space.id, markdown, keep=keep_unverified
            )
            taken = await last_step(asking, Extracted)
            given = taken.content
        return await in_thread(self._saved, place, given, saved, taken)

    def _earlier(self, place: _Place) -> Saved | None:
        """What a repeated command saved; the first time, the place is looked at before a model is
        asked."""
        checkpoints = self.services.checkpoints
        saved = checkpoints.earlier(place.space.id, place.command_id)
        if saved is None:
            checkpoints.check_place(
                place.space.id,
                session=place.session,
                branch=place.branch,
                expect_head=place.expect_head,
            )
        return saved

    def _saved(
        self,
        place: _Place,
        given: CheckpointInput | None,
        saved: Saved | None,
        taken: Extracted | None,
    ) -> CallToolResult:
        if given is not None:
            content = _with_place(given, place)
            saved = self.services.checkpoints.create(
                place.space.id,
                content,
                session=place.session,
                branch=place.branch,
                expect_head=place.expect_head,
                carry_all=place.carry_all,
                dry_run=place.dry_run,
                command_id=place.command_id,
            )
        assert saved is not None, "there is content, or what was saved before"
        text, left = _saved_text(saved, place)
        return answer(
            saved_document(saved.checkpoint, saved.omitted, dry_run=place.dry_run, extracted=taken),
            text,
            left,
            omitted_text(saved.omitted, "`carry: all` takes them along."),
            *_notes(taken),
        )

    def checkpoint_note(
        self,
        checkpoint_id: a.CheckpointName,
        text: a.NoteText = "",
        kind: a.KindOfNote = "note",
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Mark a checkpoint. It does not change, and notes are never changed."""
        again = self.services.caller.repeated(command_id or None, "note.added") is not None
        found = (
            CheckpointId(checkpoint_id) if again
            else self.services.checkpoints.find(checkpoint_id).id
        )  # fmt: skip
        added = self.services.notes.add(found, text, kind, command_id=command_id or None)
        return answer(note_document(added), note_added(added))

    def delete_checkpoint(
        self,
        checkpoint_id: a.CheckpointName,
        cascade: a.Cascade = False,
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Delete a checkpoint, only when a person asked for it. Later checkpoints, forks and
        sessions that stand on it are in the way, and listed."""
        caller = self.services.caller
        if caller.repeated(command_id or None, "checkpoint.deleted") is None:
            key = self.services.checkpoints.find(checkpoint_id).id
        else:
            key = CheckpointId(checkpoint_id)  # what went before is told, and this is not found
        gone = self.services.deleting.delete(key, cascade=cascade, command_id=command_id or None)
        return answer(*checkpoints_deleted(gone))


def _saved_text(saved: Saved, place: _Place) -> tuple[str, str]:
    """What the command line prints, as far as it fits, and what is left out of it."""
    name = place.space.name
    text = saved_text(saved.checkpoint, name, dry_run=place.dry_run)
    if fits(text):
        return text, ""
    cut, _, left = shorter(
        saved.checkpoint, (), lambda cut, _: fits(saved_text(cut, name, dry_run=place.dry_run))
    )
    return saved_text(cut, name, dry_run=place.dry_run), f"{left} All of it would be saved."


def _with_place(given: CheckpointInput, place: _Place) -> CheckpointInput:
    """With the author and root of the arguments, and how the root's repository stands."""
    from smriti_tui.services.repository import git_state

    root = place.project_root or given.project_root
    return replace(
        given,
        author=place.author or given.author,
        project_root=root,
        git=git_state(Path(root)) if root and given.git is None else given.git,
    )


def _notes(taken: Extracted | None) -> tuple[str, ...]:
    """What the command line says on standard error."""
    if taken is None:
        return ()
    return (*extraction_warnings(taken, KEEP), extracted_text(taken))


def tools(opening: Opening) -> list[Tool]:
    group = CheckpointTools(opening)
    return [
        *made("reads", group.list_checkpoints, group.show_checkpoint, group.restore),
        *made("writes", group.create_checkpoint, group.checkpoint_note),
        *made("destroys", group.delete_checkpoint),
    ]
