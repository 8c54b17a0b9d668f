"""`smriti worktree`: a place of one's own for each piece of work."""

from __future__ import annotations

from pathlib import Path

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import confirm
from smriti_tui.cli.places import resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.done import worktree_closed
from smriti_tui.domain.render.state_document import look_document
from smriti_tui.domain.render.worktrees import worktree_facts, worktree_table
from smriti_tui.domain.worktrees import WorktreeLook


@click.group(cls=options.Group, example='cd "$(smriti worktree open)"')
def worktree() -> None:
    """Git worktrees for agents, recorded in the Space."""


@worktree.command("open", example='cd "$(smriti worktree open Search)"')
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--branch", metavar="B", help="Name of the new git branch.")
@click.option("--base", metavar="REV", help="Commit that it starts at; else the root's HEAD.")
@click.option("--path", metavar="P", help="Where it is made: an absolute path.")
@options.command_id
@click.pass_obj
def open_(
    run: Run,
    wanted: str | None,
    branch: str | None,
    base: str | None,
    path: str | None,
    command_id: str | None,
) -> None:
    """Open a worktree on a new branch; prints its path and nothing else."""
    with run.services() as services:
        space = resolve_space(run, services, wanted)
        made = services.worktrees.open(
            space.id, branch=branch, base=base, path=path, command_id=command_id,
            tell=run.out.note,
        )  # fmt: skip
        look = services.worktrees.look([made])[0] if run.out.wants_json else None
    run.out.note(f"worktree {short(made.id)} on branch {made.branch}")
    if look is not None:
        run.out.document(look_document(look))
    else:
        run.out.exact(f"{made.path}\n")


@worktree.command("list", example="smriti worktree list Search --all")
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--all", "every", is_flag=True, help="Closed ones too.")
@click.pass_obj
def list_(run: Run, wanted: str | None, every: bool) -> None:
    """List worktrees with what git says of each just now."""
    with run.services() as services:
        space = resolve_space(run, services, wanted)
        looks = services.worktrees.look(services.worktrees.of_space(space.id, every=every))
    document = {"space": space.id, "worktrees": list(map(look_document, looks))}
    run.out.result(document, lambda: worktree_table(looks, run.now(), str(Path.home())))


@worktree.command(example="smriti worktree show 1a2b3c4")
@click.argument("wanted", metavar="ID")
@click.pass_obj
def show(run: Run, wanted: str) -> None:
    """Show one worktree."""
    with run.services() as services:
        look = services.worktrees.look([services.worktrees.find(wanted)])[0]
    run.out.result(look_document(look), lambda: worktree_facts(look, run.now()))


@worktree.command(example="smriti worktree close 1a2b3c4")
@click.argument("wanted", metavar="ID")
@click.option("--force", is_flag=True, help="Also when dirty or missing; what is dirty is lost.")
@options.command_id
@click.pass_obj
def close(run: Run, wanted: str, force: bool, command_id: str | None) -> None:
    """Take a worktree away. Its branch stays; what is not committed stands in the way.

    What git ignores there does not: it goes with the folder.
    """
    with run.services() as services:
        found = services.worktrees.find(wanted)
        closed = services.worktrees.close(found.id, force=force, command_id=command_id)
    words = worktree_closed(found, closed)
    run.out.result(look_document(WorktreeLook(closed, None)), words)


@worktree.command(example="smriti worktree prune Search")
@click.argument("wanted", metavar="[S]", required=False)
@click.pass_obj
def prune(run: Run, wanted: str | None) -> None:
    """Close the worktrees whose folders are gone; no other is touched."""
    with run.services() as services:
        space = resolve_space(run, services, wanted)
        gone = services.worktrees.prune(space.id)
    document = {"space": space.id, "closed": [each.id for each in gone]}
    names = "\n".join(f"Closed {short(each.id)}: {each.path} is gone." for each in gone)
    run.out.result(document, names or "No worktree's folder is gone.")


@worktree.command(
    short_help="Show or allow what is done in each new worktree.",
    example="smriti worktree setup Search --copy .env --run 'make setup'",
)
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--copy", multiple=True, metavar="F", help="A file to copy from the project root.")
@click.option("--run", "command", default="", metavar="CMD", help="A shell command to run there.")
@click.option("--clear", is_flag=True, help="Allow nothing any more.")
@options.yes
@click.pass_obj
def setup(
    run: Run, wanted: str | None, copy: tuple[str, ...], command: str, clear: bool, yes: bool
) -> None:
    """Show or allow what is done in each new worktree of a Space, on this machine."""
    from smriti_tui.services.worktree_setup import Setup, WorktreeSetup

    run.only_now("worktree setup")
    with run.services() as services:
        space = resolve_space(run, services, wanted)
        kept = WorktreeSetup(services.worktrees.home)
        wish = Setup() if clear else Setup(copy, command)
        if wish or clear:
            if wish:
                words = f"Run {command!r} and copy {', '.join(copy) or 'nothing'} in each?"
                confirm(run.out, words, yes=yes, kept="Nothing was allowed.")
            kept.allow(space.id, wish)
        found = kept.of(space.id)
    document = {"space": space.id, "copy": list(found.copy), "run": found.run}
    lines = [f"copy {name}" for name in found.copy] + ([f"run {found.run}"] if found.run else [])
    run.out.result(document, "\n".join(lines) or "Nothing is done in new worktrees.")
