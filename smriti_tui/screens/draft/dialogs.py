"""The dialog in which a text, an item or an artifact of a draft is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput, TextField
from smriti_tui.worker import hop

Values = Mapping[str, str]
"""What stands in the fields, by their names."""


@dataclass(frozen=True)
class Asked:
    """One field."""

    name: str
    label: str
    value: str = ""
    lines: bool = False
    """Whether it takes several."""
    hint: str = ""


@dataclass(frozen=True)
class Filled:
    """How the dialog was left: what stood in it, and what was made of it (None: left by esc)."""

    values: Values
    made: object | None = None


class FieldsDialog(Dialog[Filled]):
    """Dismissed with what `take` makes of the fields; a fault of it is shown at its field."""

    HELP = (
        "What is typed here is kept with the draft, also when the program ends. "
        "ctrl+s takes it; esc leaves it, and it stands here again when the dialog is opened anew. "
        "A turn and a quote are looked up as you type."
    )
    KEYS: ClassVar[str] = "^s Take   tab Next field   ^g Editor   esc Back"

    def __init__(
        self,
        heading: str,
        fields: Sequence[Asked],
        take: Callable[[Values], object],
        typed: Callable[[Values], None],
        check: Callable[[Values], str] | None = None,
    ) -> None:
        """`take` and `check` are called in threads; `take` may raise Invalid. `typed` hears of
        every change."""
        super().__init__()
        self._heading = heading
        self._fields = tuple(fields)
        self._take = take
        self._typed = typed
        self._check = check

    def heading(self) -> str:
        return self._heading

    def body(self) -> Iterable[Widget]:
        for each in self._fields:
            name = f"draft-{each.name}"
            inner = (
                TextField(each.value, widget_id=name, hint=each.hint)
                if each.lines
                else LineInput(each.value, widget_id=name, hint=each.hint, select=False)
            )
            yield Field(each.name, each.label, inner)
        if self._check is not None:
            yield Static(id="draft-check", classes="dialog--note")

    def on_mount(self) -> None:
        """One goes on writing at the end of the first field."""
        for area in self.query(TextField):
            area.move_cursor(area.document.end)
        self.query_one(f"#draft-{self._fields[0].name}").focus()
        self._look_up()

    @property
    def values(self) -> dict[str, str]:
        """What stands in the fields."""
        found = {}
        for each in self._fields:
            widget = self.query_one(f"#draft-{each.name}")
            if isinstance(widget, TextArea):
                found[each.name] = widget.text
            elif isinstance(widget, Input):
                found[each.name] = widget.value
        return found

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _changed(self) -> None:
        if self.values != {each.name: each.value for each in self._fields}:
            self._typed(self.values)
        self._look_up()

    def _look_up(self) -> None:
        """Says what the check finds, for what stands here now."""
        if (check := self._check) is None:
            return
        asked = self.values

        def then(words: str) -> None:
            if self.is_attached and self.values == asked:
                self.query_one("#draft-check", Static).update(literal(words))

        hop(self, lambda: check(asked), then, self.show_error, group="draft.check")

    def submit(self) -> None:
        """Takes what stands here, unless something of it is wrong."""
        values, take = self.values, self._take
        self.work(lambda: Filled(values, take(values)), "Taking it")

    def action_run(self, action_id: str) -> None:
        """esc remembers what stands here."""
        if action_id == "nav.back":
            self.dismiss(Filled(self.values))
        else:
            super().action_run(action_id)
