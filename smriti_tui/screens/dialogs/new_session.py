"""A new session in a Space."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual import on
from textual.widget import Widget
from textual.widgets import Input

from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.model import MAIN, Session
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

if TYPE_CHECKING:
    from smriti_tui.services import Services

MOST_BRANCHES = 6


class SessionDialog(Dialog[Session]):
    """Title and branch; dismissed with the session as it is stored."""

    HELP = (
        "A session is a conversation on one branch of a Space. "
        "Without a title it is named by date and time. "
        "It starts with the branch's newest checkpoint as its state."
    )
    KEYS = "enter Create   tab Branch   esc Back"

    def __init__(
        self,
        services: Services,
        space: SpaceId,
        branches: tuple[str, ...] = (MAIN,),
        branch: str = MAIN,
    ) -> None:
        """`branches` are the names to choose from, `branch` the one under the cursor."""
        super().__init__()
        self._services = services
        self._space = space
        self._branches = branches or (MAIN,)
        self._branch = branch

    def heading(self) -> str:
        return "New session"

    def body(self) -> Iterable[Widget]:
        hint = "named by date and time, if left empty"
        yield Field("name", "Title", LineInput(widget_id="session-title", hint=hint))
        rows = RowList(id="session-branches")
        rows.styles.height = min(len(self._branches), MOST_BRANCHES)
        yield Field("branch", "Branch", rows)

    def on_mount(self) -> None:
        """The focus is in the title; the branch of the place one comes from is chosen."""
        rows = self.query_one("#session-branches", RowList)
        rows.show_rows(
            tuple(Row(name, (RowLine((Piece(f" {name}"),)),)) for name in self._branches)
        )
        rows.move_to(self._branch)
        self.query_one("#session-title").focus()

    def submit(self) -> None:
        """Stores it in a thread."""
        title = self.query_one("#session-title", Input).value.strip() or None
        branch = self.query_one("#session-branches", RowList).cursor_key or MAIN
        services, space = self._services, self._space
        self.work(
            lambda: services.sessions.new(space, title=title, branch=branch), "Opening the session"
        )

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.submit()
