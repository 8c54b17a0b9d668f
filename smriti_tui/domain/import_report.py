"""What an import finds and what it does, as values that every surface shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from smriti_tui.domain.errors import Cancelled
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.imported import ImportedTurn, Skipped, Thread

PlaceKind = Literal["new", "grown", "forked", "known", "deleted"]
"""What a line of a conversation is to a Space: not there, gone on with, apart from some turn on,
all there, or there until its session was deleted."""


@dataclass(frozen=True)
class Seen:
    """A conversation as an import finds it."""

    file: str
    thread: Thread
    kind: PlaceKind
    new: int
    """How many of its turns are not here."""
    secrets: int
    """How many of those look as if they held a secret, with what stands beside them."""
    opening: tuple[ImportedTurn, ...] = ()
    """How they begin, long texts cut."""


@dataclass(frozen=True)
class SeenSpace:
    """A Space of the original Smriti as an import finds it."""

    file: str
    name: str
    checkpoints: int


@dataclass(frozen=True)
class LeftOut:
    """Something that is not imported: a line, a message, a conversation, a file."""

    file: str
    skipped: Skipped


@dataclass(frozen=True)
class Taken:
    """What became of one line of a conversation."""

    file: str
    thread: Thread
    kind: PlaceKind
    session: SessionId | None
    turns: int
    """That are new here."""
    branch: str | None = None
    """Of a line that was left in the tool: the id of its last turn."""
    changed: tuple[int, ...] = ()
    """Turns that have another text in the tool by now; here they stay."""
    why: str = ""
    """What ended it early."""


@dataclass
class Report:
    """What an import did."""

    taken: list[Taken] = field(default_factory=list)
    skipped: list[LeftOut] = field(default_factory=list)
    counted: Counter[str] = field(default_factory=Counter)
    """What is counted and not kept, by what it is."""
    notes: list[LeftOut] = field(default_factory=list)
    """What is to be known of how a conversation was read."""
    passed_over: list[LeftOut] = field(default_factory=list)
    """Files of a folder that hold no conversation."""
    branches: int = 0
    """Lines that were left in the tool and were not asked for."""
    cancelled: bool = False
    spaces: list[SpaceId] = field(default_factory=list)
    """That came from the original Smriti."""
    checkpoints: int = 0
    known_checkpoints: int = 0
    claims: int = 0

    @property
    def turns(self) -> int:
        return sum(each.turns for each in self.taken)

    def count(self, *kinds: PlaceKind) -> int:
        """How many lines are of these kinds."""
        return sum(each.kind in kinds for each in self.taken)


@dataclass
class Watch:
    """What a reader tells of its progress, and hears of a wish to stop."""

    cancelled: Callable[[], bool] = lambda: False
    read: Callable[[int], None] = lambda size: None

    def piece(self, size: int) -> None:
        """`size` more bytes were read. Raises: Cancelled."""
        if self.cancelled():
            raise Cancelled("The import was stopped.", "What was imported until then stays.")
        self.read(size)
