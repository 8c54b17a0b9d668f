"""Help for what has the focus: three sentences, its keys, and the keys that work everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from smriti_tui.config.light import styles_dir
from smriti_tui.keys import PLACE_NAMES, KeyTable, named
from smriti_tui.screens.help_words import Page, Section, key_rows, keys_of, page_of, word_rows
from smriti_tui.screens.offers import Offer, offers, rows_of, run_later
from smriti_tui.screens.ranking import ranked
from smriti_tui.text import literal, literal_line
from smriti_tui.widgets.row_list import RowList

LOW = 24
"""Below this height the sentences scroll with the keys."""
TWO_COLUMNS = 76
"""From this width of the page on its keys stand in two columns."""
AROUND = 5
"""Lines of the page beside its sentences and keys: border, gaps, the line to search in."""
KEYS = "enter Run   tab Column   esc Close"
HINT = "type to search every action; enter runs the selected one"


def open_help(app: App[int], table: KeyTable, act: Callable[[str], None]) -> None:
    """Shows the page for what has the focus, and runs what is chosen there."""

    def chosen(action_id: str | None) -> None:
        run_later(app, act, action_id)

    app.push_screen(HelpScreen.for_screen(app.screen, table), chosen)


def about_action(offer: Offer, table: KeyTable) -> HelpScreen:
    """The page of one action: what it does, where, by which key, and why not now."""
    action = table.get(offer.action.id)
    names = dict(PLACE_NAMES)
    lines = [
        f"{action.title}.",
        f"Where: {', '.join(names[place] for place in action.places)}.",
        f"Key: {keys_of(action)}. In the settings it is called {action.id}.",
    ]
    if offer.why_not:
        lines.append(f"Not now: {offer.why_not}.")
    return HelpScreen(Page(action.word, "\n".join(lines), (), ()))


class HelpScreen(ModalScreen[str | None]):
    """A page over the screen below; dismissed with the id of an action to run, or None."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / "modals.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *named(
            "nav.back", "nav.next", "nav.prev", "app.help", "app.palette", "app.quit", "app.search"
        ),
        Binding("down", "move('cursor_down')", "Down"),
        Binding("up", "move('cursor_up')", "Up"),
        Binding("pagedown", "move('half_down')", "Half a page down"),
        Binding("pageup", "move('half_up')", "Half a page up"),
    ]

    def __init__(self, page: Page, found: Sequence[Offer] = ()) -> None:
        """`found` is what typing searches."""
        super().__init__()
        self._page = page
        self._offers = tuple(found)
        self._at = "#help-here"

    @classmethod
    def for_screen(cls, screen: Screen[Any], table: KeyTable) -> HelpScreen:
        """The page for what has the focus on `screen`."""
        return cls(page_of(screen, table), offers(screen, table))

    @property
    def text(self) -> str:
        """What the page says."""
        return self._page.text

    def compose(self) -> ComposeResult:
        """The sentences, the keys in columns, and a line to search in."""
        with Vertical(id="help") as box:
            box.border_title = literal_line(f"Help: {self._page.title}")
            box.border_subtitle = KEYS if self._offers else "esc Close"
            yield Static(literal(self._page.words), id="help-words")
            with Horizontal(id="help-columns"):
                for name in ("help-here", "help-all"):
                    yield self._rows(name)
            yield self._rows("help-found", empty="No command has these words.")
            yield Input(placeholder=HINT, id="help-typed")

    def _rows(self, name: str, empty: str = "") -> RowList:
        rows = RowList(id=name, empty=empty)
        rows.can_focus = False
        rows.opens_at_once = True
        return rows

    def on_mount(self) -> None:
        """The keys here are chosen from first."""
        typed = self.query_one("#help-typed", Input)
        typed.cursor_blink, typed.display = False, bool(self._offers)
        self._lay_out()

    def on_resize(self, event: events.Resize) -> None:
        """One column or two, by width."""
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        page = self._page
        two = self.query_one("#help").size.width >= TWO_COLUMNS
        self.set_class(not two, "-one-column")
        left: tuple[Section, ...] = page.here if two else (*page.here, *page.everywhere)
        shown = self.query_one("#help-here", RowList), self.query_one("#help-all", RowList)
        rows = key_rows(left, brief=two), key_rows(page.everywhere if two else (), brief=two)
        low = self.size.height < LOW
        self.set_class(low, "-low")
        if low:
            rows = (word_rows(page.words, self.size.width - 6) + rows[0], rows[1])
        others = AROUND + (0 if low else self.query_one("#help-words").size.height + 1)
        room = max(self.size.height * 9 // 10 - others, 1)
        self.query_one("#help-columns").styles.height = min(max(map(len, rows)), room)
        for each, value in zip(shown, rows, strict=True):
            each.show_rows(value)
            each.scroll_to(y=0, animate=False)
        self._point("#help-here" if not two else self._at)

    def _point(self, name: str) -> None:
        """Which column the keys move in."""
        self._at = name
        for rows in self.query(RowList):
            rows.shows_cursor = f"#{rows.id}" == name
            rows.refresh()

    # ---- searching -----------------------------------------------------------------------------

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        message.stop()
        words = message.value.strip()
        self.set_class(bool(words), "-searching")
        if words:
            rows = self.query_one("#help-found", RowList)
            rows.show_rows(rows_of(ranked(self._offers, words), self.size.width))
            rows.action_top()
        self._point("#help-found" if words else "#help-here")

    @on(Input.Submitted)
    def _entered(self, message: Input.Submitted) -> None:
        message.stop()
        self._choose(self.query_one(self._at, RowList).cursor_key)

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self._choose(message.key)

    def _choose(self, action_id: str | None) -> None:
        offer = next((each for each in self._offers if each.action.id == action_id), None)
        if offer is None:
            return
        if offer.why_not:
            words = literal_line(f"Not now: {offer.why_not}")
            self.query_one("#help").border_subtitle = words
        else:
            self.dismiss(offer.action.id)

    # ---- keys ----------------------------------------------------------------------------------

    def action_move(self, name: str) -> None:
        """Moves in a column while the line keeps the focus."""
        getattr(self.query_one(self._at, RowList), f"action_{name}")()

    def action_run(self, action_id: str) -> None:
        """Closing, the other column, the palette."""
        if action_id in ("nav.next", "nav.prev"):
            self._other_column()
        elif action_id in ("app.palette", "app.quit", "app.search"):
            self.dismiss(action_id)
        elif action_id in ("nav.back", "app.help"):
            self.dismiss(None)

    def _other_column(self) -> None:
        if self._at != "#help-found" and not self.has_class("-one-column"):
            self._point("#help-all" if self._at == "#help-here" else "#help-here")

    def on_key(self, event: events.Key) -> None:
        """`?` closes what it opened, as long as nothing is typed."""
        typed = self.query_one("#help-typed", Input).value
        if event.key == "question_mark" and not typed:
            event.stop()
            event.prevent_default()
            self.dismiss(None)
