"""Where one is, and what was read of it. Every part of the desk reads it; few may change it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.model import Branch
from smriti_tui.screens.desk.loads import NextLook, SessionLook


@dataclass(frozen=True, slots=True)
class Place:
    """One moment: nothing of it changes, the next moment is another value."""

    space: SpaceId | None = None
    session: SessionId | None = None
    chosen: str | None = None
    """The model that was chosen for this session's next sends."""
    chosen_before: str | None = None
    """The model that was chosen while no session was open."""
    look: SessionLook | None = None
    """The session as far as it is read; None before that."""
    next: NextLook | None = None
    """The next send as it was counted last."""

    @property
    def model(self) -> str | None:
        """Of the next sends: the chosen one, else that of the session's newest answer; None for the
        settings' one."""
        answered = self.look.model if self.look is not None else None
        return self.chosen or answered or self.chosen_before

    @property
    def branch(self) -> str | None:
        """The id of the session's branch."""
        return self.look.session.branch if self.look is not None else None

    @property
    def branch_name(self) -> str | None:
        """The name of the session's branch."""
        return self.look.session.branch_name if self.look is not None else None

    @property
    def stands(self) -> Branch | None:
        """The branch that the session's current line stands on."""
        return self.look.stands if self.look is not None else None

    @property
    def window(self) -> tuple[tuple[int, int], ...]:
        """Ranges of turns that do not fit the window of the next send."""
        return self.next.window if self.next is not None else ()


class Here:
    """Holds the place of now; each way in which it may change has its method."""

    def __init__(self, place: Place) -> None:
        self._now = place
        self._chosen: dict[SessionId | None, str] = {}

    @property
    def now(self) -> Place:
        """The place of this moment."""
        return self._now

    def go(self, session: SessionId | None, space: SpaceId | None) -> None:
        """To another session: what was read of the one before is forgotten."""
        self._now = Place(
            space, session, chosen=self._chosen.get(session), chosen_before=self._chosen.get(None)
        )

    def read(self, look: SessionLook) -> None:
        """The open session was read; it says itself in which Space it lies."""
        self._now = replace(self._now, look=look, space=look.session.space)

    def counted(self, look: NextLook | None) -> None:
        """The next send was counted."""
        self._now = replace(self._now, next=look)

    def choose(self, model: str) -> None:
        """The next sends of this session ask another model."""
        self._chosen[self._now.session] = model
        self._now = replace(self._now, chosen=model, chosen_before=self._chosen.get(None))
