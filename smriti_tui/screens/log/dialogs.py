"""An event to read, and an item of work to write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from textual.widget import Widget

from smriti_tui.domain.errors import Invalid
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.screens.dialogs.origin import OriginDialog
from smriti_tui.widgets.fields import Field, LineInput, TextField
from smriti_tui.widgets.literal_view import Section


class EventDialog(OriginDialog):
    """Envelope and payload of an event, whole."""

    HELP = (
        "An event of the log as it stands there, its payload as JSON. "
        "It never changes; the hashes chain it to the one before it in its stream. "
        "smriti log read prints the same for scripts."
    )

    def __init__(self, position: int, sections: Sequence[Section]) -> None:
        super().__init__("", sections)
        self._position = position

    def heading(self) -> str:
        return f"Event {self._position}"


FIELDS: Final = (
    ("title", "Title", ""),
    ("priority", "Priority", "P0 to P3"),
    ("lane", "Lane", "proposed, ranked, accepted, in-progress, done, rejected"),
    ("status", "Status", "todo, in-progress, blocked, done"),
    ("tags", "Tags", "words with blanks between"),
    ("pr_link", "Link", "of a pull request or issue"),
)


class ItemDialog(Dialog[object]):
    """The fields of an item of work; dismissed with what `save` returns."""

    HELP = (
        "An item of work in the stream tracker: agents read and write the same one. "
        "Each save is one event, so every change stays in the log. "
        "smriti tracker does the same from a shell."
    )
    KEYS = "enter Save   tab Next field   esc Back"

    def __init__(
        self,
        item: Mapping[str, Any],
        save: Callable[[dict[str, object]], object],
        *,
        heading: str,
    ) -> None:
        """`save` is called in a thread with the fields that were changed."""
        super().__init__()
        self._item = item
        self._save = save
        self._heading = heading

    def heading(self) -> str:
        return self._heading

    def body(self) -> Iterable[Widget]:
        for name, label, hint in FIELDS:
            value = _text(self._item.get(name))
            line = LineInput(value, widget_id=f"item-{name}", hint=hint, select=False)
            yield Field(name, label, line)
        notes = TextField(_text(self._item.get("notes")), widget_id="item-notes")
        yield Field("notes", "Notes", notes)

    def on_mount(self) -> None:
        """The title first."""
        self.query_one("#item-title").focus()

    def submit(self) -> None:
        """Saves what was changed, in a thread."""
        fields: dict[str, object] = {}
        for name, _, _ in FIELDS:
            value = self.query_one(f"#item-{name}", LineInput).value.strip()
            if value != _text(self._item.get(name)):
                fields[name] = value.split() if name == "tags" else value
        notes = self.query_one("#item-notes", TextField).text
        if notes != _text(self._item.get("notes")):
            fields["notes"] = notes
        self.work(lambda: self._save(fields), "Saving")


class StatusDialog(Dialog[object]):
    """Status and note of an item of work; dismissed with what `save` returns."""

    HELP = (
        "The status of an item of work, and why it is that. "
        "The note is added below the notes; both are one event. "
        "Another status opens a closed item again."
    )
    KEYS = "enter Save   tab Next field   esc Back"

    def __init__(self, item: Mapping[str, Any], save: Callable[[str, str], object]) -> None:
        """`save` is called in a thread with status and note."""
        super().__init__()
        self._item = item
        self._save = save

    def heading(self) -> str:
        return f"Status of {_text(self._item.get('id'))}"

    def body(self) -> Iterable[Widget]:
        status = _text(self._item.get("status"))
        hint = "todo, in-progress, blocked, done"
        line = LineInput(status, widget_id="status-status", hint=hint)
        yield Field("status", "Status", line)
        yield Field("note", "Note", LineInput("", widget_id="status-note", hint="why"))

    def on_mount(self) -> None:
        """The status first."""
        self.query_one("#status-status").focus()

    def submit(self) -> None:
        """Saves both, in a thread; without a status nothing is saved."""
        status = self.query_one("#status-status", LineInput).value.strip()
        note = self.query_one("#status-note", LineInput).value.strip()
        if not status:
            self.show_error(Invalid("The item has no status.", "Write one.", field="status"))
            return
        self.work(lambda: self._save(status, note), "Saving")


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else ""
