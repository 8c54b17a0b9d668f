"""Prompts that a person picks in the host: how work begins and how it ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from mcp.server.mcpserver.prompts import Prompt
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS
from pydantic import Field

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.values import MAX_NAME

InSpace = Annotated[str, Field(description="The Space: its name or id.")]
Work = Annotated[str, Field(description="What is to be done; none: choose an open task.")]


def begin_work(space: InSpace, work: Work = "") -> str:
    """Read the state, choose and claim a task, open a worktree."""
    name = _name(space)
    task = (
        f"The work: {clean_line(work)}." if work.strip()
        else "Choose an open task that is not done, not blocked and not claimed; ask if none fits."
    )  # fmt: skip
    return (
        f"Begin work in the Smriti Space {name!r}.\n\n"
        f"1. Call smriti_state(space={name!r}). Its decisions bind you. Where it differs from the "
        "repository, say so before you build on either.\n"
        f"2. {task}\n"
        f"3. Claim it: smriti_claim(space={name!r}, scope=…, task_id=…). Read the state once more; "
        "if an older claim names the same task, abandon yours and choose again.\n"
        f"4. Work in a worktree of your own: smriti_worktree_open(space={name!r}).\n"
        "5. Tell me in two sentences what you read and what you take."
    )


def end_work(space: InSpace) -> str:
    """Say what was settled, checkpoint it if there is something, end claims and worktrees."""
    name = _name(space)
    return (
        f"End your work in the Smriti Space {name!r}.\n\n"
        f"1. Call smriti_state(space={name!r}, since=the checkpoint you started from). If main has "
        "moved, read what came and tell me what it changes.\n"
        "2. Was something settled? Would somebody decide differently for having read it, would you "
        "defend it tomorrow, and is it missing from the state? Only with three times yes save a "
        "checkpoint, with expect_head, and carry over what still holds. If nothing was settled, "
        "say that and write none.\n"
        "3. Commit and hand over your branch, then smriti_worktree_close.\n"
        "4. smriti_claim_done, with abandoned=true for what you gave up.\n"
        "5. Tell me what is settled, what is open, and where the work lies."
    )


def check_asked(known: Sequence[Prompt], name: str, given: Collection[str]) -> None:
    """Raises: MCPError, naming what there is no prompt or argument for."""
    for prompt in known:
        if prompt.name == name:
            arguments = prompt.arguments or ()
            names = {each.name for each in arguments}
            missing = [each.name for each in arguments if each.required and each.name not in given]
            wrong = [*missing, *(each for each in given if each not in names)]
            if wrong:
                why = "is missing" if missing else "is none of its arguments"
                raise _refused(f"{wrong[0]!r} {why}", f"It takes {', '.join(sorted(names))}.")
            return
    names = {prompt.name for prompt in known}
    raise _refused(f"There is no prompt {name!r}", f"There are {' and '.join(sorted(names))}.")


def _refused(what: str, hint: str) -> MCPError:
    message = f"{clean_line(what)[:MAX_NAME]}."
    data = {"code": "usage", "message": message, "hint": hint, "details": {}}
    return MCPError(INVALID_PARAMS, f"{message} {hint}", data)


def _name(space: str) -> str:
    """A Space's name as it stands in a call; what is longer is no name."""
    return clean_line(space)[:MAX_NAME]


def prompts() -> list[Prompt]:
    return [
        Prompt.from_function(begin_work, title="Begin work"),
        Prompt.from_function(end_work, title="End work"),
    ]
