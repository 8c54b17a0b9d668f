"""`smriti skills`: what agent hosts are told about working with Smriti."""

from __future__ import annotations

from pathlib import Path

import click

from smriti_tui.cli import options
from smriti_tui.cli.places import current_folder
from smriti_tui.cli.run import Run
from smriti_tui.domain.render.tables import table
from smriti_tui.domain.skill_pack import TARGETS, VERSION, target


@click.group(cls=options.Group, example="smriti skills install claude-code")
def skills() -> None:
    """Skill packs: how to work with Smriti, in the notation of an agent host."""


@skills.command("list", example="smriti skills list")
@click.pass_obj
def list_(run: Run) -> None:
    """List the hosts that there is a pack for."""
    document = {
        "version": VERSION,
        "targets": [
            {"name": each.name, "host": each.display, "notation": each.notation, "path": each.path}
            for each in TARGETS
        ],
    }
    rows = [(each.name, each.display, each.notation, each.path) for each in TARGETS]
    run.out.result(document, lambda: table(("target", "host", "notation", "file"), rows))


@skills.command(example="smriti skills show codex")
@click.argument("name", metavar="TARGET")
@click.pass_obj
def show(run: Run, name: str) -> None:
    """Print a pack as it would be installed."""
    from smriti_tui.services.skills import pack_text

    host = target(name)
    text = pack_text(host)
    document = {"target": host.name, "version": VERSION, "path": host.path, "text": text}
    run.out.result(document, text.rstrip("\n"))


@skills.command(example="smriti skills install codex --dry-run")
@click.argument("name", metavar="TARGET")
@click.option("--destination", type=click.Path(path_type=Path), help="Another file than usual.")
@click.option("--dry-run", is_flag=True, help="Say what would be done.")
@click.option("--force", is_flag=True, help="Also over a newer, edited or foreign file.")
@click.pass_obj
def install(run: Run, name: str, destination: Path | None, dry_run: bool, force: bool) -> None:
    """Write a pack into this project. What somebody else wrote or edited is left alone."""
    from smriti_tui.services.skills import install as write

    run.only_now("skills install")
    host = target(name)
    done = write(host, current_folder(), destination=destination, force=force, dry_run=dry_run)
    document = {
        "target": host.name,
        "path": str(done.path),
        "action": done.action,
        "version": done.version,
        "previous_version": done.previous,
    }
    before = f" (was {done.previous})" if done.previous else ""
    run.out.result(document, f"{done.path}: {done.action}, version {done.version}{before}")
