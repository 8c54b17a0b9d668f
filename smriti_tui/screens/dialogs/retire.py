"""Why an item is taken out of a checkpoint that is being written."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.clean import clean_line
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput


class RetireDialog(Dialog[str]):
    """Dismissed with the reason, empty for none; with None where the item stays."""

    HELP = (
        "With a reason the item stands in the new checkpoint as retired, and the reason with it: "
        "`false: there are 40 M` for an assumption that does not hold. "
        "Without one it is left out, which retires it as well. esc keeps it."
    )
    KEYS = "enter Take out   esc Keep it"

    def __init__(self, label: str, text: str, reason: str, rests: str) -> None:
        """`rests` says what rests on the item, empty for nothing; `reason` is one that it has."""
        super().__init__()
        self._label = label
        self._text = text
        self._reason = reason
        self._rests = rests

    def heading(self) -> str:
        return f"Take {self._label} out"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(clean_line(self._text)), classes="dialog--words")
        if self._rests:
            words = f"On it rests: {self._rests}."
            yield Static(literal(words), classes="dialog--words", id="rests")
        hint = "false: ...   (empty: left out without one)"
        yield Field("reason", "Why", LineInput(self._reason, widget_id="reason", hint=hint))

    def submit(self) -> None:
        """Takes what is typed."""
        self.dismiss(self.query_one("#reason", LineInput).value.strip())
