"""New Spaces, sessions and checkpoints. Each dialog is imported when it is first opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import MAIN, Branch, Checkpoint, Session, Space
from smriti_tui.domain.render.action_words import named
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.titling import TitlePart
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.services import Services


def _words(thing: Space | Session) -> tuple[object, ...]:
    """What the person calls it."""
    if isinstance(thing, Session):
        return (thing.title,)
    return thing.name, thing.description, thing.project_root


class _Renaming:
    """Gives a session another title; a name that came meanwhile is told before it is replaced."""

    def __init__(self, services: Services, session: Session) -> None:
        self._services = services
        self._session = session
        self._seen = session.title

    def __call__(self, name: str) -> Session:
        """In a thread. Raises: as `SessionService.rename`."""
        try:
            return self._services.sessions.rename(self._session.id, name, seen=self._seen)
        except Conflict as error:
            self._seen = str(error.details.get("title", self._seen))
            raise


class Making:
    """Asks for what a new thing needs, then goes there."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        tree: TreePart,
        going: Going,
        titling: TitlePart,
        checkpoint_made: Callable[[], None],
    ) -> None:
        self.merge: Callable[[CheckpointId], None] = lambda _: None
        """Merges the line of a checkpoint into the current branch."""
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._tree = tree
        self._going = going
        self._titling = titling
        self._checkpoint_made = checkpoint_made

    # ---- Spaces --------------------------------------------------------------------------------

    def space_or_session(self) -> None:
        """A new Space; with the cursor on a Space's session, a new session beside it."""
        kind, owner = self._tree.marked
        space = self._tree.space_of(owner) if kind == "session" else None
        if space is not None and self._front.place == "spaces":
            self._session_in(space)
        else:
            self.space()

    def space(self) -> None:
        """A new Space with a first session."""
        from smriti_tui.screens.dialogs.new_space import SpaceDialog

        self._front.open_screen(SpaceDialog(self._services), self._space_made)

    def _space_made(self, space: Space | None) -> None:
        if space is not None:
            new = self._services.sessions.new
            self._work.run(lambda: new(space.id), self._session_made, group="new")
            self._look_at_root(space)

    def _look_at_root(self, space: Space) -> None:
        """Says so when there is no such folder: nothing would ever be found in it."""
        if root := space.project_root:

            def then(there: bool) -> None:
                if not there:
                    self._voice.say(f"There is no folder {root} here: @ finds no files in it.")

            self._work.run(Path(root).is_dir, then, group="root")

    # ---- what other tools hold -------------------------------------------------------------------

    def bring_in(self) -> None:
        """Imports conversations into the Space under the cursor, or the open one; where there is
        none, into a new one."""
        kind, owner = self._tree.marked
        space = self._here.now.space
        if self._front.place == "spaces":
            space = SpaceId(owner) if kind == "space" else self._tree.space_of(owner) or space
        if space is None:
            from smriti_tui.screens.dialogs.new_space import SpaceDialog

            self._front.open_screen(SpaceDialog(self._services), self._import_into)
            return
        self._work.run(lambda: self._services.spaces.get(space), self._import_into, group="import")

    def _import_into(self, space: Space | None) -> None:
        from smriti_tui.screens.importing.screen import ImportScreen

        if space is not None:
            self._tree.read()
            screen = ImportScreen(self._services, space.id, space.name)
            self._front.open_screen(screen, lambda session: self._came_in(session, space.id))

    def _came_in(self, session: SessionId | None, space: SpaceId) -> None:
        if session is not None:
            self._going.to_session(session, space)
            self._front.go("chat")
            draft = self._voice.letter("d")
            self._voice.say(f"This came in. {draft} drafts a checkpoint from it.")

    # ---- sessions ------------------------------------------------------------------------------

    def session(self) -> None:
        """A new session in this Space; where none is open, one in no Space."""
        self._session_in(self._here.now.space)

    def _session_in(self, space: SpaceId | None) -> None:
        if space is None:
            new = self._services.sessions.new_fresh
            self._work.run(lambda: new(), self._session_made, group="new")
            return
        now = self._here.now.branch_name

        def then(branches: list[Branch]) -> None:
            from smriti_tui.screens.dialogs.new_session import SessionDialog

            names = tuple(branch.name for branch in branches)
            branch = now if now in names else MAIN
            dialog = SessionDialog(self._services, space, names, branch or MAIN)
            self._front.open_screen(dialog, self._session_made)

        self._work.run(lambda: self._services.spaces.branches(space), then, group="branches")

    def _session_made(self, session: Session | None) -> None:
        if session is not None:
            self._going.to_session(session.id, session.space)
            self._front.go("prompt")
            # The focus is only on its way to the prompt.
            self._voice.done(f"Opened session {named(session.title)}.", typing=True)

    # ---- other names ---------------------------------------------------------------------------

    def rename(self) -> None:
        """Other words for the Space or session under the cursor; elsewhere for the open session."""
        kind, owner = self._tree.marked
        if self._front.place != "spaces":
            kind, owner = "session", self._here.now.session or ""
        if kind == "space" and (space := self._tree.space_known(owner)) is not None:
            from smriti_tui.screens.dialogs.new_space import SpaceDialog

            dialog = SpaceDialog(self._services, space)
            self._front.open_screen(dialog, lambda changed: self._renamed(space, changed))
        elif kind == "session" and (session := self._tree.session_known(owner)) is not None:
            self._rename_session(session)
        else:
            self._voice.say("There is nothing to rename here.")

    def _rename_session(self, session: Session) -> None:
        from smriti_tui.screens.dialogs.rename import RenameDialog

        titling = self._titling
        dialog = RenameDialog(
            "session",
            session.title,
            _Renaming(self._services, session),
            lambda say: titling.suggest(session.id, say),
        )
        self._front.open_screen(dialog, lambda changed: self._renamed(session, changed))

    def _renamed(self, before: Space | Session, changed: object) -> None:
        if changed is None:
            return
        self._tree.read()
        if isinstance(changed, Space) and _words(before) != _words(changed):
            self._voice.done(f"Changed Space {named(changed.name)}.")
            self._look_at_root(changed)
        elif isinstance(changed, Session) and _words(before) != _words(changed):
            self._voice.done(f"Renamed: the session is called {named(changed.title)} now.")

    # ---- checkpoints ---------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """A checkpoint written by hand."""
        place = self._here.now
        if place.space is None:
            self._voice.say("A checkpoint belongs to a Space. ctrl+n or n in pane 1 makes one.")
            return
        from smriti_tui.screens.checkpoint_form import CheckpointForm
        from smriti_tui.screens.form_loading import FormPlace

        form = CheckpointForm(
            self._services, FormPlace(place.space, self._tree.space_name, place.session)
        )

        def saved(made: Checkpoint | None) -> None:
            if made is not None:
                self._checkpoint_made()
                if form.then_merge:
                    self.merge(made.id)

        self._front.open_screen(form, saved)
