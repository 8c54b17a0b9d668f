"""What stands behind the row under the cursor, in a small pane below the list."""

from __future__ import annotations

from textual.message import Message

from smriti_tui.widgets.literal_view import LiteralView

LINES = 3
"""How far a key scrolls it."""


class PreviewPane(LiteralView, can_focus=False):
    """Never takes the focus: its list scrolls it."""

    class Sized(Message):
        """It is shown, hidden, or has another size."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self.border_title = "Preview"
        self.border_subtitle = "J K scroll"

    @property
    def seen(self) -> bool:
        """Whether anything of it is on the screen."""
        return bool(self.display and self.region.area)

    def step(self, by: int) -> None:
        """Scrolls by some lines, down or (-1) up."""
        self.scroll_relative(y=by * LINES, animate=False)

    def on_show(self) -> None:
        """It is there again: what it should show may be another."""
        self.post_message(self.Sized())

    def on_resize(self) -> None:
        """As every text; its list may have changed while it was away."""
        super().on_resize()
        self.post_message(self.Sized())
