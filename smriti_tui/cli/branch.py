"""`smriti branch`: the named lines of checkpoints in a Space."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from smriti_tui.cli import options
from smriti_tui.cli.places import repeated, resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.render.branches import (
    branch_line_document,
    branch_lines,
    divergence_document,
    divergence_text,
)
from smriti_tui.domain.render.documents import branch_document
from smriti_tui.domain.render.done import branch_disposed

if TYPE_CHECKING:
    from smriti_tui.domain.model import Disposition
    from smriti_tui.services import Services

DISPOSITIONS = ("integrated", "abandoned", "active")


@click.group(cls=options.Group, example="smriti branch list Search")
def branch() -> None:
    """Branches: lines of checkpoints, each with a head. `main` is always there."""


@branch.command("list", example="smriti branch list Search")
@click.argument("wanted", metavar="[S]", required=False)
@click.pass_obj
def list_(run: Run, wanted: str | None) -> None:
    """List the branches, and where active ones have settled something else than main."""
    with run.services() as services:
        space = resolve_space(run, services, wanted)
        found = services.branches.of_space(space.id)
        apart = services.branches.divergences(space.id)
    lines = [(each.branch, each.head, each.checkpoints, each.sessions) for each in found]
    document = {
        "space": space.id,
        "branches": list(map(branch_line_document, lines)),
        "divergence": list(map(divergence_document, apart)),
    }
    words = divergence_text(apart)
    run.out.result(
        document, lambda: "\n\n".join(filter(None, (branch_lines(lines, run.now()), words)))
    )


@branch.command(example="smriti branch rename Search expl explore/tantivy")
@click.argument("wanted", metavar="S")
@click.argument("name", metavar="B")
@click.argument("new", metavar="NEW")
@options.command_id
@click.pass_obj
def rename(run: Run, wanted: str, name: str, new: str, command_id: str | None) -> None:
    """Give a branch another name. Its checkpoints do not change."""
    with run.services() as services:
        space = _space(run, services, wanted, command_id, "branch.renamed")
        changed = services.branches.rename(space, name, new, command_id=command_id)
    run.out.result(branch_document(changed), f"Branch {name} is now {changed.name}.")


@branch.command(example="smriti branch close Search expl --disposition abandoned")
@click.argument("wanted", metavar="S")
@click.argument("name", metavar="B")
@click.option(
    "--disposition",
    type=click.Choice(DISPOSITIONS),
    default="integrated",
    show_default=True,
    help="What became of it; active opens it again.",
)
@options.command_id
@click.pass_obj
def close(run: Run, wanted: str, name: str, disposition: str, command_id: str | None) -> None:
    """Say what became of a branch. It can be compared, mounted and opened again."""
    with run.services() as services:
        space = _space(run, services, wanted, command_id, "branch.disposed")
        changed = services.branches.dispose(
            space, name, cast("Disposition", disposition), command_id=command_id
        )
    run.out.result(branch_document(changed), branch_disposed(changed))


def _space(run: Run, services: Services, wanted: str, command_id: str | None, kind: str) -> SpaceId:
    known = repeated(services, command_id, kind)
    return SpaceId(known) if known else resolve_space(run, services, wanted).id
