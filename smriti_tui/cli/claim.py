"""`smriti claim`: who works on what."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.places import resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.durations import parse_span
from smriti_tui.domain.render.claims import (
    claim_document,
    claim_table,
    claims_document,
    overlap_line,
    taken_document,
    taken_text,
)
from smriti_tui.domain.render.done import claim_ended

INTENTS = ("implement", "review", "investigate", "docs", "test")


@click.group(cls=options.Group, example="smriti claim create Search --scope 'rebuild as a job'")
def claim() -> None:
    """Claims: who works on what, for how long. They are advice; nothing is locked."""


@claim.command(example="smriti claim create Search --scope 'load test' --task-id load-1 --ttl 2h")
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--scope", required=True, metavar="TEXT", help="What you work on.")
@click.option("--intent", type=click.Choice(INTENTS), default="implement", show_default=True)
@click.option("--task-id", metavar="ID", help="The task of a checkpoint that you take.")
@click.option("--branch", default="main", show_default=True, metavar="B", help="Line you work on.")
@click.option(
    "--base", metavar="ID", help="Checkpoint you start from (default: the branch's head)."
)
@click.option("--worktree", metavar="ID", help="Worktree you work in.")
@click.option(
    "--ttl", default="4h", show_default=True, metavar="SPAN", help="How long: 30m, 4h, 2d."
)
@options.command_id
@click.pass_obj
def create(
    run: Run,
    wanted: str | None,
    scope: str,
    intent: str,
    task_id: str | None,
    branch: str,
    base: str | None,
    worktree: str | None,
    ttl: str,
    command_id: str | None,
) -> None:
    """Declare what you work on. Whom it overlaps with is told; nobody is blocked."""
    seconds = parse_span(ttl)
    with run.services() as services:
        space = resolve_space(run, services, wanted)
        taken = services.claims.take(
            space.id,
            scope,
            intent=intent,
            task_id=task_id,
            branch=branch,
            base=base,
            worktree=worktree,
            ttl_s=seconds,
            command_id=command_id,
        )
    now = run.now()
    for each in taken.overlaps:
        run.out.warning(f"overlaps: {overlap_line(each)}")
    document = taken_document(taken.claim, taken.overlaps, now)
    run.out.result(document, lambda: taken_text(taken.claim, (), now))


@claim.command(example="smriti claim done 1a2b3c4")
@click.argument("wanted", metavar="ID")
@options.command_id
@click.pass_obj
def done(run: Run, wanted: str, command_id: str | None) -> None:
    """Say that the work of a claim is done."""
    _end(run, wanted, "done", command_id)


@claim.command(example="smriti claim abandon 1a2b3c4")
@click.argument("wanted", metavar="ID")
@options.command_id
@click.pass_obj
def abandon(run: Run, wanted: str, command_id: str | None) -> None:
    """Give the work of a claim up."""
    _end(run, wanted, "abandoned", command_id)


def _end(run: Run, wanted: str, status: str, command_id: str | None) -> None:
    with run.services() as services:
        found = services.claims.find(wanted)
        ended = services.claims.end(
            found.id, "done" if status == "done" else "abandoned", command_id=command_id
        )
    run.out.result(claim_document(ended, run.now()), claim_ended(ended))


@claim.command(example="smriti claim extend 1a2b3c4 --ttl 2h")
@click.argument("wanted", metavar="ID")
@click.option(
    "--ttl", default="4h", show_default=True, metavar="SPAN", help="From now: 30m, 4h, 2d."
)
@options.command_id
@click.pass_obj
def extend(run: Run, wanted: str, ttl: str, command_id: str | None) -> None:
    """Hold a claim longer; one that has expired holds again."""
    seconds = parse_span(ttl)
    with run.services() as services:
        found = services.claims.find(wanted)
        taken = services.claims.extend(found.id, seconds, command_id=command_id)
    now = run.now()
    for each in taken.overlaps:
        run.out.warning(f"overlaps: {overlap_line(each)}")
    document = taken_document(taken.claim, taken.overlaps, now)
    run.out.result(document, lambda: taken_text(taken.claim, (), now, "Extended"))


@claim.command("list", example="smriti claim list Search --all")
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--all", "every", is_flag=True, help="Also what was ended or has expired.")
@click.pass_obj
def list_(run: Run, wanted: str | None, every: bool) -> None:
    """List the claims, and which get into each other's way."""
    from smriti_tui.domain.claims import overlaps

    with run.services() as services:
        space = resolve_space(run, services, wanted)
        found = services.claims.of_space(space.id, every=every)
    now = run.now()
    apart = overlaps(found, now)
    document = claims_document(found, apart, space.id, now)
    run.out.result(document, lambda: claim_table(found, apart, now))
