"""The history of the Space in pane 2, as far as somebody looks: read in pages, drawn as lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.screens.desk.history_loads import History, load_history, load_more
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.work import Work
from smriti_tui.text import literal_line
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane, CheckpointsView

if TYPE_CHECKING:
    from smriti_tui.services import Services

PAGE = 200
MOST_PAGE = 1_000
"""Pages grow with what is loaded, up to so many: the way to the end stays short, and no page is
felt."""
MORE = "checkpoints.more"
ALL, ONE = "all branches", "this branch"


class CheckpointsPart:
    """Reads and draws the checkpoints: of all branches, or those that this one comes from."""

    def __init__(self, here: Here, services: Services, work: Work, pane: CheckpointsPane) -> None:
        self.shown: Callable[[], None] = lambda: None
        """Called when the list was drawn anew: the row under the cursor may be another."""
        self._here = here
        self._services = services
        self._work = work
        self._pane = pane
        self._history = History()
        self._scope = ALL
        self._then: CheckpointId | None = None
        """What the cursor goes to when it is read."""

    @property
    def marked(self) -> CheckpointId | None:
        """The checkpoint under the cursor."""
        key = self._pane.cursor_key
        return CheckpointId(key) if key else None

    def mark(self, checkpoint: CheckpointId) -> None:
        """Puts the cursor on a checkpoint, now or when the list that holds it is read."""
        self._then = None if self._pane.move_to(checkpoint) else checkpoint

    def reset(self) -> None:
        """Another session: the newest are enough again."""
        self._history = History()
        self._then = None

    def turn_page(self) -> None:
        """All branches, or this one with what it comes from; the cursor stays where it can."""
        self._scope = ONE if self._scope == ALL else ALL
        self._then = self.marked
        self._history = History()
        self.read()

    # ---- reading -------------------------------------------------------------------------------

    def read(self) -> None:
        """Reads the checkpoints again, as many as somebody looks at."""
        asked, scope = self._here.now, self._scope
        space, branch = asked.space, asked.stands
        if space is None:
            self._pane.border_subtitle = ""
            self._pane.show_checkpoints(CheckpointsView())
            self.shown()
            return
        of = branch.id if branch is not None and scope == ONE else None
        wanted = max(PAGE, self._pane.seen_count + PAGE)

        def then(history: History) -> None:
            now = self._here.now
            if (asked.space, asked.session, scope) == (now.space, now.session, self._scope):
                self._take(history)

        self._work.read(
            lambda: load_history(self._services, space, of, wanted), then, group="checkpoints"
        )

    def more(self, count: int) -> None:
        """Reads older ones too, once all of the `count` that were read are in view."""
        before, space = self._history, self._here.now.space
        if space is None or not before.more or before.asked or count < len(before.rows):
            return
        before.asked = True
        page = min(max(PAGE, len(before.rows)), MOST_PAGE)

        def then(history: History) -> None:
            if before is self._history:
                self._take(history)

        def failed(error: SmritiError) -> None:
            before.asked = False
            self._work.read_failed(error, MORE)

        self._work.run(
            lambda: load_more(self._services, space, before, page), then, failed, group=MORE
        )

    # ---- drawing -------------------------------------------------------------------------------

    def _take(self, history: History) -> None:
        self._history = history
        shown, stands = self._here.now.look, self._here.now.stands
        name = stands.name if stands else ""
        mounted, mode = None, shown.view.mode if shown is not None else "HEAD"
        if shown is not None and mode in ("RESTORED", "FORKED") and shown.view.anchor:
            mounted = shown.view.anchor.id
        self._pane.border_subtitle = literal_line(self._title(name, history))
        self._pane.show_checkpoints(
            CheckpointsView(
                checkpoints=history.rows,
                knots=history.knots,
                branch=name,
                head=stands.head if stands else None,
                mounted=mounted,
                mode=mode,
                more=history.more,
                now=self._services.caller.store.now(),
                in_space=True,
            )
        )
        if self._then is not None and self._pane.move_to(self._then):
            self._then = None
        self.shown()

    def _title(self, name: str, history: History) -> str:
        """Which of the two is shown; of this branch its name, and which ones it comes from."""
        if self._scope == ALL or not name:
            return ALL
        names = dict.fromkeys(row.branch_name for row in history.rows)
        earlier = [other for other in names if other != name]
        return f"{name}, from {', '.join(earlier)}" if earlier else f"{ONE}: {name}"
