"""Spaces: create, find, change, delete."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.events import BranchOpened, SpaceChanged, SpaceCreated, SpaceDeleted
from smriti_tui.domain.ids import BranchId, SpaceId, new_id
from smriti_tui.domain.model import MAIN, Branch, Space
from smriti_tui.domain.values import MAX_NAME, repair_text
from smriti_tui.services.answers import settle_orphans, still_answering
from smriti_tui.services.caller import Caller
from smriti_tui.store import find, sessions, spaces


@dataclass(frozen=True)
class SpaceService:
    caller: Caller

    def create(
        self,
        name: str,
        *,
        description: str = "",
        project_root: str | None = None,
        command_id: str | None = None,
    ) -> Space:
        """A new Space with its branch `main`.

        Raises:
            Invalid: no name, or one of several lines or too long.
        """
        title = check_name(name, "Space")
        root = _check_root(project_root) or None
        with self.caller.write(command_id) as scope:
            earlier = scope.earlier(SpaceCreated)
            space = SpaceId(earlier[0].owner_id if earlier else new_id())
            if not earlier:
                stream = f"space/{space}"
                scope.append(stream, SpaceCreated(title, description, root))
                scope.append(stream, BranchOpened(BranchId(new_id()), MAIN))
        return self.get(space)

    def all(self) -> list[Space]:
        """All Spaces, last changed first."""
        with self.caller.read() as tx:
            return spaces.all_spaces(tx)

    def find(self, wanted: str) -> Space:
        """A Space by id, name or id prefix. Raises: NotFound, Ambiguous, Invalid."""
        with self.caller.read() as tx:
            return spaces.space(tx, find.space_id(tx, wanted))

    def get(self, space: SpaceId) -> Space:
        """Raises: NotFound."""
        with self.caller.read() as tx:
            return spaces.space(tx, space)

    def branches(self, space: SpaceId) -> list[Branch]:
        with self.caller.read() as tx:
            spaces.space(tx, space)
            return spaces.branches(tx, space)

    def branch(self, space: SpaceId, wanted: str) -> Branch:
        """A branch by name or id. Raises: NotFound, Ambiguous."""
        with self.caller.read() as tx:
            return spaces.to_branch(find.branch_row(tx, space, wanted))

    def change(
        self,
        space: SpaceId,
        *,
        name: str | None = None,
        description: str | None = None,
        project_root: str | None = None,
        command_id: str | None = None,
    ) -> Space:
        """Changes what is given; an empty `project_root` clears it.

        Raises:
            NotFound: no such Space. Invalid: a bad name, a blank root.
        """
        title = None if name is None else check_name(name, "Space")
        root = _check_root(project_root)
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            spaces.space(tx, space)
            if not scope.earlier(SpaceChanged, f"space/{space}"):
                event = SpaceChanged(title, description, root)
                scope.append(f"space/{space}", event)
        return self.get(space)

    def archive(self, space: SpaceId, *, command_id: str | None = None) -> Space:
        """Puts a Space out of the way; it can be found and worked in as before. Raises:
        NotFound."""
        return self._mark(space, True, command_id)

    def unarchive(self, space: SpaceId, *, command_id: str | None = None) -> Space:
        """Back into the list. Raises: NotFound."""
        return self._mark(space, False, command_id)

    def _mark(self, space: SpaceId, archived: bool, command_id: str | None) -> Space:
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            found = spaces.space(tx, space)
            if not scope.earlier(SpaceChanged, f"space/{space}") and found.archived != archived:
                scope.append(f"space/{space}", SpaceChanged(archived=archived))
        return self.get(space)

    def delete(self, space: SpaceId, *, force: bool = False, command_id: str | None = None) -> int:
        """Deletes a Space and tells how many checkpoints went with it. Its events stay in the log.

        Raises:
            NotFound: no such Space.
            Conflict: it holds checkpoints and `force` is not given (code `guard`), or an answer is
                on its way to one of its sessions (code `answering`).
        """
        settle_orphans(self.caller, None)
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(SpaceDeleted, f"space/{space}"):
                return int(str(earlier[0].body()["checkpoints"]))
            found = spaces.space(tx, space)
            if found.checkpoints and not force:
                raise Conflict(
                    f"Space {found.name!r} holds {found.checkpoints} checkpoints.",
                    "Give --force to delete them all.",
                    code="guard",
                    details={"checkpoint_count": found.checkpoints, "requires_force": True},
                )
            if running := sessions.answering_in(tx, space):
                raise still_answering(running)
            scope.append(f"space/{space}", SpaceDeleted(found.checkpoints))
            return found.checkpoints


def _check_root(root: str | None) -> str | None:
    if root and not root.strip():
        raise Invalid("The project root is blank.", "Give a folder.", field="project_root")
    return root


def check_name(name: str, what: str) -> str:
    """A one-line name without white space at its ends.

    Raises:
        Invalid: blank, of several lines, or over `MAX_NAME` characters.
    """
    text, _ = repair_text(name.strip())
    if not text:
        raise Invalid(f"The {what} has no name.", "Give it one.", field="name")
    if "\n" in text or "\r" in text or len(text) > MAX_NAME:
        raise Invalid(
            f"The name of a {what} is one line of at most {MAX_NAME} characters.",
            "Shorten it.",
            field="name",
        )
    return text
