"""`smriti context`: the exact messages a model gets or got, and the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Ended
from smriti_tui.cli.inputs import STDIN, read_stdin
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.ids import short
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.render.context_text import context_document, context_text
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.services.contexts import Verdict


@click.group(
    cls=options.Group,
    invoke_without_command=True,
    example="smriti context --session 3f9a --message 'And now?'\nsmriti context --turn 3f9a:16",
)
@click.option("--session", "session_id", metavar="ID", help="Of this session's next send.")
@click.option("--message", metavar="TEXT|-", help="With this message.")
@click.option("--turn", metavar="SESSION:N", help="Of answer N, as it was sent.")
@click.option("--model", metavar="M", help="For this model's window (default: the chat model).")
@click.option("--scope", type=click.Choice(["1", "3"]), default="1", help="How many checkpoints.")
@click.option("--mentions", is_flag=True, help="With what the message mentions, as a send has it.")
@click.pass_context
def context(
    ctx: click.Context,
    session_id: str | None,
    message: str | None,
    turn: str | None,
    model: str | None,
    scope: str,
    mentions: bool,
) -> None:
    """The exact messages of the next send, or of an answer that was given."""
    if ctx.invoked_subcommand is not None:
        if session_id or message or turn:
            raise Invalid(
                "These options do not belong to a subcommand.",
                "Write them after it.",
                code="usage",
            )
        return
    run: Run = ctx.obj
    if (session_id is None) == (turn is None):
        raise Invalid(
            "Name a session or a turn.", "Give --session ID, or --turn SESSION:N.", code="usage"
        )
    if turn is not None:
        _of_answer(run, turn)
    elif session_id is not None:
        text = read_stdin() if message == STDIN else message
        rule = MentionRule() if mentions else None
        _of_next(run, session_id, text or "", model, int(scope), rule)


def _of_next(
    run: Run,
    session_id: str,
    message: str,
    model: str | None,
    scope: int,
    mentions: MentionRule | None,
) -> None:
    with run.services() as services:
        from smriti_tui.services.inspecting import Inspector

        inspector = Inspector(services.contexts, services.chat, services.sessions)
        session = services.sessions.find(session_id)
        shown = inspector.next_send(
            session.id, message, model=model, scope=scope, mentions=mentions
        )
    if shown.placeholder:
        run.out.note("No --message was given: a placeholder stands for it.")
    run.out.result(context_document(shown), lambda: context_text(shown))


def _of_answer(run: Run, turn: str) -> None:
    wanted, colon, number = turn.rpartition(":")
    # More digits than 18 are no turn's, and more than some thousand no number to Python.
    if not colon or not (number.isascii() and number.isdigit() and len(number) <= 18):
        raise Invalid(f"{turn!r} is no turn.", "Write SESSION:N, such as 3f9a:16.", code="usage")
    with run.services() as services:
        from smriti_tui.services.inspecting import Inspector

        inspector = Inspector(services.contexts, services.chat, services.sessions)
        session = services.sessions.find(wanted)
        shown = inspector.answer(session.id, int(number))
    run.out.result(context_document(shown), lambda: context_text(shown))


@context.command(example="smriti context verify --session 3f9a")
@click.option("--session", "session_id", metavar="ID", help="Only this session's.")
@click.pass_obj
def verify(run: Run, session_id: str | None) -> None:
    """Rebuild the context of every stored answer and compare; exit 1 at the first difference.

    Requests for drafts, reviews and the like whose end is not there are told, too.
    """
    checked = 0
    unended: list[str] = []
    redacted: list[str] = []
    with run.services() as services:
        only = services.sessions.find(session_id).id if session_id else None
        for verdict in services.contexts.verify(only):
            checked += 1
            if verdict.reason:
                _differs(checked, verdict)
            if verdict.redacted:
                redacted.append(verdict.request)
            if verdict.unended:
                unended.append(verdict.request)
    document: dict[str, object] = {"ok": True, "checked": checked, "difference": None}
    document |= {"unended": unended, "redacted": redacted}
    told = f"{counted(checked, 'context')} rebuilt: all as they were stored."
    if redacted:
        few = f"{len(redacted)} of {counted(checked, 'context')}"
        told = f"{few} held a text that was redacted since; all others are as they were stored."
    if unended:
        names = ", ".join(map(short, unended))
        told += f"\nWithout an end: {names}. The program that asked ended first, or still waits."
    run.out.result(document, told)


def _differs(checked: int, verdict: Verdict) -> None:
    difference = {
        "request": verdict.request,
        "session": verdict.session,
        "answer": verdict.answer,
        "reason": verdict.reason,
    }
    session = short(verdict.session) if verdict.session else "none"
    what = f"answer {verdict.answer}" if verdict.answer else f"request {short(verdict.request)}"
    raise Ended(
        SmritiError(
            f"The context of {what} of session {session} does not hold: {verdict.reason}.",
            "Run `smriti log verify`.",
            code="difference",
            details=difference,
        ),
        {"ok": False, "checked": checked, "difference": difference},
    )
