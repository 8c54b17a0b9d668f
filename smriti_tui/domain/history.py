"""The history of a Space as rows of a graph."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.model import CheckpointSummary, Disposition

NOTE_BEGINNING = 160
"""Characters of a milestone that are read for a row."""


@dataclass(frozen=True)
class TreeRow(CheckpointSummary):
    """A checkpoint with what was said of it and its branch; its parents are those that exist."""

    disposition: Disposition = "active"
    """Of its branch."""
    tip: bool = False
    """Whether it is its branch's head."""
    notes: int = 0
    """How many there are of every kind."""
    milestone: str = ""
    """How the newest milestone begins; empty without one."""
    noise: bool = False
    """Whether it is marked as noise, and no milestone since."""


@dataclass(frozen=True)
class HistoryPage:
    """Some rows, newest first; `more` when older ones follow."""

    rows: tuple[TreeRow, ...]
    more: bool = False

    @property
    def last(self) -> int | None:
        """The position to page on from."""
        return self.rows[-1].position if self.rows else None
