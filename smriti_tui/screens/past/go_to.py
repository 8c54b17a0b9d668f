"""Where to go in time: an event, a checkpoint or a time, typed in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from textual.widget import Widget

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, LineInput

if TYPE_CHECKING:
    from smriti_tui.services import Services


def with_zone(wanted: str) -> str:
    """A time without a zone is one of this machine's clock, as the strip shows it."""
    if not any(sign in wanted for sign in "-:"):
        return wanted  # Digits alone are an event, or begin a checkpoint's id.
    try:
        given = datetime.fromisoformat(wanted.strip())
    except ValueError:
        return wanted
    return given.astimezone().isoformat() if given.tzinfo is None else wanted


class GoTo(Dialog[int]):
    """Dismissed with the position of the event that was named."""

    HEADING = "Go to"
    KEYS = "enter Go   esc Back"
    HELP = (
        "An event by its number, a checkpoint by its id, or a time such as 2026-03-02 14:05. "
        "A time without a zone is this machine's; the last event up to it is shown. "
        "Of another Space's event the one before it in this Space is taken."
    )

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services

    def body(self) -> Iterable[Widget]:
        hint = "812, 4c1e9a0 or 2026-03-02 14:05"
        yield Field("at", "Event, checkpoint or time", LineInput(widget_id="go-to", hint=hint))

    def on_mount(self) -> None:
        """One types at once."""
        self.query_one("#go-to").focus()

    def submit(self) -> None:
        """Looks it up in a thread."""
        wanted = self.query_one("#go-to", LineInput).value
        find = self._services.moments.find
        self.work(lambda: find(with_zone(wanted)).position, "Looking it up")
