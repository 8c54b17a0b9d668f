"""`smriti checkpoint draft`: a draft by the background model, checked and not saved."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Interrupted
from smriti_tui.cli.run import Run
from smriti_tui.domain.draft_content import content_of, input_document, left_out
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.drafts import items_document, items_text
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.cli.output import Output
    from smriti_tui.domain.drafted import Drafted
    from smriti_tui.domain.ids import SessionId
    from smriti_tui.services import Services


@click.command(cls=options.Command, example="smriti checkpoint draft --session 3f9a --json")
@options.session
@click.option("--model", metavar="M", help="Another model than background.model.")
@click.option("--last", type=options.number(1), metavar="N", help="Only the turns up to N: a part.")
@click.option(
    "--keep-unverified",
    is_flag=True,
    help="With --json: leave items whose words were not found in `checkpoint`, marked as yours.",
)
@click.pass_obj
def draft(
    run: Run, session_id: str, model: str | None, last: int | None, keep_unverified: bool
) -> None:
    """Draft a checkpoint by the background model; nothing is saved.

    The model gets the turns since the last checkpoint of this line, and nothing else. Every item
    comes with the words it cites, and whether they were said. In JSON, `checkpoint` is what
    `smriti checkpoint create S - --session ID` takes. A long conversation is drafted in parts:
    --last N here and there, then again for the turns after N.
    """
    with run.services() as services:
        actor = services.caller.actor
        session = services.sessions.find(session_id)
        try:
            made = asyncio.run(_follow(run.out, services, session.id, model, last))
        except KeyboardInterrupt:
            raise Interrupted("Interrupted. Nothing was saved.") from None
    for problem in made.problems:
        run.out.warning(problem)
    if all(piece.reply is None for piece in made.pieces):
        raise ProviderError(
            f"{made.model} gave nothing that is a draft: {made.pieces[0].raw[:200]!r}.",
            "Ask again, or choose another background.model.",
            kind="bad_reply",
        )
    keep_as = actor if keep_unverified else None
    if run.out.wants_json and keep_as is None and (out := left_out(made)):
        run.out.warning(
            f"{counted(len(out), 'item')} of the draft left out of `checkpoint`: the words were "
            "not said in the drafted turns. --keep-unverified keeps what was not."
        )
    run.out.result(_document(made, keep_as), lambda: _text(made))


async def _follow(
    out: Output, services: Services, session: SessionId, model: str | None, last: int | None
) -> Drafted:
    from smriti_tui.domain.drafted import Drafted
    from smriti_tui.services.background import progress
    from smriti_tui.services.pieces import PieceDone

    found: Drafted | None = None
    async with aclosing(services.drafting.draft(session, model=model, last=last)) as steps:
        async for step in steps:
            if isinstance(step, Drafted):
                found = step
            elif isinstance(step, PieceDone):
                out.note(f"piece {step.number} of {step.of} is there")
            elif words := progress(step, "a draft"):
                out.note(words)
    assert found is not None, "a draft ends with itself or an error"
    return found


def _document(made: Drafted, keep_as: str | None) -> dict[str, object]:
    return {
        "session": made.session,
        "line": made.line,
        "first": made.first,
        "last": made.last,
        "head": made.head,
        "model": made.model,
        "requests": [piece.request for piece in made.pieces],
        "title": made.title,
        "objective": made.objective,
        "summary": made.summary,
        **items_document(made.items),
        "entities": list(made.entities),
        "problems": list(made.problems),
        "checkpoint": input_document(content_of(made, keep_as)),
    }


def _text(made: Drafted) -> str:
    head = f"# {made.title or 'Draft without a title'}"
    where = f"Turns {made.first} to {made.last} of session {short(made.session)}, by {made.model}."
    parts = [head, where, made.objective, made.summary, items_text(made.items)]
    if made.entities:
        parts.append(f"## Entities\n\n{', '.join(made.entities)}")
    return "\n\n".join(part for part in (*parts, "Nothing was saved.") if part)
