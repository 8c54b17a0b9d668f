"""What is done to items of work from the board; each is one event of the stream `tracker`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict, SmritiError
from smriti_tui.domain.views import tracker
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.full import FullScreen
from smriti_tui.screens.log.board import Board
from smriti_tui.screens.log.dialogs import ItemDialog, StatusDialog
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.services import Services

GROUP = "log.tracker"


class TrackerActs:
    """New, edit, status, move, done, archive. What puts a card away, or opens a closed item again,
    is asked first."""

    def __init__(
        self,
        screen: FullScreen[None],
        services: Services,
        board: Callable[[], Board | None],
        changed: Callable[[str], None],
    ) -> None:
        """`board` gives the board while it is shown; `changed` gets the id of a changed item."""
        self._screen = screen
        self._services = services
        self._board = board
        self._changed = changed

    @property
    def actions(self) -> Mapping[str, Callable[[], None]]:
        """By the ids of the action table."""
        return {
            "tracker.new": self.new,
            "tracker.edit": self.edit,
            "tracker.done": self.done,
            "tracker.status": self.status,
            "tracker.archive": self.archive,
            "tracker.left": lambda: self.move(-1),
            "tracker.right": lambda: self.move(1),
        }

    def new(self) -> None:
        """A new item, in the lane of the cursor."""
        board = self._board()
        if board is None:
            self._screen.tell("Items of work are made on the board of the stream tracker.")
            return

        def save(fields: dict[str, object]) -> object:
            given = {"lane": board.lane, "priority": "P1", "status": "todo", **fields}
            title = str(given.pop("title", ""))
            return self._services.tracking.create(title, **given)  # type: ignore[arg-type]

        blank = {"lane": board.lane, "priority": "P1", "status": "todo"}
        self._screen.app.push_screen(ItemDialog(blank, save, heading="New item"), self._saved)

    def edit(self) -> None:
        """The fields of the item under the cursor."""
        item = self._marked()
        if item is None:
            return
        key = str(item["id"])

        def save(fields: dict[str, object]) -> object:
            if not fields:
                return item
            return self._services.tracking.change(key, fields, reopen=_opens(item, fields))

        dialog = ItemDialog(item, save, heading=f"Item {clean_line(key)}")
        self._screen.app.push_screen(dialog, self._saved)

    def done(self) -> None:
        """Done, or open again."""
        item = self._marked()
        if item is None:
            return
        if tracker.is_closed(item):
            self._change(item, {"status": "todo", "lane": "accepted"})
        else:
            self._change(item, {"status": "done", "lane": "done"})

    def move(self, by: int) -> None:
        """To the lane beside."""
        item = self._marked()
        if item is None:
            return
        lane = item.get("lane")
        at = tracker.LANES.index(lane) if lane in tracker.LANES else 0
        to = min(max(at + by, 0), len(tracker.LANES) - 1)
        if tracker.LANES[to] != lane:
            self._change(item, {"lane": tracker.LANES[to]})

    def status(self) -> None:
        """Another status, and a note below the notes, in one event."""
        item = self._marked()
        if item is None:
            return
        key = str(item["id"])

        def save(status: str, note: str) -> object:
            opens = _opens(item, {"status": status} if status != item.get("status") else {})
            return self._services.tracking.set_status(key, status, note or None, reopen=opens)

        self._screen.app.push_screen(StatusDialog(item, save), self._saved)

    def archive(self) -> None:
        """Puts it away when that is meant: the board shows no archived items."""
        item = self._marked()
        if item is None:
            return
        key = str(item["id"])

        def then(yes: bool | None) -> None:
            if yes:
                self._run(key, lambda: self._services.tracking.archive(key), self._failed)

        back = f"smriti tracker set {clean_line(key)} --status todo --reopen"
        detail = f"The board shows it no more; back with: {back}"
        question = f"Archive {clean_line(key)}?"
        self._screen.app.push_screen(ConfirmDialog(question, detail, yes="Archive it"), then)

    def _change(self, item: Mapping[str, Any], fields: dict[str, object]) -> None:
        key = str(item["id"])
        change = self._services.tracking.change

        def failed(error: SmritiError) -> None:
            if isinstance(error, Conflict) and error.code == "closed":
                self._ask(key, fields)
            else:
                self._screen.tell(error.message, error.hint)

        self._run(key, lambda: change(key, fields), failed)

    def _ask(self, key: str, fields: dict[str, object]) -> None:
        question = f"Open {clean_line(key)} again?"
        dialog = ConfirmDialog(question, "It is closed.", yes="Open it again")

        def then(yes: bool | None) -> None:
            if yes:
                change = self._services.tracking.change
                self._run(key, lambda: change(key, fields, reopen=True), self._failed)

        self._screen.app.push_screen(dialog, then)

    def _run(
        self, key: str, work: Callable[[], object], failed: Callable[[SmritiError], None]
    ) -> None:
        hop(self._screen, work, lambda _: self._changed(key), failed, group=GROUP)

    def _failed(self, error: SmritiError) -> None:
        self._screen.tell(error.message, error.hint)

    def _saved(self, made: object) -> None:
        if isinstance(made, Mapping):
            self._changed(str(made.get("id")))

    def _marked(self) -> Mapping[str, Any] | None:
        board = self._board()
        item = board.item if board is not None else None
        if item is None:
            self._screen.tell("There is no item of work under the cursor.")
        return item


def _opens(item: Mapping[str, Any], fields: Mapping[str, object]) -> bool:
    """Whether somebody wrote another status or lane into a closed item: that is on purpose."""
    return tracker.is_closed(item) and bool({"status", "lane"} & set(fields))
