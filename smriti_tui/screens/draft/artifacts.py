"""Artifacts for the draft: of a turn, a code block or a file, or written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.draft_editing import attached
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.draft_file import FileDialog
from smriti_tui.screens.draft.dialogs import Asked, Values
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.draft.screen import DraftScreen
    from smriti_tui.screens.draft.writing import Step
    from smriti_tui.services.draft_artifacts import ArtifactSource, CodeBlock, Taken

MOST_OFFERED = 20
"""Code blocks in the list: the newest."""
MOST_LABEL = 48
WAYS = (
    ("turn", "From a turn"),
    ("code", "From a code block of a turn"),
    ("file", "From a file of the project"),
    ("hand", "By hand"),
)


class Artifacts:
    """Asks which one, reads it, and puts it into the draft."""

    def __init__(self, screen: DraftScreen) -> None:
        self._screen = screen

    def ask(self) -> None:
        """Which way."""

        def chosen(way: str | None) -> None:
            if way is not None:
                {"turn": self.turn, "code": self.code, "file": self.file, "hand": self.hand}[way]()

        words = "It is stored with the checkpoint as it is now."
        self._screen.app.push_screen(ChoiceDialog("New artifact", words, WAYS), chosen)

    def hand(self) -> None:
        """Written in a dialog."""
        self._screen.writing.open("new:artifacts")

    @property
    def _source(self) -> ArtifactSource:
        from smriti_tui.services.draft_artifacts import ArtifactSource

        return ArtifactSource(self._screen.services.caller)

    def turn(self) -> None:
        """All of a turn; the one that is cited under the cursor stands in the field."""
        cited = self._screen.cited_turn
        fields = [Asked("turn", "Number of the turn", str(cited or ""))]

        def take(values: Values) -> Step:
            number = values["turn"].strip().lower().removeprefix("t")
            if not (number.isascii() and number.isdigit() and len(number) < 10):
                raise Invalid("A turn is a number.", "Take one the chat shows.", field="turn")
            taken = self._source.turn(self._screen.session, int(number))
            return lambda state: attached(state, taken.artifact)

        self._screen.writing.ask("artifact.turn", "Artifact from a turn", fields, take)

    def file(self) -> None:
        """A text file below the Space's project root."""
        screen, source, space = self._screen, self._source, self._screen.place.space

        def then(taken: Taken | None) -> None:
            if taken is not None:
                artifact = taken.artifact
                screen.take(attached(screen.state, artifact), to=f"artifact:{artifact.id}")
                if taken.note:
                    screen.tell(taken.note)

        dialog = FileDialog(lambda: source.names(space), lambda name: source.file(space, name))
        screen.app.push_screen(dialog, then)

    def code(self) -> None:
        """One of the fenced blocks of the newest turns."""
        screen = self._screen
        source, session = self._source, screen.session

        def then(found: list[CodeBlock]) -> None:
            if not found:
                screen.say("No turn of this session holds a code block.")
                return
            offered = found[:MOST_OFFERED]
            ways = [(str(at), _named(block)) for at, block in enumerate(offered)]

            def chosen(way: str | None) -> None:
                if way is not None:
                    artifact = offered[int(way)].artifact
                    screen.take(attached(screen.state, artifact), to=f"artifact:{artifact.id}")

            more = len(found) - len(offered)
            words = "Its content is taken letter by letter."
            words += f" {more} older ones are not listed." if more else ""
            screen.app.push_screen(ChoiceDialog("Artifact from a code block", words, ways), chosen)

        hop(screen, lambda: source.code_blocks(session), then, screen.failed, group="draft.code")


def _named(block: CodeBlock) -> str:
    lines = counted(block.artifact.content.count("\n") or 1, "line")
    label = clean_line(block.artifact.label)[:MOST_LABEL]
    return f"t{block.turn}  {label}  {clean_line(block.artifact.type)}, {lines}"
