"""One artifact of a checkpoint that is being written."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import new_id
from smriti_tui.domain.model import Artifact
from smriti_tui.domain.state_text import ARTIFACT_CHARACTERS
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, LineInput, TextField


class ArtifactDialog(Dialog[Artifact]):
    """Label, type and content; dismissed with the artifact, which is stored with the form."""

    KEYS = "ctrl+s Take   tab Next field   esc Back"

    def __init__(self, artifact: Artifact | None = None) -> None:
        super().__init__()
        self._artifact = artifact or Artifact(new_id(), "text", "", "")

    def heading(self) -> str:
        return "Artifact"

    def body(self) -> Iterable[Widget]:
        now = self._artifact
        yield Field("label", "Label", LineInput(now.label, widget_id="artifact-label"))
        yield Field("type", "Type", LineInput(now.type, widget_id="artifact-type"))
        words = f"Content (a model gets the first {ARTIFACT_CHARACTERS:,} characters)"
        yield Field("content", words, TextField(now.content, widget_id="artifact-content"))

    def submit(self) -> None:
        """Gives it back, if it has a label."""
        label = self.query_one("#artifact-label", LineInput).value.strip()
        kind = self.query_one("#artifact-type", LineInput).value.strip() or "text"
        if not label:
            self._clear()
            self.show_error(Invalid("The artifact has no label.", "Name it.", field="label"))
            return
        content = self.query_one("#artifact-content", TextField).text
        self.dismiss(Artifact(self._artifact.id, kind, label, content))
