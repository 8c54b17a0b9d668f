"""What the screen for compare and merge is opened with, and what it comes back with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import BranchId, CheckpointId

if TYPE_CHECKING:
    from smriti_tui.domain.model import Checkpoint
    from smriti_tui.screens.merge_loading import Begun, SeveralBases
    from smriti_tui.services.merging import Merge


@dataclass(frozen=True)
class CompareAsked:
    """What the screen opens with: A and B, or (with `into`) a merge of B into a branch."""

    b: CheckpointId
    a: CheckpointId | None = None
    into: BranchId | None = None
    begun: Begun | SeveralBases | None = None
    """The merge, where it was planned already."""


@dataclass(frozen=True)
class Merged:
    """A merge was written."""

    checkpoint: Checkpoint
    merge: Merge
