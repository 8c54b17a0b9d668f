"""Spaces and their branches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from smriti_tui.domain.events.base import Event
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId
from smriti_tui.domain.model import (
    Disposition,
)


@dataclass(frozen=True)
class KnownAs:
    """A branch that holds what came, and the branch that it is in the other store."""

    here: BranchId
    there: BranchId


@dataclass(frozen=True)
class MadeFrom:
    """The session that holds the turns which a checkpoint was made from, in place of the named."""

    checkpoint: CheckpointId
    session: SessionId


@dataclass(frozen=True)
class SpaceJoined(Event):
    """What two stores call differently, after histories that grew apart were put together.

    Where a store does not have the branch or session that is named it changes nothing: the other
    store reads the event too, some day.
    """

    TYPE: ClassVar[str] = "space.joined"
    branches: tuple[KnownAs, ...] = ()
    sources: tuple[MadeFrom, ...] = ()


@dataclass(frozen=True)
class SpaceCreated(Event):
    TYPE: ClassVar[str] = "space.created"
    name: str
    description: str = ""
    project_root: str | None = None


@dataclass(frozen=True)
class SpaceChanged(Event):
    """Only the fields that are not None change; an empty `project_root` clears it."""

    TYPE: ClassVar[str] = "space.changed"
    name: str | None = None
    description: str | None = None
    project_root: str | None = None
    undoes: str | None = None
    archived: bool | None = None


@dataclass(frozen=True)
class SpaceDeleted(Event):
    TYPE: ClassVar[str] = "space.deleted"
    checkpoints: int = 0


@dataclass(frozen=True)
class BranchOpened(Event):
    TYPE: ClassVar[str] = "branch.opened"
    branch: BranchId
    name: str
    start: CheckpointId | None = None


@dataclass(frozen=True)
class BranchRenamed(Event):
    TYPE: ClassVar[str] = "branch.renamed"
    branch: BranchId
    name: str
    undoes: str | None = None


@dataclass(frozen=True)
class BranchDisposed(Event):
    TYPE: ClassVar[str] = "branch.disposed"
    branch: BranchId
    disposition: Disposition
    undoes: str | None = None
