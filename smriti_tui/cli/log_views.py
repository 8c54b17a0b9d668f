"""`smriti log project` and `snapshot`: what streams are folded into."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.run import Run
from smriti_tui.domain.state_text import counted


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
