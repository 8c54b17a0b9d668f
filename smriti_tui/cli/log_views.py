"""`smriti log project`, `snapshot`, `export` and `ingest`: what streams are folded into."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Ended
from smriti_tui.cli.export import print_exactly
from smriti_tui.cli.inputs import STDIN, read_file, read_stdin
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.view_files import file_of

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.view_files import Written

STDOUT = "-"


@click.command(cls=options.Command, example="smriti log project tracker --at 12")
@click.argument("view")
@click.option("--limit", type=options.number(1), metavar="N", help="At most N rows of each list.")
@click.pass_obj
def project(run: Run, view: str, limit: int | None) -> None:
    """Fold a stream into its view and print it.

    Views: tracker, orchestrator_status, agent_traces, buildlog, space:ID, state:ID. Digits given to
    --at are a version of the view's stream here, not a position.
    """
    from smriti_tui.services.projecting import position_of, projected

    if run.at is not None and run.at.isascii() and run.at.isdigit():
        version, run.at = int(run.at), None
        with run.services() as services:
            run.at = str(position_of(services, view, version))
    with run.services() as services:
        found = projected(services, view, run.now(), limit)
    for warning in found.warnings:
        run.out.warning(warning)
    run.out.result(found.document, found.text)


@click.command(cls=options.Command, example="smriti log snapshot tracker")
@click.argument("stream")
@click.pass_obj
def snapshot(run: Run, stream: str) -> None:
    """Keep what a view is folded into now, so that the next fold begins there.

    It saves time and nothing else; after every 1,000 events one is kept by itself.
    """
    run.only_now("log snapshot")
    with run.services() as services:
        folded = services.views.snapshot(stream)
    document = {
        "view": folded.view.name,
        "projector": folded.view.version,
        "position": folded.position,
        "streams": dict(folded.versions),
    }
    events = counted(sum(folded.versions.values()), "event")
    run.out.result(document, f"Kept {folded.view.name} as of event {folded.position} ({events}).")


@click.command(cls=options.Command, example="smriti log export tracker tracker.json")
@click.argument("view")
@click.argument("path")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the file is another one.")
@click.option("--force", is_flag=True, help="Overwrite what somebody edited.")
@click.option("--watch", is_flag=True, help="Keep the file current until interrupted.")
@click.pass_obj
def export(run: Run, view: str, path: str, check: bool, force: bool, watch: bool) -> None:
    """Write a view to its file: tracker.json, STATE.md, BUILDLOG.md, agent_traces.json.

    The same state gives the same bytes. A file that was edited is not overwritten: ingest it first.
    """
    run.only_now("log export")
    if sum((check, force, watch)) > 1 or (path == STDOUT and (check or watch)):
        raise Invalid(
            "--check, --force and --watch exclude each other, and need a file.",
            "Give one of them.",
            code="usage",
        )
    with run.services() as services:
        if path == STDOUT:
            print_exactly(run.out, [services.view_files.text(view)])
            return
        target = Path(path).expanduser()
        if check:
            _check(run, services, view, target)
            return
        written = services.view_files.write(view, target, force=force)
        run.out.result(_document(view, written), _words(written))
        if watch:
            _follow(run, services, view, written)


def _check(run: Run, services: Services, view: str, path: Path) -> None:
    lines = services.view_files.difference(view, path)
    document = {"view": view, "path": str(path), "same": not lines, "difference": lines}
    if lines:
        raise Ended(
            SmritiError(
                f"{path} is not what the view {view} says: {lines[-1]}",
                f"`smriti log ingest {view} {path}` takes edits in; `log export` writes it.",
                code="drift",
            ),
            document,
        )
    run.out.result(document, f"{path} is what the view {view} says.")


def _follow(run: Run, services: Services, view: str, written: Written) -> None:
    streams = services.views.streams(view)
    feed = services.log.subscribe(written.position)
    for batch in feed.batches(lambda error: run.out.warning(str(error or "the database is back"))):
        if any(event.stream in streams for event in batch):
            now = services.view_files.write(view, written.path)
            if now.changed:
                run.out.result(_document(view, now), _words(now))


def _document(view: str, written: Written) -> dict[str, object]:
    return {
        "view": view,
        "path": str(written.path),
        "sha256": written.sha256,
        "position": written.position,
        "changed": written.changed,
    }


def _words(written: Written) -> str:
    what = "Wrote" if written.changed else "Nothing new for"
    return f"{what} {written.path} (as of event {written.position})."


@click.command(cls=options.Command, example="smriti log ingest tracker tracker.json --dry-run")
@click.argument("view")
@click.argument("path")
@click.option("--dry-run", is_flag=True, help="Say what would change; write nothing.")
@options.command_id
@click.pass_obj
def ingest(run: Run, view: str, path: str, dry_run: bool, command_id: str | None) -> None:
    """Take a view's file in: what it changes becomes events, all of them or none.

    Again changes nothing. A closed item stays closed, and what the file leaves out stays.
    """
    run.only_now("log ingest")
    file_of(view)
    text = read_stdin() if path == STDIN else read_file(path)
    target = None if path == STDIN else Path(path).expanduser()
    with run.services() as services:
        found = services.view_files.ingest(
            view, text, path=target, dry_run=dry_run, command_id=command_id
        )
    for sentence in found.left:
        run.out.warning(sentence)
    document = {
        "view": view,
        "sha256": found.sha256,
        "dry_run": dry_run,
        "changes": dict(found.counts),
        "left": list(found.left),
        "events": [each.position for each in found.events],
    }
    changes = ", ".join(f"{number} {kind}" for kind, number in found.counts.items())
    would = "Would take in" if dry_run else "Took in"
    run.out.result(document, f"{would}: {changes}." if changes else "Nothing new in it.")
