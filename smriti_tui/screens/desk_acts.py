"""What can be done from the workspace, by the ids of the action table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, short
from smriti_tui.screens.desk_chat import DeskChat
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.spaces_pane import SpacesPane

if TYPE_CHECKING:
    from smriti_tui.screens.checkpoint_view import Wanted
    from smriti_tui.services.sessions import Mounted


class DeskActs(DeskChat):
    """Each `do_` is an action; what is impossible just now answers with the reason."""

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

    @property
    def marked_checkpoint(self) -> CheckpointId | None:
        """The checkpoint under the cursor of pane 2."""
        key = self.screen.query_one(CheckpointsPane).cursor_key
        return CheckpointId(key) if key else None

    # ---- mounting ------------------------------------------------------------------------------

    def do_checkpoint_mount(self) -> None:
        """Mounts the checkpoint under the cursor in this session."""
        if (checkpoint := self.marked_checkpoint) is None:
            self.screen.say("There is no checkpoint to mount here.")
        else:
            self.mount_checkpoint(checkpoint)

    def mount_checkpoint(self, checkpoint: CheckpointId) -> None:
        """Opens a new line on a checkpoint."""
        session = self.session
        if session is None:
            self.screen.say("Open a session first: ctrl+n makes one.")
        elif self.sender.running(session) is not None:
            self.screen.say("An answer is still running. esc stops it, then mount.")
        else:
            self.thread(
                lambda: self.services.sessions.mount(session, checkpoint),
                self._mounted,
                group="mount",
            )

    def _mounted(self, mounted: Mounted) -> None:
        name = short(mounted.checkpoint or "")
        out = mounted.history_base_seq
        turns = "no turn was there" if not out else f"turns 1-{out} stay out"
        self.screen.say(f"Mounted {name}: {turns}. u goes back to HEAD.")
        self.read_session()

    def do_checkpoint_unmount(self) -> None:
        """Back to the HEAD line."""
        session, look = self.session, self.shown
        if session is None or look is None or look.session.current_line == 1:
            self.screen.say("Nothing is mounted in this session.")
        elif self.sender.running(session) is not None:
            self.screen.say("An answer is still running. esc stops it, then unmount.")
        else:
            self.thread(
                lambda: self.services.sessions.unmount(session), self._unmounted, group="mount"
            )

    def _unmounted(self, mounted: Mounted) -> None:
        self.screen.say("Back on HEAD. The turns of the mounted line stay out.")
        self.read_session()

    # ---- answers -------------------------------------------------------------------------------

    def do_chat_retry(self) -> None:
        """Asks the last question again; the answer becomes a sibling."""
        if self.session is None:
            self.screen.say("No session is open.")
        elif self.sender.running(self.session) is not None:
            self.screen.say("An answer is still running. esc stops it.")
        else:
            self.sender.ask(self.session, None, self.model, None)
            self.transcript.action_bottom()

    def do_chat_stop(self) -> None:
        """Stops the running answer."""
        if not self.stop_answer():
            self.screen.say("No answer is running here.")

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

    # ---- copying -------------------------------------------------------------------------------

    def do_edit_copy(self) -> None:
        """Copies the id, or the turn's text, under the cursor."""
        text = self._under_cursor()
        if not text:
            self.screen.say("There is nothing to copy here.")
            return
        self.screen.app.copy_to_clipboard(text)
        words = text if len(text) <= 64 and "\n" not in text else f"{len(text)} characters"
        self.screen.say(f"Copied {words}, if your terminal allows it.")

    def _under_cursor(self) -> str:
        place = self.screen.place
        if place == "spaces":
            key = self.screen.query_one(SpacesPane).cursor_key or ""
            return key.partition(":")[2]
        if place == "checkpoints":
            return self.marked_checkpoint or ""
        return self.transcript.selected_text() or self.transcript.turn_text() or ""
