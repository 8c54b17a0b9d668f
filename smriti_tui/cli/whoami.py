"""`smriti whoami`: the actor of every event that is written."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.run import Run


@click.command(cls=options.Command, example="smriti whoami --actor codex")
@click.pass_obj
def whoami(run: Run) -> None:
    """Print the name that events are recorded under, and where it comes from."""
    config = run.config()
    origin = config.origins.get("actor", "login name")
    run.out.result({"actor": config.actor, "origin": origin}, f"{config.actor} ({origin})")
