"""A checkpoint out of a Markdown document: by rule what its headings name, the rest by the
background model, and every word of it checked against the document.

The model gets the document and nothing else. A long one goes in pieces, each a request of its own.
Nothing is saved here but the requests.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from smriti_tui.domain.document import Document, read_document
from smriti_tui.domain.document_parts import Parts
from smriti_tui.domain.document_pieces import Numbered, pieces
from smriti_tui.domain.draft_reply import Reply, read_reply
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.events import Estimate, LeftOut, Limit, RequestStored
from smriti_tui.domain.extract_text import PREAMBLE, SCHEMA, TEMPLATE, question
from smriti_tui.domain.extracted import Extracted, Joining, add_problems
from smriti_tui.domain.ids import RequestId, SpaceId, new_id
from smriti_tui.domain.tokens import VERSION, message_tokens
from smriti_tui.domain.values import sha256
from smriti_tui.providers.base import Loading, Retrying
from smriti_tui.services.background import (
    Asked,
    Background,
    MakeOrder,
    Order,
    text_segment,
)
from smriti_tui.services.markdown_parts import parts_of
from smriti_tui.services.models import ModelChoice
from smriti_tui.services.pieces import Answer, PieceDone, PieceOrder, ask_pieces
from smriti_tui.store.engine import Tx

PER_ANSWER = 6
"""A piece has at most so many times the tokens that its answer may have: else that is cut."""
LEAST_ROOM = 256
_ELSE = "Nothing was saved. Ask again, choose another background.model, or give JSON instead."

ExtractStep = Asked | Loading | Retrying | PieceDone | Extracted


@dataclass(frozen=True)
class _Source:
    space: SpaceId
    document: Document
    parts: Parts


@dataclass(frozen=True)
class ExtractService:
    """Asks the background model of the settings."""

    background: Background

    async def extract(
        self, space: SpaceId, text: str, *, model: str | None = None, keep: bool = False
    ) -> AsyncGenerator[ExtractStep, None]:
        """Extracts `text`; the last step is `Extracted`. Saves no checkpoint.

        `model` is a name or alias in the place of the settings' background model. With `keep` items
        whose words were not found stay, marked as kept by the caller. Closing it or cancelling its
        task stops the call.

        Raises:
            Invalid: the text is blank or too long; no call is made.
            ProviderError: no background model is set, a call failed, or no answer can be used. Of
                several pieces, `details["answered"]` are the requests that were answered before.
        """
        document = read_document(text)
        choice = self.background.resolve(model)
        limit = await self.background.limits.ask(choice)
        parts = await asyncio.to_thread(parts_of, document)
        source = _Source(space, document, parts)
        cut = await asyncio.to_thread(pieces, document, parts.borders, _room(limit))
        orders = [
            PieceOrder(f"lines {piece[0][0]} to {piece[-1][0]}", _order(source, piece))
            for piece in cut
        ]
        replies: list[Answer] = []
        asking = ask_pieces(self.background, orders, replies, otherwise=_ELSE, model=model)
        async with contextlib.aclosing(asking) as steps:
            async for step in steps:
                yield step
        keep_as = self.background.caller.actor if keep else None
        joining = Joining(document, parts, keep_as)
        yield await asyncio.to_thread(_joined, joining, cut, replies)


def _room(limit: Limit) -> int:
    """Tokens of a document that go into one request."""
    asked = message_tokens(PREAMBLE) + message_tokens(question([(1, "")], Parts()))
    # What is named as taken already takes some, too.
    room = (limit.tokens - limit.reserve - asked) * 7 // 8
    return max(min(room, limit.reserve * PER_ANSWER), LEAST_ROOM)


def _order(source: _Source, piece: Sequence[Numbered]) -> MakeOrder:
    def make(_: Tx, choice: ModelChoice, limit: Limit) -> Order:
        document = source.document
        first, last, of = piece[0][0], piece[-1][0], len(document.lines)
        message = question(piece, source.parts)
        parts = [
            LeftOut("text", "another piece", label=f"lines {start} to {end} of the document")
            for start, end in ((1, first - 1), (last + 1, of))
            if start <= end
        ]
        request = RequestStored(
            request=RequestId(new_id()),
            purpose="extract",
            model=choice.model,
            limit=limit,
            estimate=Estimate(VERSION, 0),
            template=TEMPLATE,
            segments=(
                text_segment("system", PREAMBLE, "system: what is extracted"),
                text_segment("user", message, f"lines {first} to {last} of {of}, and the question"),
            ),
            left_out=tuple(parts),
            context_sha256="",
            params={**choice.params, "max_tokens": limit.reserve},
        )
        # The document itself stands beside them: evidence names it by its hash.
        texts = {sha256(text): text for text in (PREAMBLE, message, document.text)}
        return Order(f"space/{source.space}", request, texts, schema=SCHEMA)

    return make


def _joined(
    joining: Joining,
    cut: Sequence[Sequence[Numbered]],
    answers: Sequence[Answer],
) -> Extracted:
    """Raises: ProviderError, none of the answers can be used."""
    replies: list[Reply] = []
    for piece, (_, answered) in zip(cut, answers, strict=True):
        reply = read_reply(answered.text)
        where = f"the answer for lines {piece[0][0]} to {piece[-1][0]}"
        if reply is None:
            joining.problems.append(f"{where} could not be read")
            continue
        add_problems(joining.problems, reply)
        if answered.finish == "length" and not reply.cut:
            joining.problems.append(f"{where} may end too early")
        replies.append(reply)
    model = answers[0][1].model
    if not replies:
        raise ProviderError(
            f"{model} gave nothing that is a checkpoint: {answers[0][1].text[:200]!r}.",
            _ELSE,
            kind="bad_reply",
        )
    return joining.join(replies, model, tuple(asked.request for asked, _ in answers))
