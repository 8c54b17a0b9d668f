"""`smriti space`: the containers of lines of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import confirm
from smriti_tui.cli.places import (
    absolute,
    chosen_root,
    current_folder,
    repeated,
    resolve_space,
)
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.ids import SpaceId, short
from smriti_tui.domain.render.documents import (
    space_document,
    spaces_document,
    whole_space_document,
)
from smriti_tui.domain.render.done import space_deleted
from smriti_tui.domain.render.lists import (
    hidden_line,
    listed,
    space_facts,
    space_table,
    whole_space_text,
)
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.domain.model import Space


@click.group(cls=options.Group, example="smriti space list")
def space() -> None:
    """Spaces: named containers of sessions and checkpoints, one per project.

    S is a Space's id, a prefix of it, or its name. It may be left out where SMRITI_SPACE is set or
    the folder is attached.
    """


@space.command(example='smriti space create "Search index" --description "Which index, and why"')
@click.argument("name")
@click.option("--description", default="", metavar="TEXT", help="What it is about.")
@options.project_root_flags
@options.command_id
@click.pass_obj
def create(
    run: Run,
    name: str,
    description: str,
    project_root: str | None,
    no_project_root: bool,
    command_id: str | None,
) -> None:
    """Make a Space. Its project root is the current folder, unless you say otherwise."""
    default = None if project_root or no_project_root else str(current_folder())
    root = chosen_root(project_root, no_project_root, default)
    with run.services() as services:
        repeated(services, command_id, "space.created")
        made = services.spaces.create(
            name, description=description, project_root=root, command_id=command_id
        )
    run.out.result(space_document(made), lambda: space_facts(made))


@space.command("list", example="smriti space list --json")
@click.option("--all", "everything", is_flag=True, help="Those that are archived, too.")
@click.pass_obj
def list_(run: Run, everything: bool) -> None:
    """List the Spaces, last changed first; --json lists the archived ones as well."""
    with run.services() as services:
        found = services.spaces.all()
    shown = [each for each in found if everything or not each.archived]
    hidden = hidden_line(len(found) - len(shown), "Space")
    run.out.result(
        spaces_document(found), lambda: listed(space_table(shown, run.now()), len(shown), hidden)
    )


@space.command(example="smriti space show Search")
@click.argument("wanted", metavar="[S]", required=False)
@click.pass_obj
def show(run: Run, wanted: str | None) -> None:
    """Show a Space with its branches."""
    with run.services() as services:
        found = resolve_space(run, services, wanted)
        branches = services.spaces.branches(found.id)
    document = whole_space_document(found, branches)
    run.out.result(document, lambda: whole_space_text(found, branches))


@space.command(example="smriti space rename Search 'Search, second try'")
@click.argument("wanted", metavar="S")
@click.argument("name", metavar="NEW")
@options.command_id
@click.pass_obj
def rename(run: Run, wanted: str, name: str, command_id: str | None) -> None:
    """Give a Space another name."""
    with run.services() as services:
        known = repeated(services, command_id, "space.changed")
        key = SpaceId(known) if known else resolve_space(run, services, wanted).id
        changed = services.spaces.change(key, name=name, command_id=command_id)
    run.out.result(space_document(changed), lambda: space_facts(changed))


@space.command("set-project-root", example="smriti space set-project-root Search .")
@click.argument("wanted", metavar="S")
@click.argument("path", required=False)
@click.option("--here", is_flag=True, help="The current folder.")
@options.command_id
@click.pass_obj
def set_project_root(
    run: Run, wanted: str, path: str | None, here: bool, command_id: str | None
) -> None:
    """Record the folder of a Space's project."""
    if (path is None) == (not here):
        raise Invalid(
            "A path or --here is needed, and not both.",
            f"For example: smriti space set-project-root {clean_line(wanted)} .",
            code="usage",
        )
    root = absolute(path) if path is not None else str(current_folder())
    with run.services() as services:
        known = repeated(services, command_id, "space.changed")
        key = SpaceId(known) if known else resolve_space(run, services, wanted).id
        changed = services.spaces.change(key, project_root=root, command_id=command_id)
    run.out.result(space_document(changed), lambda: space_facts(changed))


@space.command(example="smriti space archive Search")
@click.argument("wanted", metavar="S")
@options.command_id
@click.pass_obj
def archive(run: Run, wanted: str, command_id: str | None) -> None:
    """Put a Space out of the way. It is still found by its name and worked in as before."""
    with run.services() as services:
        known = repeated(services, command_id, "space.changed")
        key = SpaceId(known) if known else resolve_space(run, services, wanted).id
        changed = services.spaces.archive(key, command_id=command_id)
    run.out.result(space_document(changed), lambda: space_facts(changed))


@space.command(example="smriti space unarchive Search")
@click.argument("wanted", metavar="S")
@options.command_id
@click.pass_obj
def unarchive(run: Run, wanted: str, command_id: str | None) -> None:
    """Bring an archived Space back into the list."""
    with run.services() as services:
        known = repeated(services, command_id, "space.changed")
        key = SpaceId(known) if known else resolve_space(run, services, wanted).id
        changed = services.spaces.unarchive(key, command_id=command_id)
    run.out.result(space_document(changed), lambda: space_facts(changed))


@space.command(example="smriti space delete Search --force --yes")
@click.argument("wanted", metavar="S")
@click.option("--force", is_flag=True, help="Also when it holds checkpoints.")
@options.yes
@options.command_id
@click.pass_obj
def delete(run: Run, wanted: str, force: bool, yes: bool, command_id: str | None) -> None:
    """Delete a Space and its checkpoints. Its events stay in the log."""
    with run.services() as services:
        known = repeated(services, command_id, "space.deleted")
        if known is None:
            found = resolve_space(run, services, wanted)
            _guard(found, force)
            confirm(run.out, _question(found), yes=yes, kept="Nothing was deleted.")
        key = SpaceId(known) if known is not None else found.id
        gone = services.spaces.delete(key, force=force, command_id=command_id)
    run.out.result(*space_deleted(key, gone))


def _guard(found: Space, force: bool) -> None:
    """The same refusal as the service's, before anybody is asked."""
    if found.checkpoints and not force:
        raise Conflict(
            f"Space {found.name!r} holds {counted(found.checkpoints, 'checkpoint')}.",
            "Give --force to delete them too; nothing was deleted.",
            code="guard",
            details={"checkpoint_count": found.checkpoints, "requires_force": True},
        )


def _question(found: Space) -> str:
    held = [counted(found.checkpoints, "checkpoint"), counted(found.sessions, "session")]
    return f"Delete Space {found.name!r} ({short(found.id)}) with {' and '.join(held)}?"
