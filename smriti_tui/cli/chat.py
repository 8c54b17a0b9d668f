"""`smriti chat`: asking a model. For people and scripts; agents do not use it."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.answering import Question, answer_question
from smriti_tui.cli.chat_models import list_models, try_model
from smriti_tui.cli.inputs import STDIN, from_terminal, read_stdin
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.render.documents import turn_document

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
@click.option(
    "--mentions",
    is_flag=True,
    help="Send what the text mentions with it: @4c1e9a0, @D1, @path/to/file.",
)
@options.command_id
@click.pass_obj
def send(
    run: Run,
    text: str | None,
    session_id: str,
    model: str | None,
    scope: str,
    mentions: bool,
    command_id: str | None,
) -> None:
    """Ask, and print the answer as it arrives.

    The question is stored before the model is called, and what has arrived is kept whatever
    happens. With --mentions, checkpoints, items and artifacts of the session's state and files of
    the Space's project root are read now and quoted behind the text; other words with @ stay words.
    """
    message = _message(text)
    rule = MentionRule() if mentions else None
    answer_question(run, Question(session_id, message, model, int(scope), command_id, rule))


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


@chat.command(example="smriti chat models --test demo")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--test", is_flag=True, help="Ask the model NAME (or the set one) for one word.")
@click.pass_obj
def models(run: Run, name: str | None, test: bool) -> None:
    """List the models that can be named, and whether each can be reached.

    With --test one tiny real call is made: it tells how long each step took, or why it failed.
    Nothing of it is stored.
    """
    if name is not None and not test:
        raise click.UsageError("a model is named, but not --test")
    if test:
        try_model(run, name)
    else:
        list_models(run)


def _message(text: str | None) -> str:
    """The message of the command line, or of standard input without its last line end."""
    if text is not None and text != STDIN:
        return text
    if text is None and from_terminal():
        raise Invalid(
            "There is no message.", "Give it as an argument, or pipe it in with `-`.", code="usage"
        )
    return read_stdin().removesuffix("\n").removesuffix("\r")
