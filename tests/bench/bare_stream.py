"""A bare Textual app in which a text grows while one types: what any such app costs."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static, TextArea

PIECES_PER_S = 100
PAINTS_PER_S = 20
PIECE = "gamma delta epsilon "


class BareStream(App[None]):
    """A growing `Static` in a scrolling box, and a place to type below it."""

    CSS = "TextArea { height: 4; }"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self._text = ""

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(markup=False)
        yield TextArea()

    def on_mount(self) -> None:
        self.query_one(TextArea).focus()
        self.query_one(VerticalScroll).anchor()
        self.set_interval(1 / PAINTS_PER_S, self._grow)

    def _grow(self) -> None:
        self._text += PIECE * (PIECES_PER_S // PAINTS_PER_S)
        self.query_one(Static).update(self._text)


if __name__ == "__main__":
    BareStream().run()
