"""The original Smriti: its database, or what its API gave, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from smriti_tui.domain.imported import ImportedTurn, Skipped, SpaceDump, Thread, moment
from smriti_tui.domain.model import Role
from smriti_tui.importers import smriti_checkpoints
from smriti_tui.importers.databases import Database, opened
from smriti_tui.importers.files import SQLITE, SourceFile
from smriti_tui.importers.records import Record, json_items, json_lines, parse
from smriti_tui.importers.values import most_common, text_in, title_of

Row = dict[str, Any]
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "repos": ("id", "name", "description", "project_root"),
    "commits": (
        "id", "repo_id", "commit_hash", "parent_commit_id", "branch_name", "author_agent",
        "author_type", "project_root", "message", "summary", "objective", "decisions",
        "assumptions", "tasks", "open_questions", "entities", "artifacts", "context_blob",
        "metadata", "created_at",
    ),
    "chat_sessions": (
        "id", "repo_id", "title", "active_model", "forked_from_checkpoint_id", "branch_name",
        "created_at", "updated_at",
    ),
    "turn_events": (
        "id", "session_id", "role", "content", "model", "sequence_number", "created_at",
    ),
    "work_claims": (
        "id", "repo_id", "agent", "branch_name", "base_commit_id", "scope", "task_id",
        "intent_type", "status", "claimed_at", "expires_at",
    ),
}  # fmt: skip
SIGNS: Final[Mapping[str, tuple[str, ...]]] = {
    "commits": ("commit_hash", "message"),
    "turn_events": ("session_id", "sequence_number", "role", "content"),
    "work_claims": ("intent_type", "scope", "agent"),
    "chat_sessions": ("branch_name", "title", "repo_id"),
    "repos": ("name", "project_root", "description"),
}
"""Keys by which a row is told; the first that fits."""
ROLES: Final[dict[str, Role]] = {"user": "user", "assistant": "assistant", "system": "system"}


def is_dump(value: Mapping[str, object]) -> bool:
    """Whether a JSON object is a row of the original, or holds lists of them."""
    if _table_of(value) in ("commits", "turn_events", "work_claims"):
        return True
    rows = [row for name in value for row in _list(value.get(name))[:5]]
    return any(_table_of(row) in ("commits", "chat_sessions", "turn_events") for row in rows)


def _table_of(value: object) -> str | None:
    if not isinstance(value, dict):
        return None
    return next((name for name, keys in SIGNS.items() if all(key in value for key in keys)), None)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def threads(file: SourceFile) -> Iterator[SpaceDump | Thread | Skipped]:
    """The Spaces of a dump, each followed by its sessions; then sessions that lie in none.

    Raises: Invalid, SmritiError, Cancelled.
    """
    if file.head(16).startswith(SQLITE):
        rows: Rows = _Tables(file)
    else:
        rows = _in_json(file)
        yield from rows.skipped
    spaces = rows.all("repos", None)
    named = {str(space["id"]) for space in spaces}
    homes = {str(row.get("repo_id")) for row in rows.all("commits", None) if row.get("repo_id")}
    spaces += [{"id": each, "name": f"Space {each[:8]}"} for each in sorted(homes - named)]
    for space in spaces:
        file.watch.piece(0)
        yield _dump(rows, space)
        yield from _sessions(file, rows, space["id"])
    yield from _sessions(file, rows, None)


def _dump(rows: Rows, space: Row) -> SpaceDump:
    here = space["id"]
    return SpaceDump(
        source_id=str(here),
        name=text_in(space, "name") or f"Space {str(here)[:8]}",
        description=text_in(space, "description"),
        project_root=text_in(space, "project_root") or None,
        checkpoints=lambda: smriti_checkpoints.checkpoints(rows.all("commits", here)),
        claims=lambda: smriti_checkpoints.claims(rows.all("work_claims", here)),
        count=len(rows.all("commits", here)),
    )


def _sessions(file: SourceFile, rows: Rows, space: object) -> Iterator[Thread | Skipped]:
    for row in rows.all("chat_sessions", space):
        if space is None and row.get("repo_id"):
            continue
        file.watch.piece(0)
        turns = list(_turns(rows, row["id"]))
        title = title_of(text_in(row, "title"), turns)
        if not turns:
            yield Skipped(f'session {row["id"]} "{title}"', "no turns in it")
            continue
        yield Thread(
            tool="smriti",
            source_id=str(row["id"]),
            title=title,
            turns=partial(_turns, rows, row["id"]),
            count=len(turns),
            created_at=moment(row.get("created_at")),
            updated_at=moment(row.get("updated_at")),
            model=most_common(turn.model for turn in turns) or text_in(row, "active_model") or None,
            space=str(space) if space is not None else None,
            branch=text_in(row, "branch_name") or None,
            checkpoint=text_in(row, "forked_from_checkpoint_id") or None,
        )


def _turns(rows: Rows, session: object) -> Iterator[ImportedTurn]:
    for row in sorted(rows.turns(session), key=_number):
        role, text = str(row.get("role")), text_in(row, "content")
        if text:
            model = text_in(row, "model") if role == "assistant" else ""
            yield ImportedTurn(
                str(row["id"]), ROLES.get(role, "system"), text, moment(row.get("created_at")),
                model or None, original_role=None if role in ROLES else role,
            )  # fmt: skip


def _number(row: Row) -> int:
    found = row.get("sequence_number")
    return found if isinstance(found, int) else 0


# ---- where rows come from ------------------------------------------------------------------------


@dataclass
class Rows:
    """The rows of a dump, in memory: what an API gave."""

    tables: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in TABLES})
    skipped: list[Skipped] = field(default_factory=list)

    def all(self, table: str, space: object) -> list[Row]:
        """Those of a Space; of none with None, where that is asked for, all of them."""
        found = self.tables[table]
        if space is None or table == "repos":
            return list(found)
        return [row for row in found if row.get("repo_id") == space]

    def turns(self, session: object) -> list[Row]:
        return [row for row in self.tables["turn_events"] if row.get("session_id") == session]

    def take(self, value: object, depth: int = 0) -> None:
        """Finds the rows in a JSON value."""
        if isinstance(value, list):
            for each in value:
                self.take(each, depth + 1)
        elif isinstance(value, dict):
            table = _table_of(value)
            if table is not None and value.get("id"):
                self.tables[table].append(value)
            elif depth < MAX_DEPTH:
                for each in value.values():
                    self.take(each, depth + 1)


MAX_DEPTH: Final = 6


def _in_json(file: SourceFile) -> Rows:
    rows = Rows()
    read: Callable[[], Iterator[Record | Skipped]] = partial(json_items, file, is_dump)
    if file.head(1 << 12).lstrip()[:1] == b"{" and not _is_one_object(file):
        read = partial(json_lines, file)
    for found in read():
        if isinstance(found, Skipped):
            rows.skipped.append(found)
        else:
            rows.take(found.value)
    for table, known in rows.tables.items():
        rows.tables[table] = list({str(row["id"]): row for row in known}.values())
    return rows


def _is_one_object(file: SourceFile) -> bool:
    """Whether the first line alone is no JSON value: then the object goes over several."""
    first = next(iter(json_lines(file)), None)
    return not isinstance(first, Record)


class _Tables(Rows):
    """The rows of a database, read when they are asked for."""

    def __init__(self, file: SourceFile) -> None:
        super().__init__()
        self._file = file

    def all(self, table: str, space: object) -> list[Row]:
        rest, values = ("", ()) if space is None or table == "repos" else (_OF_SPACE, (space,))
        return self._read(table, rest, values)

    def turns(self, session: object) -> list[Row]:
        return self._read("turn_events", "WHERE session_id = ?", (session,))

    def _read(self, table: str, rest: str, values: tuple[object, ...]) -> list[Row]:
        with opened(self._file) as database:
            return [_plain(row) for row in _rows(database, table, rest, values)]


_OF_SPACE: Final = "WHERE repo_id = ?"


def _rows(database: Database, table: str, rest: str, values: tuple[object, ...]) -> Iterator[Row]:
    return database.rows(table, TABLES[table], rest, values)


def _plain(row: Row) -> Row:
    """With the values of JSON columns, which a database holds as text."""
    for name in smriti_checkpoints.JSON_FIELDS:
        if isinstance(value := row.get(name), str):
            try:
                row[name] = parse(value.encode("utf-8", "surrogateescape"))
            except ValueError:
                row[name] = None
    return row
