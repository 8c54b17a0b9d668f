"""Sessions: open, list, mount and unmount checkpoints, read their turns."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.events import (
    LineLeft,
    LineOpened,
    SessionAttached,
    SessionChanged,
    SessionDeleted,
    SessionOpened,
)
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, new_id, short
from smriti_tui.domain.model import MAIN, LineRun, Session, Turn, default_title
from smriti_tui.domain.spending import Spent
from smriti_tui.services.answers import settle_orphans, still_answering
from smriti_tui.services.caller import Caller
from smriti_tui.services.spaces import check_name
from smriti_tui.store import checkpoints, find, sessions, spaces


@dataclass(frozen=True)
class Mounted:
    """What mounting or unmounting led to; `checkpoint` is None on the HEAD line."""

    session: SessionId
    line: int
    checkpoint: CheckpointId | None
    history_base_seq: int


@dataclass(frozen=True)
class SessionService:
    caller: Caller

    def new(
        self,
        space: SpaceId,
        *,
        title: str | None = None,
        branch: str = MAIN,
        command_id: str | None = None,
    ) -> Session:
        """A new session on a branch of a Space. Raises: NotFound, Invalid."""
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            earlier = scope.earlier(SessionOpened)
            session = SessionId(earlier[0].owner_id if earlier else new_id())
            if not earlier:
                spaces.space(tx, space)
                row = find.branch_row(tx, space, branch)
                name = check_name(title, "session") if title else default_title(scope.now())
                event = SessionOpened(name, space, spaces.to_branch(row).id)
                scope.append(f"session/{session}", event)
        return self.get(session)

    def new_fresh(self, *, title: str | None = None, command_id: str | None = None) -> Session:
        """A session in no Space (mode FRESH)."""
        with self.caller.write(command_id) as scope:
            earlier = scope.earlier(SessionOpened)
            session = SessionId(earlier[0].owner_id if earlier else new_id())
            if not earlier:
                name = check_name(title, "session") if title else default_title(scope.now())
                scope.append(f"session/{session}", SessionOpened(name))
        return self.get(session)

    def of_space(
        self,
        space: SpaceId | None,
        limit: int | None = None,
        *,
        archived: bool | None = None,
        pinned_first: bool = False,
    ) -> list[Session]:
        """Sessions of a Space, or those in none, last changed first; all of them, or only those
        that are `archived` or not."""
        with self.caller.read() as tx:
            if space is not None:
                spaces.space(tx, space)
            return sessions.sessions_of(
                tx, space, limit, archived=archived, pinned_first=pinned_first
            )

    def count_archived(self, space: SpaceId | None) -> int:
        """How many sessions of a Space, or in none, are archived."""
        with self.caller.read() as tx:
            return sessions.count_archived(tx, space)

    def find(self, wanted: str) -> Session:
        """A session by id or prefix. Raises: NotFound, Ambiguous, Invalid."""
        with self.caller.read() as tx:
            return sessions.session(tx, find.session_id(tx, wanted))

    def get(self, session: SessionId) -> Session:
        """Raises: NotFound."""
        with self.caller.read() as tx:
            return sessions.session(tx, session)

    def turns(self, session: SessionId, first: int = 1, last: int | None = None) -> list[Turn]:
        """Turns `first` to `last` (default: all after), ascending. Raises: NotFound."""
        with self.caller.read() as tx:
            found = sessions.session(tx, session)
            return sessions.turns_between(tx, session, first, last or found.last_seq)

    def spent(self, session: SessionId, before: Spent | None = None) -> Spent:
        """What its answers have cost; with what was known `before` only newer turns are read.

        Raises: NotFound.
        """
        with self.caller.read() as tx:
            sessions.session(tx, session)
            return sessions.spent(tx, session, before or Spent())

    def line_runs(self, session: SessionId) -> list[LineRun]:
        """Which turns lie on which line."""
        with self.caller.read() as tx:
            return sessions.line_runs(tx, session)

    def rename(
        self,
        session: SessionId,
        title: str,
        *,
        seen: str | None = None,
        command_id: str | None = None,
    ) -> Session:
        """Another title. With `seen` only while it still has the title that was seen.

        Raises:
            NotFound, Invalid. Conflict: it has yet another title by now (code `renamed`).
        """
        name = check_name(title, "session")
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            found = sessions.session(tx, session)
            if not scope.earlier(SessionChanged, f"session/{session}"):
                if seen is not None and found.title != seen:
                    raise _renamed(found)
                scope.append(f"session/{session}", SessionChanged(name))
        return self.get(session)

    def pin(self, session: SessionId, *, command_id: str | None = None) -> Session:
        """Keeps a session above the others of its list. Raises: NotFound."""
        return self._mark(session, SessionChanged(pinned=True), command_id)

    def unpin(self, session: SessionId, *, command_id: str | None = None) -> Session:
        """Back among the others. Raises: NotFound."""
        return self._mark(session, SessionChanged(pinned=False), command_id)

    def archive(self, session: SessionId, *, command_id: str | None = None) -> Session:
        """Puts a session out of the way; it can be found, read and gone on with as before.

        Raises: NotFound.
        """
        return self._mark(session, SessionChanged(archived=True), command_id)

    def unarchive(self, session: SessionId, *, command_id: str | None = None) -> Session:
        """Back into the lists. Raises: NotFound."""
        return self._mark(session, SessionChanged(archived=False), command_id)

    def _mark(self, session: SessionId, change: SessionChanged, command_id: str | None) -> Session:
        """Writes a mark, unless the session has it already."""
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            found = sessions.session(tx, session)
            if not scope.earlier(SessionChanged, f"session/{session}"):
                marks = ((change.pinned, found.pinned), (change.archived, found.archived))
                if any(wanted not in (None, now) for wanted, now in marks):
                    scope.append(f"session/{session}", change)
        return self.get(session)

    def delete(self, session: SessionId, *, command_id: str | None = None) -> None:
        """Takes a session off all lists; its checkpoints stay, its events too.

        Raises:
            NotFound. Conflict: an answer is on its way to it (code `answering`).
        """
        settle_orphans(self.caller, session)
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if not scope.earlier(SessionDeleted, f"session/{session}"):
                sessions.session(tx, session)
                running = [turn for turn, _ in sessions.running_answers(tx, session)]
                if running:
                    raise still_answering(running)
                scope.append(f"session/{session}", SessionDeleted())

    def attach(
        self, session: SessionId, space: SpaceId, *, command_id: str | None = None
    ) -> Session:
        """Puts a FRESH session into a Space, on its main branch; possible once.

        Raises:
            NotFound; Conflict: it lies in a Space already.
        """
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            found = sessions.session(tx, session)
            if not scope.earlier(SessionAttached, f"session/{session}"):
                if found.space is not None:
                    raise Conflict(
                        f"Session {short(session)} belongs to a Space already.",
                        "Only a session in no Space can be attached, once.",
                        code="attached",
                    )
                spaces.space(tx, space)
                event = SessionAttached(space, spaces.main_branch(tx, space).id)
                scope.append(f"session/{session}", event)
        return self.get(session)

    def mount(
        self, session: SessionId, checkpoint: CheckpointId, *, command_id: str | None = None
    ) -> Mounted:
        """Opens a new line on a checkpoint: all turns so far stay out (DESIGN 10.7).

        Raises:
            NotFound: no such session or checkpoint.
            Invalid: the session is FRESH, or the checkpoint is another Space's.
        """
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            found = sessions.session(tx, session)
            if earlier := scope.earlier(LineOpened, f"session/{session}"):
                return _mounted(session, earlier[0].body())
            wanted = checkpoints.checkpoint(tx, checkpoint)
            if found.space is None:
                raise Invalid(
                    "A session in no Space mounts nothing.", "Attach it to the Space first."
                )
            if wanted.body.space != found.space:
                raise Invalid(
                    f"Checkpoint {short(checkpoint)} belongs to another Space.",
                    "Only checkpoints of the session's own Space can be mounted.",
                )
            last = scope.tables.one("session", {"id": session}, ("last_line", "last_seq"))
            if last is None:
                raise NotFound(f"There is no session {short(session)}.")
            event = LineOpened(last[0] + 1, checkpoint, last[1])
            scope.append(f"session/{session}", event)
            return Mounted(session, event.line, checkpoint, event.history_base_seq)

    def unmount(self, session: SessionId, *, command_id: str | None = None) -> Mounted:
        """Goes back to the HEAD line; the turns of the mounted line stay out of it.

        Raises:
            NotFound; Conflict: nothing is mounted.
        """
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            found = sessions.session(tx, session)
            if not scope.earlier(LineLeft, f"session/{session}"):
                if found.current_line == 1:
                    raise Conflict(
                        f"Session {short(session)} has nothing mounted.",
                        "It is on its HEAD line already.",
                        code="not_mounted",
                    )
                scope.append(f"session/{session}", LineLeft(found.current_line))
            return Mounted(session, 1, None, 0)


def _renamed(found: Session) -> Conflict:
    return Conflict(
        f"The session was renamed meanwhile: it is called {found.title!r} now.",
        "Its title stands; rename it again if yours is the better one.",
        code="renamed",
        details={"title": found.title},
    )


def _mounted(session: SessionId, payload: dict[str, object]) -> Mounted:
    return Mounted(
        session,
        int(str(payload["line"])),
        CheckpointId(str(payload["anchor"])),
        int(str(payload["history_base_seq"])),
    )
