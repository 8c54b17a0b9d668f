"""`smriti context-pack`: a checkpoint or a transcript as a text to paste into another tool."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.fork import turn_place
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.render.context_pack import (
    TARGETS,
    Pack,
    Target,
    advice,
    pack_document,
    size_words,
)


@click.command(
    "context-pack",
    cls=options.Command,
    example=(
        "smriti context-pack 4c1e9a0 --target claude\n"
        "smriti context-pack 4c1e9a0 --target cursor > .cursor/rules/search.mdc\n"
        "smriti context-pack --session 3f9a --first 5 --last 12 --target chatgpt"
    ),
)
@click.argument("source", metavar="[CHECKPOINT|SESSION:N]", required=False)
@click.option(
    "--target", type=click.Choice(list(TARGETS)), default="generic", show_default=True,
    help="The tool that it is for.",
)  # fmt: skip
@click.option("--session", "session_id", metavar="ID", help="The turns of this session.")
@click.option("--first", type=options.number(1), metavar="N", help="From turn N on.")
@click.option("--last", type=options.number(1), metavar="N", help="Up to turn N.")
@click.option("--evidence", is_flag=True, help="With the quotes that items were taken from.")
@click.option(
    "--budget", type=click.IntRange(min=1), metavar="TOKENS",
    help="Fit so many tokens; what is left out is said.",
)  # fmt: skip
@click.pass_obj
def context_pack(
    run: Run,
    source: str | None,
    target: Target,
    session_id: str | None,
    first: int | None,
    last: int | None,
    evidence: bool,
    budget: int | None,
) -> None:
    """Print a checkpoint, or the turns of a session, as a text to paste into another tool.

    SESSION:N is the session up to turn N. A transcript holds the questions and their chosen
    answers. The same content gives the same text.
    """
    place = turn_place(source) if source is not None else None
    if (source is None) == (session_id is None):
        raise _usage("Name a checkpoint or a session.", "Give CHECKPOINT, or --session ID.")
    if place is not None and last is not None:
        raise _usage("SESSION:N and --last exclude each other.", "Give one of them.")
    if source is not None and place is None:
        if first or last:
            raise _usage("A checkpoint has no turns to choose from.", "Give --session ID.")
        _of_checkpoint(run, source, target, evidence, budget)
        return
    if evidence:
        raise _usage("Turns have no evidence.", "Leave --evidence out.")
    named, end = place or (session_id or "", last)
    _of_session(run, named, target, first or 1, end, budget)


def _usage(message: str, hint: str) -> Invalid:
    return Invalid(message, hint, code="usage")


def _of_checkpoint(
    run: Run, wanted: str, target: Target, evidence: bool, budget: int | None
) -> None:
    with run.services() as services:
        found, pack = services.packing.of_checkpoint(
            wanted, target, evidence=evidence, budget=budget
        )
    _print(run, pack, found.id, None, budget)


def _of_session(
    run: Run, wanted: str, target: Target, first: int, last: int | None, budget: int | None
) -> None:
    with run.services() as services:
        found, pack = services.packing.of_session(
            wanted, target, first=first, last=last, budget=budget
        )
    _print(run, pack, None, found.id, budget)


def _print(
    run: Run, pack: Pack, checkpoint: str | None, session: str | None, budget: int | None
) -> None:
    run.out.note(" ".join(filter(None, (f"{size_words(pack)}.", _left(pack), advice(pack)))))
    document = pack_document(pack, checkpoint=checkpoint, session=session, budget=budget)
    run.out.result(document, pack.text)


def _left(pack: Pack) -> str:
    return f"Left out: {'; '.join(pack.left_out)}." if pack.left_out else ""
