"""Where a message is written: enter sends, ctrl+j breaks the line, a paste never sends.

`text` is always the whole message; what is shown, with long pastes folded, is `document.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from textual import events
from textual.message import Message
from textual.timer import Timer

from smriti_tui.domain.folds import Span, is_long
from smriti_tui.keys import KeyTable, key_table, shown_key
from smriti_tui.messages import Act
from smriti_tui.widgets.burst import PAUSE_S, Burst
from smriti_tui.widgets.writing import WritingArea

NEW_LINE = ("shift+enter", "alt+enter")
"""Where a terminal tells them from enter; else the action's own keys."""
PAGES = {"pageup": "nav.half_up", "pagedown": "nav.half_down"}
"""They scroll the chat: the prompt is too low to be paged through."""


class Helper(Protocol):
    """Who is asked about a key before the prompt takes it: an open list, the earlier prompts."""

    def key(self, key: str) -> bool:
        """Takes the key, or leaves it (False)."""


class Prompt(WritingArea):
    """The unsent message of the session that is shown."""

    HELP = (
        "What you write here is sent to the model together with what the header counts; @ sends "
        "checkpoints, items and files with it, / at the start runs a command, up brings earlier "
        "prompts. The text belongs to its session and survives switching, restarting and a crash. "
        "A paste stays one message; a long one is folded, and ctrl+g opens it."
    )
    DEFAULT_CSS = "Prompt { height: auto; min-height: 2; max-height: 8; padding: 0; }"

    @dataclass
    class Submitted(Message):
        """Somebody wants to send this."""

        text: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self.helpers: tuple[Helper, ...] = ()
        self._burst = Burst()
        self._waiting: Timer | None = None
        """Runs while it is not known yet whether enter meant enter."""
        self._keys_line = ""
        super().__init__(
            id=id, soft_wrap=True, show_line_numbers=False, tab_behavior="focus",
            highlight_cursor_line=False,
        )  # fmt: skip

    def on_mount(self) -> None:
        """Says what the two most used keys do. A cursor that blinks would wake an idle program."""
        self.cursor_blink = False
        self.show_home(in_space=True)

    # ---- the border ----------------------------------------------------------------------------

    def show_home(self, *, in_space: bool, open_session: bool = True) -> None:
        """Says so when what is written here belongs to no Space, and which keys make one."""
        send, line = (shown_key(self._keys(name)[0]) for name in ("chat.send", "chat.newline"))
        keys = f"{send} send   {line} line"
        if in_space:
            self.border_title, self._keys_line = "Prompt", keys
        else:
            whose = "this session belongs to none" if open_session else f"{send} opens one in none"
            self.border_title = f"Prompt   no Space: {whose}"
            self._keys_line = f"esc 1 n new Space   {keys}"
        self.border_subtitle = self._keys_line

    def show_attached(self, words: str) -> None:
        """Says what is sent with the text; "" for nothing."""
        self.border_subtitle = words or self._keys_line

    def _keys(self, action_id: str) -> tuple[str, ...]:
        table = getattr(self.app, "table", None)
        found = table if isinstance(table, KeyTable) else key_table({})
        return found.get(action_id).keys or ("enter",)

    # ---- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """The keys that mean something else here than in an editor."""
        pasted = self._burst.key(event.time)
        if self._waiting is not None:
            self._break_held()
        if pasted and event.key in ("enter", "tab"):
            self._take(event)
            self._pasted_key(event.key)
        elif not pasted and any(helper.key(event.key) for helper in self.helpers):
            self._take(event)
        elif event.key in self._keys("chat.send"):
            self._take(event)
            self.submit()
        elif event.key in (*NEW_LINE, *self._keys("chat.newline")):
            self._take(event)
            self.type_in("\n")
        elif event.key in PAGES:
            self._take(event)
            self.post_message(Act(PAGES[event.key]))

    def submit(self) -> None:
        """Asks for the message to be sent."""
        self.post_message(self.Submitted(self.text))

    def _pasted_key(self, key: str) -> None:
        if key == "tab":
            self.type_in("\t")
        elif self._burst.broken:
            self.type_in("\n")
        else:
            self._waiting = self.set_timer(PAUSE_S, self._meant)

    def _meant(self) -> None:
        """Nothing followed: it was enter."""
        self._waiting = None
        self.submit()

    def _break_held(self) -> None:
        """Something followed: it was a line break of a paste."""
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
            self._burst.broken = True
            self.type_in("\n")

    def _take(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """What waited before it was a line break."""
        self._break_held()
        super().on_paste(event)

    # ---- by the program ------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The whole message."""
        return super().text

    @text.setter
    def text(self, value: str) -> None:
        self.put(value)

    def put(self, text: str, spans: Sequence[Span] | None = None) -> None:
        """Replaces the text by the program; the cursor goes to its end.

        `spans`: where its folded pastes lie; None folds a text that is long as a whole.
        """
        if text == self.text and spans in (None, self.spans):
            return
        if spans is None:
            spans = ((0, len(text)),) if is_long(text) else ()
        self.load_folded(text, spans)
