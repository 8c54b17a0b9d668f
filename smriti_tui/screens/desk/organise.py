"""Keeping order in pane 1: pinning, archiving, deleting, exporting. Dialogs are imported late."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.model import Session, Space
from smriti_tui.domain.render.action_words import named
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.titling import TitlePart
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.screens.dialogs.export_space import Exported
    from smriti_tui.services import Services
    from smriti_tui.services.export_watch import Watch

Kind = Literal["space", "session", ""]
GROUP = "organise"
LOG_KEEPS = "The log keeps its events."


NOT_A_SESSION = "The row under the cursor is no session; j and k go to one."


class Organising:
    """What is done to the row under the cursor of pane 1; elsewhere to the open session."""

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
        answering: Callable[[SessionId | None], bool],
    ) -> None:
        """`answering` tells whether an answer is on its way in a session."""
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._tree = tree
        self._going = going
        self._titling = titling
        self._answering = answering

    # ---- what it is about ----------------------------------------------------------------------

    def _marked(self) -> tuple[str, str]:
        """Kind and id of what an action is about."""
        if self._front.place == "spaces":
            return self._tree.marked
        return "session", self._here.now.session or ""

    def _with_session(self, then: Callable[[Session], None]) -> None:
        """Goes on with the session as it is stored now."""
        kind, owner = self._marked()
        if kind != "session" or not owner:
            listed = self._front.place == "spaces"
            self._voice.say(NOT_A_SESSION if listed else "No session is open.")
            return
        self._work.read(
            lambda: self._services.sessions.get(SessionId(owner)), then, group="organise.look"
        )

    def _with_space(self, then: Callable[[Space], None]) -> None:
        """Goes on with the Space under the cursor, else the open one."""
        kind, owner = self._marked()
        space = owner if kind == "space" else self._here.now.space
        if not space:
            self._voice.say("No Space is under the cursor or open.")
            return
        self._work.read(
            lambda: self._services.spaces.get(SpaceId(space)), then, group="organise.look"
        )

    def _done(self, what: str) -> None:
        self._voice.done(what)
        self._tree.read()

    # ---- pins and archives ---------------------------------------------------------------------

    def pin(self) -> None:
        """Pins a session on top of its list, or unpins it."""

        def change(session: Session) -> None:
            sessions = self._services.sessions
            verb = sessions.unpin if session.pinned else sessions.pin
            did = "Unpinned" if session.pinned else "Pinned"
            self._work.run(
                lambda: verb(session.id),
                lambda found: self._done(f"{did} {named(found.label)}."),
                group=GROUP,
            )

        self._with_session(change)

    def archive_session(self) -> None:
        """Archives a session, or brings it back."""
        self._with_session(self._archive_session)

    def _archive_session(self, session: Session) -> None:
        sessions = self._services.sessions
        verb = sessions.unarchive if session.archived else sessions.archive
        did = "Brought back" if session.archived else "Archived"
        self._work.run(
            lambda: verb(session.id),
            lambda found: self._done(f"{did} {named(found.label)}."),
            group=GROUP,
        )

    def archive_space(self) -> None:
        """Archives a Space, or brings it back."""
        self._with_space(self._archive_space)

    def _archive_space(self, space: Space) -> None:
        spaces = self._services.spaces
        verb = spaces.unarchive if space.archived else spaces.archive
        did = "Brought back" if space.archived else "Archived"
        self._work.run(
            lambda: verb(space.id),
            lambda found: self._done(f"{did} {named(found.name)}."),
            group=GROUP,
        )

    # ---- deleting ------------------------------------------------------------------------------

    def remove(self) -> None:
        """Offers to archive or delete what is under the cursor of pane 1."""
        if self._front.place != "spaces":
            self._voice.say(f"{self._voice.letter('1')} goes to Spaces; D removes what is there.")
        elif self._tree.marked[0] == "space":
            self._with_space(self._ask_space)
        else:
            self._with_session(self._ask_session)

    def _ask_space(self, space: Space) -> None:
        from smriti_tui.screens.dialogs.choice import ChoiceDialog

        held = _held(space)
        back = "Bring it back into the list" if space.archived else "Archive it: out of the way"
        words = (
            f"It holds {held}. An archived Space is found by its name and works as before. "
            "A deleted one takes all of that off every list, for good; the log keeps its events."
        )
        ways = (("archive", back), ("delete", "Delete it; its name must be typed"))

        def chosen(way: str | None) -> None:
            if way == "archive":
                self._archive_space(space)
            elif way == "delete":
                self._ask_name(space)

        self._front.open_screen(ChoiceDialog(f"Remove {space.name}", words, ways), chosen)

    def _ask_name(self, space: Space) -> None:
        from smriti_tui.screens.dialogs.confirm import ConfirmDialog

        detail = f"{_held(space)} go with it. This cannot be undone."
        dialog = ConfirmDialog(
            f"Delete {space.name}", f"{detail[0].upper()}{detail[1:]}", typed=space.name
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self._delete_space(space)

        self._front.open_screen(dialog, answered)

    def _delete_space(self, space: Space) -> None:
        beside = self._tree.beside(space.id)

        def then(gone: int) -> None:
            self._voice.say(
                f"Deleted {named(space.name)} with {counted(gone, 'checkpoint')}. {LOG_KEEPS}"
            )
            self._tree.read()
            self._going.leave_space(space.id, beside)

        delete = self._services.spaces.delete
        self._work.run(lambda: delete(space.id, force=True), then, group=GROUP)

    def _ask_session(self, session: Session) -> None:
        from smriti_tui.screens.dialogs.choice import ChoiceDialog

        if self._answering(session.id):
            self._voice.say("An answer is still on its way there. esc in its chat stops it.")
            return
        back = "Bring it back into the list" if session.archived else "Archive it: out of the way"
        held = counted(session.last_seq, "turn")
        words = (
            f"It holds {held}. An archived session is found and gone on with as before. "
            f"A deleted one is off every list, for good; its checkpoints stay. {LOG_KEEPS}"
        )
        ways = (("archive", back), ("delete", f"Delete it with its {held}"))

        def chosen(way: str | None) -> None:
            if way == "archive":
                self._archive_session(session)
            elif way == "delete":
                self._delete_session(session)

        self._front.open_screen(ChoiceDialog(f"Remove {session.label}", words, ways), chosen)

    def _delete_session(self, session: Session) -> None:
        def then(_: None) -> None:
            held = counted(session.last_seq, "turn")
            self._voice.say(f"Deleted {named(session.label)} with {held}. {LOG_KEEPS}")
            self._tree.read()
            self._going.leave_session(session.id, session.space)

        delete = self._services.sessions.delete
        self._work.run(lambda: delete(session.id), then, group=GROUP)

    # ---- titles and exports --------------------------------------------------------------------

    def title(self) -> None:
        """A title by the background model."""
        self._with_session(self._titling.title)

    def export(self) -> None:
        """Exports the Space under the cursor, of a session its Space; one in no Space by itself."""
        kind, owner = self._marked()
        session = self._tree.session_known(owner) if kind == "session" else None
        if session is not None and session.space is None:
            self._ask_where(f"session {session.label}", session.label, None, session.id)
        elif session is not None and session.space is not None:
            self._export_space(self._tree.space_known(session.space))
        elif kind == "space":
            self._export_space(self._tree.space_known(owner))
        else:
            self._with_space(self._export_space)

    def _export_space(self, space: Space | None) -> None:
        if space is not None:
            self._ask_where(f"Space {space.name}", space.name, space.id, None)

    def _ask_where(self, what: str, name: str, space: str | None, session: str | None) -> None:
        from smriti_tui.domain.render.export_names import slug
        from smriti_tui.screens.dialogs.export_space import ExportDialog

        exporting = self._services.exporting

        def export(form: str, path: Path, watch: Watch) -> Exported:
            from smriti_tui.screens.dialogs.export_space import Exported

            chosen = exporting.select(space=space, session=session)
            if form == "bundle":
                replaced = exporting.to_folder(chosen, path, watch=watch)
                return Exported(path, replaced.files, len(replaced.removed))
            exporting.to_file(chosen, form, path, watch=watch)  # type: ignore[arg-type]
            return Exported(path)

        dialog = ExportDialog(what, slug(name), _folder(), export)
        self._front.open_screen(dialog, self._exported)

    def _exported(self, done: Exported | None) -> None:
        if done is None:
            return
        gone = f", {counted(done.removed, 'old file')} removed" if done.removed else ""
        files = counted(done.files, "file")
        self._voice.succeed(f"Exported to {done.path}: {files} written{gone}.", cause="export")


def _held(space: Space) -> str:
    sessions, saved = counted(space.sessions, "session"), counted(space.checkpoints, "checkpoint")
    return f"{sessions} and {saved}"


def _folder() -> Path:
    """Where the program was started; the home folder where that is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()
