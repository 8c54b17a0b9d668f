"""A parameter of the call that is the one change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.errors import Invalid
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput


def named_value(text: str) -> dict[str, object]:
    """`temperature = 0.2`; a value that is no JSON is a text.

    Raises:
        Invalid: there is no name or no value.
    """
    name, sign, value = (part.strip() for part in text.partition("="))
    if not name or not sign or not value:
        raise Invalid("Give a name and a value.", "For example temperature = 0.2", field="param")
    try:
        return {name: json.loads(value)}
    except ValueError:
        return {name: value}


class ParameterDialog(Dialog[dict[str, object]]):
    """Dismissed with the parameter and its new value."""

    HEADING = "A parameter of the call"
    KEYS = "enter Ask   esc Back"
    HELP = (
        "A parameter of this call alone, such as temperature; all others stay as they were. "
        "The model's entry in the settings does not change. "
        "What the program sets itself, such as the messages, cannot be given."
    )

    def __init__(self, now: Mapping[str, object]) -> None:
        """`now` are the parameters of the other answer."""
        super().__init__()
        self._now = now

    def body(self) -> Iterable[Widget]:
        shown = ", ".join(f"{name} = {json.dumps(value)}" for name, value in self._now.items())
        yield Static(literal(f"Was: {shown or 'none set'}"), classes="dialog--words")
        hint = "temperature = 0.2"
        yield Field("param", "Parameter = value", LineInput(widget_id="param", hint=hint))

    def on_mount(self) -> None:
        """One types at once."""
        self.query_one("#param").focus()

    def submit(self) -> None:
        """Checked by the service before anything is stored."""
        typed = self.query_one("#param", LineInput).value

        def work() -> dict[str, object]:
            from smriti_tui.services.sides import OneChange

            change = named_value(typed)
            OneChange(params=change).check()
            return change

        self.work(work, "Reading the parameter")
