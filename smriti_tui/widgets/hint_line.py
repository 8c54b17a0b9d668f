"""Hints on the bottom border of a pane: they cover only that border, so that nothing moves when one
comes or goes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget

from smriti_tui.domain.clean import clean_line

CORNER = 2
"""Cells that stay free at both ends of the border."""


class BorderLine(Widget):
    """One line in a layer of its own; without words it is not there. Clicks on it do nothing."""

    DEFAULT_CSS = """
    BorderLine { layer: hints; dock: bottom; width: auto; height: 1; padding: 0 1; display: none; }
    BorderLine.-shown { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._ways: tuple[str, ...] = ()
        self._words = ""

    @property
    def words(self) -> str:
        """What is shown, empty for nothing."""
        return self._words

    def on_mount(self) -> None:
        """Follows the panes: which of them is lowest, and how wide it is."""
        self.screen.screen_layout_refresh_signal.subscribe(self, self._moved)
        self._place()

    def show(self, ways: Sequence[str]) -> None:
        """Shows the first of these ways to say it that fits, else the last; nothing for none."""
        self._ways = tuple(clean_line(way) for way in ways)
        if self.is_attached:
            self._place()

    def _moved(self, _: Screen[object]) -> None:
        self._place()

    def _place(self) -> None:
        below = self.below()
        if below is None or not self._ways:
            self._put("")
            return
        told = cell_len(Content.from_markup(below.border_subtitle or "").plain)
        room = below.outer_size.width - 2 * CORNER - 2 - (told + CORNER if told else 0)
        fits = (way for way in self._ways if cell_len(way) <= room)
        self._put(next(fits, self._ways[-1]))
        left = below.region.x - self._columns.region.x + CORNER
        up = below.region.bottom - self._columns.region.bottom
        if (self.styles.offset.x.value, self.styles.offset.y.value) != (left, up):
            self.offset = Offset(left, up)

    def _put(self, words: str) -> None:
        if words != self._words:
            self._words = words
            self.set_class(bool(words), "-shown")
            self.refresh(layout=True)

    @property
    def _columns(self) -> Widget:
        assert isinstance(self.parent, Widget)
        return self.parent

    def below(self) -> Widget | None:
        """On whose border it stands; None where that is not to be seen. Each kind has its own."""
        return None

    def render(self) -> Content:
        """The words."""
        return Content(self._words)


class HintLine(BorderLine):
    """On the widest of the lowest panes: there is most room for words."""

    def below(self) -> Widget | None:
        """What draws the widest part of the last line."""
        bottom = self._columns.region.bottom
        lowest = [
            widget
            for widget in self._columns.query("*").results(Widget)
            if widget is not self and widget.region and widget.region.bottom == bottom
            and widget.styles.border_bottom[0]
        ]  # fmt: skip
        return max(lowest, key=lambda widget: widget.region.width, default=None)


class NudgeLine(BorderLine):
    """On the chat, where its newest turn ends."""

    def below(self) -> Widget | None:
        """The chat, while it is shown."""
        chat = self._columns.query_one("#chat", Widget)
        return chat if chat.region and chat.styles.border_bottom[0] else None
