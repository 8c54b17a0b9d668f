"""`smriti quickstart`: a Space with two agents to look at, and the way out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid, NotFound
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.documents import space_document

if TYPE_CHECKING:
    from smriti_tui.services.quickstart import Quickstart


@click.command(cls=options.Command, example="smriti quickstart")
@click.option("--remove", is_flag=True, help="Take it away again.")
@click.option("--reset", is_flag=True, help="Take it away and make it anew.")
@click.pass_obj
def quickstart(run: Run, remove: bool, reset: bool) -> None:
    """Make a Space in which two agents have worked, with five commands to try.

    Needs no model and no key. Only the Space that it made is ever taken away.
    """
    if remove and reset:
        raise Invalid("--remove and --reset exclude each other.", "Give one.", code="usage")
    with run.services() as services:
        from smriti_tui.services.quickstart import QuickstartService

        service = QuickstartService(services.caller)
        if remove:
            gone = service.remove()
            run.out.result(
                {"removed": gone.id, "space": None, "checkpoints": [], "fork": None, "guide": []},
                f"Removed {gone.name}.",
            )
            return
        if reset:
            try:
                service.remove()
            except NotFound:
                run.out.note("there was none to reset")
        made = service.seed()
    guide = _guide(made)
    document = {
        "removed": None,
        "space": space_document(made.space),
        "checkpoints": list(made.main),
        "fork": made.fork,
        "guide": [command for command, _ in guide],
    }
    run.out.result(document, lambda: _text(made, guide))


def _guide(made: Quickstart) -> list[tuple[str, str]]:
    space, head = made.space.name, made.main[-1]
    return [
        (f"smriti state {space}", "what an agent reads before it begins"),
        (f"smriti claim create {space} --scope 'turn dry mode off' --task-id roll-out", "claim it"),
        (f"smriti compare {short(head)} {short(made.fork)}", "what the abandoned try held"),
        (f"smriti restore {short(made.main[0])}", "any checkpoint, as a brief to go on from"),
        ("smriti quickstart --remove", "and it is gone"),
    ]


def _text(made: Quickstart, guide: list[tuple[str, str]]) -> str:
    lines = [f"Made the Space {made.space.name} with {len(made.main) + 1} checkpoints. Try:", ""]
    lines += [f"  {command}\n      {words}" for command, words in guide]
    return "\n".join(lines)
