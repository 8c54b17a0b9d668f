"""Chats of elia."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from smriti_tui.domain.imported import Flag, ImportedTurn, Skipped, Thread, moment
from smriti_tui.domain.model import Role
from smriti_tui.importers.databases import Database, Row, opened
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.values import most_common, title_of

COLUMNS: Final = ("id", "role", "content", "timestamp", "model", "parent_id")
ROLES: Final[dict[str, Role]] = {"user": "user", "assistant": "assistant", "system": "system"}
PRINTED: Final = "{'content_type':"
"""How its ChatGPT importer wrote what was no text."""
DAMAGED: Final = (
    "it came from ChatGPT through elia, which keeps hidden messages and first parts alone: import "
    "the original export instead"
)


def threads(file: SourceFile, database: Database) -> Iterator[Thread | Skipped]:
    """All chats, the oldest first. Raises: SmritiError."""
    columns = ("id", "model", "title", "started_at", "archived")
    for chat in list(database.rows("chat", columns, "ORDER BY id")):
        file.watch.piece(0)
        yield _thread(file, database, chat)


def _thread(file: SourceFile, database: Database, chat: Row) -> Thread | Skipped:
    turns = list(_turns(database, chat["id"]))
    named = chat["title"] if isinstance(chat["title"], str) else ""
    title = title_of(named, turns)
    if not turns:
        return Skipped(f'chat {chat["id"]} "{title}"', "no messages in it")
    damaged = any("damaged" in turn.flags for turn in turns)
    said = [turn.said_at for turn in turns if turn.said_at]
    model = chat["model"] if isinstance(chat["model"], str) else None
    return Thread(
        tool="elia",
        source_id=f"{_made_by(database)}:{chat['id']}",
        title=title,
        turns=partial(_again, file, chat["id"]),
        count=len(turns),
        created_at=moment(chat["started_at"]),
        updated_at=max(said, default=None),
        model=most_common(turn.model for turn in turns) or model,
        archived=bool(chat["archived"]),
        notes=(DAMAGED,) if damaged else (),
    )


def _made_by(database: Database) -> str:
    """What tells one elia from another: ids count from 1 in each. The first chat began once."""
    first = next(database.rows("chat", ("started_at",), "ORDER BY id LIMIT 1"), None)
    return str(first["started_at"]) if first else ""


def _again(file: SourceFile, chat: object) -> Iterator[ImportedTurn]:
    with opened(file) as database:
        yield from _turns(database, chat)


def _turns(database: Database, chat: object) -> Iterator[ImportedTurn]:
    """By their ids: times are naive, equal, and in two zones."""
    for row in database.rows("message", COLUMNS, "WHERE chat_id = ? ORDER BY id", (chat,)):
        text = row["content"] if isinstance(row["content"], str) else ""
        role = str(row["role"])
        if not text.strip():
            continue
        flags: tuple[Flag, ...] = ("damaged",) if text.lstrip().startswith(PRINTED) else ()
        model = row["model"] if role == "assistant" and isinstance(row["model"], str) else None
        yield ImportedTurn(
            str(row["id"]),
            ROLES.get(role, "system"),
            text,
            moment(row["timestamp"]),
            model,
            flags=flags,
            original_role=None if role in ROLES else role,
        )
