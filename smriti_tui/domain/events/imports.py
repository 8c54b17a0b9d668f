"""What came from other tools, into the stream of the session that holds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from smriti_tui.domain.events.base import Event
from smriti_tui.domain.imported import ImportedTurn, Skipped, Tool
from smriti_tui.domain.model import CopiedFrom


@dataclass(frozen=True)
class ThreadImported(Event):
    """Where the turns of a session come from; once for each import that added to it."""

    TYPE: ClassVar[str] = "thread.imported"
    tool: Tool
    source_id: str
    title: str
    file: str
    """Its name alone: folders are of the machine that imported."""
    created_at: str | None = None
    updated_at: str | None = None
    project: str | None = None
    branch: str | None = None
    """Of a line that was left in the tool: the id of its last turn."""
    skipped: tuple[Skipped, ...] = ()
    left_out: dict[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TakenTurn:
    """An imported turn, and the question in this session that it answers."""

    turn: ImportedTurn
    question: int | None = None
    copied_from: CopiedFrom | None = None
    """Where the session that this one forked from holds the same turn."""


@dataclass(frozen=True)
class TurnsImported(Event):
    """Turns that follow one another, whole from the start."""

    TYPE: ClassVar[str] = "turns.imported"
    first: int
    """Sequence number of the first of them."""
    last: int
    line: int
    turns: tuple[TakenTurn, ...]

    def payload(self) -> dict[str, object]:
        """Without what is empty: most turns have a text and a time."""
        plain = super().payload()
        plain["turns"] = [_filled(each) for each in plain["turns"]]  # type: ignore[attr-defined]
        return plain


def _filled(value: object) -> object:
    if isinstance(value, dict):
        kept = {name: _filled(each) for name, each in value.items()}
        empty: tuple[object, ...] = (None, [], "", False)
        return {name: each for name, each in kept.items() if each not in empty or name == "text"}
    return [_filled(each) for each in value] if isinstance(value, list) else value
