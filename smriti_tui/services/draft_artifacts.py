"""Artifacts for a checkpoint that is being written: of a turn, a code block, or a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.document import Document
from smriti_tui.domain.errors import Invalid, NotFound
from smriti_tui.domain.ids import SessionId, SpaceId, new_id
from smriti_tui.domain.model import Artifact, Turn
from smriti_tui.services.caller import Caller
from smriti_tui.services.project_files import FileNames, file_names, read_file
from smriti_tui.store import imported, sessions, spaces

MOST_BLOCKS = 200
"""Code blocks that are offered, the newest."""
MOST_TURNS = 1_000
"""Turns that are looked through for them."""


@dataclass(frozen=True)
class Taken:
    """An artifact that was made, and what must be said about it ("" for nothing)."""

    artifact: Artifact
    note: str = ""


@dataclass(frozen=True)
class CodeBlock:
    """A fenced block of a turn, its content letter by letter."""

    turn: int
    artifact: Artifact


@dataclass(frozen=True)
class ArtifactSource:
    """Reads; called in threads."""

    caller: Caller

    def turn(self, session: SessionId, number: int) -> Taken:
        """All of a turn. Raises: NotFound."""
        with self.caller.read() as tx:
            found = sessions.turns_between(tx, session, number, number)
        if not found:
            raise NotFound(f"This session has no turn {number}.", "Take a number the chat shows.")
        turn = found[0]
        label = f"turn {number}, {turn.role}"
        return Taken(Artifact(new_id(), "text", label, turn.content))

    def code_blocks(self, session: SessionId) -> list[CodeBlock]:
        """The fenced blocks of the newest turns, the last ones first; of an imported turn also the
        artifacts that stand beside its words."""
        with self.caller.read() as tx:
            last = sessions.session(tx, session).last_seq
            turns = sessions.turns_between(tx, session, max(1, last - MOST_TURNS), last)
        found: list[CodeBlock] = []
        for turn in reversed(turns):
            found += self._imported(turn) if turn.details else ()
            found += _blocks(turn)
            if len(found) >= MOST_BLOCKS:
                break
        return found[:MOST_BLOCKS]

    def _imported(self, turn: Turn) -> list[CodeBlock]:
        with self.caller.read() as tx:
            details = imported.details(tx, turn.session, turn.sequence_number)
        return [
            CodeBlock(
                turn.sequence_number,
                Artifact(new_id(), _kind_of(each.media_type), clean_line(each.name), each.text),
            )
            for each in details
            if each.kind == "artifact" and each.text and each.size_bytes is None
        ]

    def file(self, space: SpaceId, name: str) -> Taken:
        """A text file below the Space's project root, its first 64 KB.

        Raises:
            Invalid: the Space has no project root, the file is not there, lies outside, is binary
                or cannot be read.
        """
        root = self._root(space)
        try:
            found = read_file(root, name.strip())
        except Invalid as error:
            why = error.message.partition("cannot be sent: ")[2] or error.message
            raise Invalid(f"{name.strip()} cannot be taken: {why}", field="file") from error
        if found is None:
            raise Invalid(
                f"There is no file {name.strip()} below {root}.",
                "Give its path from there.",
                field="file",
            )
        note = ""
        if len(found.sent) < found.size_bytes:
            note = f"The first {len(found.sent):,} of {found.size_bytes:,} bytes were taken."
        suffix = Path(found.path).suffix.lstrip(".").lower() or "text"
        return Taken(Artifact(new_id(), suffix, found.path, found.text), note)

    def names(self, space: SpaceId) -> FileNames:
        """The files that there are below the Space's project root. Raises: Invalid, as `file`."""
        return file_names(self._root(space))

    def _root(self, space: SpaceId) -> Path:
        with self.caller.read() as tx:
            root = spaces.space(tx, space).project_root
        if not root:
            raise Invalid(
                "This Space has no project root.", "e on the Space in pane 1 sets it.", field="file"
            )
        return Path(root)


def _kind_of(media_type: str | None) -> str:
    """`markdown` of `text/markdown`."""
    return clean_line((media_type or "text").rpartition("/")[2]) or "text"


def _blocks(turn: Turn) -> Iterator[CodeBlock]:
    """Those of one turn in reverse order."""
    if "```" not in turn.content and "~~~" not in turn.content:
        return
    # Reads CommonMark, which is loaded with the first block that somebody wants.
    from smriti_tui.services.markdown_parts import parts_of

    for block in reversed(parts_of(Document(turn.content)).blocks):
        artifact = Artifact(new_id(), block.type, block.label, block.content)
        yield CodeBlock(turn.sequence_number, artifact)
