"""The search index: what each event adds to it, and how it is filled from the log.

The words lie without the texts (`store.words`), which stand in the tables already; `search_entry`
says what each of them is. Nothing is ever taken out of the words: an entry whose text is no longer
there is marked instead.
What becomes of what was deleted is decided by whoever searches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from smriti_tui.domain import events as e
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.model import CheckpointBody
from smriti_tui.store.dialect import Dialect
from smriti_tui.store.envelope import SELECT, StoredEvent
from smriti_tui.store.statements import Tables

_PAGE: Final = 500

ITEM_KINDS: Final[Mapping[str, str]] = {
    "decisions": "decision",
    "assumptions": "assumption",
    "tasks": "task",
    "open_questions": "question",
}
ABOUT: Final = "about"
"""`ref` of the entry of a Space's description; the one of its name has none."""


def index_event(tables: Tables, stored: StoredEvent, event: e.Event) -> None:
    """What the event adds to the index; its own rows are in the tables by now."""
    indexers = _IN_TAILS if stored.is_tail else _INDEXERS
    indexer = indexers.get(type(event))
    if indexer is not None:
        indexer(tables, stored, event)


def refill(cursor: Any, dialect: Dialect, *, forgiving: bool = False) -> int:
    """Fills index and entries anew from the log, in the caller's transaction; returns their number.

    `forgiving` passes over events that cannot be read: verifying the log names them.

    Raises:
        ValueError, Invalid: an event cannot be read.
    """
    cursor.execute("DELETE FROM search_entry")
    dialect.words.empty(cursor)
    tables = Tables(cursor, dialect)
    for stored in _events(cursor):
        try:
            event = stored.event()
        except (ValueError, TypeError, Invalid):
            if not forgiving:
                raise
            continue
        if event is not None:
            index_event(tables, stored, event)
    return int(cursor.execute("SELECT count(*) FROM search_entry").fetchone()[0])


def _events(cursor: Any) -> Iterator[StoredEvent]:
    """The events of the product's streams that the index holds something of, in their order."""
    marks = ", ".join("?" * len(_INDEXERS))
    sql = (
        f"{SELECT} WHERE position > ? AND type IN ({marks}) AND stream LIKE '%/%' "
        f"ORDER BY position LIMIT {_PAGE}"
    )
    types = [event_type.TYPE for event_type in _INDEXERS]
    after = 0
    while page := cursor.execute(sql, (after, *types)).fetchall():
        yield from (StoredEvent(*row) for row in page)
        after = page[-1][0]


# ---- rows --------------------------------------------------------------------------------------

_ENTRY: Final[Mapping[str, object]] = {
    "space": None,
    "session": None,
    "number": None,
    "owner": None,
    "ref": None,
    "live": True,
}


def _add(tables: Tables, stored: StoredEvent, text: str, entry: Mapping[str, object]) -> None:
    row = {**_ENTRY, "author": stored.actor, "recorded_at": stored.recorded_at, **entry}
    tables.index(tables.insert_numbered("search_entry", row), text)


def _renew(tables: Tables, stored: StoredEvent, text: str, entry: Mapping[str, object]) -> None:
    """Takes the place of the entry of the same owner."""
    _drop(tables, cast(str, entry["owner"]))
    if text:
        _add(tables, stored, text, entry)


def _drop(tables: Tables, owner: str) -> None:
    tables.update("search_entry", {"owner": owner}, {"live": False})


# ---- events ------------------------------------------------------------------------------------


def _turn_added(tables: Tables, stored: StoredEvent, event: e.TurnAdded) -> None:
    copied = event.copied_from
    _add(
        tables,
        stored,
        event.text,
        {
            "kind": "turn",
            "session": stored.owner_id,
            "number": event.sequence_number,
            "ref": f"{copied.session}:{copied.sequence_number}" if copied else None,
            "author": event.model or stored.actor,
        },
    )


def _turns_imported(tables: Tables, stored: StoredEvent, event: e.TurnsImported) -> None:
    session = stored.owner_id
    for number, taken in enumerate(event.turns, event.first):
        copied = taken.copied_from
        entry = {
            "kind": "turn",
            "session": session,
            "number": number,
            "ref": f"{copied.session}:{copied.sequence_number}" if copied else None,
            "author": taken.turn.model or stored.actor,
        }
        _add(tables, stored, taken.turn.text, entry)


def _answer_ended(tables: Tables, stored: StoredEvent, event: e.AnswerEnded) -> None:
    if event.text:
        turn = {"session": stored.owner_id, "number": event.sequence_number}
        author = event.model or stored.actor
        _add(tables, stored, event.text, {"kind": "turn", "author": author, **turn})


def _checkpoint_saved(tables: Tables, stored: StoredEvent, event: e.CheckpointSaved) -> None:
    body = event.body
    common = {"space": stored.owner_id, "owner": event.id, "author": body.author}
    text = checkpoint_text(body.title, body.objective, body.summary, body.entities, event.id)
    _add(tables, stored, text, {"kind": "checkpoint", **common})
    known = _held_before(tables, stored, body)
    for name in KINDS:
        for place, item in enumerate(item_list(body, name), 1):
            kind = ITEM_KINDS[name]
            if (kind, item.uid, item.text) not in known:
                entry = {"kind": kind, "number": place, "ref": item.uid, **common}
                _add(tables, stored, item.text, entry)
    for place, artifact in enumerate(body.artifacts, 1):
        text = artifact_text(artifact.label, artifact.content)
        if ("artifact", artifact.id, text) not in known:
            entry = {"kind": "artifact", "number": place, "ref": artifact.id, **common}
            _add(tables, stored, text, entry)


