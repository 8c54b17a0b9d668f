"""Worktrees for agents: opened in git, recorded in the Space, looked at, closed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict, GitError, Invalid, SmritiError
from smriti_tui.domain.events import Event, SpaceChanged, WorktreeClosed, WorktreeOpened
from smriti_tui.domain.ids import SpaceId, new_id, short
from smriti_tui.domain.slugs import branch_for, folder_for
from smriti_tui.domain.worktrees import Worktree, WorktreeLook
from smriti_tui.git import places, trees
from smriti_tui.git.probes import Probes
from smriti_tui.git.watching import WorktreeWatch
from smriti_tui.services.caller import Caller
from smriti_tui.services.worktree_setup import Tell, WorktreeSetup
from smriti_tui.store import find, spaces, worktrees
from smriti_tui.store.disk import NETWORK, file_system

__all__ = ["WorktreeService", "WorktreeWatch"]


@dataclass(frozen=True)
class WorktreeService:
    caller: Caller
    home: Path
    """Worktrees lie in `worktrees` below it unless a path is given."""
    probes: Probes = field(default_factory=Probes)

    def open(
        self,
        space: SpaceId,
        *,
        branch: str | None = None,
        base: str | None = None,
        path: str | None = None,
        command_id: str | None = None,
        tell: Tell = lambda _: None,
    ) -> Worktree:
        """Makes a worktree on a new branch and records it; the row is written after git is done.
        Then it is set up as the person allowed; `tell` hears of that.

        The repository is the Space's project root, else that of its newest checkpoint, which then
        becomes the Space's.

        Raises:
            NotFound: no such Space. Invalid: no project root anywhere (code `no_project_root`), a
                path that is not absolute, a bad branch or base. Conflict: branch or path are taken.
            GitError: the root is no repository, or git failed; nothing is left behind then.
        """
        if (known := self._earlier(WorktreeOpened, command_id)) is not None:
            return known
        agent = _agent(self.caller.actor)
        with self.caller.read() as tx:
            found = spaces.space(tx, space)
            told = found.project_root or worktrees.newest_root(tx, space)
        root = places.root(_root(told, found.name))
        commit = trees.head(root, base or "HEAD")
        digits = new_id()[:8]
        name = (branch or branch_for(agent, digits)).strip()
        place = _absolute(path) if path else self.home / "worktrees" / folder_for(
            found.name, agent, digits
        )  # fmt: skip
        trees.add(root, place, name, commit)
        opened = WorktreeOpened(
            worktree=new_id(),
            agent=agent,
            root=os.fspath(root),
            path=os.fspath(place),
            branch=name,
            base=commit,
        )
        try:
            with self.caller.write(command_id) as scope:
                if not found.project_root:
                    scope.append(f"space/{space}", SpaceChanged(project_root=told))
                scope.append(f"worktrees/{space}", opened)
        except SmritiError:
            with suppress(SmritiError):
                trees.undo_add(root, place, name, commit)
            raise
        WorktreeSetup(self.home).perform(space, root, place, tell)
        return self.get(opened.worktree)

    def _earlier(self, kind: type[Event], command_id: str | None) -> Worktree | None:
        """What a repeated command was about: asked before git is, which cannot be taken back.

        Raises:
            Conflict: the id was used for another kind of command.
        """
        if command_id is None:
            return None
        with self.caller.write(command_id) as scope:
            events = scope.earlier(kind)
        return self.get(str(events[-1].body()["worktree"])) if events else None

    def find(self, wanted: str) -> Worktree:
        """By id or prefix. Raises: NotFound, Ambiguous, Invalid."""
        with self.caller.read() as tx:
            return worktrees.worktree(tx, find.worktree_id(tx, wanted))

    def get(self, worktree: str) -> Worktree:
        """Raises: NotFound."""
        with self.caller.read() as tx:
            return worktrees.worktree(tx, worktree)

    def of_space(self, space: SpaceId, *, every: bool = False) -> list[Worktree]:
        """The active ones, with `every` all, the newest first. Raises: NotFound."""
        with self.caller.read() as tx:
            spaces.space(tx, space)
            return worktrees.of_space(tx, space, every=every)

    def look(
        self, worktrees: Sequence[Worktree], *, fresh: bool = False
    ) -> tuple[WorktreeLook, ...]:
        """Each with its probe, in their order; closed ones are not asked. What fails says so."""
        asked = [each for each in worktrees if each.status == "active"]
        found = self.probes.look([Path(each.path) for each in asked], fresh=fresh)
        by_id = {each.id: probed for each, probed in zip(asked, found, strict=True)}
        return tuple(WorktreeLook(each, by_id.get(each.id)) for each in worktrees)

    def watching(self, changed: Callable[[], None], failed: Callable[[str], None]) -> WorktreeWatch:
        """A watch over worktrees that are yet to be named; what changed is asked again by the next
        look. `changed` and `failed` (with the reason, once) are called in its thread."""
        return WorktreeWatch(self.probes, lambda _: changed(), failed, _on_this_machine)

    def close(
        self, worktree: str, *, force: bool = False, command_id: str | None = None
    ) -> Worktree:
        """Takes it away, keeps its branch, and records that. One that is closed stays as it is.

        Raises:
            NotFound. Conflict: it is dirty (code `dirty_worktree`), something is in progress
                (`operation_in_progress`), it is locked (`locked_worktree`), its folder is missing
                (`worktree_missing`) or it was moved (`not_a_worktree`). GitError. With `force` a
                missing or moved one is closed in the record, and what is dirty is lost.
        """
        if (known := self._earlier(WorktreeClosed, command_id)) is not None:
            return known
        found = self.get(worktree)
        if found.status == "closed":
            return found
        path, root = Path(found.path), Path(found.root)
        missing = not trees.is_there(path)
        if missing:
            if not force:
                raise _missing(found)
            with suppress(SmritiError):  # the repository may be gone as well
                trees.forget(root, path)
        else:
            trees.remove(root, path, force=force, branch=found.branch)
        self.probes.drop([path])
        with self.caller.write(command_id) as scope:
            event = WorktreeClosed(found.id, forced=force, missing=missing)
            scope.append(f"worktrees/{found.space}", event)
        return self.get(worktree)

    def prune(self, space: SpaceId) -> list[Worktree]:
        """Closes those whose folders are gone, one by one; tells which. Raises: NotFound."""
        gone = [each for each in self.of_space(space) if trees.is_gone(Path(each.path))]
        return [self.close(each.id, force=True) for each in gone]


def _on_this_machine(folder: Path) -> bool:
    """Of other machines' disks no change is told."""
    return file_system(folder) not in NETWORK


