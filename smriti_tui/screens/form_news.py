"""What came onto the branch that a form writes on, since the form was opened. Read in threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import CheckpointId, SpaceId, short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.render.moved_head import came_line, differing_lines
from smriti_tui.screens.form_loading import FormPlace, where_now

if TYPE_CHECKING:
    from smriti_tui.services import Services

MOST_CAME = 20


@dataclass(frozen=True)
class HeadMoved:
    """The branch has another head than the one that is written on."""

    head: str
    """Id of the new head, empty for none."""
    branch: str
    told: str
    """Who saved what."""
    items: tuple[str, ...]
    """What differs, a line for each."""

    @property
    def words(self) -> str:
        """All of it, for a dialog."""
        lines = "\n".join(self.items)
        return f"{self.told}\n\n{lines}" if lines else self.told


def moved(services: Services, place: FormPlace, written_on: str) -> HeadMoved | None:
    """None while the head is the one that is written on. Raises: SmritiError."""
    head, branch, _, needs_branch = where_now(services, place)
    if needs_branch or (head or "") == written_on:
        return None
    new = services.checkpoints.get(head) if head else None
    old = _find(services, written_on)
    came = _came(services, new, written_on) if new is not None else []
    told = came_line(came, branch) or f"The head of {branch} is {short(head or 'none')} now."
    return HeadMoved(
        head or "", branch, told, tuple(differing_lines(old, new)) if new is not None else ()
    )


def _came(services: Services, new: Checkpoint, since: str) -> list[Checkpoint]:
    """Along first parents, newest first; none where the old head is not below the new one."""
    found, here = [new], new
    while here.body.parents and here.body.parents[0] != since:
        before = _find(services, here.body.parents[0])
        if before is None or len(found) == MOST_CAME:
            return found if not since else found[:1]
        found.append(before)
        here = before
    return found


def _find(services: Services, checkpoint: str) -> Checkpoint | None:
    try:
        return services.checkpoints.get(CheckpointId(checkpoint)) if checkpoint else None
    except NotFound:
        return None


def beside_name(services: Services, space: SpaceId, branch: str) -> str:
    """A free name for a branch beside another one."""
    taken = {each.name for each in services.spaces.branches(space)}
    name, number = f"{branch}-beside", 2
    while name in taken:
        name, number = f"{branch}-beside-{number}", number + 1
    return name
