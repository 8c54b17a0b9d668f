"""The ways from the workspace to other screens and dialogs, and what they come back with.

Each screen is imported when it is first opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import MAIN, Branch, Checkpoint, Session, Space
from smriti_tui.screens.desk.acts import DeskActs
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.spaces_pane import SpacesPane

if TYPE_CHECKING:
    from smriti_tui.screens.checkpoint_view import Wanted
    from smriti_tui.screens.dialogs.model_picker import ModelPicked


class DeskDoors(DeskActs):
    """Opens other screens."""

    def row_opened(self, key: str) -> None:
        """A Space unfolds, a session opens, a checkpoint is shown."""
        kind, _, owner = key.partition(":")
        if kind == "space":
            unfold = owner not in self.unfolded
            self.fold_space(key, unfold)
            if unfold and self.space != owner:
                self.open_space(SpaceId(owner))
        elif kind == "session":
            self.open_session(SessionId(owner), self.space_of(owner))
            self.screen.go("prompt")
        else:
            self.view_checkpoint(CheckpointId(key))

    # ---- other screens -------------------------------------------------------------------------

    def do_context_show(self) -> None:
        """The context of the answer or checkpoint under the cursor, else of the next send."""
        from smriti_tui.screens.context import ContextAsked, ContextScreen

        answer: int | None = None
        mounting: CheckpointId | None = None
        if self.screen.place == "checkpoints":
            mounting = self.marked_checkpoint
        elif self.screen.place == "chat":
            answer = self._marked_answer()
        if self.session is None and mounting is None:
            self.screen.say("No session is open, so nothing would be sent.")
            return
        asked = ContextAsked(
            session=self.session,
            space=self._space_name(),
            answer=answer,
            mounting=mounting,
            message=self.prompt.text,
            model=self.model,
        )
        self.screen.app.push_screen(ContextScreen(self.services, asked), self._turn_wanted)

    def _space_name(self) -> str:
        return next((space.name for space in self.tree.spaces if space.id == self.space), "")

    def _marked_answer(self) -> int | None:
        """The answer under the cursor, but not the newest: `x` there is the next send."""
        number = self.transcript.selected_number
        if number is None or self.shown is None:
            return None
        for turn in (*self.shown.turns, *self.pages.turns.values()):
            if turn.sequence_number == number and turn.request is not None:
                return number
        return None

    def _turn_wanted(self, number: int | None) -> None:
        if number is not None:
            self.screen.go("chat")
            self.transcript.reveal(number)

    def view_checkpoint(self, checkpoint: CheckpointId) -> None:
        """Shows a checkpoint in full."""
        from smriti_tui.screens.checkpoint_view import CheckpointView

        self.screen.app.push_screen(CheckpointView(self.services, checkpoint), self._viewed)

    def _viewed(self, wanted: Wanted | None) -> None:
        if wanted is None:
            return
        self.screen.query_one(CheckpointsPane).move_to(wanted.checkpoint)
        if wanted.what == "mount":
            self.mount_checkpoint(wanted.checkpoint)
        else:
            self.screen.go("checkpoints")
            self.do_context_show()

    # ---- the first start -----------------------------------------------------------------------

    def first_run(self) -> None:
        """Ways to begin, when there is no database yet."""
        from smriti_tui.screens.first_run import FirstRun, look_around

        found = look_around(self.opened.config, self.first.path)
        self.screen.app.push_screen(FirstRun(found), self._way_chosen)

    def _way_chosen(self, way: str | None) -> None:
        if way == "demo":
            self.screen.open_demo()
        elif way == "space":
            self._space_dialog()
        elif way == "model":
            self.do_chat_model()

    # ---- new things ----------------------------------------------------------------------------

    def do_space_new(self) -> None:
        """A new Space; with the cursor on a session, a new session beside it."""
        key = self.screen.query_one(SpacesPane).cursor_key or ""
        kind, _, owner = key.partition(":")
        if kind == "session" and self.screen.place == "spaces":
            self._session_dialog(self.space_of(owner))
        else:
            self._space_dialog()

    def _space_dialog(self) -> None:
        from smriti_tui.screens.dialogs.new_space import SpaceDialog

        self.screen.app.push_screen(SpaceDialog(self.services), self._space_made)

    def _space_made(self, space: Space | None) -> None:
        if space is None:
            return

        def then(session: Session) -> None:
            self.open_session(session.id, space.id)
            self.screen.go("prompt")

        self.thread(lambda: self.services.sessions.new(space.id), then, group="new")

    def do_session_new(self) -> None:
        """A new session in this Space; where none is open, one in no Space."""
        self._session_dialog(self.space)

    def _session_dialog(self, space: SpaceId | None) -> None:
        if space is None:
            self.thread(lambda: self.services.sessions.new_fresh(), self._session_made, group="new")
            return
        now = self.shown.session.branch_name if self.shown else None

        def then(branches: list[Branch]) -> None:
            from smriti_tui.screens.dialogs.new_session import SessionDialog

            names = tuple(branch.name for branch in branches)
            branch = now if now in names else MAIN
            dialog = SessionDialog(self.services, space, names, branch or MAIN)
            self.screen.app.push_screen(dialog, self._session_made)

        self.thread(lambda: self.services.spaces.branches(space), then, group="branches")

    def _session_made(self, session: Session | None) -> None:
        if session is not None:
            self.open_session(session.id, session.space)
            self.screen.go("prompt")

    def do_checkpoint_new(self) -> None:
        """A checkpoint written by hand."""
        if self.space is None:
            self.screen.say("A checkpoint belongs to a Space. ctrl+n or n in pane 1 makes one.")
            return
        from smriti_tui.screens.checkpoint_form import CheckpointForm
        from smriti_tui.screens.form_loading import FormPlace

        place = FormPlace(self.space, self._space_name(), self.session)
        self.screen.app.push_screen(CheckpointForm(self.services, place), self._checkpoint_made)

    def _checkpoint_made(self, made: Checkpoint | None) -> None:
        if made is not None:
            self.read_session()
            self.read_checkpoints()

    # ---- model ---------------------------------------------------------------------------------

    def do_chat_model(self) -> None:
        """Chooses the model of the next sends."""
        from smriti_tui.screens.dialogs.model_picker import ModelPicker

        config = self.opened.config
        now = self.model or config.chat_model
        picker = ModelPicker(self.services, config.model_names(), now, config.config_file)
        self.screen.app.push_screen(picker, self._model_chosen)

    def _model_chosen(self, picked: ModelPicked | None) -> None:
        if picked is not None:
            self.model = picked.name
            self.screen.say(f"The next send goes to {picked.name}. The context stays the same.")
            self.look_ahead()
