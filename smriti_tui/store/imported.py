"""What was imported before: which sessions hold which conversation, turn by turn."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlmodel import Session as Tx
from sqlmodel import col, select

from smriti_tui.domain.codec import from_json
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.imported import Detail
from smriti_tui.store.rows import ImportedThreadRow, ImportedTurnRow, SessionRow, TurnRow


@dataclass(frozen=True)
class Held:
    """A session that holds a conversation, or its beginning."""

    session: SessionId
    title: str
    named: str
    """What the conversation was called when it was imported last."""
    last_seq: int
    as_imported: bool
    """Whether it holds nothing but imported turns, on one line."""
    deleted: bool
    changed: int
    """Position of the last change."""


def holding(tx: Tx, space: SpaceId, tool: str, threads: list[str]) -> list[Held]:
    """Sessions of a Space with these conversations of a tool, the oldest first."""
    query = (
        select(SessionRow, ImportedThreadRow.title)
        .join(ImportedThreadRow, col(ImportedThreadRow.session) == SessionRow.id)
        .where(
            SessionRow.space == space,
            ImportedThreadRow.tool == tool,
            col(ImportedThreadRow.source_id).in_(threads),
        )
        .order_by(col(SessionRow.created_at), col(SessionRow.id))
    )
    found: dict[str, Held] = {}
    for row, named in tx.exec(query):
        if row.id not in found:
            found[row.id] = _held(tx, row, named)
    return list(found.values())


def threads_with(tx: Tx, tool: str, turn: str) -> list[str]:
    """The conversations of a tool that hold a turn of that id."""
    query = (
        select(ImportedThreadRow.source_id)
        .join(ImportedTurnRow, col(ImportedTurnRow.session) == ImportedThreadRow.session)
        .where(ImportedThreadRow.tool == tool, ImportedTurnRow.source_id == turn)
        .distinct()
    )
    return list(tx.exec(query))


def _held(tx: Tx, row: SessionRow, named: str) -> Held:
    session = SessionId(row.id)
    count = len(turn_ids(tx, session))
    alone = count == row.last_seq and row.last_line == 1
    return Held(session, row.title, named, row.last_seq, alone, row.deleted, row.changed_position)


def turn_ids(tx: Tx, session: SessionId) -> list[tuple[int, str, str]]:
    """Number, id in the tool and hash of the text of each imported turn, ascending."""
    query = (
        select(
            ImportedTurnRow.sequence_number, ImportedTurnRow.source_id, ImportedTurnRow.text_sha256
        )
        .where(ImportedTurnRow.session == session)
        .order_by(col(ImportedTurnRow.sequence_number))
    )
    return [(number, name, digest) for number, name, digest in tx.exec(query)]


def last_question(tx: Tx, session: SessionId) -> int | None:
    """The last turn of a session, if it is a question without an answer."""
    query = (
        select(TurnRow.sequence_number, TurnRow.role)
        .where(TurnRow.session == session)
        .order_by(col(TurnRow.sequence_number).desc())
        .limit(1)
    )
    row = tx.exec(query).first()
    return int(row[0]) if row is not None and row[1] == "user" else None


def details(tx: Tx, session: SessionId, number: int) -> list[Detail]:
    """What stands beside the words of a turn; nothing for one that was not imported."""
    row = tx.get(ImportedTurnRow, (session, number))
    return [from_json(Detail, each) for each in json.loads(row.details)] if row else []


def threads_of(tx: Tx, session: SessionId) -> list[ImportedThreadRow]:
    """The conversations whose turns a session holds."""
    query = select(ImportedThreadRow).where(ImportedThreadRow.session == session)
    return list(tx.exec(query.order_by(col(ImportedThreadRow.source_id))))
