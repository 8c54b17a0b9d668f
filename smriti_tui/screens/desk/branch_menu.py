"""The branch of a checkpoint: going to it, another name, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, SessionId, short
from smriti_tui.domain.model import MAIN, Branch, Checkpoint, Disposition, Session
from smriti_tui.domain.render.action_words import named
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.services import Services

GROUP = "branch"
DISPOSITIONS: tuple[tuple[Disposition, str], ...] = (
    ("integrated", "Integrated: what it settled is in another branch"),
    ("abandoned", "Abandoned: it leads no further"),
    ("active", "Active again"),
)
GO, NAME = "go", "rename"


class BranchMenu:
    """Offers what can be done to a branch."""

    def __init__(
        self, front: Front, services: Services, work: Work, voice: Voice, going: Going
    ) -> None:
        self._front = front
        self._services = services
        self._work = work
        self._voice = voice
        self._going = going

    def of_checkpoint(self, checkpoint: CheckpointId) -> None:
        """The menu of the branch that a checkpoint lies on."""

        def look() -> tuple[Checkpoint, Branch, Session | None]:
            found = self._services.checkpoints.get(checkpoint)
            branch = self._services.spaces.branch(found.body.space, found.branch)
            return found, branch, self._newest(branch)

        self._work.read(look, lambda found: self._offer(*found), group=GROUP)

    def _newest(self, branch: Branch) -> Session | None:
        """Of its sessions the one that was changed last; archived ones last of all."""
        found = self._services.sessions.of_space(branch.space)
        mine = [session for session in found if session.branch == branch.id]
        return next(iter(sorted(mine, key=lambda session: session.archived)), None)

    def _offer(self, checkpoint: Checkpoint, branch: Branch, newest: Session | None) -> None:
        from smriti_tui.screens.dialogs.choice import ChoiceDialog

        go = f"Go to its newest session {named(newest.label)}" if newest else "Open a session on it"
        ways = [(GO, go)]
        words = f"{short(checkpoint.id)} lies on it. It is {branch.disposition}."
        if branch.name == MAIN:
            words = f"{short(checkpoint.id)} lies on it. {MAIN} is always there and always active."
        else:
            ways.append((NAME, "Rename it"))
            ways += [way for way in DISPOSITIONS if way[0] != branch.disposition]

        def chosen(way: str | None) -> None:
            if way == GO:
                self._go(branch, newest)
            elif way == NAME:
                self._rename(branch)
            for disposition, _ in DISPOSITIONS:
                if way == disposition:
                    self._dispose(branch, disposition)

        self._front.open_screen(ChoiceDialog(f"Branch {branch.name}", words, ways), chosen)

    def _go(self, branch: Branch, newest: Session | None) -> None:
        if newest is not None:
            self._to(newest.id, branch)
            return
        new = self._services.sessions.new

        def then(session: Session) -> None:
            self._to(session.id, branch)
            self._voice.done(f"Opened session {named(session.title)} on {named(branch.name)}.")

        self._work.run(lambda: new(branch.space, branch=branch.id), then, group="new")

    def _to(self, session: SessionId, branch: Branch) -> None:
        self._going.to_session(session, branch.space)
        self._front.go("chat")

    def _rename(self, branch: Branch) -> None:
        from smriti_tui.screens.dialogs.rename import RenameDialog

        rename = self._services.branches.rename
        dialog = RenameDialog(
            "branch", branch.name, lambda name: rename(branch.space, branch.id, name)
        )

        def then(changed: object) -> None:
            if isinstance(changed, Branch) and changed.name != branch.name:
                was, now = named(branch.name), named(changed.name)
                self._voice.done(f"Renamed branch {was} to {now}.")

        self._front.open_screen(dialog, then)

    def _dispose(self, branch: Branch, disposition: Disposition) -> None:
        dispose = self._services.branches.dispose

        def then(changed: Branch) -> None:
            self._voice.done(f"Branch {named(changed.name)} is {changed.disposition} now.")

        self._work.run(
            lambda: dispose(branch.space, branch.id, disposition), then, group="branch.dispose"
        )
