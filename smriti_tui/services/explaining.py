"""What the difference in a conflict is, in a model's words, when a person asks for it.

The background model gets the sides of one conflict and nothing else. It never settles anything.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Literal

from smriti_tui.domain.context import rebuild
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import Estimate, LeftOut, Limit, RequestStored
from smriti_tui.domain.explain_text import ASK, MOST_CHARACTERS, PREAMBLE, TEMPLATE, versions
from smriti_tui.domain.ids import CheckpointId, RequestId, SpaceId, new_id
from smriti_tui.domain.merge_slots import Slot
from smriti_tui.domain.tokens import VERSION, total_tokens
from smriti_tui.domain.values import repair_text, sha256
from smriti_tui.services.background import Background, Order, Step, text_segment
from smriti_tui.services.models import ModelChoice
from smriti_tui.store.engine import Tx

MOST_ANSWER = 12_000
"""Characters after which what comes is no explanation any more: the call is stopped."""
_ELSE = "Ask again, or choose another background.model. The conflict is as it was."


@dataclass(frozen=True)
class Question:
    """A conflict of a merge."""

    space: SpaceId
    ours: CheckpointId
    theirs: CheckpointId
    slot: Slot[Any]


@dataclass(frozen=True)
class ExplainService:
    """Asks the background model of the settings."""

    background: Background

    async def explain(self, question: Question) -> AsyncGenerator[Step, None]:
        """Asks; changes nothing. Closing it or cancelling its task stops the call.

        Raises:
            ProviderError: no background model is set, or the call failed.
            Invalid: the conflict does not fit the model's window.
        """

        def order(_: Tx, choice: ModelChoice, limit: Limit) -> Order:
            request, texts = _request(question, choice, limit)
            tokens = total_tokens(rebuild(request.segments, texts, {}))
            if tokens + limit.reserve > limit.tokens:
                raise Invalid(
                    f"This conflict has {tokens:,} tokens; {choice.name} takes {limit.tokens:,}.",
                    "Choose another background.model, or look at the sides yourself.",
                    code="too_long",
                )
            return Order(f"space/{question.space}", request, texts)

        asking = self.background.ask(order, most=MOST_ANSWER, otherwise=_ELSE)
        async with contextlib.aclosing(asking) as steps:
            async for step in steps:
                yield step


def _request(
    question: Question, choice: ModelChoice, limit: Limit
) -> tuple[RequestStored, dict[str, str]]:
    """The request without what is known only once its messages are made, and its texts by hash."""
    parts: list[tuple[Literal["system", "user"], str, str]] = [
        ("system", PREAMBLE, "system: what to explain, and that nothing is chosen")
    ]
    left: list[LeftOut] = []
    for version in versions(question.slot):
        parts.append(("system", repair_text(version.text)[0], f"version {version.name}"))
        if version.cut:
            label = f"version {version.name}"
            left.append(LeftOut("text", "cut", label=label, kept=MOST_CHARACTERS, of=version.of))
    parts.append(("user", ASK, "the question for an explanation"))
    stored = RequestStored(
        request=RequestId(new_id()),
        purpose="explain",
        model=choice.model,
        limit=limit,
        estimate=Estimate(VERSION, 0),
        template=TEMPLATE,
        segments=tuple(text_segment(*part) for part in parts),
        left_out=tuple(left),
        context_sha256="",
        anchors=(question.ours, question.theirs),
        params={**choice.params, "max_tokens": limit.reserve},
    )
    return stored, {sha256(text): text for _, text, _ in parts}
