"""`smriti ingest`: an export comes back into the database."""

from __future__ import annotations

from pathlib import Path

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import STDIN, read_stdin
from smriti_tui.cli.run import Run
from smriti_tui.domain.state_text import counted


@click.command(cls=options.Command, example="smriti ingest ./state --dry-run")
@click.argument("path")
@click.option("--dry-run", is_flag=True, help="Say what would be taken in; write nothing.")
@click.pass_obj
def ingest(run: Run, path: str, dry_run: bool) -> None:
    """Take an export in: a bundle's folder, JSON, JSON lines; all of it or nothing.

    Every event comes as it was, with its author and time. What is here already stays, so that
    again changes nothing. Of a bundle the events count; edits in its other files are named.
    """
    run.only_now("ingest")
    with run.services() as services:
        ingesting = services.ingesting
        if path == STDIN:
            done = ingesting.text(read_stdin(), dry_run=dry_run)
        else:
            done = ingesting.folder_or_file(Path(path).expanduser(), dry_run=dry_run)
    for name in done.edited:
        run.out.warning(f"{name} is not what the events say: what was edited there is not taken in")
    document = {
        "dry_run": dry_run,
        "events": done.events,
        "taken": done.taken,
        "streams": dict(done.streams),
        "edited": list(done.edited),
        "redacted": done.redacted,
    }
    would = "Would take in" if dry_run else "Took in"
    streams = counted(len(done.streams), "stream")
    redacted = f", {done.redacted:,} of them redacted" if done.redacted else ""
    words = f"{would} {counted(done.taken, 'event')} of {done.events:,}, in {streams}{redacted}."
    run.out.result(document, words if done.taken else "Nothing new in it.")
