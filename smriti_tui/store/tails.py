"""Tails: what a stream went on with in another store, after both had the same beginning.

A tail is the stream `<stream>~<its first event's id>` (DESIGN 10.4). Its events keep their ids,
versions, hashes and chain: the first one follows an event that is here already, in the stream or in
another tail of it. So two stores may call a stream differently; what happened in it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from smriti_tui.domain import events as e
from smriti_tui.domain.ids import RequestId, family, kind_and_owner
from smriti_tui.domain.values import canonical
from smriti_tui.store.envelope import SELECT, StoredEvent, expected_chain
from smriti_tui.store.projectors import PROJECTORS
from smriti_tui.store.statements import Tables

Query = Callable[[str, Sequence[object]], Any]
"""Runs a query with `?` where the events are; its rows come one after the other."""
PAGE: Final = 500


@dataclass(frozen=True)
class Parent:
    """Where a tail begins: after this version of this stream; after nothing at version 0."""

    stream: str
    version: int


def parent_of(tables: Tables, query: Query, event: StoredEvent) -> Parent | None:
    """What an event follows, in its stream or in a tail of that; None if that is not here."""
    of = family(event.stream)
    if event.version == 1:
        return Parent(of, 0) if expected_chain("", event) == event.chain_sha256 else None
    tails = tables.rows("SELECT stream FROM tail WHERE family = ? ORDER BY position", (of,))
    for stream in (of, *(row[0] for row in tails)):
        place = (stream, event.version - 1)
        row = query("SELECT chain_sha256 FROM event WHERE stream = ? AND version = ?", place)
        for (chain,) in row:
            if expected_chain(chain, event) == event.chain_sha256:
                return Parent(*place)
    return None


def begin_tail(tables: Tables, query: Query, event: StoredEvent, parent: Parent) -> None:
    """Notes a tail down before its first event is projected. A session's tail is a session of its
    own, which begins with all that both stores have of it."""
    kind, subject = kind_and_owner(event.stream)
    tables.position = event.position
    row: dict[str, object] = {"stream": event.stream, "parent": parent.stream}
    row |= {"version": parent.version, "family": family(event.stream), "subject": subject}
    tables.insert("tail", {**row, "position": event.position})
    if kind == "session":
        _copy_session(tables, query, event, parent)


def has_tails(tables: Tables, stream: str) -> bool:
    """Whether a stream grew apart from one of another store."""
    return tables.one("tail", {"family": family(stream)}, ("stream",)) is not None


def stream_of(tables: Tables, stream: str) -> str:
    """The stream that takes what is written to a session's: another one for a session that is the
    tail of one."""
    kind, subject = kind_and_owner(stream)
    if kind != "session" or "~" in stream:
        return stream
    row = tables.one("tail", {"subject": subject}, ("stream",))
    return stream if row is None else str(row[0])


def before(tables: Tables, query: Query, parent: Parent) -> Iterator[StoredEvent]:
    """All events from the first one up to where a tail begins, through the tails it grew from."""
    row = tables.one("tail", {"stream": parent.stream}, ("parent", "version"))
    if row is not None:
        yield from before(tables, query, Parent(*row))
    sql = f"{SELECT} WHERE stream = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?"
    after = 0 if row is None else int(row[1])
    while after < parent.version:
        page = list(query(sql, (parent.stream, after, parent.version, PAGE)))
        yield from (StoredEvent(*each) for each in page)
        after = page[-1][4] if page else parent.version


# ---- sessions ------------------------------------------------------------------------------------


def _copy_session(tables: Tables, query: Query, event: StoredEvent, parent: Parent) -> None:
    """Folds the common beginning once more, as that of the tail's session. Its requests stay those
    of the session that they were made in; only the texts are needed here too."""
    for early in before(tables, query, parent):
        typed = early.event()
        if isinstance(typed, e.AnswerStarted):
            typed = replace(typed, request=RequestId(""))
        moved = replace(early, stream=event.stream, position=event.position)
        if isinstance(typed, e.RequestStored):
            for digest, text in typed.texts.items():
                row = {"stream": event.stream, "sha256": digest, "text": text}
                tables.insert_missing("stream_text", row)
        elif typed is not None and not isinstance(typed, e.RequestEnded):
            PROJECTORS[type(typed)](tables, moved, typed)
    _mark_copies(tables, event.owner_id, kind_and_owner(parent.stream)[1])


def _mark_copies(tables: Tables, session: str, source: str) -> None:
    """Says where the copied turns come from, as a fork does."""
    last = 0
    for number, copied in tables.rows(
        "SELECT sequence_number, copied_from FROM turn WHERE session = ?", (session,)
    ):
        last = max(last, number)
        key = {"session": session, "sequence_number": number}
        origin = copied or canonical({"sequence_number": number, "session": source})
        tables.update("turn", key, {"copied_from": origin, "request": None, "context_sha256": None})
    forked = {"fork_session": source, "fork_turn": last or None}
    tables.update("session", {"id": session}, forked)
