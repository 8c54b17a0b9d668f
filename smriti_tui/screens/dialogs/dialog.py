"""What all dialogs share: a box over the screen below; `esc` leads back to it, focus included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.keys import KeyTable, named
from smriti_tui.messages import Act, Failed
from smriti_tui.text import literal, literal_line
from smriti_tui.widgets.fields import Field
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import in_thread

Result = TypeVar("Result")

MOVES = {
    "nav.down": "cursor_down",
    "nav.up": "cursor_up",
    "nav.top": "top",
    "nav.bottom": "bottom",
    "nav.half_down": "half_down",
    "nav.half_up": "half_up",
    "nav.open": "open",
}

APP = ("app.help", "app.jump", "app.palette", "app.quit", "app.search")
"""What works in a dialog as everywhere."""


@dataclass
class Done(Message):
    """The work that a dialog started has ended well."""

    value: object


class Dialog(ModalScreen[Result], Generic[Result]):
    """A box with a heading, a body, a line for faults and the keys. Dismissed with None by esc."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / "dialogs.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *named("nav.back", "nav.next", "nav.prev", "edit.save", *APP, *MOVES)
    ]
    HEADING: ClassVar[str] = ""
    KEYS: ClassVar[str] = "enter Save   tab Next field   esc Back"

    def __init__(self) -> None:
        super().__init__()
        self._busy = False
        self._given: list[str] = []
        """What stood in the fields when they were new."""

    def compose(self) -> ComposeResult:
        """The box."""
        with Vertical(id="dialog") as box:
            box.border_title = literal_line(self.heading())
            with VerticalScroll(id="dialog-body", can_focus=False):
                yield from self.body()
            yield Static(id="dialog-fault")
            yield Static(self._keys_words(), id="dialog-keys")

    def on_mount(self) -> None:
        """Runs after that of the dialog itself, which fills the fields; before any key."""
        self._given = list(self._texts())

    def heading(self) -> str:
        """The words on the border."""
        return self.HEADING

    def keys_line(self) -> str:
        """The keys, in words."""
        return self.KEYS

    def _keys_words(self) -> Content:
        """The line with the person's own keys."""
        table = getattr(self.app, "table", None)
        line = self.keys_line()
        return literal_line(table.own(line) if isinstance(table, KeyTable) else line)

    def body(self) -> Iterable[Widget]:
        """What stands in the box."""
        return ()

    def submit(self) -> None:
        """Takes what is typed; the usual way is `work`. Where nothing is, it closes."""
        self.dismiss(None)

    # ---- doing -------------------------------------------------------------------------------

    def work(self, work: Callable[[], object], what: str) -> None:
        """Runs `work` in a thread; its value ends the dialog, its fault is shown at its field."""
        if self._busy:
            return
        self._busy = True
        self._clear()
        self.query_one("#dialog-keys", Static).update("Working ...")
        in_thread(self, work, Done, group="dialog.work", what=what)

    def wait(self, words: str) -> None:
        """Says what the work waits for; empty when it goes on."""
        if self._busy:
            shown = f"{words}   esc gives up" if words else "Working ..."
            self.query_one("#dialog-keys", Static).update(literal_line(shown))

    @on(Done)
    def _done(self, message: Done) -> None:
        message.stop()
        self.finish(message.value)

    def finish(self, value: object) -> None:
        """Ends the dialog with the value of its work."""
        self.dismiss(value)  # type: ignore[arg-type]

    def on_failed(self, message: Failed) -> None:
        """Shows the fault where it can be mended; everything typed stays."""
        message.stop()
        self.show_error(message.error)

    def show_error(self, error: SmritiError) -> None:
        """At its field, where there is one; else below."""
        self._busy = False
        self.query_one("#dialog-keys", Static).update(self._keys_words())
        name = error.field if isinstance(error, Invalid) else None
        for field in self.query(Field):
            if name is not None and field.field == name:
                field.fault(str(error))
                return
        self.query_one("#dialog-fault", Static).update(literal(f"! {error}"))
        self.query_one("#dialog-fault").add_class("-shown")

    def _clear(self) -> None:
        for field in self.query(Field):
            field.fault("")
        fault = self.query_one("#dialog-fault", Static)
        fault.update("")
        fault.remove_class("-shown")

    def _texts(self) -> Iterator[str]:
        yield from (each.value for each in self.query(Input))
        yield from (each.text for each in self.query(TextArea))

    def stays(self) -> str:
        """Why it is not left for another place: what is typed would be lost, or its work runs."""
        if self._busy:
            return "This is still at work."
        if list(self._texts()) != self._given:
            return "What is typed here would be lost. esc leaves it first."
        return ""

    # ---- keys --------------------------------------------------------------------------------

    def usable(self) -> set[str]:
        """The few actions that a dialog has, for palette and help."""
        return {"nav.back", "nav.next", "nav.prev", "edit.save", "app.jump", "app.mouse", *APP}

    def why_not(self, action_id: str) -> str:
        """What a dialog has works as long as it is there."""
        return ""

    def action_run(self, action_id: str) -> None:
        """The few actions that a dialog has."""
        if action_id == "nav.back":
            self.dismiss(None)
        elif action_id == "nav.next":
            self.focus_next()
        elif action_id == "nav.prev":
            self.focus_previous()
        elif action_id == "edit.save":
            self.submit()
        elif isinstance(self.focused, RowList) and action_id in MOVES:
            getattr(self.focused, f"action_{MOVES[action_id]}")()
        elif action_id in APP or action_id == "app.mouse":
            self.app.post_message(Act(action_id))

    @on(Input.Submitted)
    def _entered(self, message: Input.Submitted) -> None:
        message.stop()
        self.submit()
