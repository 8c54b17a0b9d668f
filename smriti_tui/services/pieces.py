"""A question to the background model that is too long for one request: asked piece after piece."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers.base import Loading, Retrying
from smriti_tui.services.background import Answered, Asked, Background, MakeOrder

MOST_ANSWER = 200_000
"""Characters of one answer after which what comes is none any more."""
Answer = tuple[Asked, Answered]


@dataclass(frozen=True)
class PieceDone:
    """One of several pieces is there."""

    number: int
    of: int


@dataclass(frozen=True)
class PieceOrder:
    """One request to be made; `what` it covers stands in the fault that names it."""

    what: str
    make: MakeOrder


async def ask_pieces(
    background: Background,
    pieces: Sequence[PieceOrder],
    answers: list[Answer],
    *,
    otherwise: str,
    model: str | None,
) -> AsyncGenerator[Asked | Loading | Retrying | PieceDone, None]:
    """Asks one after the other and puts what came into `answers`. Closing it stops the call.

    Raises:
        ProviderError: as `Background.ask`. Of several pieces it names the one that failed, and
            `details["answered"]` are the requests that were answered before.
    """
    for number, piece in enumerate(pieces, 1):
        asking = background.ask(piece.make, most=MOST_ANSWER, otherwise=otherwise, model=model)
        asked: Asked | None = None
        done = PieceDone(number, len(pieces))
        try:
            async with aclosing(asking) as steps:
                async for step in steps:
                    if isinstance(step, Answered) and asked is not None:
                        answers.append((asked, step))
                    elif isinstance(step, Asked):
                        asked = step
                        yield step
                    elif isinstance(step, Loading | Retrying):
                        yield step
        except ProviderError as error:
            if done.of == 1:
                raise
            raise _named(error, done, piece.what, answers) from error
        if done.of > 1:
            yield done


def _named(
    error: ProviderError, done: PieceDone, what: str, answers: Sequence[Answer]
) -> ProviderError:
    kept = "What was answered before it is kept in the log; nothing was saved." if answers else ""
    answered = [asked.request for asked, _ in answers]
    return ProviderError(
        f"Piece {done.number} of {done.of} ({what}): {error.message}",
        f"{error.hint} {kept}".strip(),
        kind=error.kind,
        details={**error.details, "piece": done.number, "answered": answered},
    )
