"""The tables on a PostgreSQL server: made from the models at once, later changed by Alembic.

Texts are compared by their bytes, as SQLite does, whatever language the database was made for;
numbers have eight bytes. Alembic's scripts from revision 0012 on run on both back ends; the ones
before never met a server.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Boolean, Column, Engine, Index, Integer, Table, UniqueConstraint
from sqlalchemy.dialects.postgresql.base import PGDDLCompiler, PGTypeCompiler

from smriti_tui.domain.errors import StoreBroken
from smriti_tui.store import schema
from smriti_tui.store.backends.postgres_dialect import COUNTER, FUNCTIONS, POSTGRES, guards
from smriti_tui.store.faults import store_error
from smriti_tui.store.rows import log_registry, projected
from smriti_tui.store.side_rows import side_registry

TEXT: Final = 'text COLLATE "C"'
_TABLES: Final = (
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm')"
)


def revision(execute: Any, where: str) -> str | None:
    """The schema revision of a database; None for an empty one. `execute` runs a query.

    Raises:
        StoreBroken: not one of ours, or written by a newer version. Driver errors.
    """
    names = {row[0] for row in execute(_TABLES)}
    if not names:
        return None
    if not {"alembic_version", "event", "event_counter"} <= names:
        raise StoreBroken(
            f"{where} holds tables of another program.",
            "Give Smriti a database of its own, or a schema: ?options=-csearch_path%3DNAME.",
            code="database_not_ours",
        )
    found = [str(row[0]) for row in execute("SELECT version_num FROM alembic_version")]
    if len(found) != 1:
        raise store_error(OSError("malformed: it has no schema revision"), where)
    return schema.known(found[0], where)


def create(cursor: Any) -> None:
    """All tables of this version, empty, in one transaction."""
    cursor.execute("BEGIN")
    for sql in statements():
        cursor.execute(sql)
    cursor.execute("INSERT INTO alembic_version (version_num) VALUES (?)", (schema.HEAD,))
    cursor.execute("COMMIT")


def statements() -> tuple[str, ...]:
    """What makes the tables of this version."""
    made = ["CREATE TABLE alembic_version (version_num varchar(32) PRIMARY KEY)", *FUNCTIONS]
    for metadata in (log_registry.metadata, projected.metadata, side_registry.metadata):
        for table in metadata.sorted_tables:
            made.append(_table(table))
            made += [_index(each) for each in sorted(table.indexes, key=lambda i: str(i.name))]
    return (*made, *COUNTER, *POSTGRES.words.create, *guards())


def _table(table: Table) -> str:
    parts = [_column(column) for column in table.columns]
    parts.append(f"PRIMARY KEY ({', '.join(column.name for column in table.primary_key)})")
    for rule in sorted(table.constraints, key=lambda each: str(getattr(each, "columns", ""))):
        if isinstance(rule, UniqueConstraint):
            parts.append(f"UNIQUE ({', '.join(column.name for column in rule.columns)})")
    return f"CREATE TABLE {table.name} ({', '.join(parts)})"


def _column(column: Column[Any]) -> str:
    kind = TEXT
    if isinstance(column.type, Boolean):
        kind = "boolean"
    elif isinstance(column.type, Integer):
        kind = "bigint"
    default = ""
    if column.server_default is not None:
        default = " DEFAULT false" if kind == "boolean" else " DEFAULT 0"
    unique = " UNIQUE" if column.unique and not column.index else ""
    return f"{column.name} {kind}{'' if column.nullable else ' NOT NULL'}{default}{unique}"


def _index(index: Index) -> str:
    names = ", ".join(column.name for column in index.columns)
    where = index.dialect_options["sqlite"]["where"]
    partly = "" if where is None else f" WHERE {where.text}"
    assert index.table is not None
    return f"CREATE INDEX {index.name} ON {index.table.name} ({names}){partly}"


class _Types(PGTypeCompiler):
    """What Alembic's scripts call a text or a number."""

    def visit_VARCHAR(self, type_: Any, **kw: Any) -> str:
        return TEXT if type_.length is None else super().visit_VARCHAR(type_, **kw)

    def visit_INTEGER(self, type_: Any, **kw: Any) -> str:
        return "bigint"


class _Ddl(PGDDLCompiler):
    """A column that says yes or no says it in SQLite's scripts by a number."""

    def get_column_default_string(self, column: Column[Any]) -> str | None:
        given = super().get_column_default_string(column)
        return "false" if given == "0" and isinstance(column.type, Boolean) else given


def ours(engine: Engine) -> Engine:
    """An engine for Alembic that makes columns as this module does."""
    dialect: Any = engine.dialect
    dialect.type_compiler_instance = _Types(dialect)
    dialect.ddl_compiler = _Ddl
    return engine
