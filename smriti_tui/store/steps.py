"""The events of one Space as steps: what came before a position, and what after it.

The steps of a Space are the events of its own stream, of its sessions' streams, and of those of its
claims and worktrees. Neighbours are found in a stretch of positions around the place first; only
where another Space's events fill it, by the index of the streams, whose entries hold no payload.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import bindparam, text
from sqlmodel import Session as Tx

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import CheckpointId, SpaceId, kind_and_owner, short
from smriti_tui.store.dialect import dialect_of

STRETCH: Final = 2_000
"""Positions on either side that are looked at one by one."""

FACTS: Final = (
    "sequence_number", "role", "status", "model", "question", "answer", "id", "branch", "name",
    "title", "disposition", "kind", "checkpoint", "anchor", "line", "pinned", "archived", "body",
    "fork_checkpoint", "fork_session", "fork_turn", "purpose", "outcome", "claim", "scope",
    "worktree", "expired", "tool", "first", "last",
)  # fmt: skip
"""Fields of a payload that a step is told by. Of `body`, a checkpoint's, the title alone."""
_PATHS: Final = tuple("body.title" if name == "body" else name for name in FACTS)
_STREAMS = (
    "(SELECT :own UNION ALL SELECT 'claims/' || :space UNION ALL SELECT 'worktrees/' || :space "
    "UNION ALL SELECT 'session/' || id FROM session WHERE space = :space "
    "UNION ALL SELECT stream FROM tail WHERE subject = :space UNION ALL SELECT stream FROM tail "
    "JOIN session ON session.id = tail.subject WHERE session.space = :space)"
)
RECENT_STRETCH: Final = 5_000
"""Positions back from the newest event of a Space within which its recent ones are looked for."""


@dataclass(frozen=True)
class Step:
    """One event of a Space."""

    position: int
    stream: str
    type: str
    actor: str
    recorded_at: str
    facts: Mapping[str, object] = field(default_factory=dict)
    """What of the payload tells what it was; empty where that is damaged."""
    door: str = ""

    @property
    def session(self) -> str | None:
        """The session that it belongs to; None for the Space's own events."""
        kind, owner = kind_and_owner(self.stream)
        return owner if kind == "session" else None


@dataclass(frozen=True)
class Mark:
    """A checkpoint of the Space at the event that saved it."""

    checkpoint: CheckpointId
    position: int


@dataclass(frozen=True)
class Around:
    """A place in the events of a Space, and what is near it; everything ascends."""

    here: Step
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    marks_before: tuple[Mark, ...]
    """Checkpoints that were saved before `here`, and not by it."""
    marks_after: tuple[Mark, ...]
    mark: Mark | None
    """The checkpoint that `here` saved."""
    first: int
    last: int
    """Positions of the Space's first and newest event."""
    newest: int
    """Position of the newest event of the log."""
    branches: Mapping[str, str] = field(default_factory=dict)
    """Names of the Space's branches by id."""


def around(tx: Tx, space: SpaceId, position: int, *, before: int, after: int, marks: int) -> Around:
    """The newest event of a Space up to `position` (its first one where none is), with as many
    events and checkpoints around it as asked for.

    Raises:
        NotFound: the Space has no event.
    """
    first = _edge(tx, space, "min")
    if first is None:
        raise NotFound(f"There is no Space {short(space)}.", "It may have been deleted.")
    last = _edge(tx, space, "max") or first
    place = min(max(position, first), last)
    up_to = _near(tx, space, place + 1, before + 1, down=True)
    here = up_to[0]
    later = _near(tx, space, here, after, down=False) if here < last else []
    steps = _steps(tx, [*reversed(up_to), *later])
    at = len(up_to) - 1
    found = _marks(tx, space, here, marks)
    return Around(
        here=steps[at],
        before=tuple(steps[:at]),
        after=tuple(steps[at + 1 :]),
        marks_before=tuple(mark for mark in found if mark.position < here),
        marks_after=tuple(mark for mark in found if mark.position > here),
        mark=next((mark for mark in found if mark.position == here), None),
        first=first,
        last=last,
        newest=_scalar(tx, "SELECT max(position) FROM event", {}) or last,
        branches=_branches(tx, space),
    )


def count_after(tx: Tx, space: SpaceId, position: int) -> int:
    """How many events of a Space came after a position; as slow as there are events after it."""
    sql = f"SELECT count(*) FROM event WHERE position > :at AND {_own(tx)}"
    return _scalar(tx, sql, {**_named(space), "at": position}) or 0


@dataclass(frozen=True)
class Recent:
    """The newest events of a Space, the newest first."""

    steps: tuple[Step, ...]
    newest: int
    """Position of the newest event of the log, whosever it is."""
    branches: Mapping[str, str] = field(default_factory=dict)
    """Names of the Space's branches by id."""


