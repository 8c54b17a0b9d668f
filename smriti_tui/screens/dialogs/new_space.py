"""A new Space, or other words for one that is there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widget import Widget

from smriti_tui.domain.model import Space
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, LineInput

if TYPE_CHECKING:
    from smriti_tui.services import Services


class SpaceDialog(Dialog[Space]):
    """Name, description, project root; dismissed with the Space as it is stored."""

    HELP = (
        "A Space holds one line of work: sessions, checkpoints, branches. "
        "The project root is the folder it is about; it may stay empty. "
        "Names need not be unique."
    )

    def __init__(self, services: Services, space: Space | None = None) -> None:
        """With `space` its words are changed; without, a new one is made."""
        super().__init__()
        self._services = services
        self._space = space

    def heading(self) -> str:
        return f"Space {self._space.name}" if self._space else "New Space"

    def keys_line(self) -> str:
        word = "Save" if self._space else "Create"
        return f"enter {word}   tab Next field   esc Back"

    def body(self) -> Iterable[Widget]:
        now = self._space
        root = (now.project_root or "") if now else ""
        description = now.description if now else ""
        yield Field("name", "Name", LineInput(now.name if now else "", widget_id="space-name"))
        yield Field(
            "description", "Description", LineInput(description, widget_id="space-description")
        )
        hint = "a folder: @ in the prompt names its files"
        field = LineInput(root, widget_id="space-root", hint=hint)
        yield Field("project_root", "Project root", field)

    def _value(self, name: str) -> str:
        return self.query_one(f"#space-{name}", LineInput).value.strip()

    def submit(self) -> None:
        """Stores it in a thread."""
        spaces, now = self._services.spaces, self._space
        name, description, root = map(self._value, ("name", "description", "root"))

        def work() -> Space:
            nonlocal root
            if root and (now is None or root != now.project_root):
                root = str(Path(root).expanduser().absolute())
            if now is None:
                return spaces.create(name, description=description, project_root=root or None)
            given = {"name": name, "description": description, "project_root": root}
            old = {
                "name": now.name,
                "description": now.description,
                "project_root": now.project_root or "",
            }
            changed = {key: text for key, text in given.items() if text != old[key]}
            return spaces.change(now.id, **changed) if changed else now

        self.work(work, "Saving the Space")
