"""`smriti log merge`: two stores into one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.places import place_of
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.ids import short
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.services.reconciling import Merged

SHOWN = 60
"""Most characters of a value that is told."""


@click.command(cls=options.Command, example="smriti log merge ~/laptop/smriti.db --dry-run")
@click.argument("other", metavar="OTHER")
@click.option("--dry-run", is_flag=True, help="Say what would come of it; write nothing.")
@click.pass_obj
def merge(run: Run, other: str, dry_run: bool) -> None:
    """Bring another store in: a database, a bundle, a JSON export; all of it or nothing.

    Every event comes as it was. Where both went on from the same beginning nothing is mixed: what
    came stands on branches and in sessions of its own. Settings and tracker items that both changed
    come to one state, and each such field is told. Again changes nothing.
    """
    from smriti_tui.services.reconciling import ReconcileService

    run.only_now("log merge")
    with run.services() as services:
        done = ReconcileService(services.caller).merge(place_of(other), dry_run=dry_run)
    document = {"dry_run": dry_run, **to_json(done), "taken": sum(done.taken.values())}
    document["streams"] = dict(done.taken)
    run.out.result(document, "\n".join(_lines(done, dry_run)))


def _lines(done: Merged, dry_run: bool) -> Iterator[str]:
    if not done.taken:
        yield "Nothing new in it."
        return
    would = "Would take over" if dry_run else "Took over"
    taken = counted(sum(done.taken.values()), "event")
    yield f"{would} {taken} of {done.events:,}, in {counted(len(done.taken), 'stream')}."
    for came in done.checkpoints:
        saved = f"{counted(came.checkpoints, 'checkpoint')} on branch {clean_line(came.branch)}"
        apart = came.apart and f" ({clean_line(came.apart)} went on here too)"
        yield f"Space {clean_line(came.space)}: {saved}{apart or ''}"
    for session in done.sessions:
        yield (
            f"Session {short(session.of)} went on in both after turn {session.after}: what came is "
            f"session {short(session.id)} ({counted(session.turns, 'turn')})"
        )
    for tail in done.apart:
        yield f"Stream {tail.family} went on in both: what came is {tail.stream}"
    for kept in done.settled:
        told = kept.settled.conflicts
        if not told:
            yield f"{clean_line(kept.what)}: {', '.join(map(clean_line, kept.settled.fields))}"
        for name, sides in told.items():
            values = f"here {_shown(sides['ours'])}, there {_shown(sides['theirs'])}"
            taken = "here" if sides["taken"] == "ours" else "there"
            yield f"{clean_line(kept.what)}: {clean_line(name)} is {values}; taken from {taken}"


def _shown(value: object) -> str:
    text = clean_line(str(value))
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")