def recent(tx: Tx, space: SpaceId, *, after: int, most: int) -> Recent:
    """The newest events of a Space behind position `after`, at most so many. However long the
    history is, no more than a stretch of the log is looked at; 0: the stretch that ends with the
    Space's newest event."""
    newest = _scalar(tx, "SELECT max(position) FROM event", {}) or 0
    end = newest if after else _edge(tx, space, "max") or 0
    low = max(after, end - RECENT_STRETCH)
    found = _column(
        tx,
        f"SELECT position FROM event WHERE position > :low AND position <= :high AND {_own(tx)} "
        "ORDER BY position DESC LIMIT :most",
        {**_named(space), "low": low, "high": end, "most": most},
    )
    return Recent(tuple(reversed(_steps(tx, found))), newest, _branches(tx, space))


def _edge(tx: Tx, space: SpaceId, which: str) -> int | None:
    """Position of the first or newest event: of each stream one seek, by its version."""
    if which == "min":
        sql = "SELECT position FROM event WHERE stream = :own AND version = 1"
        return _scalar(tx, sql, {"own": f"space/{space}"})
    sql = f"SELECT max(position) FROM stream_head WHERE stream IN {_STREAMS}"
    return _scalar(tx, sql, _named(space))


def _near(tx: Tx, space: SpaceId, place: int, limit: int, *, down: bool) -> list[int]:
    """Positions next to `place`, which is none of them, the nearest first."""
    low, high = (place - STRETCH, place - 1) if down else (place + 1, place + STRETCH)
    order = "DESC" if down else "ASC"
    near = f"position BETWEEN :low AND :high AND {_own(tx)} ORDER BY position {order}"
    found = _column(
        tx, f"SELECT position FROM event WHERE {near} LIMIT :limit",
        {**_named(space), "low": low, "high": high, "limit": limit},
    )  # fmt: skip
    if len(found) == limit:
        return found
    # The planner is to be kept from walking the whole log by position.
    side, unsought = "<" if down else ">", dialect_of(tx).unsought("position")
    return _column(
        tx,
        f"SELECT position FROM event WHERE stream IN {_STREAMS} AND {unsought} {side} :place "
        f"ORDER BY {unsought} {order} LIMIT :limit",
        {**_named(space), "place": place, "limit": limit},
    )


def _steps(tx: Tx, positions: list[int]) -> list[Step]:
    query = text(
        "SELECT position, stream, type, actor, recorded_at, "
        f"{dialect_of(tx).fields('payload', _PATHS)}, door FROM event "
        "WHERE position IN :positions ORDER BY position"
    ).bindparams(bindparam("positions", expanding=True))
    rows = tx.connection().execute(query, {"positions": positions})
    return [Step(row[0], row[1], row[2], row[3], row[4], _facts(row[5]), row[6]) for row in rows]


def _facts(found: str | None) -> dict[str, object]:
    values: list[object] = json.loads(found) if found else []
    return {name: value for name, value in zip(FACTS, values, strict=False) if value is not None}


def _marks(tx: Tx, space: SpaceId, position: int, count: int) -> list[Mark]:
    """Checkpoints around a position, ascending; those that were deleted since stand among them."""
    halves = []
    for side, order in (("<=", "DESC"), (">", "ASC")):
        halves.append(
            f"SELECT * FROM (SELECT id, position FROM checkpoint WHERE space = :space "
            f"AND position {side} :at ORDER BY position {order} LIMIT :count) AS half"
        )
    sql = f"{' UNION ALL '.join(halves)} ORDER BY position"
    rows = tx.connection().execute(text(sql), {"space": space, "at": position, "count": count})
    return [Mark(CheckpointId(row[0]), int(row[1])) for row in rows]


def _branches(tx: Tx, space: SpaceId) -> dict[str, str]:
    sql = text("SELECT id, name FROM branch WHERE space = :space")
    return {str(row[0]): str(row[1]) for row in tx.connection().execute(sql, {"space": space})}


def _own(tx: Tx) -> str:
    """The rule for a Space's own events, which keeps the planner on the positions."""
    return f"{dialect_of(tx).unsought('stream')} IN {_STREAMS}"


def _named(space: SpaceId) -> dict[str, object]:
    return {"space": space, "own": f"space/{space}"}


def _column(tx: Tx, sql: str, values: Mapping[str, object]) -> list[int]:
    return [int(row[0]) for row in tx.connection().execute(text(sql), dict(values))]


def _scalar(tx: Tx, sql: str, values: Mapping[str, Any]) -> int | None:
    found = tx.connection().execute(text(sql), dict(values)).scalar()
    return None if found is None else int(found)
