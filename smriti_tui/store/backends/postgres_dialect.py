"""PostgreSQL's words where they are not SQLite's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final

from smriti_tui.store.backends.lexemes import ListedLexemes, ServerLexemes
from smriti_tui.store.dialect import CHANGE, Dialect, Sqlite
from smriti_tui.store.words import Words

NEVER: Final = "BEGIN RAISE EXCEPTION 'events never change'; END"
"""What each guard does."""
_EACH: Final = {"update": "ROW", "delete": "ROW", "truncate": "STATEMENT"}
FUNCTIONS: Final = (
    f"CREATE FUNCTION event_never() RETURNS trigger LANGUAGE plpgsql AS $smriti${NEVER}$smriti$",
    "CREATE FUNCTION smriti_json(value text) RETURNS json LANGUAGE plpgsql IMMUTABLE "
    "AS $smriti$BEGIN RETURN value::json; EXCEPTION WHEN others THEN RETURN NULL; END$smriti$",
)
"""The second reads JSON out of a text; null for a damaged one, which hides no other row."""
PATIENCE: Final = "SET {scope} lock_timeout = '5s'"
"""For what no reader may be at: else all that write would wait for one that reads for long."""
COUNTER: Final = (
    "CREATE TABLE event_counter (one boolean PRIMARY KEY DEFAULT true CHECK (one), "
    "position bigint NOT NULL)",
    "INSERT INTO event_counter (position) VALUES (0)",
)
"""The one row that positions are drawn from. It is held to the commit, so their order is the order
of commits, and one that is undone leaves no gap."""


class Postgres:
    """PostgreSQL 14 and later, by psycopg."""

    name = "postgresql"
    words: Words = ServerLexemes()
    guards: Mapping[str, str] = {
        f"event_never_{what}": f"CREATE TRIGGER event_never_{what} BEFORE {what.upper()} ON event "
        f"FOR EACH {each} EXECUTE FUNCTION event_never() O {NEVER}"
        for what, each in _EACH.items()
    }
    triggers = (
        "SELECT t.tgname, replace(pg_get_triggerdef(t.oid), quote_ident(n.nspname) || '.', '') "
        "|| ' ' || CAST(t.tgenabled AS text) || ' ' || p.prosrc FROM pg_trigger t "
        "JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
        "JOIN pg_proc p ON p.oid = t.tgfoid "
        "WHERE NOT t.tgisinternal AND n.nspname = current_schema() ORDER BY t.tgname"
    )
    """Whether it is on and what it does stand behind each."""

    @property
    def shadow(self) -> Dialect:
        return _SHADOW

    def append(self, cursor: Any, values: tuple[object, ...]) -> int:
        # With the next question or the commit: each statement is a way to the server and back.
        return int(cursor.queue(values))

    def marked(self, sql: str) -> str:
        return _marked(sql)

    def insert_numbered(self, table: str, columns: tuple[str, ...]) -> str:
        return _inserting_numbered(table, columns)

    def number(self, cursor: Any) -> int:
        return int(cursor.fetchone()[0])

    def field(self, column: str, name: str) -> str:
        return f"smriti_json({column}) ->> '{name}'"

    def fields(self, column: str, paths: Sequence[str]) -> str:
        listed = ", ".join(f"f.j #> '{{{path.replace('.', ',')}}}'" for path in paths)
        found = f"(SELECT json_build_array({listed})::text FROM (SELECT smriti_json({column})) f(j)"
        return f"{found} WHERE f.j IS NOT NULL)"

    def unsought(self, column: str) -> str:
        return column

    def change_events(self, cursor: Any, changes: Sequence[tuple[str, int]]) -> None:
        cursor.execute(PATIENCE.format(scope="LOCAL"))
        cursor.execute("DROP TRIGGER IF EXISTS event_never_update ON event")
        cursor.executemany(CHANGE, changes)

    def wipe(self, connection: Any) -> bool:
        connection.execute(PATIENCE.format(scope="SESSION"))
        try:
            connection.execute("VACUUM FULL")
        finally:
            connection.execute("RESET lock_timeout")
        return True

    def renew_guards(self, cursor: Any) -> None:
        found = (
            "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE NOT t.tgisinternal AND n.nspname = current_schema()"
        )
        cursor.execute(PATIENCE.format(scope="LOCAL"))
        for name, table in cursor.execute(found).fetchall():
            cursor.execute(f"DROP TRIGGER {quoted(name)} ON {quoted(table)}")
        for sql in (FUNCTIONS[0].replace("CREATE", "CREATE OR REPLACE", 1), *guards()):
            cursor.execute(sql)
        cursor.execute(
            "UPDATE event_counter SET position = (SELECT coalesce(max(position), 0) FROM event)"
        )


_SHADOW: Final[Dialect] = Sqlite(ListedLexemes())
POSTGRES: Final[Dialect] = Postgres()


def guards() -> tuple[str, ...]:
    """What makes the guards."""
    return tuple(
        f"CREATE TRIGGER event_never_{what} BEFORE {what.upper()} ON event "
        f"FOR EACH {each} EXECUTE FUNCTION event_never()"
        for what, each in _EACH.items()
    )


def quoted(name: str) -> str:
    """A name as it may stand in a statement."""
    return '"' + name.replace('"', '""') + '"'


@lru_cache(maxsize=4096)
def _marked(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


@cache
def _inserting_numbered(table: str, columns: tuple[str, ...]) -> str:
    """A sequence would leave gaps where something was undone; the writer's turn makes this safe."""
    marks = ", ".join("?" * len(columns))
    return (
        f"INSERT INTO {table} (id, {', '.join(columns)}) "
        f"VALUES ((SELECT coalesce(max(id), 0) + 1 FROM {table}), {marks}) RETURNING id"
    )
