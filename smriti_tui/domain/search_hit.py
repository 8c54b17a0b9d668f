"""What a search asks for and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.search_snippet import Snippet

ITEM_KINDS: Final = ("decision", "assumption", "task", "question")
NAME_KINDS: Final = ("space", "session", "branch")
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "turn": ("turn",),
    "checkpoint": ("checkpoint",),
    "item": ITEM_KINDS,
    **{kind: (kind,) for kind in ITEM_KINDS},
    "artifact": ("artifact",),
    "note": ("note",),
    "name": NAME_KINDS,
}
"""What a filter may name: kinds of entries, and words for several of them."""
LETTERS: Final[Mapping[str, str]] = {
    "decision": "D",
    "assumption": "A",
    "task": "T",
    "question": "Q",
}


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must be. Nothing set lets all through."""

    space: SpaceId | None = None
    kinds: tuple[str, ...] = ()
    """Kinds of entries; see `KINDS`."""
    author: str | None = None
    """Who wrote it, in any case; of an answer its model."""
    since: str | None = None
    until: str | None = None
    """UTC texts: from the one on, before the other."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found, and where it stands."""

    entry: int
    kind: str
    snippet: Snippet
    author: str
    recorded_at: str
    space: SpaceId | None
    space_name: str | None
    session: SessionId | None = None
    session_title: str | None = None
    turn: int | None = None
    role: str | None = None
    checkpoint: CheckpointId | None = None
    checkpoint_title: str | None = None
    item: str | None = None
    """Uid of an item, id of an artifact, note or branch."""
    label: str | None = None
    """`D1` within its checkpoint."""


@dataclass(frozen=True, slots=True)
class Found:
    """Best first; `more` when not all that fits is here."""

    hits: tuple[Hit, ...]
    more: bool
