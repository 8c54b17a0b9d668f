"""Copying, and saying truly how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smriti_tui.clipboard import Clipboard, Sent
from smriti_tui.domain.clean import clean_line
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from textual.app import App

SHOWN_WHOLE = 48
"""A short text is named by itself, a longer one by its size."""
SAID_S = 5.0


def named(text: str) -> str:
    """What a text is called in a note."""
    if text and len(text) <= SHOWN_WHOLE and text.isprintable():
        return clean_line(text)
    return "1 character" if len(text) == 1 else f"{len(text):,} characters"


def copy_out(app: App[Any], text: str, what: str = "") -> None:
    """Copies `text` in a thread, then says what was done; `what` names it better than its size."""
    said = what or named(text)
    app._clipboard = text  # What the app's own fields paste.

    def then(sent: Sent) -> None:
        driver = app._driver
        if sent.sequence and driver is not None:
            driver.write(sent.sequence)
        words = sent.words.replace("{what}", said)
        severity = "information" if sent.done else "warning"
        app.notify(words, markup=False, timeout=SAID_S, severity=severity)  # type: ignore[arg-type]

    def failed(error: Exception) -> None:
        app.notify(clean_line(str(error)), markup=False, severity="warning")

    hop(app, lambda: Clipboard().copy(text), then, failed, group="copy")
