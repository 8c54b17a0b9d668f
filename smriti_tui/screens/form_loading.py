"""What a form is opened with: where it saves, the head, and what was typed before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Conflict, SmritiError
from smriti_tui.domain.form import FormState, load, opened
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.unsent import Held


@dataclass(frozen=True)
class FormPlace:
    """What a form is for."""

    space: SpaceId
    space_name: str
    session: SessionId | None

    @property
    def thing(self) -> str:
        """The name under which the unsaved form is kept."""
        return f"form/{self.session or self.space}"


@dataclass(frozen=True)
class OpenedForm:
    """A form as it begins."""

    state: FormState
    start: FormState
    """As it would be with nothing typed."""
    head: Checkpoint | None
    """The checkpoint that `state` was written on."""
    branch: str
    needs_branch: bool
    news: str = ""
    """What the person should know first: kept text, another process, a head that moved."""


def open_form(services: Services, place: FormPlace, held: Held) -> OpenedForm:
    """Reads where a save would go now, and takes up `held` text. Called in a thread.

    Raises:
        SmritiError: there is nowhere to save.
    """
    head_id, branch, last, needs_branch = where_now(services, place)
    head = services.checkpoints.get(head_id) if head_id else None
    start = opened(head.body if head else None, head_id or "", last)
    news = _others(held)
    kept = load(held.text) if held.text else None
    if kept is None:
        return OpenedForm(start, start, head, branch, needs_branch, news)
    news = (
        f"{'Taken over from a process that ended' if held.adopted else 'Kept from before'}. {news}"
    )
    old_head = head
    if kept.head != (head_id or ""):
        news += f"{branch} has moved to {short(head_id or 'nothing')} since: saving will ask. "
        old_head = _find(services, kept.head)
    return OpenedForm(kept, start, old_head, branch, needs_branch, news.strip())


def where_now(
    services: Services, place: FormPlace
) -> tuple[CheckpointId | None, str, int | None, bool]:
    """Head, branch, newest ended answer, and whether a new branch must be named."""
    try:
        found = services.checkpoints.place(place.space, session=place.session)
    except Conflict as conflict:
        if conflict.code != "branch_needed" or place.session is None:
            raise
        head = CheckpointId(str(conflict.details["checkpoint"]))
        last = _newest_ended(services, place.session)
        return head, str(conflict.details["branch"]), last, True
    last = found.source.last if found.source else None
    return found.parent, found.branch_name, last, False


def _newest_ended(services: Services, session: SessionId) -> int | None:
    """The newest ended answer of the line above its floor: what a save takes as its last source."""
    view = services.contexts.view(session)
    turns = services.sessions.turns(session, view.floor + 1)
    ended = [
        turn.sequence_number
        for turn in turns
        if turn.line == view.line.line and turn.role == "assistant" and turn.status != "running"
    ]
    return max(ended, default=None)


def _find(services: Services, head: str) -> Checkpoint | None:
    try:
        return services.checkpoints.get(CheckpointId(head)) if head else None
    except SmritiError:
        return None


def _others(held: Held) -> str:
    if not held.elsewhere:
        return ""
    other = held.elsewhere[0]
    more = counted(len(held.elsewhere), "other process")
    more = more.replace("processs", "processes")
    return f"{more} (pid {other.pid} on {other.host}) also writes this form; each keeps its own. "
