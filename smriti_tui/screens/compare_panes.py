"""The panes of compare and merge: what stands in them, from what the screen shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.screens.compare_views import MergeView, Side, View, weight
from smriti_tui.screens.full import WIDE, TitleLine
from smriti_tui.text import literal, literal_line
from smriti_tui.widgets.compare_list import listed
from smriti_tui.widgets.literal_view import LiteralView, Section
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.compare import CompareScreen

AT_ONCE = 4_000
"""Characters whose differences are found without a thread."""
SIDES = 3
"""Base, ours (or A), theirs (or B)."""


def pane(widget_id: str) -> LiteralView:
    """A pane with a text."""
    made = LiteralView(widget_id=widget_id)
    made.add_class("pane")
    return made


class Panes:
    """Composes and fills the panes of its screen."""

    def __init__(self, screen: CompareScreen) -> None:
        self._screen = screen

    def compose(self) -> Iterable[Widget]:
        """The list, the sides, below them the result of a merge, and what it all comes to."""
        with Horizontal(id="compare-body"):
            yield RowList(id="compare-list", classes="pane", empty="Reading ...")
            with Vertical(id="compare-right"):
                with Horizontal(id="compare-sides"):
                    yield from (pane(f"side-{number}") for number in range(SIDES))
                with Horizontal(id="compare-lower"):
                    yield pane("compare-result")
                    with VerticalScroll(id="compare-said", classes="pane"):
                        yield Static(id="compare-said-text")
        yield Static(id="compare-sum", classes="pane")

    @property
    def rows(self) -> RowList:
        """The list."""
        return self._screen.query_one("#compare-list", RowList)

    def side(self, number: int) -> LiteralView:
        """One of the sides."""
        return self._screen.query_one(f"#side-{number}", LiteralView)

    def loading(self) -> None:
        """Nothing is read yet."""
        self._screen.query_one(TitleLine).left = ("Reading the checkpoints ...",)
        self.rows.border_title = "Items"

    def broken(self, words: str) -> None:
        """It could not be read."""
        self.rows.show_rows((), empty="This cannot be shown.")
        self._screen.query_one("#compare-sum", Static).update(literal(words))

    def show(self, view: View) -> None:
        """Titles and counts, as many words as the screen has room for."""
        screen, wide = self._screen, self._screen.has_class(WIDE)
        title = screen.query_one(TitleLine)
        right = view.right if wide else view.brief_right
        title.left, title.right = view.title, f"{screen.demo_word}{right}".rstrip()
        counts = screen.query_one("#compare-sum", Static)
        counts.border_title = "Merge checkpoint" if isinstance(view, MergeView) else "In all"
        counts.update(literal("\n".join(view.summary if wide else view.brief)))

    def show_list(self, view: View, *, equal: bool) -> None:
        """The rows; the cursor stays on the thing it is on."""
        found = listed(view.rows, equal=equal)
        rows = self.rows
        rows.show_rows(found.rows, empty="Nothing differs. = shows what is equal.")
        rows.border_title = literal_line(f"Items {len(view.rows)}")
        rows.border_subtitle = f"{found.hidden} equal (=)" if found.hidden else ""

    def show_row(self, view: View) -> None:
        """The sides follow the cursor; long ones are compared in a thread."""
        row = self._screen.row
        if weight(row) <= AT_ONCE:
            self._fill(view.sides(row))
        else:

            def then(sides: tuple[Side, ...]) -> None:
                now = self._screen.row
                same = now is not None and row is not None and now.key == row.key
                if same and view is self._screen.view:
                    self._fill(sides)

            hop(
                self._screen, lambda: view.sides(row), then, self._screen.failed,
                group="compare.sides",
            )  # fmt: skip
        if isinstance(view, MergeView):
            _show_in(self._screen.query_one("#compare-result", LiteralView), view.result(row))

    def _fill(self, sides: tuple[Side, ...]) -> None:
        for number, side in enumerate(sides, SIDES - len(sides)):
            _show_in(self.side(number), side)

    def turn_to(self, side: int) -> None:
        """A narrow screen shows this one alone."""
        for number in range(SIDES):
            self.side(number).set_class(number == side, "-on")

    def scroll(self, by: int) -> None:
        """All texts at once, while the list has the keys."""
        for text in self._screen.query(LiteralView):
            if text.display and text.max_scroll_y:
                text.scroll_relative(y=by, animate=False)


def _show_in(text: LiteralView, side: Side) -> None:
    text.border_title = literal_line(side.title)
    text.border_subtitle = literal_line(side.by)
    text.show([Section(told.label, pieces=told.pieces) for told in side.told])
