"""Fields of a form: a label, something to type in, and the fault of what was typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from smriti_tui.domain.clean import clean_line
from smriti_tui.keys import in_fields
from smriti_tui.text import literal, literal_line
from smriti_tui.widgets.clusters import cluster_around, snapped, whole_signs
from smriti_tui.widgets.writing import WritingArea, unseen

NEW_LINE = ("ctrl+j", "shift+enter", "alt+enter")


class LineInput(Input):
    """One line. A paste of several lines becomes one, joined by spaces: no word of it is lost. The
    cursor passes what the eye sees as one sign."""

    BINDINGS: ClassVar[list[BindingType]] = [*in_fields("edit.external")]

    def __init__(
        self,
        value: str = "",
        *,
        widget_id: str | None = None,
        hint: str = "",
        select: bool = True,
    ) -> None:
        """`select`: the focus selects what is there, for another text in its place."""
        super().__init__(
            clean_line(value),
            id=widget_id,
            placeholder=hint,
            compact=True,
            select_on_focus=select,
        )
        self.cursor_blink = False  # Nothing here moves by itself.

    def fill(self, value: str) -> None:
        """Takes another text; the cursor stands at its end."""
        if value != self.value:
            self.value = value
            self.cursor_position = len(value)

    def on_key(self, event: events.Key) -> None:
        """Takes text that Textual would drop."""
        if sign := unseen(event):
            event.stop()
            event.prevent_default()
            self._type(sign)

    def on_paste(self, event: events.Paste) -> None:
        """Takes all lines in."""
        event.stop()
        event.prevent_default()
        self._type(clean_line(event.text.strip("\r\n")))

    def edited_elsewhere(self, text: str) -> None:
        """Takes another text; several lines become one."""
        self.replace(clean_line(text.strip("\n")), 0, len(self.value))

    def _type(self, text: str) -> None:
        start, end = sorted(self.selection)
        self.replace(text, start, end)

    def validate_selection(self, selection: Selection) -> Selection:
        """Never in the middle of a sign."""
        start, end = (min(max(0, each), len(self.value)) for each in selection)
        return Selection(snapped(self.value, start), snapped(self.value, end))

    def render_line(self, y: int) -> Strip:
        """The cursor never tears a sign apart."""
        return whole_signs(super().render_line(y))

    def action_cursor_right(self, select: bool = False) -> None:
        """Behind the sign under the cursor."""
        start, end = self.selection
        if start == end or select:
            behind = cluster_around(self.value, end)[1]
            self.selection = Selection(start if select else behind, behind)
        else:
            super().action_cursor_right()

    def action_delete_right(self) -> None:
        """The sign under the cursor."""
        start, end = sorted(self.selection)
        self.delete(start, end if start != end else cluster_around(self.value, start)[1])

    def action_delete_left(self) -> None:
        """The sign before the cursor."""
        start, end = sorted(self.selection)
        if start != end or start > 0:
            self.delete(start if start != end else snapped(self.value, start - 1), end)


class TextField(WritingArea):
    """Several lines, as high as what is in it."""

    DEFAULT_CSS = "TextField { height: auto; min-height: 1; max-height: 10; padding: 0 1; }"

    def __init__(self, text: str = "", *, widget_id: str | None = None, hint: str = "") -> None:
        super().__init__(
            text,
            id=widget_id,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            compact=True,
            placeholder=hint,
        )
        self.cursor_blink = False

    def load_text(self, text: str) -> None:
        """Takes another text; the cursor stands at its end, where one goes on writing."""
        super().load_text(text)
        self.move_cursor(self.document.end)


class EditorLine(TextField):
    """Where an item is written: enter takes it, ctrl+j breaks the line, up leaves it empty."""

    @dataclass
    class Submitted(Message):
        """Enter was pressed."""

        text: str

    class UpFromEmpty(Message):
        """Up was pressed where nothing is written."""

    def on_key(self, event: events.Key) -> None:
        """The keys that mean something else here than in an editor."""
        if event.key == "enter":
            self._take(event)
            self.post_message(self.Submitted(self.text))
        elif event.key in NEW_LINE:
            self._take(event)
            self.insert("\n")
        elif event.key == "up" and not self.text:
            self._take(event)
            self.post_message(self.UpFromEmpty())

    def _take(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()


class Field(Vertical):
    """A label above what is typed, and below it what is wrong with it."""

    DEFAULT_CSS = """
    Field { height: auto; }
    Field > .field--fault { height: auto; display: none; }
    Field.-faulty > .field--fault { display: block; }
    """

    def __init__(self, field: str, label: str, *inner: Widget) -> None:
        super().__init__(id=f"field-{field.replace('.', '-')}")
        self.field = field
        self._label = label
        self._inner = inner

    def compose(self) -> Iterable[Widget]:
        """Label and input; the fault comes when there is one."""
        yield Static(literal_line(self._label), classes="field--label")
        yield from self._inner

    def relabel(self, label: str) -> None:
        """Other words above the input."""
        self.query_one(".field--label", Static).update(literal_line(label))

    def fault(self, words: str) -> None:
        """Shows what is wrong ("" for nothing any more); the first input gets the focus."""
        self.set_class(bool(words), "-faulty")
        shown = self.query_one_optional(".field--fault", Static)
        if shown is not None:
            shown.update(literal(f"! {words}" if words else ""))
        elif words:
            self.mount(Static(literal(f"! {words}"), classes="field--fault"))
        if words:
            self.focus_inside()

    def focus_inside(self) -> None:
        """The focus goes to the first thing that takes it."""
        for widget in self.query("*"):
            if widget.focusable and widget.display:
                widget.focus()
                return
