"""The scenes: keys that lead from the demo's first screen to each other screen."""

from __future__ import annotations

from typing import NamedTuple

SIZES = ((200, 50), (160, 48), (120, 36), (100, 30), (80, 24), (60, 16))
WIDE, NARROW = (120, 36), (80, 24)
QUESTION = "What is decided so far?"
TYPED = "typed: "
"""Before what is typed in one go; all else are keys, pressed one after the other."""


class Scene(NamedTuple):
    """A screen, and how one gets there."""

    name: str
    keys: tuple[str, ...]
    sign: str
    """What must stand there in the widest size: the right screen came."""


SCENES = (
    Scene("workspace", (), "Prompt"),
    Scene("workspace-written", (f"{TYPED}{QUESTION}",), "1.6k"),
    Scene("pane-spaces", ("escape", "1"), "Spaces"),
    Scene("pane-checkpoints", ("escape", "2", "j"), "Checkpoints"),
    Scene("pane-chat", ("escape", "3"), "Chat"),
    Scene("context-next", ("f3",), "not sent"),
    Scene("context-sent", ("escape", "x"), "verified"),
    Scene("checkpoint", ("escape", "2", "enter"), "chain ok"),
    Scene("checkpoint-form", ("escape", "2", "n"), "Title"),
    Scene("model-picker", ("ctrl+t",), "demo"),
    Scene("help", ("f1",), "Help"),
    Scene("palette", ("ctrl+p",), "Commands"),
    Scene("new-space", ("escape", "1", "g", "n"), "Name"),
    Scene("new-session", ("ctrl+n",), "Title"),
    Scene("search", ("ctrl+f", f"{TYPED}job"), "hits"),
    Scene("log", ("f5",), "all streams"),
    Scene("log-view", ("f5", "j", "j", "]"), "view"),
    Scene("jump", ("ctrl+o",), "esc"),
    Scene("filter", ("escape", "2", "/", f"{TYPED}eng"), "eng"),
    Scene("copy-menu", ("escape", "Y"), "Markdown"),
    Scene("rename", ("escape", "1", "j", "e"), "session"),
    Scene("remove-space", ("escape", "1", "g", "D"), "search-index"),
    Scene("fork", ("escape", "2", "f"), "branch"),
    Scene("branch-menu", ("escape", "2", "b"), "main"),
    Scene("note", ("escape", "2", "t"), "note"),
    Scene("blame", ("escape", "2", "B"), "D1"),
    Scene("delete-checkpoint", ("escape", "2", "D"), "Delete it"),
    Scene("compare", ("escape", "2", "j", "c"), "COMPARE"),
    Scene("merge", ("escape", "2", "j", "M"), "not written"),
    Scene("time-travel", ("escape", "2", "T", "H"), "AT EVENT"),
    Scene("side-by-side", ("escape", "s"), "Side by side"),
    Scene("settings", ("ctrl+p", f"{TYPED}settings", "enter"), "Settings"),
    Scene("themes", ("ctrl+p", f"{TYPED}choose the theme", "enter"), "heme"),
)
