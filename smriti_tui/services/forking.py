"""Forks: a new session on a new branch, from a checkpoint or after a turn (DESIGN 10.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.events import BranchOpened, SessionOpened, TurnAdded
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId, SpaceId, new_id, short
from smriti_tui.domain.model import CopiedFrom, Session, Turn
from smriti_tui.services.caller import Caller
from smriti_tui.services.spaces import check_name
from smriti_tui.store import checkpoints, sessions, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.held import Held, held_after, held_before
from smriti_tui.store.scope import WriteScope


@dataclass(frozen=True)
class Forked:
    """The new session."""

    session: Session
    branch: str | None
    """Name of the new branch; None where the session lies in no Space."""
    checkpoint: CheckpointId | None
    """What the fork stands on."""
    copied: int
    """How many turns it begins with."""


@dataclass(frozen=True)
class ForkService:
    caller: Caller

    def offered_name(self, source: CheckpointId | SessionId, number: int | None = None) -> str:
        """What the branch of a fork would be called by itself: of a checkpoint, or after turn
        `number` of a session in a Space. Raises: NotFound."""
        with self.caller.read() as tx:
            if number is None:
                space = checkpoints.checkpoint(tx, CheckpointId(source)).body.space
                return free_branch_name(tx, space, None, _name(source))
            home = sessions.session(tx, SessionId(source)).space
            return free_branch_name(tx, home, None, _name(source, number)) if home else ""

    def from_checkpoint(
        self,
        checkpoint: CheckpointId,
        *,
        branch: str | None = None,
        command_id: str | None = None,
    ) -> Forked:
        """A session without turns that stands on a checkpoint of any branch.

        Raises:
            NotFound: no such checkpoint. Invalid: a bad name.
            Conflict: there is such a branch (code `branch_exists`).
        """
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if (known := _known(scope)) is None:
                found = checkpoints.checkpoint(tx, checkpoint)
                space = found.body.space
                name = free_branch_name(tx, space, branch, _name(checkpoint))
                opened = open_branch(scope, space, name, checkpoint)
                title = f"Fork of {short(checkpoint)}"
                event = SessionOpened(title, space, opened, fork_checkpoint=checkpoint)
                known = SessionId(new_id())
                scope.append(f"session/{known}", event)
        return self._forked(known)

    def after_turn(
        self,
        session: SessionId,
        number: int,
        *,
        branch: str | None = None,
        command_id: str | None = None,
    ) -> Forked:
        """A session whose turns are copies of what a model had after turn `number`.

        Raises:
            NotFound: no such session or turn. Invalid: a bad name, or the answer is still running.
            Conflict: there is such a branch (code `branch_exists`).
        """
        return self._copied(session, number, branch, command_id, edit=False)

    def before_question(
        self,
        session: SessionId,
        number: int,
        *,
        branch: str | None = None,
        command_id: str | None = None,
    ) -> Forked:
        """A session with what a send of question `number` held, less the question: an edited one is
        asked there.

        Raises: as `after_turn`; Invalid also where the turn is no question.
        """
        return self._copied(session, number, branch, command_id, edit=True)

    def _copied(
        self,
        session: SessionId,
        number: int,
        branch: str | None,
        command_id: str | None,
        *,
        edit: bool,
    ) -> Forked:
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if (known := _known(scope)) is None:
                found = sessions.session(tx, session)
                _check_place(sessions.turn(tx, session, number), edit=edit)
                held = (held_before if edit else held_after)(tx, found, number)
                known = _open(scope, tx, found, number, held, branch)
        return self._forked(known)

    def _forked(self, session: SessionId) -> Forked:
        with self.caller.read() as tx:
            made = sessions.session(tx, session)
            branch = spaces.branch(tx, made.branch) if made.branch else None
            return Forked(
                made, branch.name if branch else None, branch.start if branch else None,
                made.last_seq,
            )  # fmt: skip


def _name(source: str, number: int | None = None) -> str:
    """The default name of a fork's branch."""
    return f"fork-{short(source)}" + (f"-{number}" if number is not None else "")


def _known(scope: WriteScope) -> SessionId | None:
    """The session that the same command opened before."""
    events = scope.earlier(SessionOpened)
    opened = next((event for event in events if event.type == SessionOpened.TYPE), None)
    return SessionId(opened.owner_id) if opened else None


def _check_place(turn: Turn, *, edit: bool) -> None:
    if turn.status == "running":
        raise Invalid(
            f"Answer {turn.sequence_number} is still running.", "Wait for it, or stop it."
        )
    if edit and turn.role != "user":
        raise Invalid(
            f"Turn {turn.sequence_number} is no question.", "Only questions can be asked anew."
        )


def _open(
    scope: WriteScope, tx: Tx, source: Session, number: int, held: Held, branch: str | None
) -> SessionId:
    opened: BranchId | None = None
    if source.space is None and branch is not None:
        raise Invalid(
            f"Session {short(source.id)} lies in no Space, so its fork has no branch.",
            "Leave the branch out, or attach the session to a Space first.",
            field="branch",
        )
    if source.space is not None:
        name = free_branch_name(tx, source.space, branch, _name(source.id, number))
        # What it stood on may be deleted by now: then it stands on nothing, as its line does.
        there = checkpoints.find_checkpoint(tx, held.anchor) is not None
        opened = open_branch(scope, source.space, name, held.anchor if there else None)
    session = SessionId(new_id())
    stream = f"session/{session}"
    scope.append(
        stream,
        SessionOpened(
            f"Fork of {short(source.id)} after turn {number}", source.space, opened,
            fork_session=source.id, fork_turn=number,
        ),
    )  # fmt: skip
    for copy in _copies(held.turns):
        scope.append(stream, copy)
    return session


def _copies(turns: Sequence[Turn]) -> list[TurnAdded]:
    """Numbered anew from 1. What was paid for a turn stays with the turn itself."""
    now = {turn.sequence_number: place for place, turn in enumerate(turns, 1)}
    return [
        TurnAdded(
            sequence_number=now[turn.sequence_number],
            line=1,
            role=turn.role,
            text=turn.text,
            content=turn.content,
            question=now.get(turn.question) if turn.question is not None else None,
            model=turn.model,
            copied_from=CopiedFrom(turn.session, turn.sequence_number),
        )
        for turn in turns
    ]


def open_branch(
    scope: WriteScope, space: SpaceId, name: str, start: CheckpointId | None
) -> BranchId:
    """A new branch of a Space, standing on a checkpoint or on nothing."""
    branch = BranchId(new_id())
    scope.append(f"space/{space}", BranchOpened(branch, name, start))
    return branch


def free_branch_name(tx: Tx, space: SpaceId, wanted: str | None, default: str) -> str:
    """The wanted name, which must be free, else the default with a number behind it as needed."""
    taken = {branch.name for branch in spaces.branches(tx, space)}
    if wanted is None:
        name, number = default, 2
        while name in taken:
            name, number = f"{default}-{number}", number + 1
        return name
    name = check_name(wanted, "branch")
    if name in taken:
        raise Conflict(
            f"There is a branch {name!r} already.", "Choose another name.", code="branch_exists"
        )
    return name
