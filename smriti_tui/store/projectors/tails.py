"""What a tail of a Space's stream does to the tables: the Space has both histories then.

What a checkpoint's branch went on with here is not moved: those of the tail go to a branch of their
own. A change of settings is settled by whoever merges, field by field, with events of this store
(`services.reconciling`); the tail's own are not followed. The rest is what it always is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from smriti_tui.domain import events as e
from smriti_tui.domain.ids import BranchId, tail_id
from smriti_tui.domain.model import MAIN
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors import agents, checkpoints, reviews, spaces
from smriti_tui.store.projectors.shared import Projector, branch_here
from smriti_tui.store.statements import Tables

SHOWN = 7
"""Signs of the first event's id in the name of a tail's branch: its last ones, the random ones."""


def _checkpoint_saved(tables: Tables, stored: StoredEvent, event: e.CheckpointSaved) -> None:
    if tables.one("checkpoint", {"id": event.id}, ("id",)) is not None:
        return
    _bring_back(tables, stored, event.body.parents)
    branch = _branch_for(tables, stored, event)
    checkpoints.checkpoint_saved(tables, stored, replace(event, branch=branch))


def _bring_back(tables: Tables, stored: StoredEvent, checkpoints: Sequence[str]) -> None:
    """Those that were deleted here and went on there are needed, and all before them."""
    waiting = list(checkpoints)
    while waiting:
        key = {"id": waiting.pop()}
        row = tables.one("checkpoint", key, ("deleted",))
        if row is not None and row[0]:
            tables.update("checkpoint", key, {"deleted": False})
            tables.add("space", {"id": stored.owner_id}, "checkpoints", 1)
            sql = "SELECT parent FROM checkpoint_parent WHERE checkpoint = ?"
            waiting += [parent for (parent,) in tables.rows(sql, (key["id"],))]


def _branch_for(tables: Tables, stored: StoredEvent, event: e.CheckpointSaved) -> BranchId:
    """The branch itself, or one of the tail's, whose head the checkpoint follows; else a new one:
    no branch is moved away from what it holds."""
    branch = branch_here(tables, event.branch) or ""
    row = tables.one("branch", {"id": branch}, ("name",))
    name = row[0] if row else MAIN
    first = _first(stored)
    own = tail_id(branch, first)
    for each in (branch, own):
        if _follows(tables, each, event.body.parents):
            return BranchId(each)
    for parent in event.body.parents:
        sql = "SELECT id FROM branch WHERE space = ? AND head = ? ORDER BY position LIMIT 1"
        for (each,) in tables.rows(sql, (stored.owner_id, parent)):
            return BranchId(each)
    if tables.one("branch", {"id": own}, ("id",)) is not None:
        first = stored.event_id
        own = tail_id(branch, first)
    called = _free(tables, stored.owner_id, f"{name}~{first[-SHOWN:]}")
    parents = event.body.parents
    opened = e.BranchOpened(BranchId(own), called, parents[0] if parents else None)
    spaces.branch_opened(tables, stored, opened)
    return BranchId(own)


def _follows(tables: Tables, branch: str, parents: Sequence[str]) -> bool:
    row = tables.one("branch", {"id": branch}, ("head", "start"))
    if row is None:
        return False
    stands_on = row[0] or row[1]
    return stands_on in parents or (stands_on is None and not parents)


def _branch_opened(tables: Tables, stored: StoredEvent, event: e.BranchOpened) -> None:
    name = _free(tables, stored.owner_id, event.name, f"{event.name}~{_first(stored)[-SHOWN:]}")
    spaces.branch_opened(tables, stored, replace(event, name=name))


def _branch_renamed(tables: Tables, stored: StoredEvent, event: e.BranchRenamed) -> None:
    if _is_own(tables, stored, event.branch):
        other = f"{event.name}~{_first(stored)[-SHOWN:]}"
        name = _free(tables, stored.owner_id, event.name, other)
        spaces.branch_renamed(tables, stored, replace(event, name=name))


def _branch_disposed(tables: Tables, stored: StoredEvent, event: e.BranchDisposed) -> None:
    if _is_own(tables, stored, event.branch):
        spaces.branch_disposed(tables, stored, event)


def _checkpoint_deleted(tables: Tables, stored: StoredEvent, event: e.CheckpointDeleted) -> None:
    """Not as long as it goes on here."""
    row = tables.one("checkpoint", {"id": event.id}, ("deleted",))
    if row is not None and not row[0] and not checkpoints.is_followed(tables, event.id):
        checkpoints.checkpoint_deleted(tables, stored, event)
    else:
        tables.insert_missing("deletion", {"checkpoint": event.id})


def _finding_settled(tables: Tables, stored: StoredEvent, event: e.FindingSettled) -> None:
    """What was settled here stays; of two settlements the later one, from either side."""
    row = tables.one("finding", {"id": event.finding}, ("settled_at",))
    if row is not None and (row[0] is None or (event.outcome != "open" and later(stored, row[0]))):
        reviews.finding_settled(tables, stored, event)


def _claim_extended(tables: Tables, stored: StoredEvent, event: e.ClaimExtended) -> None:
    """One that was ended here stays so."""
    row = tables.one("claim", {"id": event.claim}, ("ended_at", "expires_at"))
    if row is not None and row[0] is None and event.expires_at > row[1]:
        agents.claim_extended(tables, stored, event)


def _claim_ended(tables: Tables, stored: StoredEvent, event: e.ClaimEnded) -> None:
    """Of two ends the earlier one, from either side."""
    row = tables.one("claim", {"id": event.claim}, ("ended_at",))
    if row is not None and (row[0] is None or not later(stored, row[0])):
        agents.claim_ended(tables, stored, event)


def _worktree_closed(tables: Tables, stored: StoredEvent, event: e.WorktreeClosed) -> None:
    row = tables.one("worktree", {"id": event.worktree}, ("closed_at",))
    if row is not None and (row[0] is None or not later(stored, row[0])):
        agents.worktree_closed(tables, stored, event)


def later(stored: StoredEvent, moment: str) -> bool:
    return stored.recorded_at > moment


def _settings(tables: Tables, stored: StoredEvent, event: Any) -> None:
    """Settled by whoever merges."""


def _first(stored: StoredEvent) -> str:
    """The id of the tail's first event."""
    return stored.stream.partition("~")[2]


def _is_own(tables: Tables, stored: StoredEvent, branch: str) -> bool:
    """Whether a branch came with this tail."""
    opened = tables.one("branch", {"id": branch}, ("position",))
    begun = tables.one("tail", {"stream": stored.stream}, ("position",))
    return opened is not None and begun is not None and opened[0] >= begun[0]


def _free(tables: Tables, space: str, *names: str) -> str:
    """The first of the names that no branch of the Space has, else the last one with a number."""
    number = 1
    while True:
        for name in names if number == 1 else (f"{names[-1]}-{number}",):
            key = {"space": space, "name": name}
            if tables.one("branch", key, ("id",)) is None:
                return name
        number += 1


IN_TAILS: Mapping[type[e.Event], Projector] = {
    e.CheckpointSaved: _checkpoint_saved,
    e.CheckpointDeleted: _checkpoint_deleted,
    e.BranchOpened: _branch_opened,
    e.BranchRenamed: _branch_renamed,
    e.BranchDisposed: _branch_disposed,
    e.SpaceChanged: _settings,
    e.SpaceDeleted: _settings,
    e.FindingSettled: _finding_settled,
    e.ClaimExtended: _claim_extended,
    e.ClaimEnded: _claim_ended,
    e.WorktreeClosed: _worktree_closed,
}
"""Types that mean something else in a tail than where they were written."""
