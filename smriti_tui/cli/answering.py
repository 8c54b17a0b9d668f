"""One answer on the command line: asked, streamed, told about, and shown as it is stored."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.cli.diagnostics import Ended as EndedBadly
from smriti_tui.cli.diagnostics import Interrupted
from smriti_tui.cli.output import Output, TextStream
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.errors import ProviderError, SmritiError
from smriti_tui.domain.ids import SessionId, short
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.render.context_text import left_out_text
from smriti_tui.domain.render.documents import turn_document
from smriti_tui.domain.render.turns_text import not_whole, usage_text

if TYPE_CHECKING:
    from smriti_tui.domain.model import Turn
    from smriti_tui.services import Services
    from smriti_tui.services.steps import ChatStep, Retrying, Started

TOLD = ("window", "running", "cut")
"""Reasons for which something is left out that the person may not expect."""


@dataclass(frozen=True)
class Question:
    """What is asked; without a text the last question is asked again."""

    session: str
    text: str | None
    model: str | None
    scope: int
    command_id: str | None
    mentions: MentionRule | None = None
    as_stored: int | None = None
    """The answer whose stored context is sent once more, with one thing changed."""
    params: Mapping[str, object] | None = None
    """Parameters that are that one thing."""


@dataclass
class _Answer:
    """What is known of the answer so far; also after a Ctrl-C."""

    out: Output
    stream: TextStream
    may_load: bool = False
    """The provider library has to be loaded and asked before the question can be stored."""
    started: Started | None = None
    turn: Turn | None = None
    second: int = 0


def answer_question(run: Run, asked: Question) -> None:
    """Asks, streams the answer and shows its end; a repeated command shows the first result.

    Raises:
        SmritiError: before the question is stored, saying so. Ended: the answer failed or was cut.
        Interrupted: by Ctrl-C; what arrived is kept.
    """
    answer = _Answer(run.out, run.out.stream())
    with run.services() as services:
        session = services.sessions.find(asked.session).id
        if (number := _answered(services, asked.command_id)) is not None:
            _finish(run, services, session, number)
            return
        try:
            answer.may_load = _must_load(services, asked.model)
            asyncio.run(_receive(answer, _steps(services, session, asked)))
        except KeyboardInterrupt:
            raise Interrupted(_interrupted(answer)) from None
        except SmritiError as error:
            raise _where_the_text_is(error, answer) from error
        finally:
            answer.stream.end()
        if answer.turn is None:
            raise SmritiError("No answer came.", "Ask again.", code="no_answer")
        _finish(run, services, session, answer.turn.sequence_number, streamed=True)


def _answered(services: Services, command_id: str | None) -> int | None:
    """Number of the answer of a command that was carried out before."""
    if repeated(services, command_id, "answer.started") is None:
        return None
    events = services.caller.earlier(command_id)
    started = next(event for event in events if event.type == "answer.started")
    return int(str(started.body()["sequence_number"]))


def _must_load(services: Services, model: str | None) -> bool:
    return services.chat.limits.known(services.chat.resolve(model)).source == "assumed"


def _steps(
    services: Services, session: SessionId, asked: Question
) -> AsyncGenerator[ChatStep, None]:
    chat = services.chat
    if asked.as_stored is not None:
        return _beside(services, session, asked, asked.as_stored)
    if asked.text is None:
        return chat.retry(
            session, model=asked.model, scope=asked.scope, command_id=asked.command_id
        )
    return chat.send(
        session,
        asked.text,
        model=asked.model,
        scope=asked.scope,
        mentions=asked.mentions,
        command_id=asked.command_id,
    )


def _beside(
    services: Services, session: SessionId, asked: Question, answer: int
) -> AsyncGenerator[ChatStep, None]:
    from smriti_tui.services.sides import OneChange

    # With a parameter as the change, a model only names which entry is meant.
    via = asked.model if asked.params else None
    change = OneChange(None if via else asked.model, asked.scope or None, asked.params)
    return services.chat.beside(session, answer, change, via=via, command_id=asked.command_id)


async def _receive(answer: _Answer, steps: AsyncGenerator[ChatStep, None]) -> None:
    ticking = asyncio.create_task(_tick(answer)) if answer.may_load else None
    try:
        async with aclosing(steps):
            async for step in steps:
                if ticking is not None:
                    ticking.cancel()
                _take(answer, step)
    finally:
        if ticking is not None:
            ticking.cancel()


async def _tick(answer: _Answer) -> None:
    """Tells that the provider library loads while it is asked for the model's window."""
    for second in itertools.count(1):
        await asyncio.sleep(1)
        _tell_loading(answer, second)


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
            _tell_loading(answer, int(step.elapsed_s))
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


def _tell_loading(answer: _Answer, second: int) -> None:
    if second > answer.second:
        answer.second = second
        answer.out.note(f"loading the provider library, {second} s")


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


def _finish(
    run: Run, services: Services, session: SessionId, number: int, *, streamed: bool = False
) -> None:
    """The outcome as it is stored. `streamed`: the text stands on standard output already."""
    turn = services.sessions.turns(session, number, number)[0]
    document = _document(services, turn)
    if turn.status in ("failed", "cut"):
        raise EndedBadly(_fault(turn), document)
    if (why := not_whole(turn)) is not None:
        run.out.warning(f"answer {number} is not whole: {why}")
    if not run.out.wants_json and streamed:
        run.out.note(f"answer {number}, {turn.model}, {usage_text(turn.usage, turn.cost)}")
        return
    run.out.result(document, turn.text)


def _document(services: Services, turn: Turn) -> dict[str, object]:
    asked = turn.question or 0
    question = services.sessions.turns(turn.session, asked, asked)[0]
    request = services.contexts.stored(turn.session, turn.sequence_number).request.event
    return {
        "session": turn.session,
        "user_turn": turn_document(question),
        "assistant_turn": turn_document(turn),
        "model": turn.model,
        "context_sha256": request.context_sha256,
        "usage": to_json(turn.usage),
        "cost": to_json(turn.cost),
        "left_out": to_json(request.left_out),
        "limit": to_json(request.limit),
        "error": None,
    }


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
