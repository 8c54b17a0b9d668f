"""The texts behind entries of the search index, read from the tables many at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlmodel import Session as Tx

from smriti_tui.domain.model import is_default_title
from smriti_tui.store.dialect import rows_of
from smriti_tui.store.search_index import (
    ABOUT,
    ITEM_KINDS,
    artifact_text,
    checkpoint_text,
    named,
)

if TYPE_CHECKING:
    from smriti_tui.store.search import Entry

_LISTS: Final = {kind: name for name, kind in ITEM_KINDS.items()} | {"artifact": "artifacts"}
_BEGINNING: Final = 120
"""Characters of a first question that name a session which nobody named."""


class Known(NamedTuple):
    """A text as it stands in the tables."""

    text: str
    role: str | None = None
    """Of a turn."""


def texts_of(tx: Tx, entries: Sequence[Entry]) -> dict[int, Known]:
    """The texts by the ids of their entries; one that is gone is missing."""
    found: dict[int, Known] = {}
    for reader, kinds in _READERS:
        wanted = [entry for entry in entries if entry.kind in kinds]
        if wanted:
            found.update(reader(tx, wanted))
    return found


def rows_by(tx: Tx, sql: str, keys: Iterable[object]) -> dict[Any, Any]:
    """Rows by their first column; `sql` ends in `IN` and gets the keys."""
    wanted = tuple(dict.fromkeys(keys))
    if not wanted:
        return {}
    marks = ", ".join("?" * len(wanted))
    rows = rows_of(tx, f"{sql} ({marks})", wanted)
    return {row[0]: row for row in rows}


def _turns(tx: Tx, entries: Sequence[Entry]) -> dict[int, Known]:
    keys = {(entry.session, entry.number): entry.id for entry in entries}
    marks = ", ".join(["(?, ?)"] * len(keys))
    sql = (
        "SELECT session, sequence_number, text, role FROM turn "
        f"WHERE (session, sequence_number) IN (VALUES {marks})"
    )
    rows = rows_of(tx, sql, tuple(part for key in keys for part in key))
    return {keys[row[0], row[1]]: Known(row[2], row[3]) for row in rows}


def _of_checkpoints(tx: Tx, entries: Sequence[Entry]) -> dict[int, Known]:
    sql = "SELECT id, body FROM checkpoint WHERE NOT deleted AND id IN"
    bodies = {
        key: json.loads(row[1])
        for key, row in rows_by(tx, sql, (entry.owner for entry in entries)).items()
    }
    found: dict[int, Known] = {}
    for entry in entries:
        body = bodies.get(entry.owner)
        text = None if body is None else _part(body, entry)
        if text is not None:
            found[entry.id] = Known(text)
    return found


def _part(body: Mapping[str, Any], entry: Entry) -> str | None:
    if entry.kind == "checkpoint":
        title, objective, summary = (
            str(body.get(name) or "") for name in ("title", "objective", "summary")
        )
        entities = [str(entity) for entity in body.get("entities") or ()]
        return checkpoint_text(title, objective, summary, entities, entry.owner or "")
    listed = body.get(_LISTS[entry.kind]) or ()
    place = (entry.number or 0) - 1
    if not 0 <= place < len(listed):
        return None
    part = listed[place]
    if entry.kind == "artifact":
        return artifact_text(str(part.get("label") or ""), str(part.get("content") or ""))
    return str(part.get("text") or "")


def _notes(tx: Tx, entries: Sequence[Entry]) -> dict[int, Known]:
    sql = (
        "SELECT n.id, n.text FROM note n JOIN checkpoint c ON c.id = n.checkpoint "
        "WHERE NOT c.deleted AND n.id IN"
    )
    rows = rows_by(tx, sql, (entry.ref for entry in entries))
    return {entry.id: Known(rows[entry.ref][1]) for entry in entries if entry.ref in rows}


def _spaces(tx: Tx, entries: Sequence[Entry]) -> dict[int, Known]:
    sql = "SELECT id, name, description FROM space WHERE id IN"
    rows = rows_by(tx, sql, (entry.space for entry in entries))
    return {
        entry.id: Known(row[2] if entry.ref == ABOUT else named(row[1], row[0]))
        for entry in entries
        if (row := rows.get(entry.space)) is not None
    }


def _sessions(tx: Tx, entries: Sequence[Entry]) -> dict[int, Known]:
    sql = "SELECT id, title FROM session WHERE id IN"
    rows = rows_by(tx, sql, (entry.session for entry in entries))
    return {
        entry.id: Known(named(row[1], row[0]))
        for entry in entries
        if (row := rows.get(entry.session)) is not None
    }


def _branches(tx: Tx, entries: Sequence[Entry]) -> dict[int, Known]:
    sql = "SELECT id, name FROM branch WHERE id IN"
    rows = rows_by(tx, sql, (entry.owner for entry in entries))
    return {entry.id: Known(rows[entry.owner][1]) for entry in entries if entry.owner in rows}


_READERS: Final = (
    (_turns, ("turn",)),
    (_of_checkpoints, ("checkpoint", *_LISTS)),
    (_notes, ("note",)),
    (_spaces, ("space",)),
    (_sessions, ("session",)),
    (_branches, ("branch",)),
)


def space_names(tx: Tx, spaces: Iterable[str | None]) -> dict[str, str]:
    """The names of Spaces by id."""
    rows = rows_by(tx, "SELECT id, name FROM space WHERE id IN", (key for key in spaces if key))
    return {key: row[1] for key, row in rows.items()}


def checkpoint_titles(tx: Tx, checkpoints: Iterable[str | None]) -> dict[str, str]:
    """The titles of checkpoints by id."""
    sql = "SELECT id, title FROM checkpoint WHERE id IN"
    rows = rows_by(tx, sql, (key for key in checkpoints if key))
    return {key: row[1] for key, row in rows.items()}


def session_titles(tx: Tx, sessions: Iterable[str | None]) -> dict[str, str]:
    """What lists call sessions: the title, or the first words where nobody gave one."""
    sql = (
        f"SELECT id, title, (SELECT substr(t.text, 1, {_BEGINNING}) FROM turn t WHERE "
        "t.session = session.id AND t.sequence_number = 1 AND t.role = 'user') "
        "FROM session WHERE id IN"
    )
    rows = rows_by(tx, sql, (key for key in sessions if key))
    return {
        key: " ".join((row[2] or "").split()) if is_default_title(row[1]) and row[2] else row[1]
        for key, row in rows.items()
    }
