"""`smriti compare` and `smriti merge`: two checkpoints side by side, and made one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import parse_json, read_file
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import short
from smriti_tui.domain.merge_slots import Answer, answer_of
from smriti_tui.domain.render.comparison import comparison_document, comparison_text
from smriti_tui.domain.render.merges import (
    merged_document,
    merged_text,
    planned_document,
    planned_text,
)

if TYPE_CHECKING:
    from smriti_tui.domain.merging import MergePlan
    from smriti_tui.services.merging import Merge


@click.command(cls=options.Command, example="smriti compare 9b2f77d 51d0c3e")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.pass_obj
def compare(run: Run, a: str, b: str) -> None:
    """Compare two checkpoints over all fields: shared, changed, only in A, only in B."""
    with run.services() as services:
        found = services.merging.compare(a, b)
    run.out.result(comparison_document(found), lambda: comparison_text(found))


@click.command(cls=options.Command, example="smriti merge 9b2f77d 51d0c3e --dry-run")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--into", metavar="BRANCH", help="Save on this branch (default: A's).")
@click.option("--base", metavar="ID", help="Merge over this one of several common ancestors.")
@click.option("--dry-run", is_flag=True, help="Show what the merge would hold; write nothing.")
@click.option("--resolve", metavar="FILE", help="Answers to the conflicts as JSON (- for stdin).")
@click.option("--ours", "side", flag_value="ours", help="Take A's side in every other conflict.")
@click.option("--theirs", "side", flag_value="theirs", help="Take B's side in every other one.")
@click.option("--title", metavar="T", help="Title of the merge.")
@options.command_id
@click.pass_obj
def merge(
    run: Run,
    a: str,
    b: str,
    into: str | None,
    base: str | None,
    dry_run: bool,
    resolve: str | None,
    side: str | None,
    title: str | None,
    command_id: str | None,
) -> None:
    """Merge checkpoint B into A's line: a new checkpoint with both as its parents.

    Items are merged one by one over the common ancestor. What both sides changed in different ways,
    or one changed and the other retired, is a conflict: without an answer nothing is saved (exit
    4). The FILE of --resolve is an object: the id of a conflict to "ours", "theirs", "both",
    "neither" or {"text": "..."}.
    """
    with run.services() as services:
        given = _answers(resolve)
        if dry_run:
            merge = services.merging.plan(a, b, into=into, base=base)
            plan = services.merging.settled(merge.plan, given, side)
            run.out.result(_plan_document(merge, plan), lambda: _plan_words(merge, plan))
            return
        repeated(services, command_id, "checkpoint.saved")
        made = services.merging.write(
            a, b, given, side=side, into=into, base=base, title=title or "", command_id=command_id
        )
        merged = services.checkpoints.get(made.body.parents[-1])
    run.out.note(
        f"if {clean_line(merged.branch_name)} is done with, `smriti branch close "
        f"{short(made.body.space)} {clean_line(merged.branch_name)}` says so"
    )
    run.out.result(merged_document(made), lambda: merged_text(made))


def _plan_document(merge: Merge, plan: MergePlan) -> dict[str, object]:
    return planned_document(merge.ours, merge.theirs, merge.bases, merge.base, merge.into, plan)


def _plan_words(merge: Merge, plan: MergePlan) -> str:
    return planned_text(merge.ours, merge.theirs, merge.base, merge.into, plan)


def _answers(source: str | None) -> Mapping[str, Answer]:
    if source is None:
        return {}
    value = parse_json(read_file(source), source)
    if not isinstance(value, dict):
        raise _bad("It is no object")
    return {str(name): _answer(str(name), given) for name, given in value.items()}


def _answer(name: str, given: object) -> Answer:
    found = answer_of(given)
    if found is None:
        raise _bad(f"The answer to {name} is none")
    return found


def _bad(what: str) -> Invalid:
    return Invalid(
        f"{what} that --resolve understands.",
        'It is {"decisions:…": "ours", "summary": {"text": "…"}}: ours, theirs, both or neither.',
        field="resolve",
    )
