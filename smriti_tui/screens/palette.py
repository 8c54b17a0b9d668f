"""Every command by name: type to find it, enter runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from smriti_tui.config.light import styles_dir
from smriti_tui.keys import KeyTable, named
from smriti_tui.screens.offers import Offer, offers, recent_of, rows_of, run_later
from smriti_tui.screens.ranking import ranked
from smriti_tui.text import literal_line
from smriti_tui.widgets.row_list import RowList

KEYS = "enter Run   f1 What does it do   esc Close"


def open_palette(
    app: App[int], table: KeyTable, act: Callable[[str], None], *, words: str = ""
) -> None:
    """Offers all actions, and runs what is chosen on the screen below; `act` takes the rest."""

    def chosen(action_id: str | None) -> None:
        run_later(app, act, action_id)

    found = offers(app.screen, table)
    app.push_screen(PaletteScreen(found, table, recent_of(app), words=words), chosen)


class PaletteScreen(ModalScreen[str | None]):
    """Dismissed with the id of the chosen action, or None."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / "modals.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *named("nav.back", "app.help", "app.quit"),
        Binding("down", "move('cursor_down')", "Down"),
        Binding("up", "move('cursor_up')", "Up"),
        Binding("pagedown", "move('half_down')", "Half a page down"),
        Binding("pageup", "move('half_up')", "Half a page up"),
    ]

    def __init__(
        self,
        found: Sequence[Offer],
        table: KeyTable,
        recent: Sequence[str] = (),
        *,
        words: str = "",
    ) -> None:
        """`recent` are ids that come first as long as nothing is typed; `words` is typed
        already."""
        super().__init__()
        self._offers = tuple(found)
        self._table = table
        self._recent = tuple(recent)
        self._words = words

    def compose(self) -> ComposeResult:
        """A line to type in, and what fits it."""
        with Vertical(id="palette") as box:
            box.border_title = "Commands"
            yield Input(
                self._words, placeholder="type to search every action", id="palette-words",
                select_on_focus=False,
            )  # fmt: skip
            rows = RowList(id="palette-rows", empty="No command has these words.")
            rows.can_focus = False
            rows.opens_at_once = True
            yield rows

    def on_mount(self) -> None:
        """All of them, until something is typed."""
        self.query_one(Input).cursor_blink = False
        self._show(self._words)

    def _show(self, text: str) -> None:
        rows = self.query_one("#palette-rows", RowList)
        found = ranked(self._offers, text, self._recent)
        rows.show_rows(rows_of(found, self.size.width))
        rows.action_top()
        self._note(KEYS)

    def _note(self, words: str) -> None:
        self.query_one("#palette").border_subtitle = literal_line(self._table.own(words))

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        message.stop()
        self._show(message.value)

    @on(Input.Submitted)
    def _entered(self, message: Input.Submitted) -> None:
        message.stop()
        self._choose(self.query_one("#palette-rows", RowList).cursor_key)

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self._choose(message.key)

    def _choose(self, action_id: str | None) -> None:
        """Runs it; what cannot run says why, and the list stays."""
        offer = self._offer(action_id)
        if offer is None:
            return
        if offer.why_not:
            self._note(f"Not now: {offer.why_not}")
        else:
            self.dismiss(offer.action.id)

    def _offer(self, action_id: str | None) -> Offer | None:
        return next((each for each in self._offers if each.action.id == action_id), None)

    def action_move(self, name: str) -> None:
        """Moves in the list while the words keep the focus."""
        getattr(self.query_one("#palette-rows", RowList), f"action_{name}")()
        self._note(KEYS)

    def action_run(self, action_id: str) -> None:
        """Back, quitting, and what the action under the cursor does."""
        if action_id == "nav.back":
            self.dismiss(None)
        elif action_id == "app.quit":
            self.dismiss("app.quit")
        else:
            self._explain()

    def _explain(self) -> None:
        from smriti_tui.screens.help import about_action

        offer = self._offer(self.query_one("#palette-rows", RowList).cursor_key)
        if offer is not None:
            self.app.push_screen(about_action(offer, self._table))
