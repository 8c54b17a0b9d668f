"""The demo models: no AI, no network, no chance. They tell what their context gave them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator

from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.title_text import ASK
from smriti_tui.providers.base import (
    Chunk,
    Cost,
    Finished,
    FinishReason,
    ModelCall,
    TextDelta,
    Usage,
)
from smriti_tui.providers.demo_reading import Seen, quote, seen
from smriti_tui.providers.names import DEMO_CONTRARIAN, DEMO_SCRIPTED, resolve
from smriti_tui.providers.wire import ModelLimits

DEMO_LIMITS = ModelLimits(128_000, 4_096, "0", "0")
CHARACTERS_PER_TOKEN = 4
TITLE_WORDS = 6
NO_AI = "I am not an AI: this is Smriti's scripted demo model"
SAYS_WHAT_IT_IS = f"{NO_AI}."
SAYS_WHAT_IT_IS_CONTRARY = f"{NO_AI}, the contrary one."


class DemoModel:
    """Answers `demo/scripted` and `demo/contrarian`; the same call always gets the same answer."""

    def __init__(self, pause_s: float = 0.02) -> None:
        """`pause_s` passes before each chunk of about one word."""
        self._pause_s = pause_s

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """Answers `call`, cut at its `max_tokens`.

        Raises:
            ProviderError: `model_not_found`, it is no demo model's name.
        """
        text = answer(call)
        kept = text[: call.max_tokens * CHARACTERS_PER_TOKEN]
        for piece in re.findall(r"\s*\S+\s*", kept):
            await asyncio.sleep(self._pause_s)
            yield TextDelta(piece)
        characters = sum(len(m.content) for m in call.messages)
        finish: FinishReason = "stop" if kept == text else "length"
        usage = Usage(characters // CHARACTERS_PER_TOKEN, len(kept) // CHARACTERS_PER_TOKEN)
        yield Finished(finish, usage, Cost("0", "demo"))


def answer(call: ModelCall) -> str:
    """The whole answer to `call`."""
    from smriti_tui.providers.demo_tasks import done

    given = seen(call.messages)
    if given.question == ASK:
        return _title(given)
    if (told := done(call.messages, NO_AI)) is not None:
        return told
    match resolve(call.model):
        case "demo/scripted":
            return _scripted(given)
        case "demo/contrarian":
            return _contrarian(given)
    raise ProviderError(
        f"There is no demo model {quote(call.model)}.",
        f"Use {DEMO_SCRIPTED} or {DEMO_CONTRARIAN} as {call.setting}.",
        kind="model_not_found",
    )


def _title(given: Seen) -> str:
    """Asked for a title (template title/1): the first words of the conversation, and no more."""
    words = given.user[0].split() if len(given.user) > 1 else ["Nothing", "was", "said"]
    return " ".join(words[:TITLE_WORDS]).rstrip("?!.,;:")


def _scripted(given: Seen) -> str:
    lines = [
        f"{SAYS_WHAT_IT_IS} It thinks nothing up; it reads its context back, so that you can check "
        "what a real model would have been told.",
        "",
        f"You asked {quote(given.question)}. With that I was given:",
        "",
        *(f"- {line}" for line in _inventory(given)),
        "",
        _next_step(given),
    ]
    return "\n".join(lines)


def _contrarian(given: Seen) -> str:
    decision = given.first("decisions")
    if decision is None:
        against = (
            "No decision is in my context, so I doubt the question instead. "
            f"Is {quote(given.question)} the thing to ask first, "
            "or does it take its own answer for granted?"
        )
        reasons = (
            "Nothing is settled yet that it could rest on",
            "What would count as a wrong answer has not been said",
        )
    else:
        against = f"You asked {quote(given.question)}. I disagree with {decision.shown}:"
        assumption = given.first("assumptions")
        reasons = (
            f"It stands only as long as {assumption.shown} holds"
            if assumption
            else "No assumption is written down that it could be tested against",
            "The state names no case in which it would be given up",
        )
    lines = [
        SAYS_WHAT_IT_IS_CONTRARY,
        "",
        against,
        "",
        *(f"{number}. {reason}." for number, reason in enumerate(reasons, 1)),
        "",
        "```text",
        f"given: {_conversation(given)}",
        "```",
        "",
        f"{_state(given)} Write down what would change your mind, then save a checkpoint: a later "
        "answer, from whichever model, is told it word for word.",
    ]
    return "\n".join(lines)


def _inventory(given: Seen) -> list[str]:
    lines = [_state(given), f"The conversation: {_conversation(given)}."]
    if len(given.user) > 1:
        lines.append(f"It began with {quote(given.user[0])}.")
    if given.assistant:
        lines.append(f"The last answer in it began {quote(given.assistant[-1])}.")
    if decision := given.first("decisions"):
        lines.append(f"Settled, first of all: {decision.shown}.")
    if assumption := given.first("assumptions"):
        lines.append(f"Taken for granted: {assumption.shown}.")
    return lines


def _state(given: Seen) -> str:
    if not given.checkpoints:
        return "No checkpoint stands in my context: only this conversation counts."
    named = ", ".join(f"{c.short_id} {quote(c.title, 40)}" for c in given.checkpoints[-3:])
    return f"{_counted(len(given.checkpoints), 'checkpoint')}: {named}."


def _conversation(given: Seen) -> str:
    return (
        f"{_counted(len(given.user), 'user message')}, "
        f"{_counted(len(given.assistant), 'assistant message')}, "
        f"{given.characters:,} characters in all"
    )


def _next_step(given: Seen) -> str:
    if task := given.first("open_tasks"):
        return (
            f"The next open task is {task.shown}: say how you would start, then save a checkpoint."
        )
    if question := given.first("open_questions"):
        return f"Still open is {question.shown}: settle it, then save a checkpoint."
    return (
        "Nothing is open in the state. When this talk settles something, save a checkpoint, and "
        "the next answer starts from it instead of from the whole conversation."
    )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
