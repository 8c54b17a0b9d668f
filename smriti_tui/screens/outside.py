"""The text of a field in the person's own editor: what is opened, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App
from textual.widget import Widget

from smriti_tui.editor import edit
from smriti_tui.widgets.fields import LineInput
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.writing import WritingArea

GROUP = "editor"
LONG_S = 15.0
"""How long a note stays that names a file."""


def edit_focused(app: App[Any]) -> None:
    """Opens the field with the focus, on the workspace else the prompt, and takes what comes
    back."""
    field = app.focused
    if not isinstance(field, WritingArea | LineInput):
        field = next(iter(app.screen.query(Prompt)), None)
    if field is None:
        app.notify("Go to a field where text is typed; then this opens it.", markup=False)
    elif not any(worker.group == GROUP and worker.is_running for worker in app.workers):
        app.run_worker(_edit(app, field), group=GROUP, exit_on_error=False)


async def _edit(app: App[Any], field: WritingArea | LineInput) -> None:
    before = _text(field)
    edited = await edit(app, before, _home(app), field.id or "field")
    words = edited.words
    if edited.text is not None:
        after = edited.text
        if (now := _text(field)) != before and now.strip():
            after = f"{after}\n{now}"  # What came meanwhile, an unsent text for instance, stays.
        field.edited_elsewhere(after)
        if isinstance(field, LineInput) and "\n" in after.strip("\n"):
            words = "This field holds one line: the lines of the editor became one."
    if field.is_attached:
        field.focus(scroll_visible=False)
    if words:
        _say(app, words)


def _text(field: Widget) -> str:
    return field.value if isinstance(field, LineInput) else getattr(field, "text", "")


def _home(app: App[Any]) -> Path | None:
    config = getattr(getattr(app, "opened", None), "config", None)
    home = getattr(config, "home", None)
    return home if isinstance(home, Path) else None


def _say(app: App[Any], words: str) -> None:
    tell = getattr(app.screen, "tell", None)
    if tell is not None:
        tell(words)
    else:
        app.notify(words, markup=False, timeout=LONG_S)
