"""The preview below the checkpoints: reads what is under the cursor once the cursor rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.render.preview import preview_head, preview_text
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.literal_view import Section
from smriti_tui.widgets.preview_pane import PreviewPane

if TYPE_CHECKING:
    from textual.timer import Timer

    from smriti_tui.services import Services

REST_S = 0.12
"""How long the cursor rests before anything is read."""


class PreviewPart:
    """Shows the checkpoint under the cursor; late reads are dropped."""

    def __init__(
        self, services: Services, work: Work, checkpoints: CheckpointsPart, pane: PreviewPane
    ) -> None:
        self._services = services
        self._work = work
        self._checkpoints = checkpoints
        self._pane = pane
        self._shown: CheckpointId | None = None
        self._timer: Timer | None = None

    def again(self) -> None:
        """The list was read anew: there may be notes that were not."""
        self._shown = None
        self.follow()

    def follow(self) -> None:
        """The cursor, the list or the pane is not what it was."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._pane.seen and self._checkpoints.marked != self._shown:
            self._timer = self._pane.set_timer(REST_S, self._read)

    def _read(self) -> None:
        wanted = self._checkpoints.marked
        if wanted is None:
            self._show(None, ())
            return

        def work() -> tuple[Section, ...]:
            found = self._services.checkpoints.get(wanted)
            head = preview_head(found, self._services.caller.store.now())
            notes = self._services.checkpoints.notes(wanted)
            return (Section(head, preview_text(found, notes), "title"),)

        def then(sections: tuple[Section, ...]) -> None:
            if wanted == self._checkpoints.marked:
                self._show(wanted, sections)

        def failed(error: SmritiError) -> None:
            """What cannot be read is told by the list itself, or when it is opened."""
            if wanted == self._checkpoints.marked:
                self._show(None, (Section("It cannot be shown.", error.message),))

        self._work.run(work, then, failed, group="preview")

    def _show(self, wanted: CheckpointId | None, sections: tuple[Section, ...]) -> None:
        self._shown = wanted
        self._pane.show(sections)
