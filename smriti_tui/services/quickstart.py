"""The quickstart Space: made in the person's own database, and taken away again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from smriti_tui.domain import quickstart_story as story
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.errors import Conflict, NotFound
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.domain.model import Space
from smriti_tui.services.branches import BranchService
from smriti_tui.services.caller import Caller
from smriti_tui.services.checkpoints import CheckpointService
from smriti_tui.services.claims import ClaimService
from smriti_tui.services.notes import NoteService
from smriti_tui.services.spaces import SpaceService
from smriti_tui.store import spaces


@dataclass(frozen=True)
class Quickstart:
    """The Space that was made, its checkpoints on main oldest first, and the one beside it."""

    space: Space
    main: tuple[CheckpointId, ...]
    fork: CheckpointId


@dataclass(frozen=True)
class QuickstartService:
    caller: Caller

    def seed(self) -> Quickstart:
        """Makes the Space; what a run before left half-made goes first.

        Raises:
            Conflict: it is there already (code `quickstart_exists`), or a Space of that name that
                is somebody's own (code `quickstart_taken`).
        """
        known = self._named()
        if known is not None and known.description == story.UNFINISHED:
            self._spaces.delete(known.id, force=True)
        elif known is not None:
            raise Conflict(
                f"The Space {story.SPACE_NAME} is there already.",
                "`smriti quickstart --reset` makes it anew, --remove takes it away.",
                code="quickstart_exists" if _is_ours(known) else "quickstart_taken",
            )
        space = self._spaces.create(story.SPACE_NAME, description=story.UNFINISHED).id
        try:
            return self._tell(space)
        except BaseException:
            self._spaces.delete(space, force=True)
            raise

    def remove(self) -> Space:
        """Deletes the Space, and nothing else.

        Raises:
            NotFound: there is none. Conflict: it is somebody's own (code `quickstart_taken`).
        """
        known = self._named()
        if known is None:
            raise NotFound(
                "There is no quickstart Space to remove.", "`smriti quickstart` makes it."
            )
        if not _is_ours(known):
            raise Conflict(
                f"The Space {known.name} was not made by quickstart; it was left alone.",
                "`smriti space delete` deletes Spaces of your own.",
                code="quickstart_taken",
            )
        self._spaces.delete(known.id, force=True)
        return known

    def _tell(self, space: SpaceId) -> Quickstart:
        made = [self._save(space, agent, content) for agent, content in story.MAIN_STORY]
        agent, content = story.FORK
        fork = CheckpointService(self._as(agent)).create_on_new_branch(
            space, content, branch=story.EXPLORE, start=made[story.FORK_FROM]
        )
        BranchService(self._as(agent)).dispose(space, story.EXPLORE, "abandoned")
        for number, kind, text in story.NOTES:
            NoteService(self._as(story.CODEX)).add(made[number], text, kind)
        for each in story.CLAIMS:
            service = ClaimService(self._as(each.agent))
            taken = service.take(
                space, each.scope, intent=each.intent, task_id=each.task_id,
                ttl_s=story.CLAIM_TTL_S,
            )  # fmt: skip
            if each.done:
                service.end(taken.claim.id, "done")
        finished = self._spaces.change(space, description=story.MARKER)
        return Quickstart(finished, tuple(made), fork.checkpoint.id)

    def _save(self, space: SpaceId, agent: str, content: CheckpointInput) -> CheckpointId:
        return CheckpointService(self._as(agent)).create(space, content).checkpoint.id

    def _as(self, agent: str) -> Caller:
        return replace(self.caller, actor=agent)

    @property
    def _spaces(self) -> SpaceService:
        return SpaceService(self.caller)

    def _named(self) -> Space | None:
        with self.caller.read() as tx:
            found = [each for each in spaces.all_spaces(tx) if each.name == story.SPACE_NAME]
        ours = [each for each in found if _is_ours(each)]
        return next(iter([*ours, *found]), None)


def _is_ours(space: Space) -> bool:
    return space.description in (story.MARKER, story.UNFINISHED)
