"""Where a message is written: enter sends, ctrl+j breaks the line, a paste never sends.

A long paste is folded to one word. `text` is always the whole message; what is shown is
`document.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from textual import events
from textual.message import Message
from textual.timer import Timer

from smriti_tui.domain.clean import clean
from smriti_tui.domain.folds import Folds, Span, folded, is_long, known_spans
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
        self._folds = Folds()
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
            self._type("\n")
        elif event.key in PAGES:
            self._take(event)
            self.post_message(Act(PAGES[event.key]))

    def submit(self) -> None:
        """Asks for the message to be sent."""
        self.post_message(self.Submitted(self.text))

    def _pasted_key(self, key: str) -> None:
        if key == "tab":
            self._type("\t")
        elif self._burst.broken:
            self._type("\n")
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
            self._type("\n")

    def _type(self, text: str) -> None:
        self.replace(text, *self.selection, maintain_selection_offset=False)

    def _take(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()

    # ---- long pastes ---------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The whole message."""
        return self._folds.whole(self.document.text)

    @text.setter
    def text(self, value: str) -> None:
        self.put(value)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where folded pastes lie in the message."""
        return self._folds.spans(self.document.text)

    @property
    def selected_text(self) -> str:
        """What is marked, with folded pastes in full."""
        return self._folds.whole(super().selected_text)

    def one(self, line: str, column: int) -> tuple[int, int]:
        """A folded paste counts as one sign."""
        for start, end, _ in self._folds.tokens(line):
            if start <= column < end:
                return start, end
        return super().one(line, column)

    def on_paste(self, event: events.Paste) -> None:
        """Takes a paste in, control characters made visible, a long one folded."""
        self._break_held()
        event.text = self._fold(clean(event.text))

    def action_paste(self) -> None:
        """Takes in what was copied here."""
        self._type(self._fold(self.app.clipboard))

    def action_cut(self) -> None:
        """Cuts what is marked, or the line, with folded pastes in full."""
        if self.selection.is_empty:
            self.action_select_line()
        if not self.selection.is_empty:
            self.app.copy_to_clipboard(self.selected_text)
            self._type("")
        else:
            self.action_delete_line()

    def action_delete_word_right(self) -> None:
        """As in an editor; a folded paste goes whole."""
        row, column = self.cursor_location
        start, end = self.one(self.document[row], column)
        if self.selection.is_empty and start == column and end > column + 1:
            self.delete((row, start), (row, end), maintain_selection_offset=False)
        else:
            super().action_delete_word_right()

    def unfold(self) -> bool:
        """Shows the pastes in full, as one edit; False if none is folded."""
        if not self.spans:
            return False
        super().edited_elsewhere(self.text)
        return True

    def _fold(self, text: str) -> str:
        if not is_long(text):
            return text
        self._folds, word = self._folds.add(text)
        return word

    # ---- by the program ------------------------------------------------------------------------

    def put(self, text: str, spans: Sequence[Span] | None = None) -> None:
        """Replaces the text by the program; the cursor goes to its end.

        `spans`: where its folded pastes lie; None folds a text that is long as a whole.
        """
        if text == self.text and spans in (None, self.spans):
            return
        if spans is None:
            spans = ((0, len(text)),) if is_long(text) else ()
        shown, self._folds = folded(text, spans, Folds())
        self.load_text(shown)
        self.move_cursor(self.document.end)

    def edited_elsewhere(self, text: str) -> None:
        """As one edit; pastes that were not touched stay folded."""
        spans = known_spans(text, self._folds.parts)
        shown, self._folds = folded(text, spans, self._folds)
        super().edited_elsewhere(shown)
