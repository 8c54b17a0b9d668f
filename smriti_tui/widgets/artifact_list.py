"""The artifacts of a checkpoint that is being written, and the choice to carry things over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget

from smriti_tui.domain.model import Artifact
from smriti_tui.widgets.item_editor import ItemRows
from smriti_tui.widgets.row_list import Piece, Row, RowLine

MAX_HEIGHT = 6


class ArtifactList(Vertical):
    """Labels, types and sizes; writing one needs a window of its own."""

    DEFAULT_CSS = "ArtifactList { height: auto; }"

    @dataclass
    class Changed(Message):
        """An artifact came, went or moved."""

        artifacts: tuple[Artifact, ...]

    @dataclass
    class Asked(Message):
        """Somebody wants to write an artifact: this one, or (None) a new one."""

        artifact: Artifact | None

    @dataclass
    class TakenOut(Message):
        """An artifact is gone from the list."""

        artifact: Artifact

    def __init__(self) -> None:
        super().__init__(id="artifacts")
        self._artifacts: tuple[Artifact, ...] = ()
        self._removed: tuple[tuple[int, Artifact], ...] = ()

    def compose(self) -> Iterable[Widget]:
        """One list."""
        yield ItemRows(empty="none: n writes one")

    @property
    def artifacts(self) -> tuple[Artifact, ...]:
        """The list as it stands."""
        return self._artifacts

    def show(self, artifacts: tuple[Artifact, ...]) -> None:
        """Takes another list."""
        self._artifacts = artifacts
        rows = tuple(_row(number, artifact) for number, artifact in enumerate(artifacts))
        self._rows.styles.height = min(max(len(rows), 1), MAX_HEIGHT)
        self._rows.show_rows(rows)

    def put(self, artifact: Artifact) -> None:
        """Takes a written artifact in, in place of the one with its id."""
        known = [each.id for each in self._artifacts]
        if artifact.id in known:
            at = known.index(artifact.id)
            changed = (*self._artifacts[:at], artifact, *self._artifacts[at + 1 :])
        else:
            at, changed = len(known), (*self._artifacts, artifact)
        self._take(changed, at)

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """Action id to what it does with the artifact under the cursor."""
        return {
            "nav.open": self._edit,
            "item.edit": self._edit,
            "item.new": lambda: self.post_message(self.Asked(None)),
            "item.remove": self._take_out,
            "edit.undo": self._undo,
            "item.earlier": lambda: self._shift(-1),
            "item.later": lambda: self._shift(1),
        }

    @property
    def _rows(self) -> ItemRows:
        return self.query_one(ItemRows)

    def _edit(self) -> None:
        at = self._at()
        self.post_message(self.Asked(None if at is None else self._artifacts[at]))

    def _take_out(self) -> None:
        at = self._at()
        if at is not None:
            gone = self._artifacts[at]
            self._removed = (*self._removed, (at, gone))
            self._take((*self._artifacts[:at], *self._artifacts[at + 1 :]), at)
            self.post_message(self.TakenOut(gone))

    def _undo(self) -> None:
        if self._removed:
            *earlier, (at, artifact) = self._removed
            self._removed = tuple(earlier)
            self._take((*self._artifacts[:at], artifact, *self._artifacts[at:]), at)

    def _shift(self, by: int) -> None:
        at = self._at()
        if at is not None and 0 <= at + by < len(self._artifacts):
            moved = list(self._artifacts)
            moved[at], moved[at + by] = moved[at + by], moved[at]
            self._take(tuple(moved), at + by)

    def _take(self, artifacts: tuple[Artifact, ...], at: int) -> None:
        self.show(artifacts)
        self._rows.move_to(str(min(at, len(artifacts) - 1)))
        self.post_message(self.Changed(artifacts))

    def _at(self) -> int | None:
        key = self._rows.cursor_key
        return int(key) if key is not None else None


def _row(number: int, artifact: Artifact) -> Row:
    right = f"{artifact.type}  {len(artifact.content):,} characters"
    return Row(str(number), (RowLine((Piece(f" {artifact.label}"),), right),))
