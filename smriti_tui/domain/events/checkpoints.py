"""Checkpoints and their notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from smriti_tui.domain.events.base import Event
from smriti_tui.domain.ids import BranchId, CheckpointId
from smriti_tui.domain.model import (
    CheckpointBody,
    NoteKind,
)


@dataclass(frozen=True)
class CheckpointSaved(Event):
    TYPE: ClassVar[str] = "checkpoint.saved"
    id: CheckpointId
    branch: BranchId
    body: CheckpointBody


@dataclass(frozen=True)
class CheckpointDeleted(Event):
    TYPE: ClassVar[str] = "checkpoint.deleted"
    id: CheckpointId


@dataclass(frozen=True)
class NoteAdded(Event):
    TYPE: ClassVar[str] = "note.added"
    note: str
    checkpoint: CheckpointId
    text: str
    kind: NoteKind = "note"
