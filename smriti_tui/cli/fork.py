"""`smriti fork`: a new session on a new branch, from a checkpoint or after a turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.render import done

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.forking import Forked

# More digits than 18 are no turn's.
_TURN = re.compile(r"(?P<session>[0-9a-fA-F-]+):(?P<number>[0-9]{1,18})")


@click.command(cls=options.Command, example="smriti fork 4c1e9a0 --branch explore/tantivy")
@click.argument("source", metavar="CHECKPOINT|SESSION:N")
@click.option("--branch", metavar="B", help="Name of the new branch (default: one that is free).")
@options.command_id
@click.pass_obj
def fork(run: Run, source: str, branch: str | None, command_id: str | None) -> None:
    """Open a new session on a new branch.

    From a checkpoint it begins without turns. After turn N of a session it begins with copies of
    what the model had there.
    """
    with run.services() as services:
        again = repeated(services, command_id, "session.opened") is not None
        made = forked(services, source, branch, command_id, again=again)
    run.out.result(fork_document(made), lambda: fork_text(made))


def forked(
    services: Services,
    source: str,
    branch: str | None,
    command_id: str | None,
    *,
    again: bool = False,
) -> Forked:
    """Forks from what `source` names; `again` where the command was carried out before, and its
    source may be gone."""
    if again:
        return services.forking.from_checkpoint(CheckpointId(source), command_id=command_id)
    if place := turn_place(source):
        session = services.sessions.find(place[0])
        return services.forking.after_turn(
            session.id, place[1], branch=branch, command_id=command_id
        )
    checkpoint = services.checkpoints.find(source)
    return services.forking.from_checkpoint(checkpoint.id, branch=branch, command_id=command_id)


def turn_place(source: str) -> tuple[str, int] | None:
    """Session and number of `SESSION:N`; None for what names no turn."""
    found = _TURN.fullmatch(source)
    return (found["session"], int(found["number"])) if found else None


def fork_document(made: Forked) -> dict[str, object]:
    return done.fork_document(made.session.id, made.branch, made.checkpoint, made.copied)


def fork_text(made: Forked) -> str:
    return done.fork_text(made.session.id, made.branch, made.checkpoint, made.copied)
