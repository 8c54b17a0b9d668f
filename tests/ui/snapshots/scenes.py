"""The scenes: keys that lead from the demo's first screen to each other screen."""

from __future__ import annotations

from typing import NamedTuple

SIZES = ((200, 50), (160, 48), (120, 36), (100, 30), (80, 24), (60, 16))
WIDE, NARROW = (120, 36), (80, 24)
QUESTION = "What is decided so far?"


class Scene(NamedTuple):
    """A screen, and how one gets there."""

    name: str
    keys: tuple[str, ...]
    sign: str
    """What must stand there in the widest size: the right screen came."""


SCENES = (
    Scene("workspace", (), "Prompt"),
    Scene("workspace-written", (*QUESTION,), QUESTION),
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
)
