"""The older tables of `llm`: a row of `responses` is a question with its answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Final

from smriti_tui.domain.imported import Detail, ImportedTurn, Skipped, Thread, cut_detail, moment
from smriti_tui.domain.model import Usage
from smriti_tui.importers.databases import Database, Row, opened
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.values import most_common, number_in, placeholders, text_in, title_of

COLUMNS: Final = (
    "id", "model", "resolved_model", "prompt", "system", "response", "reasoning",
    "conversation_id", "datetime_utc", "input_tokens", "output_tokens",
)  # fmt: skip
ORDER: Final = "ORDER BY datetime_utc, id"


def threads(file: SourceFile, database: Database) -> Iterator[Thread | Skipped]:
    """Conversations, then prompts that belong to none, each by itself. Raises: SmritiError."""
    for row in list(database.rows("conversations", ("id", "name", "model"), "ORDER BY id")):
        file.watch.piece(0)
        where = "WHERE conversation_id = ?"
        yield _thread(file, database, row, where, row["id"])
    loose = "WHERE conversation_id IS NULL OR conversation_id NOT IN (SELECT id FROM conversations)"
    for row in list(database.rows("responses", ("id",), f"{loose} {ORDER}")):
        yield _thread(file, database, {**row, "name": None}, "WHERE id = ?", row["id"])


def _thread(
    file: SourceFile, database: Database, row: Row, where: str, value: object
) -> Thread | Skipped:
    turns = list(_turns(database, where, value))
    title = title_of(row["name"] if isinstance(row["name"], str) else "", turns)
    if not turns:
        return Skipped(f'conversation {row["id"]} "{title}"', "no exchanges in it")
    said = [turn.said_at for turn in turns if turn.said_at]
    return Thread(
        tool="llm",
        source_id=str(row["id"]),
        title=title,
        turns=partial(_again, file, where, value),
        count=len(turns),
        created_at=min(said, default=None),
        updated_at=max(said, default=None),
        model=most_common(turn.model for turn in turns),
    )


def _again(file: SourceFile, where: str, value: object) -> Iterator[ImportedTurn]:
    with opened(file) as database:
        yield from _turns(database, where, value)


def _turns(database: Database, where: str, value: object) -> Iterator[ImportedTurn]:
    """What the newer tables hold too is read there."""
    system = ""
    rows = list(database.rows("responses", COLUMNS, f"{where} {ORDER}", (value,)))
    for row in rows:
        if any(database.rows("turns", ("id",), "WHERE id = ?", (row["id"],))):
            continue
        told = _joined(database, "system_fragments", row)
        said = "\n".join(part for part in (*told, text_in(row, "system")) if part)
        if said and said != system:
            system = said
            yield ImportedTurn(f"{row['id']}:system", "system", said, moment(row["datetime_utc"]))
        yield from _exchange(database, row)


def _exchange(database: Database, row: Row) -> Iterator[ImportedTurn]:
    files = tuple(_files(database, row))
    fragments = _joined(database, "prompt_fragments", row)
    text = "\n".join(part for part in (*fragments, text_in(row, "prompt")) if part)
    said_at = moment(row["datetime_utc"])
    if text or files:
        yield ImportedTurn(
            f"{row['id']}:prompt", "user", text or placeholders(files), said_at, details=files,
            flags=() if text else ("placeholder",),
        )  # fmt: skip
    answer = text_in(row, "response")
    details = tuple(_done(database, row))
    if answer:
        model = text_in(row, "resolved_model", "model") or None
        yield ImportedTurn(
            f"{row['id']}:response", "assistant", answer, said_at, model, _usage(row), details
        )


def _usage(row: Row) -> Usage | None:
    given, got = number_in(row, "input_tokens"), number_in(row, "output_tokens")
    return None if given is None and got is None else Usage(given or 0, got or 0)


def _joined(database: Database, table: str, row: Row) -> list[str]:
    """The fragments that a prompt, or the system text, was made with, in their order."""
    if not database.has(table, "fragment_id"):
        return []
    order = ' ORDER BY "order"' if database.has(table, "order") else ""
    links = database.rows(table, ("fragment_id",), f"WHERE response_id = ?{order}", (row["id"],))
    found = (fragment(database, link["fragment_id"]) for link in list(links))
    return [each for each in found if each]


def fragment(database: Database, name: object) -> str:
    """The text of a fragment; empty for one that is not there."""
    row = next(database.rows("fragments", ("content",), "WHERE id = ?", (name,)), None)
    return text_in(row, "content") if row else ""


def _files(database: Database, row: Row) -> Iterator[Detail]:
    if not database.has("prompt_attachments", "attachment_id"):
        return
    order = ' ORDER BY "order"' if database.has("prompt_attachments", "order") else ""
    links = list(
        database.rows(
            "prompt_attachments", ("attachment_id",), f"WHERE response_id = ?{order}", (row["id"],)
        )
    )
    for link in links:
        yield from _attachments(database, link["attachment_id"])


def _attachments(database: Database, name: object) -> Iterator[Detail]:
    names = ("type", "path", "url", "content")
    for found in database.rows("attachments", names, "WHERE id = ?", (name,)):
        pointer = text_in(found, "url", "path") or None
        held = found["content"]
        size = len(held) if isinstance(held, bytes) else None
        media = text_in(found, "type") or None
        yield Detail("attachment", (pointer or "").rpartition("/")[2], "", media, size, pointer)


def _done(database: Database, row: Row) -> Iterator[Detail]:
    """What was thought and called for an answer. Results stand with the next one."""
    thought = text_in(row, "reasoning")
    if thought:
        yield cut_detail("reasoning", thought)
    here = ("WHERE response_id = ? ORDER BY id", (row["id"],))
    for call in database.rows("tool_calls", ("name", "arguments"), *here):
        yield cut_detail("tool_call", _told(call["arguments"]), name=text_in(call, "name"))
    for result in database.rows("tool_results", ("name", "output"), *here):
        yield cut_detail("tool_result", _told(result["output"]), name=text_in(result, "name"))


def _told(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)
