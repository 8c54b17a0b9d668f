"""What the projectors of several concepts use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from smriti_tui.domain import events as e
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.values import canonical
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.statements import Tables

Projector = Callable[[Tables, StoredEvent, Any], None]


def branch_here(tables: Tables, branch: str | None) -> str | None:
    """What this store calls a branch: its own id, unless another store has it under another one."""
    if branch is None or tables.one("branch", {"id": branch}, ("id",)) is not None:
        return branch
    row = tables.one("branch_alias", {"alias": branch}, ("branch",))
    return branch if row is None else str(row[0])


def as_json(value: object) -> str | None:
    return None if value is None else canonical(to_json(value))


def touch_space(tables: Tables, stored: StoredEvent, space: str | None) -> None:
    if space is not None:
        moment = {"changed_at": stored.recorded_at, "changed_position": stored.position}
        tables.update("space", {"id": space}, moment)


def touch_session(tables: Tables, stored: StoredEvent, changes: Mapping[str, object]) -> None:
    session = stored.owner_id
    moment = {"changed_at": stored.recorded_at, "changed_position": stored.position}
    tables.update("session", {"id": session}, {**changes, **moment})
    row = tables.one("session", {"id": session}, ("space",))
    if row is not None:
        touch_space(tables, stored, cast("str | None", row[0]))


def given(event: e.Event, *names: str) -> dict[str, object]:
    """The named fields that the event changes."""
    values = {name: getattr(event, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}
