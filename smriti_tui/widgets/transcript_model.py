"""What the chat pane shows, as plain values: a screen makes them from the store, the pane draws
them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

FOLD_PREFIX = "fold:"

Role = Literal["user", "assistant", "system", "tool"]
Status = Literal["complete", "running", "stopped", "cut", "failed"]


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn as it is shown."""

    number: int
    role: Role
    label: str
    """Who speaks: you, assistant, or an actor's name."""
    text: str
    """As stored, or what has arrived so far; never changed here."""
    meta: str = ""
    """Ready facts behind the label, parts apart by three spaces; cut from the right when narrow."""
    clock: str = ""
    """The time, at the right edge; the first to go when narrow."""
    status: Status = "complete"
    reasoning: str = ""
    """The model's thinking: folded to one line, never sent."""
    note: str = ""
    """What went wrong, in one sentence (cut and failed), or why a complete one is not whole."""
    hint: str = ""
    """The next key in words, such as `R asks again`."""
    details: int = 0
    """How many reasonings, tool calls, files stand beside the words."""
    stays_out: bool = False
    """True for a turn that no later send holds: dimmed, and marked in words."""

    @property
    def key(self) -> str:
        """What identifies the entry between two calls of `show`."""
        return f"turn:{self.number}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A boundary across the pane, such as `restored to 4c1e9a0`."""

    label: str
    place: str = ""
    """Tells two rules with the same label apart, such as a line's number."""

    @property
    def key(self) -> str:
        """See `TurnView.key`."""
        return f"rule:{self.place}:{self.label}"


@dataclass(frozen=True, slots=True)
class Folded:
    """A range of turns that stay out, as one line; opened, its turns are shown as not sent."""

    label: str
    """The whole line: `turns 1-12 stay out (before the boundary)`."""
    first: int
    last: int
    turns: Sequence[TurnView]
    """May be lazy: it is indexed only for what is on the screen."""
    hint: str = ""
    """At the right edge: `x: why`."""

    @property
    def key(self) -> str:
        """See `TurnView.key`."""
        return f"{FOLD_PREFIX}{self.first}"


@dataclass(frozen=True, slots=True)
class Notice:
    """A quiet line of the program's own, such as `4 turns since the last checkpoint.  d drafts
    one.`"""

    text: str
    place: str = "end"

    @property
    def key(self) -> str:
        """See `TurnView.key`."""
        return f"notice:{self.place}"


Entry = TurnView | Rule | Folded | Notice


class TranscriptSource(Protocol):
    """Entries on demand. All but `entry` must be cheap: they are asked for every entry at
    `show`."""

    def count(self) -> int:
        """How many entries there are."""

    def key(self, index: int) -> str:
        """The entry's `key`, unique within the source."""

    def stamp(self, index: int) -> Hashable:
        """Equal as long as the entry is shown the same way."""

    def entry(self, index: int) -> Entry:
        """The entry itself; asked only for what is on the screen."""

    def size(self, index: int) -> tuple[int, int]:
        """Characters and line breaks of its text, for an estimate of its height."""


class TupleSource:
    """Entries that are in memory already."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = tuple(entries)

    def count(self) -> int:
        """How many entries there are."""
        return len(self._entries)

    def key(self, index: int) -> str:
        """The entry's key."""
        return self._entries[index].key

    def stamp(self, index: int) -> Hashable:
        """The entry is its own stamp: it never changes."""
        return _Same(self._entries[index])

    def entry(self, index: int) -> Entry:
        """The entry."""
        return self._entries[index]

    def size(self, index: int) -> tuple[int, int]:
        """Measured from the text."""
        return text_size(self._entries[index])


class _Same:
    """Equality by value without a hash, since a fold's turns may be any sequence."""

    __slots__ = ("_entry",)

    def __init__(self, entry: Entry) -> None:
        self._entry = entry

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and (
            self._entry is other._entry or self._entry == other._entry
        )

    def __hash__(self) -> int:
        return hash(self._entry.key)


def text_size(entry: Entry) -> tuple[int, int]:
    """Characters and line breaks of an entry's text; of a rule, a fold or a notice `(0, -1)`."""
    if isinstance(entry, TurnView):
        return len(entry.text), entry.text.count("\n")
    return 0, -1


def estimated_rows(size: tuple[int, int], width: int) -> int:
    """A guess at an entry's height: head, text by its length, a blank row. Short lines make it
    low."""
    characters, breaks = size
    if breaks < 0:
        return 1
    return 3 + characters // max(width - 4, 1) + breaks


def status_words(turn: TurnView) -> str:
    """What stands below a turn that did not simply complete; empty if it did."""
    said = {
        "complete": "not whole" if turn.note else "",
        "running": "...",
        "stopped": "stopped by you; what arrived is kept",
        "cut": "cut off; what arrived is kept",
        "failed": "failed; no answer arrived",
    }[turn.status]
    noted = turn.note and turn.status in ("complete", "cut", "failed")
    return f"{said}: {turn.note}" if noted else said
