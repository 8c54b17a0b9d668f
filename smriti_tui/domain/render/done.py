"""What a command did, in a line and as a document; one text for the CLI and MCP."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, short
from smriti_tui.domain.model import Branch, Note
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.worktrees import Worktree


def space_deleted(space: SpaceId, checkpoints: int) -> tuple[Document, str]:
    """`checkpoints`: how many went with it."""
    document = {"deleted": True, "id": space, "checkpoints_deleted": checkpoints}
    return document, f"Deleted Space {short(space)} with {counted(checkpoints, 'checkpoint')}."


def checkpoints_deleted(gone: Sequence[CheckpointId]) -> tuple[Document, str]:
    document = {"deleted": True, "ids": list(gone), "checkpoints_deleted": len(gone)}
    return document, f"Deleted {counted(len(gone), 'checkpoint')}."


def note_added(note: Note) -> str:
    return f"Added a {note.kind} to {short(note.checkpoint)}."


def branch_disposed(branch: Branch) -> str:
    return f"Branch {clean_line(branch.name)} is {branch.disposition}."


def claim_ended(claim: Claim) -> str:
    words = f"Claim {short(claim.id)} is {claim.status}."
    if claim.ended_at is not None and claim.ended_at > claim.expires_at:
        words += " Its time had run out before."
    return words


def worktree_closed(before: Worktree, closed: Worktree) -> str:
    """`before`: as it was when it was to be closed."""
    if before.status == "closed":
        return f"Worktree {short(closed.id)} was closed already."
    return f"Closed {short(closed.id)}; the branch {closed.branch} is kept."


def fork_document(
    session: SessionId, branch: str | None, checkpoint: CheckpointId | None, turns: int
) -> Document:
    """As `cli.md` gives it."""
    return {"session": session, "branch": branch, "checkpoint": checkpoint, "turns": turns}


def fork_text(
    session: SessionId, branch: str | None, checkpoint: CheckpointId | None, turns: int
) -> str:
    """Where the fork is, and what it stands on."""
    on = f" on branch {branch}" if branch else ", in no Space"
    stands = f"stands on {short(checkpoint)}" if checkpoint else "stands on no checkpoint"
    copied = f"{turns} turns copied" if turns else "no turns"
    return f"Forked: session {short(session)}{on}; it {stands}, {copied}.\n{session}"
