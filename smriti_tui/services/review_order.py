"""What a model gets for a review: the state of one checkpoint, fenced, and the question."""

from __future__ import annotations

from dataclasses import replace

from smriti_tui.domain.context import rebuild
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import Estimate, LeftOut, Limit, RequestStored
from smriti_tui.domain.ids import RequestId, new_id, short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.review_text import ASK, PREAMBLE, SCHEMA, TEMPLATE, state_text, unsent
from smriti_tui.domain.tokens import VERSION, total_tokens
from smriti_tui.domain.values import sha256
from smriti_tui.services.background import Order, text_segment
from smriti_tui.services.models import ModelChoice


def review_order(found: Checkpoint, notes: int, choice: ModelChoice, limit: Limit) -> Order:
    """`notes` is how many the checkpoint has: they are not sent, which is told.

    Raises:
        Invalid: the state does not fit the model's window (code `too_long`).
    """
    state = state_text(found.body)
    texts = {sha256(text): text for text in (PREAMBLE, state, ASK)}
    request = RequestStored(
        request=RequestId(new_id()),
        purpose="review",
        model=choice.model,
        limit=limit,
        estimate=Estimate(VERSION, 0),
        template=TEMPLATE,
        segments=(
            text_segment("system", PREAMBLE, "system: what a review looks for"),
            replace(
                text_segment("system", state, f"the state of {short(found.id)}"),
                checkpoint=found.id,
            ),
            text_segment("user", ASK, "the question for findings"),
        ),
        left_out=tuple(
            LeftOut(each.what, each.reason, label=each.label, count=each.count, checkpoint=found.id)
            for each in unsent(found.body, notes)
        ),
        context_sha256="",
        anchors=(found.id,),
        params={**choice.params, "max_tokens": limit.reserve},
    )
    tokens = total_tokens(rebuild(request.segments, texts, {}))
    if tokens + limit.reserve > limit.tokens:
        raise Invalid(
            f"This state has {tokens:,} tokens; {choice.name} takes {limit.tokens:,}.",
            "Choose another background.model, or check by rules alone.",
            code="too_long",
        )
    return Order(f"space/{found.body.space}", request, texts, schema=SCHEMA)
