"""A view as a file for git, and the events that a hand-edited file stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from smriti_tui.domain.views.base import ViewState

NewFact = tuple[str, dict[str, Any]]
"""Type and payload of an event."""


@dataclass
class Taken:
    """What a file changes, and what of it is left alone."""

    facts: list[NewFact] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Sentences on what the file says and the log does not take."""
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, kind: str, fact: NewFact) -> None:
        """One more change; `kind` is a word such as `created`."""
        self.facts.append(fact)
        self.counts[kind] = self.counts.get(kind, 0) + 1


@dataclass(frozen=True)
class ViewFile:
    """The one file form of a view. Both functions are pure: the same state, the same bytes."""

    view: str
    name: str
    """As the file is usually called."""
    render: Callable[[ViewState], str]
    take: Callable[[ViewState, str], Taken] | None
    """Reads the whole text, then compares. Raises: Invalid: it is no such file, with the place."""
    mark: str = ""
    """Type of the event that tells of a file that was taken in."""


def said(counts: dict[str, int], kinds: Sequence[str]) -> str:
    """`2 created, 1 updated`; empty for nothing."""
    return ", ".join(f"{counts[kind]} {kind}" for kind in kinds if counts.get(kind))
