"""`smriti checkpoint note|delete|turns|blame|reach`: what is done to one, or asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import STDIN, confirm, read_file
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.render.documents import note_document, turn_document
from smriti_tui.domain.render.done import checkpoints_deleted, note_added
from smriti_tui.domain.render.reach import reach_document, reach_text
from smriti_tui.domain.render.traces import trace_document, traces_text
from smriti_tui.domain.render.turns_text import turns_text
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.domain.model import NoteKind
    from smriti_tui.services.deleting import Dependants

KINDS = ("note", "milestone", "noise")


@click.command(cls=options.Command, example="smriti checkpoint note 4c1e9a0 'Load test passed'")
@click.argument("checkpoint_id", metavar="ID")
@click.argument("text", metavar="[TEXT|-]", default="")
@click.option("--kind", type=click.Choice(KINDS), default="note", show_default=True)
@options.command_id
@click.pass_obj
def note(run: Run, checkpoint_id: str, text: str, kind: str, command_id: str | None) -> None:
    """Add a note. The checkpoint itself does not change, and notes are never changed."""
    with run.services() as services:
        again = repeated(services, command_id, "note.added") is not None
        key = CheckpointId(checkpoint_id) if again else services.checkpoints.find(checkpoint_id).id
        words = read_file(STDIN) if text == STDIN else text
        added = services.notes.add(key, words, cast("NoteKind", kind), command_id=command_id)
    run.out.result(note_document(added), note_added(added))


@click.command(cls=options.Command, example="smriti checkpoint delete 4c1e9a0 --cascade --yes")
@click.argument("checkpoint_id", metavar="ID")
@click.option("--cascade", is_flag=True, help="Its later checkpoints too. No session goes.")
@options.yes
@options.command_id
@click.pass_obj
def delete(run: Run, checkpoint_id: str, cascade: bool, yes: bool, command_id: str | None) -> None:
    """Delete a checkpoint. Its event stays in the log.

    Later checkpoints, forks and sessions that stand on it are in the way: they are listed (exit 4).
    """
    with run.services() as services:
        if repeated(services, command_id, "checkpoint.deleted") is None:
            found = services.checkpoints.find(checkpoint_id)
            touched = services.deleting.dependants(found.id)
            if cascade or not touched.blocked:
                confirm(run.out, _question(touched), yes=yes, kept="Nothing was deleted.")
            key = found.id
        else:
            key = CheckpointId(checkpoint_id)  # what went before is told, and this is not found
        gone = services.deleting.delete(key, cascade=cascade, command_id=command_id)
    run.out.result(*checkpoints_deleted(gone))


def _question(touched: Dependants) -> str:
    """One line: what goes, by name, and what stays without this state."""
    names = [f"{short(each.id)} {each.title}" for each in touched.descendants]
    gone = [f"{short(touched.checkpoint.id)} {touched.checkpoint.title}", *names]
    told = [counted(len(touched.forks), "forked session")] if touched.forks else []
    if touched.mounted:
        told.append(f"{counted(len(touched.mounted), 'session')} on it")
    stay = f" ({' and '.join(told)} stay, without this state)" if told else ""
    return f"Delete {clean_line(', '.join(gone))}{stay}?"


@click.command(cls=options.Command, example="smriti checkpoint turns 4c1e9a0")
@click.argument("checkpoint_id", metavar="ID")
@click.pass_obj
def turns(run: Run, checkpoint_id: str) -> None:
    """Print the turns that a checkpoint was made from."""
    with run.services() as services:
        found = services.checkpoints.find(checkpoint_id)
        behind = services.blaming.turns(found.id)
    document = {"checkpoint": found.id, "turns": [turn_document(turn) for turn in behind]}
    none = f"Checkpoint {short(found.id)} names no turns."
    run.out.result(document, lambda: turns_text(behind) if behind else none)


@click.command(cls=options.Command, example="smriti checkpoint blame 4c1e9a0 D1")
@click.argument("checkpoint_id", metavar="ID")
@click.argument("item", metavar="ITEM")
@click.pass_obj
def blame(run: Run, checkpoint_id: str, item: str) -> None:
    """Tell where an item comes from: each change, who made it, and the merges that brought it.

    ITEM is a label such as D1, or the beginning of its uid.
    """
    with run.services() as services:
        found = services.checkpoints.find(checkpoint_id)
        traces = services.blaming.item(found.id, item)
    document = {"checkpoint": found.id, "traces": list(map(trace_document, traces))}
    run.out.result(document, lambda: traces_text(traces))


@click.command(cls=options.Command, example="smriti checkpoint reach 4c1e9a0 A2")
@click.argument("checkpoint_id", metavar="CHECKPOINT")
@click.argument("item", metavar="ITEM")
@click.pass_obj
def reach(run: Run, checkpoint_id: str, item: str) -> None:
    """Tell what rests on an item or artifact: here, on the heads of live branches, and in claims.

    ITEM is a label such as A2, or the beginning of an id. What `rests_on` it or is blocked by it
    counts, and what rests on that.
    """
    with run.services() as services:
        found = services.reaching.item(services.checkpoints.find(checkpoint_id).id, item)
    run.out.result(reach_document(found), lambda: reach_text(found))
