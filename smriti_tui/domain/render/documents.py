"""The `--json` documents of domain values: every key always present, times as UTC text.

Shared by the CLI and by MCP's structured content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smriti_tui.domain.codec import to_json
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.model import (
    Branch,
    Checkpoint,
    CheckpointSummary,
    Item,
    Note,
    Session,
    Space,
    Task,
    Turn,
)
from smriti_tui.domain.spending import Spent
from smriti_tui.domain.window import LineView

Document = dict[str, object]


def space_document(space: Space) -> Document:
    return {
        "id": space.id,
        "name": space.name,
        "description": space.description,
        "project_root": space.project_root,
        "checkpoints": space.checkpoints,
        "sessions": space.sessions,
        "archived": space.archived,
        "created_at": space.created_at,
        "changed_at": space.changed_at,
    }


def spaces_document(spaces: Sequence[Space]) -> Document:
    return {"spaces": list(map(space_document, spaces))}


def whole_space_document(space: Space, branches: Sequence[Branch]) -> Document:
    """A Space with its branches."""
    return {**space_document(space), "branches": list(map(branch_document, branches))}


def branch_document(branch: Branch) -> Document:
    return {
        "id": branch.id,
        "name": branch.name,
        "start": branch.start,
        "head": branch.head,
        "disposition": branch.disposition,
    }


def branches_document(space: Space, branches: Sequence[Branch]) -> Document:
    return {"space": space_document(space), "branches": list(map(branch_document, branches))}


def spent_document(spent: Spent) -> Document:
    """`usd` is the sum of what is known; it is a string, as every price."""
    known = spent.answers - spent.unknown
    return {
        "usd": str(spent.usd) if known or not spent.answers else None,
        "answers": spent.answers,
        "unknown": spent.unknown,
    }


def session_document(session: Session) -> Document:
    fork: Document | None = None
    if session.fork_checkpoint or session.fork_session:
        fork = {
            "checkpoint": session.fork_checkpoint,
            "session": session.fork_session,
            "turn": session.fork_turn,
        }
    return {
        "id": session.id,
        "space": session.space,
        "branch": session.branch_name,
        "branch_id": session.branch,
        "title": session.title,
        "label": session.label,
        "pinned": session.pinned,
        "archived": session.archived,
        "line": session.current_line,
        "turns": session.last_seq,
        "model": session.model,
        "fork": fork,
        "created_at": session.created_at,
        "changed_at": session.changed_at,
    }


def view_document(view: LineView) -> Document:
    """Where a session stands: what a send would start from."""
    return {
        "mode": view.mode,
        "line": view.line.line,
        "anchor": view.anchor.id if view.anchor else None,
        "history_base_seq": view.line.history_base_seq,
        "checkpoint_last": view.checkpoint_last,
        "floor": view.floor,
    }


def turn_document(turn: Turn) -> Document:
    found: Document = to_json(turn)
    return found


def checkpoint_document(checkpoint: Checkpoint) -> Document:
    """Id, branch and the whole body on one level."""
    return {
        "id": checkpoint.id,
        "branch": checkpoint.branch_name,
        "branch_id": checkpoint.branch,
        "position": checkpoint.position or None,
        **to_json(checkpoint.body),
    }


def full_checkpoint_document(
    checkpoint: Checkpoint, space_name: str, notes: Sequence[Note]
) -> Document:
    """A checkpoint as it is shown: with the name of its Space and its notes."""
    return {
        **checkpoint_document(checkpoint),
        "space_name": space_name,
        "notes": list(map(note_document, notes)),
    }


def checkpoints_document(space: Space, rows: Sequence[CheckpointSummary]) -> Document:
    return {"space": space_document(space), "checkpoints": list(map(summary_document, rows))}


def summary_document(row: CheckpointSummary) -> Document:
    return {
        "id": row.id,
        "branch": row.branch_name,
        "branch_id": row.branch,
        "space": row.space,
        "title": row.title,
        "author": row.author,
        "created_at": row.created_at,
        "parents": list(row.parents),
        "counts": {
            "decisions": row.decisions,
            "assumptions": row.assumptions,
            "tasks": row.tasks,
            "open_tasks": row.open_tasks,
            "open_questions": row.open_questions,
            "artifacts": row.artifacts,
        },
        "position": row.position,
    }


def omitted_document(omitted: Mapping[str, Sequence[Item | Task]]) -> Document:
    """The parent's live items that a checkpoint leaves out, by kind."""
    return {kind: [to_json(item) for item in omitted.get(kind, ())] for kind in KINDS}


def note_document(note: Note) -> Document:
    found: Document = to_json(note)
    return found


def error_document(error: SmritiError) -> Document:
    return {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "details": error.details,
    }
