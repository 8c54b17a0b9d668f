"""Branches: listed with what they hold, renamed, closed; and where they differ from main."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from smriti_tui.domain.divergence import Divergence, divergence
from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.events import BranchDisposed, BranchRenamed, Event
from smriti_tui.domain.ids import BranchId, SpaceId
from smriti_tui.domain.lineage import merge_bases
from smriti_tui.domain.model import MAIN, Branch, Checkpoint, Disposition
from smriti_tui.services.caller import Caller
from smriti_tui.services.spaces import check_name
from smriti_tui.store import checkpoints, find, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.lineage import looker


@dataclass(frozen=True)
class BranchFacts:
    """A branch and what it holds."""

    branch: Branch
    head: Checkpoint | None
    checkpoints: int
    sessions: int


@dataclass(frozen=True)
class BranchService:
    caller: Caller

    def of_space(self, space: SpaceId) -> list[BranchFacts]:
        """All branches, main first, then by name. Raises: NotFound."""
        with self.caller.read() as tx:
            spaces.space(tx, space)
            counts = spaces.branch_counts(tx, space)
            return [
                BranchFacts(
                    each, checkpoints.find_checkpoint(tx, each.head), *counts.get(each.id, (0, 0))
                )
                for each in spaces.branches(tx, space)
            ]

    def rename(
        self, space: SpaceId, wanted: str, name: str, *, command_id: str | None = None
    ) -> Branch:
        """Gives a branch another name.

        Raises:
            NotFound: no such Space or branch. Invalid: a bad name, or the branch is main.
            Conflict: another branch has the name (code `branch_exists`).
        """
        name = check_name(name, "branch")

        def event(tx: Tx, branch: Branch) -> Event | None:
            _not_main(branch, "renamed")
            taken = {each.name for each in spaces.branches(tx, space) if each.id != branch.id}
            if name in taken:
                raise Conflict(
                    f"There is a branch {name!r} already.",
                    "Choose another name.",
                    code="branch_exists",
                )
            return BranchRenamed(branch.id, name) if name != branch.name else None

        return self._change(space, wanted, event, BranchRenamed, command_id)

    def dispose(
        self,
        space: SpaceId,
        wanted: str,
        disposition: Disposition,
        *,
        command_id: str | None = None,
    ) -> Branch:
        """Says what became of a branch: integrated, abandoned, or active again.

        It stays listed, and its checkpoints can be compared and mounted as before.

        Raises:
            NotFound: no such Space or branch. Invalid: the branch is main.
        """

        def event(_: Tx, branch: Branch) -> Event | None:
            _not_main(branch, "closed")
            same = branch.disposition == disposition
            return None if same else BranchDisposed(branch.id, disposition)

        return self._change(space, wanted, event, BranchDisposed, command_id)

    def _change(
        self,
        space: SpaceId,
        wanted: str,
        event: Callable[[Tx, Branch], Event | None],
        kind: type[Event],
        command_id: str | None,
    ) -> Branch:
        stream = f"space/{space}"
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(kind, stream):
                key = BranchId(str(earlier[0].body()["branch"]))
            else:
                branch = spaces.to_branch(find.branch_row(tx, space, wanted))
                key = branch.id
                if (change := event(tx, branch)) is not None:
                    scope.append(stream, change)
        with self.caller.read() as tx:
            return spaces.branch(tx, key)

    def divergences(self, space: SpaceId) -> list[Divergence]:
        """Every active branch that settled something else than main; all of them (STATE-08).

        A branch that is only ahead of main or behind it does not diverge. Raises: NotFound.
        """
        with self.caller.read() as tx:
            spaces.space(tx, space)
            main = checkpoints.find_checkpoint(tx, spaces.main_branch(tx, space).head)
            if main is None:
                return []
            look = looker(tx)
            found = []
            for branch in spaces.branches(tx, space):
                head = checkpoints.find_checkpoint(tx, branch.head)
                if head is None or branch.name == MAIN or branch.disposition != "active":
                    continue
                apart = {main.id, head.id}.isdisjoint(merge_bases(main.id, head.id, look))
                if apart and (each := divergence(branch, head, main)) is not None:
                    found.append(each)
            return found


def _not_main(branch: Branch, done: str) -> None:
    if branch.name == MAIN:
        raise Invalid(f"{MAIN} is always there: it is not {done}.", "Name another branch.")
