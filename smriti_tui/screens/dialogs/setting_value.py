"""One value of the settings, or the key of an action, typed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual import on
from textual.widget import Widget
from textual.widgets import Input, Static

from smriti_tui.keys import key_table
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput

Write = Callable[[str], object]
"""Writes what was typed; runs in a thread. Its value ends the dialog."""


class ValueDialog(Dialog[object]):
    """Dismissed with what `write` returned."""

    def __init__(self, field: str, label: str, value: str, words: str, write: Write) -> None:
        """`field` names the setting, so that its fault is shown at the input."""
        super().__init__()
        self._field = field
        self._label = label
        self._value = value
        self._words = words
        self._write = write

    def heading(self) -> str:
        return self._label

    def body(self) -> Iterable[Widget]:
        if self._words:
            yield Static(literal(self._words), classes="dialog--words")
        yield Field(self._field, self._label, LineInput(self._value, widget_id="setting-value"))
        yield Static(id="value-note", classes="dialog--note")

    def on_mount(self) -> None:
        """One types at once."""
        self.query_one("#setting-value").focus()

    @property
    def typed(self) -> str:
        """What stands in the input."""
        return self.query_one("#setting-value", LineInput).value.strip()

    @on(Input.Changed)
    def _changed(self) -> None:
        self._clear()
        self.query_one("#value-note", Static).update(literal(self.note(self.typed)))

    def note(self, typed: str) -> str:
        """What to say at once about what is typed; "" for nothing."""
        return ""

    def submit(self) -> None:
        """Writes it."""
        typed = self.typed
        if self.note(typed):
            return
        self.work(lambda: self._write(typed), "Saving the setting")


class KeyDialog(ValueDialog):
    """The key of an action; a clash is told while it is typed."""

    def __init__(
        self, action_id: str, now: str, words: str, wishes: Callable[[], dict[str, str]],
        write: Write,
    ) -> None:  # fmt: skip
        """`wishes` are the keys that the settings give to other actions."""
        super().__init__(f"keys.{action_id}", f"Key of {action_id}", now, words, write)
        self._action = action_id
        self._wishes = wishes

    def note(self, typed: str) -> str:
        """Whether another action has the key, or it is none."""
        if not typed:
            return "Type a key, such as ctrl+r, f5 or K. D in the list brings the default back."
        table = key_table({**self._wishes(), self._action: typed})
        for clash in table.clashes:
            if self._action in (clash.action, clash.other):
                other = clash.other if clash.action == self._action else clash.action
                return f"! {clash.key} is taken by {other} in the same place."
        for action_id, key in table.odd:
            if action_id == self._action:
                return f"! {key} is no key's name."
        return ""
