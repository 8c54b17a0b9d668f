"""`smriti mount` and `smriti unmount`: which state a session goes on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.fork import fork_document, fork_text
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import short

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.sessions import Mounted


@click.command(cls=options.Command, example="smriti mount 4c1e9a0 --session 3f9a")
@click.argument("checkpoint")
@options.session
@click.option("--as-fork", is_flag=True, help="In a new session on a new branch instead.")
@click.option("--branch", metavar="B", help="With --as-fork: the name of the new branch.")
@options.command_id
@click.pass_obj
def mount(
    run: Run,
    checkpoint: str,
    session_id: str,
    as_fork: bool,
    branch: str | None,
    command_id: str | None,
) -> None:
    """Go back to a checkpoint: from here on the model gets it, and no earlier turn."""
    if branch is not None and not as_fork:
        raise Invalid("--branch goes with --as-fork.", "Add it.", code="usage")
    with run.services() as services:
        if as_fork:
            _as_fork(run, services, checkpoint, session_id, branch, command_id)
            return
        repeated(services, command_id, "line.opened")
        session = services.sessions.find(session_id)
        wanted = services.checkpoints.find(checkpoint)
        done = services.sessions.mount(session.id, wanted.id, command_id=command_id)
    base = done.history_base_seq
    out_words = f"turns up to {base} stay out" if base else "no turn has been sent yet"
    text = f"Mounted {short(wanted.id)} {wanted.title}: line {done.line}, {out_words}."
    run.out.result(_document(done), text)


def _as_fork(
    run: Run,
    services: Services,
    checkpoint: str,
    session_id: str,
    branch: str | None,
    command_id: str | None,
) -> None:
    repeated(services, command_id, "session.opened")
    session = services.sessions.find(session_id)
    wanted = services.checkpoints.find(checkpoint)
    if session.space != wanted.body.space:
        raise Invalid(
            f"Checkpoint {short(wanted.id)} belongs to another Space than the session.",
            "Fork it with `smriti fork`.",
        )
    made = services.forking.from_checkpoint(wanted.id, branch=branch, command_id=command_id)
    run.out.result(fork_document(made), lambda: fork_text(made))


@click.command(cls=options.Command, example="smriti unmount --session 3f9a")
@options.session
@options.command_id
@click.pass_obj
def unmount(run: Run, session_id: str, command_id: str | None) -> None:
    """Go back to the head line. The turns of the mounted line stay out of it."""
    with run.services() as services:
        repeated(services, command_id, "line.left")
        session = services.sessions.find(session_id)
        done = services.sessions.unmount(session.id, command_id=command_id)
    run.out.result(_document(done), f"Unmounted: session {short(session.id)} is on line 1.")


def _document(done: Mounted) -> dict[str, object]:
    return {
        "session": done.session,
        "line": done.line,
        "checkpoint": done.checkpoint,
        "history_base_seq": done.history_base_seq,
    }
