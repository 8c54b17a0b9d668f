"""What can be done from the workspace, by the ids of the action table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.screens.desk.chat import DeskChat
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.spaces_pane import SpacesPane

if TYPE_CHECKING:
    from smriti_tui.services.sessions import Mounted


class DeskActs(DeskChat):
    """Each `do_` is an action; what is impossible just now answers with the reason."""

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
