"""Which schema a database has, and how it comes to this program's (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable

from smriti_tui.domain.errors import StoreBroken
from smriti_tui.store.dialect import SQLITE
from smriti_tui.store.engine import driver, private_file
from smriti_tui.store.faults import store_error
from smriti_tui.store.rows import log_registry, projected
from smriti_tui.store.side_rows import side_registry
from smriti_tui.store.words import Words

REVISIONS = tuple(f"{number:04}" for number in range(1, 15))
"""Alembic revisions that this program knows, oldest first."""
HEAD = REVISIONS[-1]


def revision(connection: Any, where: str) -> str | None:
    """The schema revision of an open database; None for an empty one.

    Raises:
        StoreBroken: not a database, not one of ours, or written by a newer version.
    """
    try:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        if not names:
            return None
        if "alembic_version" not in names or "event" not in names:
            raise StoreBroken(
                f"{where} is a database of another program.",
                "Choose another file with --db or SMRITI_DATABASE_URL.",
                code="database_not_ours",
            )
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except driver().Error as error:
        raise store_error(error, where) from error
    except UnicodeDecodeError as error:  # in a name of the schema itself
        raise store_error(OSError(f"malformed: {error}"), where) from error
    if row is None:  # the migration writes it with the tables, in one transaction
        raise store_error(OSError("malformed: it has no schema revision"), where)
    return known(str(row[0]), where)


def known(found: str, where: str) -> str:
    """The revision, if this program knows it. Raises: StoreBroken (a newer version wrote it)."""
    if found not in REVISIONS:
        raise StoreBroken(
            f"{where} was written by a newer version of Smriti (schema {found}).",
            f"This one knows schema {HEAD}. Update Smriti; the database was left untouched.",
            code="database_newer",
        )
    return found


def older(where: str, found: str) -> StoreBroken:
    """The error for a database that must be migrated before it can be read."""
    return StoreBroken(
        f"{where} has an older schema ({found}).",
        "Run `smriti db migrate`, or any command that writes.",
        code="database_older",
    )


def migrate(connection: Any, path: Path, stamp: Callable[[], str]) -> None:
    """Brings a database to `HEAD` on a writing connection whose lock the caller holds.

    An older file is copied aside first, as `<name>.before-<revision>-<stamp>`. A process that comes
    second finds nothing to do. `stamp` gives the UTC text of now.

    Raises:
        StoreBroken: as `revision`. StoreError: the tables cannot be made.
    """
    found = revision(connection, str(path))
    if found == HEAD:
        return
    if found is not None:
        _copy_aside(connection, path, found, stamp())
    # Alembic takes most of a second to import and is needed on the rarest of starts.
    from smriti_tui.store.migrations import upgrade

    try:
        upgrade(connection, HEAD)
    except DBAPIError as error:  # a full disk; the migration is one transaction
        raise store_error(error.orig or error, str(path)) from error


def _copy_aside(connection: Any, path: Path, found: str, moment: str) -> None:
    digits = "".join(sign for sign in moment if sign.isdigit())
    target = path.with_name(f"{path.name}.before-{found}-{digits}")
    private_file(target)
    copy = driver().connect(str(target))
    try:
        connection.backup(copy)
    finally:
        copy.close()


def create_projections(connection: Any, words: Words) -> None:
    """The projected tables and the search index alone, empty: where verify and rebuild fold the
    log anew."""
    _create(connection, projected.metadata)
    for sql in words.create:
        connection.execute(sql)


def create_all(connection: Any) -> None:
    """Every table, empty, in a database in memory: what a file that does not exist answers from."""
    for metadata in (log_registry.metadata, projected.metadata, side_registry.metadata):
        _create(connection, metadata)
    for sql in SQLITE.words.create:
        connection.execute(sql)
    SQLITE.renew_guards(connection)


def _create(connection: Any, metadata: MetaData) -> None:
    dialect = sqlite.dialect()
    for table in metadata.sorted_tables:
        connection.execute(str(CreateTable(table).compile(dialect=dialect)))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(str(CreateIndex(index).compile(dialect=dialect)))
