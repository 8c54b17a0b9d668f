"""Where a message is written: enter sends, ctrl+j breaks the line, a paste never sends."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from smriti_tui.domain.clean import clean

NEW_LINE = ("ctrl+j", "shift+enter", "alt+enter")


class Prompt(TextArea):
    """The unsent message of the session that is shown."""

    HELP = (
        "What you write here is sent to the model together with what the header counts. "
        "The text belongs to its session and survives switching, restarting and a crash. "
        "A paste with line breaks stays one message."
    )
    DEFAULT_CSS = "Prompt { height: auto; min-height: 2; max-height: 8; padding: 0; }"

    @dataclass
    class Submitted(Message):
        """Somebody wants to send this."""

        text: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(
            id=id, soft_wrap=True, show_line_numbers=False, tab_behavior="focus",
            highlight_cursor_line=False,
        )  # fmt: skip

    def on_mount(self) -> None:
        """Says what the two most used keys do. A cursor that blinks would wake an idle program."""
        self.cursor_blink = False
        self.border_title = "Prompt"
        self.border_subtitle = "enter send   ^j line"

    def on_key(self, event: events.Key) -> None:
        """The keys that mean something else here than in an editor."""
        if event.key == "enter":
            self._take(event)
            self.post_message(self.Submitted(self.text))
        elif event.key in NEW_LINE:
            self._take(event)
            self.insert("\n")

    def _take(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Takes a paste in, with its control characters made visible."""
        event.text = clean(event.text)

    def put(self, text: str) -> None:
        """Replaces the text by the program; the cursor goes to its end."""
        if text != self.text:
            self.load_text(text)
            self.move_cursor(self.document.end)
