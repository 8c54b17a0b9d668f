"""A draft as the background model proposed it, with every quote checked (DESIGN 3.8)."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.draft_reply import Proposed, Reply
from smriti_tui.domain.ids import CheckpointId, RequestId, SessionId
from smriti_tui.domain.quotes import Checked


@dataclass(frozen=True)
class Cited:
    """A proposed item and what became of its quote."""

    item: Proposed
    checked: Checked


@dataclass(frozen=True)
class Piece:
    """One request of a draft and what was made of its answer; None where it is no draft."""

    request: RequestId
    first: int
    last: int
    raw: str
    reply: Reply | None


@dataclass(frozen=True)
class Drafted:
    """All that the model proposed; nothing of it is saved."""

    session: SessionId
    line: int
    first: int
    last: int
    """The newest turn that was drafted: what a checkpoint of it may name as its last source."""
    head: CheckpointId | None
    """The state that the line stands on, which the model did not see."""
    model: str
    title: str
    objective: str
    summary: str
    items: tuple[Cited, ...]
    entities: tuple[str, ...]
    problems: tuple[str, ...]
    pieces: tuple[Piece, ...]

    @property
    def usable(self) -> bool:
        """Whether any answer was a draft."""
        return any(piece.reply is not None for piece in self.pieces)
