"""What a view of an open stream is: rules that fold its events into a document.

Folds are pure: no clock, no files, the order of the log. They never fail on what an event holds;
what they cannot use they count, and the view shows the count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from smriti_tui.domain.events import EventRedacted
from smriti_tui.domain.values import canonical

UNKNOWN_TYPE: Final = "unknown type"
NO_ID: Final = "no id"
UNKNOWN_ID: Final = "unknown id"
REPEATED: Final = "repeated"
EMPTY: Final = "nothing in it"
UNREADABLE: Final = "unreadable"


@dataclass(frozen=True, slots=True)
class Fact:
    """An event as a view sees it."""

    type: str
    payload: Mapping[str, Any]
    actor: str
    recorded_at: str
    event_id: str


class Items:
    """Records by key, in the order in which they came.

    Those of a snapshot stay text until somebody asks for them: a tail of a hundred events costs the
    same over ten records and over ten thousand.
    """

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        """`texts` are keys and canonical JSON."""
        self._kept: dict[str, dict[str, Any] | str] = dict(texts)

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __contains__(self, key: str) -> bool:
        return key in self._kept

    def get(self, key: str) -> dict[str, Any] | None:
        """The record itself: changing it changes the state."""
        found = self._kept.get(key)
        if isinstance(found, str):
            read: dict[str, Any] = json.loads(found)
            self._kept[key] = read
            return read
        return found

    def put(self, key: str, value: dict[str, Any]) -> dict[str, Any]:
        """Adds a record, or takes the place of one; returns it."""
        self._kept[key] = value
        return value

    def values(self) -> Iterator[dict[str, Any]]:
        """All records, read."""
        for key in list(self._kept):
            found = self.get(key)
            if found is not None:
                yield found

    def texts(self) -> Iterator[tuple[str, str]]:
        """Keys and canonical JSON."""
        for key, kept in self._kept.items():
            yield key, kept if isinstance(kept, str) else canonical(kept)


@dataclass
class ViewState:
    """What events were folded into so far."""

    head: dict[str, Any] = field(default_factory=dict)
    """What there is once."""
    items: Items = field(default_factory=Items)
    skipped: dict[str, dict[str, int]] = field(default_factory=dict)
    """Why events were skipped, then their types, then how many."""

    def skip(self, type_name: str, reason: str) -> None:
        """Counts an event that changed nothing."""
        types = self.skipped.setdefault(reason, {})
        types[type_name] = types.get(type_name, 0) + 1


Rule = Callable[[ViewState, Fact], str | None]
"""Applies one fact; returns why it was skipped, or None."""


def ignored(state: ViewState, fact: Fact) -> None:
    """The rule of marks: known, and without effect."""


@dataclass(frozen=True)
class View:
    """A registered fold of one or more open streams."""

    name: str
    version: int
    """Of the rules: a snapshot that older ones made is not used."""
    streams: tuple[str, ...]
    """Folded together in the order of the log; the first one counts its versions."""
    rules: Mapping[str, Rule]
    document: Callable[[ViewState], dict[str, Any]]
    """The view as plain JSON."""

    def apply(self, state: ViewState, fact: Fact) -> None:
        """Folds one event in; one of an unknown type is counted."""
        if fact.type == EventRedacted.TYPE:
            return
        rule = self.rules.get(fact.type)
        reason = UNKNOWN_TYPE if rule is None else rule(state, fact)
        if reason is not None:
            state.skip(fact.type, reason)


def text_in(payload: Mapping[str, Any], *keys: str) -> str | None:
    """The first of these fields that holds a text with something in it."""
    for key in keys:
        found = payload.get(key)
        if isinstance(found, str) and found.strip():
            return found
    return None


def moment_of(fact: Fact) -> str:
    """When it happened as its writer says, else when it was recorded."""
    return text_in(fact.payload, "timestamp", "at") or fact.recorded_at