def _held_before(
    tables: Tables, stored: StoredEvent, body: CheckpointBody
) -> set[tuple[str, str, str]]:
    """Items and artifacts that a parent holds word for word: they are found where they were said
    first. A checkpoint is deleted only after those that follow it. A parent that came into this
    log later, from another store, was not known then."""
    held: set[tuple[str, str, str]] = set()
    for parent in body.parents:
        for (text,) in tables.rows(_BODY, (parent, stored.position)):
            content = json.loads(text)
            for path, kind in ITEM_KINDS.items():
                held.update((kind, each["uid"], each["text"]) for each in content[path])
            held.update(
                ("artifact", each["id"], artifact_text(each["label"], each["content"]))
                for each in content["artifacts"]
            )
    return held


_BODY: Final = "SELECT body FROM checkpoint WHERE id = ? AND position < ?"


def _checkpoint_deleted(tables: Tables, stored: StoredEvent, event: e.CheckpointDeleted) -> None:
    _drop(tables, event.id)


def _note_added(tables: Tables, stored: StoredEvent, event: e.NoteAdded) -> None:
    entry = {"space": stored.owner_id, "owner": event.checkpoint, "ref": event.note}
    _add(tables, stored, event.text, {"kind": "note", **entry})


def _space_created(tables: Tables, stored: StoredEvent, event: e.SpaceCreated) -> None:
    _name_space(tables, stored, event.name)
    _describe_space(tables, stored, event.description)


def _space_changed(tables: Tables, stored: StoredEvent, event: e.SpaceChanged) -> None:
    if event.name is not None:
        _name_space(tables, stored, event.name)
    if event.description is not None:
        _describe_space(tables, stored, event.description)


def _name_space(tables: Tables, stored: StoredEvent, name: str) -> None:
    space = stored.owner_id
    entry = {"kind": "space", "space": space, "owner": space}
    _renew(tables, stored, named(name, space), entry)


def _describe_space(tables: Tables, stored: StoredEvent, description: str) -> None:
    space = stored.owner_id
    entry = {"kind": "space", "space": space, "owner": f"{space}/{ABOUT}", "ref": ABOUT}
    _renew(tables, stored, description, entry)


def _session_opened(tables: Tables, stored: StoredEvent, event: e.SessionOpened) -> None:
    _name_session(tables, stored, event.title)


def _session_changed(tables: Tables, stored: StoredEvent, event: e.SessionChanged) -> None:
    if event.title is not None:
        _name_session(tables, stored, event.title)


def _name_session(tables: Tables, stored: StoredEvent, title: str) -> None:
    session = stored.owner_id
    entry = {"kind": "session", "session": session, "owner": session}
    _renew(tables, stored, named(title, session), entry)


def _branch_named(
    tables: Tables, stored: StoredEvent, event: e.BranchOpened | e.BranchRenamed
) -> None:
    entry = {"kind": "branch", "space": stored.owner_id, "owner": event.branch}
    _renew(tables, stored, event.name, entry)


def _saved_in_tail(tables: Tables, stored: StoredEvent, event: e.CheckpointSaved) -> None:
    """Unless it was here already. What it follows is there again, if it was deleted here."""
    row = tables.one("checkpoint", {"id": event.id}, ("position",))
    if row is not None and row[0] == stored.position:
        for parent in event.body.parents:
            tables.update("search_entry", {"owner": parent}, {"live": True})
        _checkpoint_saved(tables, stored, event)


Indexer = Callable[[Tables, StoredEvent, Any], None]

_INDEXERS: Final[Mapping[type[e.Event], Indexer]] = {
    e.SpaceCreated: _space_created,
    e.SpaceChanged: _space_changed,
    e.BranchOpened: _branch_named,
    e.BranchRenamed: _branch_named,
    e.CheckpointSaved: _checkpoint_saved,
    e.CheckpointDeleted: _checkpoint_deleted,
    e.NoteAdded: _note_added,
    e.SessionOpened: _session_opened,
    e.SessionChanged: _session_changed,
    e.TurnAdded: _turn_added,
    e.TurnsImported: _turns_imported,
    e.AnswerEnded: _answer_ended,
}

_IN_TAILS: Final[Mapping[type[e.Event], Indexer]] = {
    e.BranchOpened: _branch_named,
    e.CheckpointSaved: _saved_in_tail,
    e.NoteAdded: _note_added,
    e.SessionChanged: _session_changed,
    e.TurnAdded: _turn_added,
    e.TurnsImported: _turns_imported,
    e.AnswerEnded: _answer_ended,
}
"""What a tail adds (`store.projectors.tails`)."""


# ---- texts -------------------------------------------------------------------------------------


def checkpoint_text(
    title: str, objective: str, summary: str, entities: Sequence[str], identifier: str
) -> str:
    """What is found as the checkpoint itself; its id too, so that a copied one leads to it."""
    parts = (title, objective, summary, "\n".join(entities), identifier)
    return "\n".join(part for part in parts if part)


def artifact_text(label: str, content: str) -> str:
    """A label and the content below it."""
    return f"{label}\n{content}"


def named(name: str, identifier: str) -> str:
    """The name of a Space or session, and its id."""
    return f"{name}\n{identifier}"
