"""Spaces and their sessions as a tree of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from smriti_tui.keys import bindings
from smriti_tui.text import literal_line
from smriti_tui.widgets.pane_rows import PaneRows
from smriti_tui.widgets.row_list import Piece, Row, RowLine

if TYPE_CHECKING:
    from smriti_tui.domain.model import Session, Space

LOOSE = "loose"
"""Stands for the sessions that lie in no Space."""
SPACES = "spaces"
"""Stands for the Spaces, where the row of what is archived is theirs."""
PINNED = "^"


@dataclass(frozen=True)
class SpacesView:
    """All Spaces, and the sessions of those that are unfolded."""

    spaces: tuple[Space, ...] = ()
    sessions: Mapping[str, tuple[Session, ...]] = field(default_factory=dict)
    """By Space id, `LOOSE` for those in none; pinned ones first, then the newest."""
    archived_spaces: tuple[Space, ...] = ()
    archived: Mapping[str, tuple[Session, ...]] = field(default_factory=dict)
    """Archived sessions, where they are unfolded."""
    hidden: Mapping[str, int] = field(default_factory=dict)
    """How many sessions are archived, by Space."""
    unfolded: frozenset[str] = frozenset()
    space: str | None = None
    session: str | None = None
    """Where one is."""
    running: frozenset[str] = frozenset()
    """Sessions with an answer on its way."""
    now: str = ""


def space_key(space: str) -> str:
    """The key of a Space's row."""
    return f"space:{space}"


def archived_key(owner: str) -> str:
    """The key of the row that stands for what is archived: of a Space, `LOOSE` or `SPACES`."""
    return f"archived:{owner}"


def session_key(session: str) -> str:
    """The key of a session's row."""
    return f"session:{session}"


class SpacesPane(PaneRows, inherit_bindings=False):
    """Pane 1. A Space unfolds to its sessions, newest first; sessions in no Space stand last."""

    TITLE = "1 Spaces"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("spaces")]
    HELP = (
        "A Space holds one line of work: its sessions, checkpoints and branches. "
        "enter unfolds a Space or opens a session; pinned sessions (^) stand on top. "
        "What is archived folds into one row; sessions in no Space stand last."
    )

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._told: Mapping[str, str] = {}

    def show_spaces(self, view: SpacesView) -> None:
        """Takes the tree as it is now."""
        rows: list[Row] = []
        for space in view.spaces:
            rows += _space_rows(space, view, "")
        if view.archived_spaces:
            key = archived_key(SPACES)
            rows.append(_archived_row(key, len(view.archived_spaces), view, "", ""))
            if key in view.unfolded:
                for space in view.archived_spaces:
                    rows += _space_rows(space, view, key)
        if view.sessions.get(LOOSE) or view.hidden.get(LOOSE):
            title = RowLine((Piece("in no Space", "muted"),))
            rows.append(Row(LOOSE, (title,), rests=False))
            rows += _session_rows(LOOSE, view, LOOSE)
        self._told = _told(view)
        self.show_rows(tuple(rows), empty="No Space yet. n makes one.")
        self._tell()

    def on_row_list_moved(self) -> None:
        """Says in words what the row's signs mean."""
        self._tell()

    def _tell(self) -> None:
        self.border_subtitle = literal_line(self._told.get(self.cursor_key or "", ""))


def _space_rows(space: Space, view: SpacesView, under: str) -> list[Row]:
    key = space_key(space.id)
    here = space.id == view.space
    sign = "v" if space.id in view.sessions else ">"
    name = Piece(space.name, "strong" if here else "muted" if space.archived else "plain")
    line = RowLine((Piece(f"{sign} ", "muted"), name), str(space.sessions or ""))
    own = Row(key, (line,), under=under)
    return [own, *(_session_rows(space.id, view, key) if space.id in view.sessions else ())]


def _session_rows(owner: str, view: SpacesView, under: str) -> list[Row]:
    rows = [_session_row(session, view, under) for session in view.sessions.get(owner, ())]
    if hidden := view.hidden.get(owner, 0):
        key = archived_key(owner)
        rows.append(_archived_row(key, hidden, view, under, "  "))
        rows += [_session_row(session, view, key) for session in view.archived.get(owner, ())]
    return rows


def _archived_row(key: str, count: int, view: SpacesView, under: str, indent: str) -> Row:
    sign = "v" if key in view.unfolded else ">"
    line = RowLine((Piece(f"{indent}{sign} (archived: {count})", "muted"),))
    return Row(key, (line,), under=under)


def _session_row(session: Session, view: SpacesView, under: str) -> Row:
    here = session.id == view.session
    signs = f" {PINNED if session.pinned else ' '}{'>' if here else ' '} "
    title = Piece(session.label, "strong" if here else "muted" if session.archived else "plain")
    age = "runs" if session.id in view.running else _age(session.changed_at, view.now)
    return Row(
        session_key(session.id), (RowLine((Piece(signs, "accent"), title), age),), under=under
    )


def _told(view: SpacesView) -> dict[str, str]:
    """What is said below the list of a row under the cursor, by its key."""
    told: dict[str, str] = {}
    for space in (*view.spaces, *view.archived_spaces):
        count = _counted(space.checkpoints, "checkpoint")
        told[space_key(space.id)] = f"archived, {count}" if space.archived else count
    for found in (*view.sessions.values(), *view.archived.values()):
        for session in found:
            marks = (("pinned", session.pinned), ("archived", session.archived))
            words = [*(word for word, there in marks if there), _counted(session.last_seq, "turn")]
            told[session_key(session.id)] = ", ".join(words)
    return told


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _age(moment: str, now: str) -> str:
    # Behind the first frame: what reads times loads more than that frame needs.
    from smriti_tui.domain.render.short_times import short_age

    return short_age(moment, now) if now else ""
