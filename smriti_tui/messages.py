"""Messages that cross panes and threads. A thread posts one of these and touches nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from smriti_tui.domain.errors import SmritiError


@dataclass
class Act(Message):
    """Somebody asked for an action of the table: a click on the footer, a tab or the header."""

    action_id: str


@dataclass
class Failed(Message):
    """A thread's work failed. `what` names it in the person's words: `Mounting`."""

    error: SmritiError
    what: str = ""


@dataclass
class FeedMoved(Message):
    """Something was committed; the feed holds what. Several in a row count as one."""

    def can_replace(self, message: Message) -> bool:
        """A later one says the same."""
        return isinstance(message, FeedMoved)


@dataclass
class Noticed(Message):
    """Something that was just recorded may hold a secret; `words` say where, never what."""

    words: str


@dataclass
class Waiting(Message):
    """A write waits for its turn at the database (`on`), or none does any more."""

    on: bool


@dataclass
class Unwatched(Message):
    """The system does not tell of changed files: what others write shows at the next poll."""

    reason: str


@dataclass
class Reached(Message):
    """The database cannot be read (`error`), or can be again (None); `replaced`: another file
    stands in its place."""

    error: SmritiError | None
    replaced: bool = False
