"""The checkpoints of the session's branch, or of the Space, and the pane that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.work import Work
from smriti_tui.text import literal_line
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane, CheckpointsView

if TYPE_CHECKING:
    from smriti_tui.services import Services

MORE = 4
"""By how much the number of read checkpoints grows when older ones are wanted."""


class CheckpointsPart:
    """Reads and draws the checkpoints."""

    def __init__(self, here: Here, services: Services, work: Work, pane: CheckpointsPane) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._pane = pane
        self._limit = loads.CHECKPOINTS

    @property
    def marked(self) -> CheckpointId | None:
        """The checkpoint under the cursor."""
        key = self._pane.cursor_key
        return CheckpointId(key) if key else None

    def mark(self, checkpoint: CheckpointId) -> None:
        """Puts the cursor on a checkpoint, if it is shown."""
        self._pane.move_to(checkpoint)

    def reset(self) -> None:
        """Another session: the newest are enough again."""
        self._limit = loads.CHECKPOINTS

    def read(self) -> None:
        """Reads the checkpoints again."""
        asked, limit = self._here.now, self._limit
        space, branch = asked.space, asked.branch
        if space is None:
            self._pane.border_subtitle = ""
            self._pane.show_checkpoints(CheckpointsView())
            return

        def then(look: loads.CheckpointsLook) -> None:
            now = self._here.now
            if (asked.space, asked.session) == (now.space, now.session):
                self._show(look)

        self._work.read(
            lambda: loads.load_checkpoints(self._services, space, branch, limit),
            then,
            group="checkpoints",
        )

    def more(self, count: int) -> None:
        """Reads older ones too, once all of the `count` that were read are in view."""
        if count >= self._limit:
            self._limit *= MORE
            self.read()

    def _show(self, look: loads.CheckpointsLook) -> None:
        shown, name = self._here.now.look, self._here.now.branch_name
        mounted = None
        if shown is not None and shown.view.mode == "RESTORED" and shown.view.anchor:
            mounted = shown.view.anchor.id
        self._pane.border_subtitle = literal_line(name or "all branches")
        self._pane.show_checkpoints(
            CheckpointsView(
                checkpoints=look.checkpoints,
                branch=name or "",
                head=shown.branch.head if shown and shown.branch else None,
                mounted=mounted,
                more=look.more,
                now=self._services.caller.store.now(),
                in_space=True,
            )
        )
