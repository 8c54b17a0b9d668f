"""What came from other tools, into the stream of the session that holds it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import ClassVar

from smriti_tui.domain.codec import to_json
from smriti_tui.domain.events.base import Event
from smriti_tui.domain.imported import Detail, ImportedTurn, Skipped, Tool
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
        return {
            "first": self.first,
            "last": self.last,
            "line": self.line,
            "turns": [_taken(each) for each in self.turns],
        }


def _taken(taken: TakenTurn) -> dict[str, object]:
    plain: dict[str, object] = {"turn": _filled(taken.turn, "text")}
    if taken.question is not None:
        plain["question"] = taken.question
    if taken.copied_from is not None:
        plain["copied_from"] = to_json(taken.copied_from)
    return plain


def _filled(value: ImportedTurn | Detail, always: str = "") -> dict[str, object]:
    """The fields that hold something."""
    found: dict[str, object] = {}
    for name in _DETAIL if isinstance(value, Detail) else _TURN:
        field_value = getattr(value, name)
        if name == "details":
            if field_value:
                found[name] = [_filled(each) for each in field_value]
        elif name == always or field_value not in (None, "", False, ()):
            found[name] = to_json(field_value)
    return found


_TURN = tuple(each.name for each in fields(ImportedTurn))
_DETAIL = tuple(each.name for each in fields(Detail))
