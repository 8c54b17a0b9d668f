"""`smriti chat`: asking a model. For people and scripts; agents do not use it."""

from __future__ import annotations

import json

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


@chat.command(example="smriti chat retry --session 3f9a --as-stored 4 --model demo/contrarian")
@options.session
@model_option
@click.option(
    "--scope",
    type=click.Choice(["1", "3"]),
    help="How many checkpoints the model gets.  [default: 1, or as stored]",
)
@click.option(
    "--as-stored",
    metavar="N",
    type=options.number(1),
    help="Send the stored context of answer N; change exactly one thing.",
)
@click.option(
    "--param",
    "params",
    metavar="NAME=JSON",
    multiple=True,
    help="With --as-stored: a parameter of the call, such as temperature=0.",
)
@options.command_id
@click.pass_obj
def retry(
    run: Run,
    session_id: str,
    model: str | None,
    scope: str | None,
    as_stored: int | None,
    params: tuple[str, ...],
    command_id: str | None,
) -> None:
    """Ask the last question again; the new answer stands beside the old one.

    With --as-stored the model gets what answer N got, byte for byte, and exactly one of --model,
    --scope and --param differs; the answer that is sent stays the one until `chat choose`.
    """
    if as_stored is None:
        if params:
            raise click.UsageError("--param goes with --as-stored")
        answer_question(run, Question(session_id, None, model, int(scope or 1), command_id))
        return
    changed = _params(params)
    asked = Question(
        session_id, None, model, int(scope or 0), command_id, as_stored=as_stored, params=changed
    )
    answer_question(run, asked)


def _params(given: tuple[str, ...]) -> dict[str, object] | None:
    """Names and values; a value that is no JSON is a text."""
    found: dict[str, object] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not name or not sign:
            raise click.UsageError(f"--param takes NAME=JSON, not {each!r}")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found or None


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
