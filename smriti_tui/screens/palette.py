"""Every command by name: type to find it, enter runs it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import PurePath
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from smriti_tui.config.light import styles_dir
from smriti_tui.keys import PLACE_NAMES, Action, KeyTable, shown_key
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList


def action_row(action: Action) -> Row:
    """An action as the palette lists it: what it does, where, and its key."""
    names = dict(PLACE_NAMES)
    where = names.get(action.places[0], "")
    keys = " ".join(map(shown_key, action.keys))
    left = (Piece(f" {action.title}"),)
    return Row(action.id, (RowLine(left, f"{where:<18} {keys:<6}"),))


def matching(actions: Collection[Action], text: str) -> list[Action]:
    """The actions that hold every typed word in title, word or id; those that begin with it
    first."""
    words = text.lower().split()

    def hay(action: Action) -> str:
        return f"{action.title} {action.word} {action.id}".lower()

    found = [action for action in actions if all(word in hay(action) for word in words)]
    return sorted(found, key=lambda action: not action.title.lower().startswith(text.lower()))


def open_palette(app: App[int], table: KeyTable, act: Callable[[str], None]) -> None:
    """Offers what the screen below can run, and runs what is chosen there; `act` takes the rest."""
    usable = getattr(app.screen, "usable", None)

    def run(action_id: str) -> None:
        getattr(app.screen, "action_run", act)(action_id)

    def chosen(action_id: str | None) -> None:
        if action_id is not None:
            app.call_later(run, action_id)

    app.push_screen(PaletteScreen(table, usable() if usable else None), chosen)


class PaletteScreen(ModalScreen[str | None]):
    """Dismissed with the id of the chosen action, or None."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / "modals.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close"),
        Binding("down", "move('cursor_down')", "Down"),
        Binding("up", "move('cursor_up')", "Up"),
        Binding("pagedown", "move('half_down')", "Half a page down"),
        Binding("pageup", "move('half_up')", "Half a page up"),
    ]

    def __init__(self, table: KeyTable, usable: Collection[str] | None = None) -> None:
        """`usable` are the ids that the screen below can run; None for all."""
        super().__init__()
        self._actions = [
            action for action in table.palette() if usable is None or action.id in usable
        ]

    def compose(self) -> ComposeResult:
        """A line to type in, and what fits it."""
        with Vertical(id="palette") as box:
            box.border_title = "Commands"
            box.border_subtitle = "enter Run   esc Close"
            yield Input(placeholder="type to search every action", id="palette-words")
            rows = RowList(id="palette-rows", empty="No command has these words.")
            rows.can_focus = False
            yield rows

    def on_mount(self) -> None:
        """All of them, until something is typed."""
        self._show("")

    def _show(self, text: str) -> None:
        rows = self.query_one("#palette-rows", RowList)
        rows.show_rows(tuple(map(action_row, matching(self._actions, text))))
        rows.action_top()

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        message.stop()
        self._show(message.value)

    @on(Input.Submitted)
    def _entered(self, message: Input.Submitted) -> None:
        message.stop()
        self.dismiss(self.query_one("#palette-rows", RowList).cursor_key)

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.dismiss(message.key)

    def action_move(self, name: str) -> None:
        """Moves in the list while the words keep the focus."""
        getattr(self.query_one("#palette-rows", RowList), f"action_{name}")()
