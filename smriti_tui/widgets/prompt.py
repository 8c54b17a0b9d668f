"""Where a message is written: enter sends, ctrl+j breaks the line, a paste never sends."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from smriti_tui.domain.clean import clean
from smriti_tui.messages import Act

NEW_LINE = ("ctrl+j", "shift+enter", "alt+enter")
PAGES = {"pageup": "nav.half_up", "pagedown": "nav.half_down"}
"""They scroll the chat: the prompt is too low to be paged through."""


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
        self.show_home(in_space=True)

    def show_home(self, *, in_space: bool, open_session: bool = True) -> None:
        """Says so when what is written here belongs to no Space, and which keys make one."""
        keys = "enter send   ^j line"
        if in_space:
            self.border_title, self.border_subtitle = "Prompt", keys
            return
        whose = "this session belongs to none" if open_session else "enter opens a session in none"
        self.border_title = f"Prompt   no Space: {whose}"
        self.border_subtitle = f"esc 1 n new Space   {keys}"

    def on_key(self, event: events.Key) -> None:
        """The keys that mean something else here than in an editor."""
        if event.key == "enter":
            self._take(event)
            self.post_message(self.Submitted(self.text))
        elif event.key in NEW_LINE:
            self._take(event)
            self.insert("\n")
        elif event.key in PAGES:
            self._take(event)
            self.post_message(Act(PAGES[event.key]))

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
