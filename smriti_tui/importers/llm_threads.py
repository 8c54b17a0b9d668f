"""The newer tables of `llm`: messages that name the one before them by its hash."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from smriti_tui.domain.imported import Detail, ImportedTurn, Skipped, Thread, cut_detail, moment
from smriti_tui.domain.model import Role
from smriti_tui.importers.databases import Database, Row, opened
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.llm import fragment
from smriti_tui.importers.values import (
    as_text,
    list_in,
    most_common,
    number_in,
    placeholders,
    text_in,
    title_of,
)

ROLES: Final[dict[str, Role]] = {"user": "user", "assistant": "assistant", "system": "system"}
MAX_MESSAGES: Final = 100_000


def threads(file: SourceFile, database: Database) -> Iterator[Thread | Skipped]:
    """All threads, those that others forked from first. Raises: SmritiError."""
    columns = ("id", "name", "tip_message_hash", "forked_from", "datetime_utc")
    for row in list(database.rows("threads", columns, "ORDER BY datetime_utc, id")):
        file.watch.piece(0)
        yield _thread(file, database, row)


def _thread(file: SourceFile, database: Database, row: Row) -> Thread | Skipped:
    tip = row["tip_message_hash"]
    left: Counter[str] = Counter()
    turns = list(_turns(database, tip, left))
    title = title_of(row["name"] if isinstance(row["name"], str) else "", turns)
    if not turns:
        return Skipped(f'thread {row["id"]} "{title}"', "no messages in it")
    said = [turn.said_at for turn in turns if turn.said_at]
    created = moment(row["datetime_utc"])
    return Thread(
        tool="llm",
        source_id=str(row["id"]),
        title=title,
        turns=partial(_again, file, tip),
        count=len(turns),
        created_at=created,
        updated_at=max(said, default=created),
        model=most_common(turn.model for turn in turns),
        left_out=dict(left),
        forked_from=str(row["forked_from"]) if row["forked_from"] else None,
    )


def _again(file: SourceFile, tip: object) -> Iterator[ImportedTurn]:
    with opened(file) as database:
        yield from _turns(database, tip)


def _turns(
    database: Database, tip: object, left: Counter[str] | None = None
) -> Iterator[ImportedTurn]:
    """The messages up to `tip`; in `left` is counted what has no place in them."""
    waiting: list[Detail] = []
    for message in _line(database, tip):
        role = str(message["role"])
        said = _Said(database, message["hash"])
        if role == "tool" or not (said.text or said.files):
            waiting += said.details
            continue
        ours = ROLES.get(role, "system")
        details = [*said.files, *said.details]
        if ours == "assistant":
            details, waiting = [*waiting, *details], []
        turn = _turn_of(database, message["hash"]) if ours == "assistant" else {}
        text = said.text or placeholders(said.files)
        yield ImportedTurn(
            str(message["hash"]),
            ours,
            text,
            moment(turn.get("datetime_utc")),
            text_in(turn, "resolved_model", "model") or None,
            details=tuple(details),
            flags=() if said.text else ("placeholder",),
            original_role=None if role in ROLES else role,
        )
    if waiting and left is not None:
        left["details after the last reply"] += len(waiting)


def _line(database: Database, tip: object) -> list[Row]:
    """The messages up to a thread's tip, the first one first."""
    found: list[Row] = []
    seen: set[object] = set()
    here = tip
    while here is not None and here not in seen and len(found) < MAX_MESSAGES:
        seen.add(here)
        columns = ("hash", "parent_hash", "role")
        row = next(database.rows("messages", columns, "WHERE hash = ?", (here,)), None)
        if row is None:
            break
        found.append(row)
        here = row["parent_hash"]
    found.reverse()
    return found


def _turn_of(database: Database, tip: object) -> Row:
    """The call that a reply came from."""
    columns = ("model", "resolved_model", "datetime_utc")
    rows = database.rows("turns", columns, "WHERE tip_message_hash = ?", (tip,))
    return next(rows, {})


class _Said:
    """The parts of one message."""

    def __init__(self, database: Database, name: object) -> None:
        self._database = database
        self.details: list[Detail] = []
        self.files: list[Detail] = []
        words: list[str] = []
        columns = ("type", "tool_name", "text", "payload")
        where = "WHERE message_hash = ? ORDER BY position"
        for part in list(database.rows("parts", columns, where, (name,))):
            text = self._text(part)
            kind = str(part["type"])
            if kind == "text":
                words.append(text)
            elif kind in ("attachment", "image", "audio", "file"):
                self.files.append(_file(part))
            else:
                self.details.append(_detail(kind, part, text))
        self.text = "".join(words)

    def _text(self, part: Row) -> str:
        if isinstance(part["text"], str):
            return part["text"]
        payload = _payload(part)
        pieces = list_in(payload, "text_ref")
        if not pieces:
            return text_in(payload, "text", "output", "arguments") or ""
        return "".join(self._piece(piece) for piece in pieces)

    def _piece(self, piece: object) -> str:
        """A part of a text: letter by letter, or a fragment by its number."""
        if not isinstance(piece, dict):
            return ""
        literal = piece.get("literal")
        if isinstance(literal, str):
            return literal
        return fragment(self._database, piece.get("fragment"))


def _payload(part: Row) -> dict[str, Any]:
    try:
        found = json.loads(part["payload"]) if part["payload"] else {}
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _file(part: Row) -> Detail:
    payload = _payload(part)
    media = text_in(payload, "type", "mime_type", "media_type") or str(part["type"])
    pointer = text_in(payload, "url", "path", "id") or None
    size = number_in(payload, "size", "size_bytes")
    return Detail("attachment", (pointer or "").rpartition("/")[2], "", media, size, pointer)


def _detail(kind: str, part: Row, text: str) -> Detail:
    name = text_in(part, "tool_name") or kind
    told = text or as_text(_payload(part) or None)
    if kind == "reasoning":
        return cut_detail("reasoning", told)
    if kind in ("tool_call", "tool_result"):
        return cut_detail(kind, told, name=name)  # type: ignore[arg-type]
    return cut_detail("note", told, name=name)
