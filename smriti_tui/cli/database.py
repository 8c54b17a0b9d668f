"""`smriti db`: the database file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Ended
from smriti_tui.cli.places import current_folder, place_of
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import StoreBroken

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.database import DatabaseService


@click.group(cls=options.Group, example="smriti db backup ~/smriti-backup.db")
def database() -> None:
    """The database: its own check, migration, backup."""


@database.command(example="smriti db check")
@click.pass_obj
def check(run: Run) -> None:
    """Let the database check itself whole; `smriti log verify` proves what it says."""
    with run.services() as services:
        path = services.caller.store.name
        faults = _service(services).check()
    document = {"ok": not faults, "path": path, "faults": faults}
    if faults:
        raise Ended(
            StoreBroken(
                f"The database {path} is damaged: {faults[0]}.",
                "Restore a backup.",
                code="database_corrupt",
                details={"faults": faults},
            ),
            document,
        )
    run.out.result(document, f"{path} is sound.")


@database.command(example="smriti db migrate")
@click.pass_obj
def migrate(run: Run) -> None:
    """Create the database, or bring it to this version's schema; an older file is copied aside."""
    with run.services() as services:
        service = _service(services)
        changed = service.migrate()
        found = service.facts()
    document = {"path": found.name, "schema": found.schema, "changed": changed}
    words = "is now at" if changed else "is at"
    run.out.result(document, f"{found.name} {words} schema {found.schema}.")


@database.command(example="smriti db backup ~/smriti-backup.db")
@click.argument("path")
@click.pass_obj
def backup(run: Run, path: str) -> None:
    """Copy the database file to a new one, also while others write; on a server use pg_dump."""
    target = current_folder() / Path(path).expanduser()
    with run.services() as services:
        size = _service(services).backup(target)
    run.out.result({"path": str(target), "size_bytes": size}, f"{target}, {size:,} bytes")


@database.command(example="smriti db copy ~/.smriti/smriti.db /mnt/team/smriti.db")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.pass_obj
def copy(run: Run, source: str, target: str) -> None:
    """Copy a whole log into another database, event by event, and prove that it is the same.

    Broken off, it goes on where it was. Unsent texts, drafts and snapshots stay where they are.
    """
    from smriti_tui.services.copying import copy_database

    run.only_now("db copy")
    first, second = place_of(source), place_of(target)
    done = copy_database(first, second, run.now, lambda n: run.out.note(f"{n:,} events"))
    document = {
        "events": done.events,
        "there_before": done.there,
        "streams": done.streams,
        "redacted": done.redacted,
        "sha256": done.sha256,
    }
    words = f"{done.events:,} events in {done.streams:,} streams, the same in both"
    if done.redacted:
        words += f", {done.redacted:,} of them redacted"
    run.out.result(document, f"Copied: {words} (heads {done.sha256[:12]}).")


def _service(services: Services) -> DatabaseService:
    from smriti_tui.services.database import DatabaseService

    return DatabaseService(services.caller)
