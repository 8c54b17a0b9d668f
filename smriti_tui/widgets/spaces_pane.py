"""Spaces and their sessions as a tree of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from smriti_tui.keys import bindings
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

if TYPE_CHECKING:
    from smriti_tui.domain.model import Session, Space

LOOSE = "loose"
"""Stands for the sessions that lie in no Space."""


@dataclass(frozen=True)
class SpacesView:
    """All Spaces, and the sessions of those that are unfolded."""

    spaces: tuple[Space, ...] = ()
    sessions: Mapping[str, tuple[Session, ...]] = field(default_factory=dict)
    """By Space id, `LOOSE` for those in none; newest first."""
    space: str | None = None
    session: str | None = None
    """Where one is."""
    running: frozenset[str] = frozenset()
    """Sessions with an answer on its way."""
    now: str = ""


def space_key(space: str) -> str:
    """The key of a Space's row."""
    return f"space:{space}"


def session_key(session: str) -> str:
    """The key of a session's row."""
    return f"session:{session}"


class SpacesPane(RowList):
    """Pane 1. A Space unfolds to its sessions, newest first; sessions in no Space stand last."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("spaces")]
    HELP = (
        "A Space holds one line of work: its sessions, checkpoints and branches. "
        "enter unfolds a Space or opens a session. "
        "Sessions in no Space stand last; they have no checkpoints."
    )

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.border_title = "1 Spaces"

    def show_spaces(self, view: SpacesView) -> None:
        """Takes the tree as it is now."""
        rows: list[Row] = []
        for space in view.spaces:
            rows.append(_space_row(space, view))
            rows += [_session_row(session, view) for session in view.sessions.get(space.id, ())]
        loose = view.sessions.get(LOOSE, ())
        if loose:
            title = RowLine((Piece("in no Space", "muted"),))
            rows.append(Row("loose", (title,), rests=False))
            rows += [_session_row(session, view) for session in loose]
        self.show_rows(tuple(rows), empty="No Space yet. n makes one.")


def _space_row(space: Space, view: SpacesView) -> Row:
    here = space.id == view.space
    sign = "v" if space.id in view.sessions else ">"
    name = Piece(space.name, "strong" if here else "plain")
    count = str(space.checkpoints) if space.checkpoints else ""
    return Row(space_key(space.id), (RowLine((Piece(f"{sign} ", "muted"), name), count),))


def _session_row(session: Session, view: SpacesView) -> Row:
    here = session.id == view.session
    sign = ">" if here else " "
    title = Piece(session.title, "strong" if here else "plain")
    age = "runs" if session.id in view.running else _age(session.changed_at, view.now)
    return Row(session_key(session.id), (RowLine((Piece(f"  {sign} ", "accent"), title), age),))


def _age(moment: str, now: str) -> str:
    # Behind the first frame: what reads times loads more than that frame needs.
    from smriti_tui.domain.render.short_times import short_age

    return short_age(moment, now) if now else ""
