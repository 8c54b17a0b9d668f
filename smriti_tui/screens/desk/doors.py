"""The ways from the workspace to what is shown in full, and what comes back from there.

Each screen is imported when it is first opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.draft import DraftPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.mounts import Mounts
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import Voice

if TYPE_CHECKING:
    from smriti_tui.screens.checkpoint_view import Wanted
    from smriti_tui.services import Services


class Doors:
    """Opens rows, the context inspector and checkpoints."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        voice: Voice,
        tree: TreePart,
        checkpoints: CheckpointsPart,
        chat: ChatPart,
        draft: DraftPart,
        going: Going,
        mounts: Mounts,
    ) -> None:
        self.acts: Mapping[str, Callable[[CheckpointId], None]] = {}
        """What can be done to a checkpoint, by the ids of the action table."""
        self._front = front
        self._here = here
        self._services = services
        self._voice = voice
        self._tree = tree
        self._checkpoints = checkpoints
        self._chat = chat
        self._draft = draft
        self._going = going
        self._mounts = mounts

    def row_opened(self, key: str) -> None:
        """A Space unfolds, a session opens, a checkpoint is shown."""
        kind, _, owner = key.partition(":")
        if kind == "archived":
            self._tree.toggle(key)
        elif kind == "space":
            unfold = not self._tree.is_unfolded(owner)
            self._tree.fold(key, unfold)
            if unfold and self._here.now.space != owner:
                self._going.to_space(SpaceId(owner))
        elif kind == "session":
            self._going.to_session(SessionId(owner), self._tree.space_of(owner))
            self._front.go("chat")
        else:
            self.view(CheckpointId(key))

    # ---- the context ---------------------------------------------------------------------------

    def context(self) -> None:
        """The context of the answer or checkpoint under the cursor, else of the next send."""
        from smriti_tui.screens.context import ContextScreen
        from smriti_tui.screens.context_reading import ContextAsked

        answer: int | None = None
        mounting: CheckpointId | None = None
        if self._front.place == "checkpoints":
            mounting = self._checkpoints.marked
        elif self._front.place == "chat":
            answer = self._chat.marked_answer()
        place = self._here.now
        if place.session is None and mounting is None:
            self._voice.say("No session is open, so nothing would be sent.")
            return
        asked = ContextAsked(
            session=place.session,
            space=self._tree.space_name,
            answer=answer,
            mounting=mounting,
            message=self._draft.text,
            mentions=self._draft.mentions,
            model=place.model,
        )
        self._front.open_screen(ContextScreen(self._services, asked), self._turn_wanted)

    def _turn_wanted(self, number: int | None) -> None:
        if number is not None:
            self._front.go("chat")
            self._chat.reveal(number)

    # ---- a checkpoint --------------------------------------------------------------------------

    def view(self, checkpoint: CheckpointId, at: str | None = None) -> None:
        """Shows a checkpoint in full; `at` brings an item, artifact or section of it into view."""
        from smriti_tui.screens.checkpoint_view import CheckpointView

        self._front.open_screen(CheckpointView(self._services, checkpoint, at), self._viewed)

    def mount_marked(self) -> None:
        """Mounts the checkpoint under the cursor of its pane; elsewhere says how to get there."""
        if self._front.place == "checkpoints":
            self._mounts.mount(self._checkpoints.marked)
        else:
            to_pane = self._voice.letter("2")
            self._voice.say(f"{to_pane} goes to Checkpoints; m mounts the one under the cursor.")

    def _viewed(self, wanted: Wanted | None) -> None:
        if wanted is None:
            return
        self._checkpoints.mark(wanted.checkpoint)
        if wanted.what == "mount":
            self._mounts.mount(wanted.checkpoint)
        elif (act := self.acts.get(wanted.what)) is not None:
            self._front.go("checkpoints")
            act(wanted.checkpoint)
        else:
            self._front.go("checkpoints")
            self.context()

    def log(self) -> None:
        """The event log over the workspace."""
        from smriti_tui.screens.log.screen import LogScreen

        self._front.open_screen(LogScreen(self._services), lambda _: None)
