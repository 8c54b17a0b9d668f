"""The brief of a checkpoint as far as a host takes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.model import Checkpoint, Note
from smriti_tui.domain.render.brief import brief
from smriti_tui.domain.render.fitting import shorter
from smriti_tui.domain.reviewed import Reviewed
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.mcp.answers import MOST_TOKENS

if TYPE_CHECKING:
    from smriti_tui.services import Services


@dataclass(frozen=True)
class Briefed:
    """A checkpoint, shorter where it must be, and its text."""

    checkpoint: Checkpoint
    space: str
    notes: Sequence[Note]
    reviewed: Reviewed | None
    text: str
    left_out: str
    """A sentence on it, "" for nothing."""


def briefed(services: Services, wanted: str, *, full: bool = False) -> Briefed:
    """Raises: NotFound, Ambiguous, Invalid."""
    found = services.checkpoints.find(wanted)
    notes: Sequence[Note] = services.checkpoints.notes(found.id)
    space = services.spaces.get(found.body.space).name
    reviewed = services.reviewing.latest(found.id)

    def text(checkpoint: Checkpoint, some: Sequence[Note]) -> str:
        return brief(checkpoint, space, some, reviewed)

    whole = text(found, notes)
    if full or fits(whole):
        return Briefed(found, space, notes, reviewed, whole, "")
    cut, kept, left = shorter(found, notes, lambda each, some: fits(text(each, some)))
    return Briefed(cut, space, kept, reviewed, text(cut, kept), left)


def fits(text: str) -> bool:
    return text_tokens(text) <= MOST_TOKENS
