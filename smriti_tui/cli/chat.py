"""`smriti chat`: asking a model. For people and scripts; agents do not use it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Ended as EndedBadly
from smriti_tui.cli.diagnostics import Interrupted
from smriti_tui.cli.inputs import STDIN, from_terminal, read_stdin
from smriti_tui.cli.output import Output, TextStream
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.errors import Invalid, ProviderError, SmritiError
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.context_text import left_out_text
from smriti_tui.domain.render.documents import turn_document
from smriti_tui.domain.render.tables import table
from smriti_tui.domain.render.turns_text import usage_text

if TYPE_CHECKING:
    from smriti_tui.domain.model import Session, Turn
    from smriti_tui.services import Services
    from smriti_tui.services.steps import ChatStep, Loading, Retrying, Started

TOLD = ("window", "running", "cut")
"""Reasons for which something is left out that the person may not expect."""

model_option = click.option("--model", metavar="M", help="Another model than the set one.")
scope_option = click.option(
    "--scope",
    type=click.Choice(["1", "3"]),
    default="1",
    show_default=True,
    help="How many checkpoints the model gets.",
)


@click.group(cls=options.Group, example='smriti chat send --session 3f9a "Which index fits?"')
def chat() -> None:
    """Ask a model in a session."""


@chat.command(example='smriti chat send --session 3f9a "Which index fits?"')
@click.argument("text", metavar="[TEXT|-]", required=False)
@options.session
@model_option
@scope_option
@click.pass_obj
def send(run: Run, text: str | None, session_id: str, model: str | None, scope: str) -> None:
    """Ask, and print the answer as it arrives.

    The question is stored before the model is called, and what has arrived is kept whatever
    happens.
    """
    message = _message(text)
    _run(
        run,
        session_id,
        lambda services, session: services.chat.send(
            session.id, message, model=model, scope=int(scope)
        ),
    )


@chat.command(example="smriti chat retry --session 3f9a")
@options.session
@model_option
@scope_option
@click.pass_obj
def retry(run: Run, session_id: str, model: str | None, scope: str) -> None:
    """Ask the last question again; the new answer stands beside the old one."""
    _run(
        run,
        session_id,
        lambda services, session: services.chat.retry(session.id, model=model, scope=int(scope)),
    )


@chat.command(example="smriti chat choose 4 --session 3f9a")
@click.argument("number", metavar="N", type=click.IntRange(min=1))
@options.session
@options.command_id
@click.pass_obj
def choose(run: Run, number: int, session_id: str, command_id: str | None) -> None:
    """Make answer N the one of its question that is sent."""
    with run.services() as services:
        repeated(services, command_id, "answer.chosen")
        session = services.sessions.find(session_id)
        turn = services.chat.choose(session.id, number, command_id=command_id)
    document = {
        "session": session.id,
        "question": turn.question,
        "answer": number,
        "turn": turn_document(turn),
    }
    run.out.result(document, f"Answer {number} is now the one of question {turn.question}.")


@chat.command(example="smriti chat models")
@click.pass_obj
def models(run: Run) -> None:
    """List the models that can be named, and whether each can be reached."""
    config = run.config()
    rows: list[dict[str, object]] = []
    for name in config.model_names():
        row: dict[str, object] = {"name": name, "model": None, "ready": False, "reason": None}
        try:
            row |= {"model": config.resolve_model(name).model, "ready": True}
        except SmritiError as error:
            row["reason"] = str(error)
        row["chat"] = name == _resolved(config.chat_model)
        row["background"] = name == _resolved(config.background_model)
        rows.append(row)
    run.out.result({"models": rows}, lambda: _models(rows))


def _resolved(name: str | None) -> str | None:
    return "demo/scripted" if name is not None and name.strip() == "demo" else name


def _models(rows: list[dict[str, object]]) -> str:
    used = {True: "yes", False: ""}
    lines = [
        (
            str(row["name"]),
            str(row["model"] or "-"),
            used[bool(row["chat"])],
            used[bool(row["background"])],
            "ready" if row["ready"] else str(row["reason"]),
        )
        for row in rows
    ]
    return table(("name", "model", "chat", "background", "state"), lines)


def _message(text: str | None) -> str:
    """The message of the command line, or of standard input without its last line end."""
    if text is not None and text != STDIN:
        return text
    if text is None and from_terminal():
        raise Invalid(
            "There is no message.", "Give it as an argument, or pipe it in with `-`.", code="usage"
        )
    return read_stdin().removesuffix("\n").removesuffix("\r")


# ---- one answer --------------------------------------------------------------------------------


@dataclass
class _Answer:
    """What is known of the answer so far; also after a Ctrl-C."""

    out: Output
    stream: TextStream
    started: Started | None = None
    turn: Turn | None = None
    seconds: set[int] = field(default_factory=set)


Ask = Callable[["Services", "Session"], "AsyncGenerator[ChatStep, None]"]


def _run(run: Run, session_id: str, ask: Ask) -> None:
    answer = _Answer(run.out, run.out.stream())
    with run.services() as services:
        session = services.sessions.find(session_id)
        try:
            asyncio.run(_receive(answer, lambda: ask(services, session)))
        except KeyboardInterrupt:
            raise Interrupted(_interrupted(answer)) from None
        except SmritiError as error:
            raise _where_the_text_is(error, answer) from error
        finally:
            answer.stream.end()
        _finish(run, services, answer)


async def _receive(answer: _Answer, ask: Callable[[], AsyncGenerator[ChatStep, None]]) -> None:
    async with aclosing(ask()) as steps:
        async for step in steps:
            _take(answer, step)


def _take(answer: _Answer, step: ChatStep) -> None:
    from smriti_tui.services.steps import Ended, Loading, Retrying, Started, TextDelta

    match step:
        case Started():
            answer.started = step
            _tell_left_out(answer.out, step)
        case TextDelta():
            if not answer.out.wants_json:
                answer.stream.write(step.text)
        case Loading():
            _tell_loading(answer, step)
        case Retrying():
            _tell_retrying(answer.out, step)
        case Ended():
            answer.turn = step.turn
        case _:
            pass  # reasoning is kept with the answer, not shown


def _tell_left_out(out: Output, started: Started) -> None:
    """What a person would not expect to be missing, and a model that is not the last one."""
    context = started.prepared.context
    for left in context.left_out:
        if left.reason in TOLD:
            out.warning(f"not sent: {left_out_text(left)}")
    if context.limit.source == "assumed":
        out.warning(
            f"nobody knows the window of {started.model}; {context.limit.tokens:,} tokens are "
            "assumed"
        )
    before = started.prepared.session.model
    if before is not None and before != started.model:
        out.note(f"The model is {started.model} now; it was {before}.")


def _tell_loading(answer: _Answer, step: Loading) -> None:
    seconds = int(step.elapsed_s)
    if seconds not in answer.seconds:
        answer.seconds.add(seconds)
        answer.out.note(f"loading the provider library, {seconds} s")


def _tell_retrying(out: Output, step: Retrying) -> None:
    wait = f"in {step.wait_s:.1f} s" if step.wait_s >= 0.05 else "now"
    out.note(f"retrying {wait} ({step.attempt} of {step.of} failed): {step.message}")


def _interrupted(answer: _Answer) -> str:
    if answer.started is None:
        return "Interrupted. Nothing was sent."
    begun = answer.started.begun
    return (
        f"Interrupted. Question {begun.question} is stored, and what arrived of answer "
        f"{begun.answer} is kept."
    )


def _where_the_text_is(error: SmritiError, answer: _Answer) -> SmritiError:
    """The same error, saying what became of the words that were typed."""
    if answer.started is None:
        where = "Nothing was stored or sent."
    else:
        begun = answer.started.begun
        where = f"Your question is stored as turn {begun.question} of {short(begun.session)}."
    error.hint = f"{error.hint} {where}".strip()
    return error


def _finish(run: Run, services: Services, answer: _Answer) -> None:
    if answer.started is None or answer.turn is None:
        raise SmritiError("No answer came.", "Ask again.", code="no_answer")
    begun, turn = answer.started.begun, answer.turn
    question = services.sessions.turns(begun.session, begun.question, begun.question)[0]
    document: dict[str, object] = {
        "session": begun.session,
        "user_turn": turn_document(question),
        "assistant_turn": turn_document(turn),
        "model": turn.model,
        "context_sha256": begun.context_sha256,
        "usage": to_json(turn.usage),
        "cost": to_json(turn.cost),
        "left_out": to_json(answer.started.prepared.context.left_out),
        "limit": to_json(answer.started.prepared.context.limit),
        "error": None,
    }
    if turn.status in ("failed", "cut"):
        raise EndedBadly(_fault(turn), document)
    if run.out.wants_json:
        run.out.document(document)
    else:
        number = turn.sequence_number
        run.out.note(f"answer {number}, {turn.model}, {usage_text(turn.usage, turn.cost)}")


def _fault(turn: Turn) -> SmritiError:
    why = turn.error.message if turn.error else "The answer broke off."
    kept = "what arrived is kept" if turn.text else "no text arrived"
    where = short(turn.session)
    return ProviderError(
        f"Answer {turn.sequence_number} {turn.status}: {why}",
        f"Your question is stored as turn {turn.question}, {kept}; "
        f"`smriti chat retry --session {where}` asks again.",
        kind=turn.error.kind if turn.error else "cut",
        details={"session": turn.session, "question": turn.question, "status": turn.status},
    )
