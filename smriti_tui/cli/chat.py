"""`smriti chat`: asking a model. For people and scripts; agents do not use it."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.answering import Question, answer_question
from smriti_tui.cli.inputs import STDIN, from_terminal, read_stdin
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.render.documents import turn_document
from smriti_tui.domain.render.tables import table

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
@options.command_id
@click.pass_obj
def send(
    run: Run,
    text: str | None,
    session_id: str,
    model: str | None,
    scope: str,
    command_id: str | None,
) -> None:
    """Ask, and print the answer as it arrives.

    The question is stored before the model is called, and what has arrived is kept whatever
    happens.
    """
    message = _message(text)
    answer_question(run, Question(session_id, message, model, int(scope), command_id))


@chat.command(example="smriti chat retry --session 3f9a")
@options.session
@model_option
@scope_option
@options.command_id
@click.pass_obj
def retry(run: Run, session_id: str, model: str | None, scope: str, command_id: str | None) -> None:
    """Ask the last question again; the new answer stands beside the old one."""
    answer_question(run, Question(session_id, None, model, int(scope), command_id))


@chat.command(example="smriti chat choose 4 --session 3f9a")
@click.argument("number", metavar="N", type=options.number(1))
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
