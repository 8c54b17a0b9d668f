"""One resource by id, unambiguous prefix or name (DESIGN section 5, `cli.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, func, true
from sqlmodel import Session, col, select

from smriti_tui.domain.errors import Ambiguous, Invalid, NotFound
from smriti_tui.domain.ids import MIN_PREFIX, CheckpointId, SessionId, SpaceId
from smriti_tui.store.rows import (
    BranchRow,
    CheckpointRow,
    ClaimRow,
    SessionRow,
    SpaceRow,
    WorktreeRow,
)

_HEX = frozenset("0123456789abcdef-")
_SHOWN = 5


def space_id(tx: Session, wanted: str) -> SpaceId:
    """A Space by id, exact name, name in other case, or id prefix.

    Raises:
        NotFound, Ambiguous: `details["candidates"]` lists what fits.
    """
    alive = col(SpaceRow.deleted).is_(False)
    for rule in (
        col(SpaceRow.id) == wanted.lower(),
        col(SpaceRow.name) == wanted,
        func.lower(col(SpaceRow.name)) == wanted.lower(),
    ):
        found = select(SpaceRow.id, SpaceRow.name, SpaceRow.archived).where(rule, alive)
        rows = tx.execute(found.limit(20)).all()
        # A name that was given again after its first bearer was archived means the new one.
        if rows := [row for row in rows if not row[2]] or list(rows):
            return SpaceId(_only("Space", wanted, rows))
    # A short text is a name that nobody has; only for things without names is it a bad id.
    short = len(wanted.replace("-", "")) < MIN_PREFIX
    rows = () if short else _by_prefix(tx, col(SpaceRow.id), col(SpaceRow.name), wanted, alive)
    if not rows:
        raise NotFound(f"There is no Space {wanted!r}.", "`smriti space list` shows them all.")
    return SpaceId(_only("Space", wanted, rows))


def session_id(tx: Session, wanted: str) -> SessionId:
    """A session by id or prefix. Raises: NotFound, Ambiguous, Invalid (too short)."""
    alive = col(SessionRow.deleted).is_(False)
    rows = _by_prefix(tx, col(SessionRow.id), col(SessionRow.title), wanted, alive)
    if not rows:
        raise NotFound(
            f"There is no session {wanted!r}.", "`smriti session list SPACE` shows them."
        )
    return SessionId(_only("session", wanted, rows))


def checkpoint_id(tx: Session, wanted: str, *, deleted: bool = False) -> CheckpointId:
    """A checkpoint by id or prefix, with `deleted` one that is gone as well.

    Raises: NotFound, Ambiguous, Invalid (too short).
    """
    alive = true() if deleted else col(CheckpointRow.deleted).is_(False)
    rows = _by_prefix(tx, col(CheckpointRow.id), col(CheckpointRow.title), wanted, alive)
    if not rows:
        raise NotFound(
            f"There is no checkpoint {wanted!r}.", "`smriti checkpoint list SPACE` shows them."
        )
    return CheckpointId(_only("checkpoint", wanted, rows))


def branch_row(tx: Session, space: SpaceId, wanted: str) -> BranchRow:
    """A branch of a Space by name, id or id prefix. Raises: NotFound, Ambiguous."""
    mine = col(BranchRow.space) == space
    row = tx.exec(select(BranchRow).where(mine, col(BranchRow.name) == wanted)).first()
    if row is None and len(wanted) >= MIN_PREFIX and set(wanted) <= _HEX:
        rows = _by_prefix(tx, col(BranchRow.id), col(BranchRow.name), wanted, mine)
        if rows:
            row = tx.get(BranchRow, _only("branch", wanted, rows))
    if row is None:
        raise NotFound(
            f"There is no branch {wanted!r} in this Space.", "`smriti branch list` shows them."
        )
    return row


def claim_id(tx: Session, wanted: str) -> str:
    """A claim by id or prefix. Raises: NotFound, Ambiguous, Invalid (too short)."""
    rows = _by_prefix(tx, col(ClaimRow.id), col(ClaimRow.scope), wanted, true())
    if not rows:
        raise NotFound(f"There is no claim {wanted!r}.", "`smriti claim list` shows them.")
    return _only("claim", wanted, rows)


def worktree_id(tx: Session, wanted: str) -> str:
    """A worktree by id or prefix. Raises: NotFound, Ambiguous, Invalid (too short)."""
    rows = _by_prefix(tx, col(WorktreeRow.id), col(WorktreeRow.path), wanted, true())
    if not rows:
        raise NotFound(f"There is no worktree {wanted!r}.", "`smriti worktree list` shows them.")
    return _only("worktree", wanted, rows)


def _by_prefix(
    tx: Session, column: Any, label: Any, wanted: str, alive: ColumnElement[bool]
) -> Sequence[Any]:
    """Rows whose id begins with `wanted`, dashes ignored (DESIGN 10.1)."""
    text = wanted.strip().lower()
    if not text or not set(text) <= _HEX:
        return ()
    if len(text.replace("-", "")) < MIN_PREFIX:
        raise Invalid(f"The id {wanted!r} is too short.", f"Give at least {MIN_PREFIX} characters.")
    prefix = _dashed(text.replace("-", "")) if "-" in _sample(column) else text.replace("-", "")
    within = column.between(prefix, prefix + "g")
    return tx.execute(select(column, label).where(within, alive).limit(20)).all()


def _sample(column: Any) -> str:
    """Checkpoint ids are plain hex; all others are UUIDs with dashes."""
    return "" if column.class_ is CheckpointRow else "-"


def _dashed(digits: str) -> str:
    parts = [digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]]
    return "-".join(part for part in parts if part)


def _only(noun: str, wanted: str, rows: Sequence[Any]) -> str:
    if len(rows) == 1:
        return str(rows[0][0])
    shown = [f"{row[0]} ({row[1]})" for row in rows[:_SHOWN]]
    raise Ambiguous(
        f"{wanted!r} fits {len(rows)} {noun}s: {', '.join(shown)}.",
        "Give more of the id.",
        details={"candidates": [{"id": row[0], "name": row[1]} for row in rows]},
    )
