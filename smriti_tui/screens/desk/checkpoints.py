"""The checkpoints of the branch that the session stands on, or of the Space, and their pane."""

from __future__ import annotations

from collections.abc import Callable
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
        self.shown: Callable[[], None] = lambda: None
        """Called when the list was drawn anew: the row under the cursor may be another."""
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
        space, branch = asked.space, asked.stands
        if space is None:
            self._pane.border_subtitle = ""
            self._pane.show_checkpoints(CheckpointsView())
            self.shown()
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
        shown, stands = self._here.now.look, self._here.now.stands
        name = stands.name if stands else ""
        mounted = None
        if shown is not None and shown.view.mode == "RESTORED" and shown.view.anchor:
            mounted = shown.view.anchor.id
        self._pane.border_subtitle = literal_line(_title(name, look))
        self._pane.show_checkpoints(
            CheckpointsView(
                checkpoints=look.checkpoints,
                branch=name,
                head=stands.head if stands else None,
                mounted=mounted,
                more=look.more,
                now=self._services.caller.store.now(),
                in_space=True,
            )
        )
        self.shown()


def _title(name: str, look: loads.CheckpointsLook) -> str:
    """Which branch is listed, and which ones it began from."""
    if not name:
        return "all branches"
    names = dict.fromkeys(row.branch_name for row in look.checkpoints)
    earlier = [other for other in names if other != name]
    return f"{name}, from {', '.join(earlier)}" if earlier else name
