"""Copying what is under the cursor."""

from __future__ import annotations

from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.widgets.transcript import Transcript

SHOWN_WHOLE = 64


class Copying:
    """An id in the lists, words in the chat."""

    def __init__(
        self,
        front: Front,
        voice: Voice,
        tree: TreePart,
        checkpoints: CheckpointsPart,
        transcript: Transcript,
    ) -> None:
        self._front = front
        self._voice = voice
        self._tree = tree
        self._checkpoints = checkpoints
        self._transcript = transcript

    def copy(self) -> None:
        """Copies the id, or the turn's text, under the cursor."""
        text = self._under_cursor()
        if not text:
            self._voice.say("There is nothing to copy here.")
            return
        self._transcript.app.copy_to_clipboard(text)
        whole = len(text) <= SHOWN_WHOLE and "\n" not in text
        words = text if whole else f"{len(text)} characters"
        self._voice.say(f"Copied {words}, if your terminal allows it.")

    def _under_cursor(self) -> str:
        if self._front.place == "spaces":
            return self._tree.marked[1]
        if self._front.place == "checkpoints":
            return self._checkpoints.marked or ""
        return self._transcript.selected_text() or self._transcript.turn_text() or ""
