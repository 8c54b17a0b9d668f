"""`smriti restore`: the continuation brief of a checkpoint."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.checkpoint import show_checkpoint
from smriti_tui.cli.run import Run


@click.command(cls=options.Command, example="smriti restore 4c1e9a0")
@click.argument("checkpoint_id", metavar="ID")
@click.pass_obj
def restore(run: Run, checkpoint_id: str) -> None:
    """Print the continuation brief of any checkpoint. Changes nothing.

    To go on from a checkpoint inside a session, mount it.
    """
    show_checkpoint(run, checkpoint_id)
