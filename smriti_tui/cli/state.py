"""`smriti state`: where a Space is, for whoever goes on from there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.hook import within_limit
from smriti_tui.cli.places import current_folder, resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.render.state import StateOptions, state_brief
from smriti_tui.domain.render.state_document import state_document

if TYPE_CHECKING:
    from smriti_tui.domain.repo_drift import RepoDrift
    from smriti_tui.domain.state_view import StateView


@click.command(cls=options.Command, example="smriti state Search --compact --since 9b2f77d")
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--compact", is_flag=True, help="Artifacts by name alone.")
@click.option("--preview", is_flag=True, help="Only the beginning of each artifact.")
@click.option("--main-only", is_flag=True, help="Nothing of branches, claims and worktrees.")
@click.option("--since", metavar="ID", help="Say what came since this checkpoint.")
@click.option("--stats", is_flag=True, help="Say what --compact saves.")
@click.option(
    "--budget", type=click.IntRange(min=1), metavar="TOKENS",
    help="Fit so many tokens; what is left out is said.",
)  # fmt: skip
@click.option("--hook", is_flag=True, hidden=True, help="For a host's session start: never fails.")
@click.pass_obj
def state(
    run: Run,
    wanted: str | None,
    compact: bool,
    preview: bool,
    main_only: bool,
    since: str | None,
    stats: bool,
    budget: int | None,
    hook: bool,
) -> None:
    """Print the state brief: head, tasks, branches, work under way, divergence.

    Decisions and open tasks are never cut.
    """
    chosen = StateOptions(compact, preview, stats, budget, home=str(Path.home()))
    with within_limit(run, hook) as patience, run.services() as services:
        space = resolve_space(run, services, wanted)
        recorded = services.state.recorded(space.id, since=since, main_only=main_only)
        patience.know(lambda: state_brief(recorded, chosen).text)
        view = services.state.probed(recorded)
        if not main_only:
            view = replace(view, drift=_drift(view))
        brief = state_brief(view, chosen)
        with patience.printing():
            run.out.result(state_document(view, chosen, brief), brief.text)


def _drift(view: StateView) -> RepoDrift | None:
    from smriti_tui.services.repository import repo_drift

    return repo_drift(current_folder(), view.space, view.head)
