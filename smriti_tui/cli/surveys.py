"""`smriti current` and `smriti metrics`: a Space at a glance, and how it is worked in."""

from __future__ import annotations

from pathlib import Path

import click

from smriti_tui.cli import options
from smriti_tui.cli.places import resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.render.surveys import (
    current_document,
    current_text,
    metrics_document,
    metrics_text,
)


@click.command(cls=options.Command, example="smriti current Search")
@click.argument("wanted", metavar="[S]", required=False)
@click.pass_obj
def current(run: Run, wanted: str | None) -> None:
    """Print where a project is: direction, attention, work, milestones, tasks, activity."""
    with run.services() as services:
        view = services.surveys.current(resolve_space(run, services, wanted).id)
    home = str(Path.home())
    run.out.result(current_document(view), lambda: current_text(view, home))


@click.command(cls=options.Command, example="smriti metrics Search")
@click.argument("wanted", metavar="[S]", required=False)
@click.pass_obj
def metrics(run: Run, wanted: str | None) -> None:
    """Count checkpoints, agents, claims, tasks and branches of a Space."""
    with run.services() as services:
        space = resolve_space(run, services, wanted)
        found = services.surveys.metrics(space.id)
    now = run.now()
    run.out.result(metrics_document(space, found, now), lambda: metrics_text(space, found))
