"""A worktree: a folder and a branch of its own for somebody who works beside others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.widget import Widget

from smriti_tui.domain.worktrees import Worktree
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, LineInput


class NewWorktreeDialog(Dialog[Worktree]):
    """Branch, start and folder, all of which may be left empty; dismissed with the worktree."""

    HELP = (
        "A worktree is a second folder of the same repository, on a branch of its own. "
        "Nothing that is not committed comes along. "
        "It is closed from this pane; its branch stays."
    )
    KEYS = "enter Open   tab Next field   esc Back"

    def __init__(self, make: Callable[[str | None, str | None, str | None], Worktree]) -> None:
        """`make` is called in a thread with branch, base and path and may raise Invalid, Conflict
        and GitError."""
        super().__init__()
        self._make = make

    def heading(self) -> str:
        return "New worktree"

    def body(self) -> Iterable[Widget]:
        for name, label, hint in (
            ("branch", "New git branch", "named by who opens it, if left empty"),
            ("base", "Starts at", "the commit that is checked out, if left empty"),
            ("path", "Folder", "below the program's own, if left empty"),
        ):
            yield Field(name, label, LineInput(widget_id=f"worktree-{name}", hint=hint))

    def submit(self) -> None:
        """Opens it in a thread."""
        branch, base, path = (
            self.query_one(f"#worktree-{name}", LineInput).value.strip() or None
            for name in ("branch", "base", "path")
        )
        self.work(lambda: self._make(branch, base, path), "Opening the worktree")