def _agent(actor: str) -> str:
    if not actor.strip():
        raise Invalid("A worktree needs an agent's name.", "Give --actor.", field="actor")
    return actor


def _root(told: str | None, space: str) -> str:
    if not told:
        raise Invalid(
            f"The Space {clean_line(space)} has no project root.",
            "`smriti space set-project-root` names the repository's folder.",
            code="no_project_root",
        )
    return told


def _absolute(path: str) -> Path:
    try:
        found = Path(path).expanduser()
    except RuntimeError:
        found = Path(path)
    if not found.is_absolute():
        raise Invalid(
            f"{clean_line(path)!r} is no absolute path.", "Write it from / or ~ on.", field="path"
        )
    return found


def _missing(found: Worktree) -> SmritiError:
    where = clean_line(found.path)
    hint = f"`smriti worktree close {short(found.id)} --force` records that it is gone."
    with suppress(GitError):
        for each in trees.listed(Path(found.root)):
            if each.branch == found.branch and each.path.exists():
                return Conflict(
                    f"The worktree was moved from {where} to {clean_line(os.fspath(each.path))}.",
                    f"Move it back (`git worktree move`), or {hint}",
                    code="not_a_worktree",
                )
    return Conflict(f"The folder {where} is missing.", hint, code="worktree_missing")
