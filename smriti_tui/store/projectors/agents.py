"""Claims and worktrees."""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain import events as e
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import Projector
from smriti_tui.store.statements import Tables


def _claim_taken(tables: Tables, stored: StoredEvent, event: e.ClaimTaken) -> None:
    tables.insert(
        "claim",
        {
            "id": event.claim,
            "space": stored.owner_id,
            "agent": event.agent,
            "scope": event.scope,
            "intent": event.intent,
            "task_id": event.task_id,
            "branch": event.branch,
            "base": event.base,
            "worktree": event.worktree,
            "token": event.token,
            "status": "active",
            "taken_at": stored.recorded_at,
            "expires_at": event.expires_at,
            "ended_at": None,
            "ended_by": None,
            "position": stored.position,
        },
    )


def claim_extended(tables: Tables, stored: StoredEvent, event: e.ClaimExtended) -> None:
    """One that had ended is active again."""
    again = {"status": "active", "ended_at": None, "ended_by": None}
    tables.update("claim", {"id": event.claim}, {"expires_at": event.expires_at, **again})


def _claim_changed(tables: Tables, stored: StoredEvent, event: e.ClaimChanged) -> None:
    changes = {"scope": event.scope, "intent": event.intent}
    given = {name: value for name, value in changes.items() if value is not None}
    tables.update("claim", {"id": event.claim}, given)


def claim_ended(tables: Tables, stored: StoredEvent, event: e.ClaimEnded) -> None:
    ended = {"ended_at": stored.recorded_at, "ended_by": stored.actor}
    tables.update("claim", {"id": event.claim}, {"status": event.status, **ended})


def _worktree_opened(tables: Tables, stored: StoredEvent, event: e.WorktreeOpened) -> None:
    tables.insert(
        "worktree",
        {
            "id": event.worktree,
            "space": stored.owner_id,
            "agent": event.agent,
            "root": event.root,
            "path": event.path,
            "branch": event.branch,
            "base": event.base,
            "status": "active",
            "opened_at": stored.recorded_at,
            "closed_at": None,
            "closed_by": None,
            "position": stored.position,
        },
    )


def worktree_closed(tables: Tables, stored: StoredEvent, event: e.WorktreeClosed) -> None:
    closed = {"closed_at": stored.recorded_at, "closed_by": stored.actor}
    tables.update("worktree", {"id": event.worktree}, {"status": "closed", **closed})


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.ClaimTaken: _claim_taken,
    e.ClaimExtended: claim_extended,
    e.ClaimChanged: _claim_changed,
    e.ClaimEnded: claim_ended,
    e.WorktreeOpened: _worktree_opened,
    e.WorktreeClosed: worktree_closed,
}
