"""`smriti attach` and `smriti init`: binding a folder to a Space, and telling agents about it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.places import current_folder, resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.documents import space_document

if TYPE_CHECKING:
    from smriti_tui.domain.model import Space
    from smriti_tui.services import Services
    from smriti_tui.services.attachments import Attachment
    from smriti_tui.services.onboarding import Step


@click.command(cls=options.Command, example="smriti attach Search")
@click.argument("wanted", metavar="[S]", required=False)
@click.pass_obj
def attach(run: Run, wanted: str | None) -> None:
    """Bind this folder to a Space; without S, show what it is bound to."""
    run.only_now("attach")
    if wanted is None:
        _show(run)
        return
    from smriti_tui.services.onboarding import attach as bind

    folder = current_folder()
    with run.services() as services:
        space = services.spaces.find(wanted)
        step = bind(folder, space, services.caller.store.now())
        space = _with_root(services, space, folder)
    _report(run, space, [step])


def _show(run: Run) -> None:
    from smriti_tui.services.attachments import Unreadable, find_attachment

    found = find_attachment(current_folder())
    if found is None:
        raise NotFound("This folder is not attached.", "`smriti attach SPACE` binds it to a Space.")
    if isinstance(found, Unreadable):
        raise NotFound(f"{found.path} does not count: {found.why}.", "Mend it or move it away.")
    document = {"path": str(found.path), "space": found.space, "space_id": found.space_id}
    run.out.result(document, f"{found.path}: {found.space or found.space_id}")


@click.command(cls=options.Command, example="smriti init Search --description 'Which index'")
@click.argument("name", required=False)
@click.option("--description", default="", metavar="TEXT", help="Of a Space that is made.")
@click.option("--no-skills", is_flag=True, help="Write no skill packs.")
@click.option("--no-hooks", is_flag=True, help="Write no session-start hook.")
@click.option("--dry-run", is_flag=True, help="Say what would be done.")
@click.pass_obj
def init(
    run: Run, name: str | None, description: str, no_skills: bool, no_hooks: bool, dry_run: bool
) -> None:
    """Set a project up: Space, attachment, skill packs and session-start hook.

    Doing it again changes nothing that is right. Files of others are left alone and named.
    """
    from smriti_tui.services.onboarding import attach as bind
    from smriti_tui.services.onboarding import install_hook, install_skills, plan

    run.only_now("init")
    folder = current_folder()
    binding = plan(folder)  # nothing is made where the folder cannot be bound
    with run.services() as services:
        space, made = _space(run, services, name, description, dry_run)
        steps = [made]
        if space is None:
            steps.append(binding)
        else:
            steps.append(bind(folder, space, services.caller.store.now(), dry_run=dry_run))
            if not dry_run:
                space = _with_root(services, space, folder)
    if not no_skills:
        steps += install_skills(folder, dry_run=dry_run)
    if not no_hooks:
        steps.append(install_hook(folder, database=_named_database(run), dry_run=dry_run))
    _report(run, space, steps)


def _named_database(run: Run) -> str | None:
    """The database of `--db`, so that it is found from any folder; one of the environment or the
    settings is found there again."""
    said = run.flags.get("database.url")
    if said is None:
        return None
    return str(said) if "://" in str(said) else str(Path(str(said)).expanduser().absolute())


def _space(
    run: Run, services: Services, name: str | None, description: str, dry_run: bool
) -> tuple[Space | None, Step]:
    """The Space that is named, else the one the folder is attached to, else one by the folder's
    name; made where there is none."""
    from smriti_tui.services.attachments import Attachment, find_attachment
    from smriti_tui.services.onboarding import Step

    folder = current_folder()
    known = find_attachment(folder)
    if name is None and isinstance(known, Attachment):
        return _attached(run, services, known)
    wanted = name if name is not None else folder.name or "smriti"
    try:
        found = services.spaces.find(wanted)
    except NotFound:
        if dry_run:
            return None, Step("space", "planned", wanted, "would be made")
        made = services.spaces.create(wanted, description=description, project_root=str(folder))
        return made, Step("space", "created", made.name)
    return found, Step("space", "unchanged", found.name)


def _attached(run: Run, services: Services, known: Attachment) -> tuple[Space, Step]:
    from smriti_tui.services.onboarding import Step

    try:
        found = resolve_space(run, services, None)
    except NotFound as error:  # such as a file that came with a clone
        name = known.space or "NAME"
        raise NotFound(
            error.message,
            f"`smriti init {shlex.quote(name)}` makes it here, and binds this folder to it.",
        ) from error
    return found, Step("space", "unchanged", found.name)


def _with_root(services: Services, space: Space, folder: Path) -> Space:
    """The Space, with this folder as its project root where it has none."""
    if space.project_root:
        return space
    return services.spaces.change(space.id, project_root=str(folder))


def _report(run: Run, space: Space | None, steps: Sequence[Step]) -> None:
    from smriti_tui.services.onboarding import host_settings

    settings = host_settings(_named_database(run))
    for step in steps:
        if step.outcome == "left":
            run.out.warning(f"{step.what}: {step.path} was left alone, {step.note}")
    document = {
        "space": space_document(space) if space else None,
        "steps": [
            {"what": each.what, "outcome": each.outcome, "path": each.path, "note": each.note}
            for each in steps
        ],
        "mcp_settings": settings,
    }
    run.out.result(document, lambda: "\n".join(_lines(space, steps, settings)))


def _lines(space: Space | None, steps: Sequence[Step], settings: Mapping[str, object]) -> list[str]:
    lines = [
        clean_line(f"{each.what}: {each.outcome} {each.path or ''} {each.note}".rstrip())
        for each in steps
    ]
    if space is not None:
        lines += ["", f"Attached to {clean_line(space.name)} ({short(space.id)}). Next:"]
        lines += ["  smriti state      what stands, for agents and people", "  smriti-tui        "]
        lines[-1] += "the workspace"
        lines += ["", "In the settings of an MCP host, such as .mcp.json here:"]
        lines.append(f"  {json.dumps(settings, ensure_ascii=False)}")
    return lines
