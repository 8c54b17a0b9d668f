"""Another name for something; for a session the background model may suggest one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from textual import events
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker

from smriti_tui.domain.errors import SmritiError
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal_line
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.worker import as_typed

Suggest = Callable[[Callable[[str], None]], Awaitable[str]]
"""Gives a title; tells in between how far it is."""
ASK_KEY = "ctrl+r"


class RenameDialog(Dialog[object]):
    """One line; dismissed with what `rename` returns."""

    HELP = (
        "Another name, on one line. "
        "For a session ^r asks the background model for a title; nothing is renamed before enter. "
        "esc stops it, and leaves."
    )

    def __init__(
        self,
        what: str,
        now: str,
        rename: Callable[[str], object],
        suggest: Suggest | None = None,
    ) -> None:
        """`rename` is called in a thread with the new name and may raise Invalid (field `name`)."""
        super().__init__()
        self._what = what
        self._now = now
        self._rename = rename
        self._suggest = suggest
        self._asking: Worker[None] | None = None

    def heading(self) -> str:
        return f"Rename {self._what}"

    def keys_line(self) -> str:
        ask = "   ^r Ask the background model" if self._suggest is not None else ""
        return f"enter Rename{ask}   esc Back"

    def body(self) -> Iterable[Widget]:
        yield Field("name", "Name", LineInput(self._now, widget_id="new-name"))

    def submit(self) -> None:
        """Renames in a thread."""
        name = self.query_one("#new-name", LineInput).value
        self.work(lambda: self._rename(name), "Renaming")

    # ---- a suggestion --------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Asks for a title."""
        if event.key == ASK_KEY and self._suggest is not None:
            event.stop()
            event.prevent_default()
            if self._asking is None:
                self._clear()
                ask = self._ask(self._suggest)
                self._asking = self.run_worker(ask, group="dialog.title", exit_on_error=False)

    def action_run(self, action_id: str) -> None:
        """esc stops the call first."""
        if action_id == "nav.back" and self._asking is not None:
            self._asking.cancel()
        else:
            super().action_run(action_id)

    async def _ask(self, suggest: Suggest) -> None:
        field = self.query_one("#new-name", LineInput)
        before = field.value
        try:
            self._progress("asking for a title")
            title = await suggest(self._progress)
        except SmritiError as error:
            self.show_error(error)
        # Whatever goes wrong on the way is told where the person looks.
        except Exception as error:  # noqa: BLE001
            self.show_error(as_typed(error))
        else:
            if field.value == before:
                field.fill(title)
                self._say(f"Suggested: {title}. enter takes it.")
            else:
                self._say(f"Suggested: {title}. What you typed stays.")
        finally:
            self._asking = None
            if self.is_attached:
                self._keys(self.keys_line())

    def _progress(self, words: str) -> None:
        self._keys(f"{words} ...   esc Stop")

    def _keys(self, words: str) -> None:
        self.query_one("#dialog-keys", Static).update(literal_line(words))

    def _say(self, words: str) -> None:
        self.query_one("#dialog-fault", Static).update(literal_line(words))
        self.query_one("#dialog-fault").add_class("-shown")
