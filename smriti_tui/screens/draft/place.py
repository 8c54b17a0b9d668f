"""Where a draft belongs, what its screen shows, and what it is left with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from smriti_tui.domain.draft import DraftState
from smriti_tui.domain.draft_editing import labels
from smriti_tui.domain.model import Checkpoint, CheckpointBody
from smriti_tui.screens.form_loading import FormPlace


@dataclass(frozen=True)
class DraftPlace(FormPlace):
    """A session in a Space; its draft is kept apart from the form's text."""

    @property
    def thing(self) -> str:
        """The name under which the draft is kept."""
        return f"draft/{self.session}"

    @property
    def thrown(self) -> str:
        """The name under which the one stays that was thrown away last."""
        return f"{self.thing}/thrown"


@dataclass(frozen=True)
class Left:
    """How the screen was left."""

    made: Checkpoint | None = None
    then_merge: bool = False
    """Whether what was saved is to be merged with what came meanwhile."""
    go: str = ""
    """The action that leads to where one wants to be now."""
    turn: int | None = None
    """A turn that somebody wants to see in the chat."""
    thrown: bool = False


@dataclass(frozen=True)
class DraftView:
    """All that the rows are drawn from."""

    state: DraftState
    head: CheckpointBody | None = None
    unfolded: bool = False
    """Whether what is carried over is listed."""
    needs_branch: bool = False
    labels: dict[str, str] = field(default_factory=dict)
    key: Callable[[str], str] = str
    """The key of an action, as the person has it."""


def view_of(
    state: DraftState,
    head: Checkpoint | None,
    key: Callable[[str], str],
    *,
    unfolded: bool,
    needs_branch: bool,
) -> DraftView:
    """With the labels that the rows have."""
    body = head.body if head is not None else None
    return DraftView(state, body, unfolded, needs_branch, labels(state, body), key)
