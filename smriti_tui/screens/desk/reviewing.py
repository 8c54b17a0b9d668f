"""From a checkpoint to its review, and what is told of reviews in pane 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.text import literal_line
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane

if TYPE_CHECKING:
    from smriti_tui.screens.review.reading import Left
    from smriti_tui.screens.review.review import ReviewScreen
    from smriti_tui.services import Services

GROUP = "review.of_space"
SHOWN = "-shown"


class ReviewingPart:
    """Opens the screen, imported when it is first opened; says below pane 2 what is open."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        checkpoints: CheckpointsPart,
        pane: CheckpointsPane,
        made: Callable[[], None],
    ) -> None:
        """`made` is called when a follow-up was written."""
        self.merge: Callable[[CheckpointId], None] = lambda _: None
        """Merges the line of a checkpoint into the current branch."""
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._checkpoints = checkpoints
        self._pane = pane
        self._note: Static | None = None
        """The line below the pane, once there was something to say."""
        self._made = made
        self._screen: ReviewScreen | None = None

    def review(self) -> None:
        """The checkpoint under the cursor of pane 2."""
        if self._front.place != "checkpoints":
            to_pane = self._voice.letter("2")
            self._voice.say(f"{to_pane} goes to Checkpoints; r reviews the one under the cursor.")
        elif (marked := self._checkpoints.marked) is None:
            self._voice.say("There is no checkpoint here yet.")
        else:
            self.open(marked)

    def open(self, checkpoint: CheckpointId) -> None:
        """As `review`, of a checkpoint that is named."""
        from smriti_tui.screens.review.review import ReviewScreen

        self._screen = screen = ReviewScreen(self._services, checkpoint)
        self._front.open_screen(screen, self._closed)

    def _closed(self, left: Left | None) -> None:
        self._screen = None
        if left is None:
            return
        if left.words:
            self._voice.say(left.words)
        self._made()
        self._checkpoints.mark(left.made.id)
        if left.then_merge:
            self.merge(left.made.id)

    # ---- pane 2 --------------------------------------------------------------------------------

    def look(self) -> None:
        """Counts what is open in this Space."""
        space = self._here.now.space
        if space is None:
            self._show({})
            return

        def then(found: Mapping[CheckpointId, int]) -> None:
            if self._here.now.space == space:
                self._show(found)

        def failed(_: SmritiError) -> None:
            """A database that is away is told elsewhere."""

        reviewing = self._services.reviewing
        self._work.run(lambda: reviewing.of_space(space), then, failed, group=GROUP)

    def _show(self, found: Mapping[CheckpointId, int]) -> None:
        words = open_words(found)
        column = self._pane.parent
        if self._note is None and words and isinstance(column, Widget):
            self._note = Static(id="review-note")
            column.mount(self._note, after=self._pane)
        if self._note is not None:
            self._note.set_class(bool(words), SHOWN)
            self._note.update(literal_line(words))

    async def stop(self) -> None:
        """Stops a review that is being made."""
        if self._screen is not None:
            await self._screen.put_away()


def open_words(found: Mapping[CheckpointId, int]) -> str:
    """`~ review: 1 open finding on 9b2f77d`; of several checkpoints how many they are."""
    if not found:
        return ""
    told = counted(sum(found.values()), "open finding")
    first = next(iter(found))
    where = short(first) if len(found) == 1 else f"{len(found)} checkpoints"
    return f"~ review: {told} on {where}"
