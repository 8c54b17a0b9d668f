"""A draft of a checkpoint by the background model, with every citation checked.

The model gets the turns that a checkpoint made now would be made from, and nothing else: no earlier
checkpoint, no turn that is left out (DESIGN 3.8). A long stretch goes in pieces, each a request of
its own; their answers are put one after the other, and nothing is added to them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from smriti_tui.domain.context import turn_segments
from smriti_tui.domain.draft import ASKING
from smriti_tui.domain.draft_reply import Reply, read_reply
from smriti_tui.domain.draft_text import PREAMBLE, SCHEMA, TEMPLATE, ask
from smriti_tui.domain.drafted import Cited, Drafted, Piece
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import Estimate, LeftOut, Limit, RequestStored
from smriti_tui.domain.ids import RequestId, SessionId, new_id
from smriti_tui.domain.items import comparison_key
from smriti_tui.domain.model import Turn
from smriti_tui.domain.quotes import Said
from smriti_tui.domain.tokens import VERSION, message_tokens
from smriti_tui.domain.values import sha256
from smriti_tui.domain.window import LineView, left_out_turns, reasons
from smriti_tui.providers.base import Loading, Retrying
from smriti_tui.services.answers import settle_before_reading
from smriti_tui.services.background import (
    Asked,
    Background,
    MakeOrder,
    Order,
    text_segment,
)
from smriti_tui.services.contexts import line_view
from smriti_tui.services.models import ModelChoice
from smriti_tui.services.pieces import Answer, PieceDone, PieceOrder, ask_pieces
from smriti_tui.store import sessions
from smriti_tui.store.engine import Tx

OUTSIDE = 2_000
"""So many of the newest turns that were not drafted are looked through for a quote."""
_ELSE = "Nothing was changed. Ask again, choose another background.model, or write it yourself."


DraftStep = Asked | Loading | Retrying | PieceDone | Drafted


@dataclass
class _Window:
    """What is drafted, as it was when the draft began."""

    view: LineView
    turns: list[Turn]
    outside: list[Turn]
    left_out: tuple[LeftOut, ...]
    answers: list[Answer] = field(default_factory=list)
    """One for each piece."""


@dataclass(frozen=True)
class DraftService:
    """Asks the background model of the settings."""

    background: Background

    async def draft(
        self, session: SessionId, *, model: str | None = None, last: int | None = None
    ) -> AsyncGenerator[DraftStep, None]:
        """Drafts the turns since the last checkpoint of the session's line; changes nothing.

        With `last` only those up to that turn: a long conversation in parts, each with a checkpoint
        of its own. `model` is a name or alias in the place of the settings' background model.
        Closing it or
        cancelling its task stops the call and leaves nothing half-saved.

        Raises:
            NotFound. Invalid: there is no turn to draft (code `no_turns`), or one that is too large
                for the model (`too_long`); no call is made.
            ProviderError: no background model is set, or a call failed. Of several pieces,
                `details["answered"]` are the requests that were answered before.
        """
        caller = self.background.caller
        await asyncio.to_thread(settle_before_reading, caller, session)
        window = await asyncio.to_thread(self._window, session, last)
        choice = self.background.resolve(model)
        limit = await self.background.limits.ask(choice)
        pieces = _pieces(window.turns, limit, choice.name)
        orders = [PieceOrder(_span(turns), _order(session, window, turns)) for turns in pieces]
        asking = ask_pieces(self.background, orders, window.answers, otherwise=_ELSE, model=model)
        async with contextlib.aclosing(asking) as steps:
            async for step in steps:
                yield step
        yield await asyncio.to_thread(_joined, session, window, pieces)

    def turns(self, session: SessionId) -> tuple[int, int]:
        """First and last of the turns that would be drafted now.

        Raises:
            NotFound. Invalid: there is none (code `no_turns`).
        """
        found = self._window(session).turns
        return found[0].sequence_number, found[-1].sequence_number

    def said(self, session: SessionId, first: int | None, last: int | None) -> Said:
        """What a quote is looked for in: of the turns that would be drafted now those from `first`
        to `last`, and as outside of them the newest others. Raises: NotFound."""
        try:
            window = self._window(session)
        except Invalid as error:
            if error.code != "no_turns":
                raise
            with self.background.caller.read() as tx:
                end = sessions.session(tx, session).last_seq
                near = sessions.turns_between(tx, session, max(1, end - OUTSIDE), end)
            return Said((), near)
        low, high = first or 1, last or window.view.last_seq
        inside = [turn for turn in window.turns if low <= turn.sequence_number <= high]
        others = [turn for turn in window.turns if turn not in inside]
        return Said(inside, [*window.outside, *others])

    def _window(self, session: SessionId, last: int | None = None) -> _Window:
        with self.background.caller.read() as tx:
            found = sessions.session(tx, session)
            view = line_view(tx, found, 1)
            mine = [
                turn
                for turn in sessions.turns_between(tx, session, view.floor + 1, view.last_seq)
                if turn.line == view.line.line
            ]
            why = reasons(mine)
            for turn in mine:
                if last is not None and turn.sequence_number > last:
                    why[turn.sequence_number] = why[turn.sequence_number] or "after the part"
            sent = [turn for turn in mine if why[turn.sequence_number] is None]
            if not sent:
                until = f" up to turn {last}" if last is not None else ""
                raise Invalid(
                    f"Since the last checkpoint nothing was said here{until} that could be "
                    "drafted.",
                    "Ask something first, or write the checkpoint by hand.",
                    code="no_turns",
                )
            numbers = [turn.sequence_number for turn in sent]
            runs = sessions.line_runs(tx, session)
            left = left_out_turns(view, runs, why, numbers, view.last_seq)
            low = max(1, view.last_seq - OUTSIDE)
            near = sessions.turns_between(tx, session, low, view.last_seq)
            outside = [turn for turn in near if turn.sequence_number not in set(numbers)]
            return _Window(view, sent, outside, left)


def _span(turns: Sequence[Turn]) -> str:
    first, last = turns[0].sequence_number, turns[-1].sequence_number
    return f"turn {first}" if first == last else f"turns {first} to {last}"


def _pieces(turns: Sequence[Turn], limit: Limit, model: str) -> list[Sequence[Turn]]:
    """The turns in stretches that each fit the model.

    Raises:
        Invalid: a turn fits nowhere (code `too_long`). Some servers would cut it without a word.
    """
    room = limit.tokens - limit.reserve - message_tokens(PREAMBLE) - message_tokens(ask(()))
    pieces: list[list[Turn]] = [[]]
    used = 0
    for turn in turns:
        cost = message_tokens(turn.content) + 4
        if cost > room:
            raise Invalid(
                f"Turn {turn.sequence_number} has {cost:,} tokens; a request to {model} has room "
                f"for {max(room, 0):,}.",
                "Choose another background.model, or write the checkpoint by hand.",
                code="too_long",
            )
        if pieces[-1] and used + cost > room:
            pieces.append([])
            used = 0
        pieces[-1].append(turn)
        used += cost
    return [*pieces]


def _order(session: SessionId, window: _Window, turns: Sequence[Turn]) -> MakeOrder:
    def make(_: Tx, choice: ModelChoice, limit: Limit) -> Order:
        numbers = [turn.sequence_number for turn in turns]
        closing = ask(turns)
        texts = {sha256(text): text for text in (PREAMBLE, closing)}
        state = [
            LeftOut("checkpoint", "not given to the drafter", checkpoint=each.id)
            for each in window.view.scope
        ]
        others = [each.sequence_number for each in window.turns if each not in turns]
        pieces = [
            LeftOut("turns", "another piece", first=each.first, last=each.last)
            for each in turn_segments(others, [0] * len(others))
        ]
        request = RequestStored(
            request=RequestId(new_id()),
            purpose="draft",
            model=choice.model,
            limit=limit,
            estimate=Estimate(VERSION, 0),
            template=TEMPLATE,
            segments=(
                text_segment("system", PREAMBLE, "system: what a draft is"),
                *turn_segments(numbers, [message_tokens(turn.content) for turn in turns]),
                text_segment("user", closing, "the question for a draft"),
            ),
            left_out=(*window.left_out, *pieces, *state),
            context_sha256="",
            line=window.view.line.line,
            params={**choice.params, "max_tokens": limit.reserve},
        )
        held = {turn.sequence_number: turn for turn in turns}
        return Order(f"session/{session}", request, texts, held, SCHEMA)

    return make


def _joined(session: SessionId, window: _Window, cut: Sequence[Sequence[Turn]]) -> Drafted:
    """All answers one after the other. A piece whose answer cannot be read is told; the wordings of
    the first stay, and the same item is taken once, in its first place."""
    said = Said(window.turns, window.outside)
    pieces, problems = [], []
    items: dict[tuple[str, str], Cited] = {}
    for (asked, answered), turns in zip(window.answers, cut, strict=True):
        found = read_reply(answered.text)
        reply = None if found is not None and found.blank else found
        first, last = turns[0].sequence_number, turns[-1].sequence_number
        pieces.append(Piece(asked.request, first, last, answered.text, reply))
        if reply is None:
            problems.append(f"the answer for {_span(turns)} is no draft")
        problems += found.problems if found is not None else ()
        if reply is None:
            continue
        if answered.finish == "length" and not reply.cut:
            problems.append(f"the answer for {_span(turns)} may end too early")
        for item in reply.items:
            key = (item.kind, comparison_key(item.text) or item.text)
            cited = Cited(item, said.check(item.quote, item.turn))
            # Words that were said count before words of the same item that were not.
            if key not in items or (_unsaid(items[key]) and not _unsaid(cited)):
                items[key] = cited
    read = [piece.reply for piece in pieces if piece.reply is not None]
    summaries = [reply.summary for reply in read if reply.summary]
    names = [name for name in _names(read) if said.has(name)]
    problems += [f"nobody said the entity {name!r}" for name in _names(read) if name not in names]
    head = window.view.anchor
    return Drafted(
        session,
        window.view.line.line,
        window.turns[0].sequence_number,
        window.turns[-1].sequence_number,
        head.id if head is not None else None,
        window.answers[0][1].model,
        next((reply.title for reply in read if reply.title), ""),
        next((reply.objective for reply in read if reply.objective), ""),
        "\n\n".join(summaries),
        tuple(items.values()),
        tuple(names),
        tuple(problems),
        tuple(pieces),
    )


def _names(replies: Sequence[Reply]) -> tuple[str, ...]:
    """Each once, as it was written first."""
    found: dict[str, str] = {}
    for name in (name for reply in replies for name in reply.entities):
        found.setdefault(name.casefold(), name)
    return tuple(found.values())


def _unsaid(cited: Cited) -> bool:
    return cited.checked.check in ASKING
