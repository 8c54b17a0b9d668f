"""Random actions with undo and redo among them: every state is met again, back and forth.

The test keeps the states that it saw, as an editor keeps them, and knows nothing of the log.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.events import BranchDisposed, BranchOpened, BranchRenamed
from smriti_tui.domain.ids import BranchId, SessionId, new_id
from tests.services.undoing import Desk, desk_in
from tests.support import ended, send

pytestmark = pytest.mark.contract

ACTS = [
    "rename", "rename", "pin", "archive", "space_words", "space_folder", "space_away", "mount",
    "mount", "unmount", "choose", "branch_name", "branch_mark", "open", "open",
]  # fmt: skip
steps = st.lists(
    st.tuples(
        st.sampled_from([*ACTS, "undo", "undo", "undo", "undo", "redo", "redo", "redo"]),
        st.integers(0, 10**6),
    ),
    min_size=5,
    max_size=30,
)
State = dict[str, list[tuple[object, ...]]]


@dataclass
class Hands:
    """What a person may do with their keys."""

    desk: Desk
    branch: BranchId
    opened: list[SessionId] = field(default_factory=list)

    def act(self, name: str, pick: int) -> None:
        getattr(self, f"do_{name}")(pick)

    def _session(self, pick: int) -> SessionId:
        there = [row[0] for row in self.desk.state()["session"]]
        return SessionId(str(there[pick % len(there)]))

    def do_rename(self, pick: int) -> None:
        self.desk.mine.sessions.rename(self._session(pick), f"title {pick % 4}")

    def do_pin(self, pick: int) -> None:
        sessions = self.desk.mine.sessions
        (sessions.pin if pick % 2 else sessions.unpin)(self._session(pick))

    def do_archive(self, pick: int) -> None:
        sessions = self.desk.mine.sessions
        (sessions.archive if pick % 2 else sessions.unarchive)(self._session(pick))

    def do_space_words(self, pick: int) -> None:
        words = {"name": f"name {pick % 3}", "description": f"text {pick % 2}"}
        self.desk.mine.spaces.change(self.desk.space, **words)

    def do_space_folder(self, pick: int) -> None:
        self.desk.mine.spaces.change(self.desk.space, project_root=("", "/a", "/b")[pick % 3])

    def do_space_away(self, pick: int) -> None:
        spaces = self.desk.mine.spaces
        (spaces.archive if pick % 2 else spaces.unarchive)(self.desk.space)

    def do_mount(self, pick: int) -> None:
        self.desk.mine.sessions.mount(self.desk.session, self.desk.checkpoints[pick % 2])

    def do_unmount(self, pick: int) -> None:
        self.desk.mine.sessions.unmount(self.desk.session)

    def do_choose(self, pick: int) -> None:
        self.desk.mine.chat.choose(self.desk.session, 2 + pick % 3)

    def do_branch_name(self, pick: int) -> None:
        self._write(BranchRenamed(self.branch, f"branch {pick % 3}"))

    def do_branch_mark(self, pick: int) -> None:
        mark: Any = ("active", "abandoned", "integrated")[pick % 3]
        self._write(BranchDisposed(self.branch, mark))

    def _write(self, event: BranchRenamed | BranchDisposed) -> None:
        with self.desk.mine.caller.write() as scope:
            scope.append(f"space/{self.desk.space}", event)

    def do_open(self, pick: int) -> None:
        sessions = self.desk.mine.sessions
        made = sessions.new(self.desk.space) if pick % 2 else sessions.new_fresh()
        self.opened.append(made.id)


def begin(desk: Desk) -> Hands:
    """Three answers to one question, and a branch, by somebody else."""
    branch = BranchId(new_id())
    with desk.other() as other:

        async def ask() -> None:
            await send(other, desk.session, "hello")
            for _ in range(2):
                await ended(other.chat.retry(desk.session))

        asyncio.run(ask())
        with other.caller.write() as scope:
            scope.append(f"space/{desk.space}", BranchOpened(branch, "side"))
    return Hands(desk, branch)


SOME = settings(
    max_examples=15,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
MANY = settings(SOME, max_examples=200)


def live(moves: list[tuple[str, int]]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="undo-"))
    try:
        with desk_in(folder) as desk:
            _live(desk, begin(desk), moves)
    finally:
        shutil.rmtree(folder)


@SOME
@given(steps)
def test_every_state_is_met_again(moves: list[tuple[str, int]]) -> None:
    live(moves)


@pytest.mark.soak
@MANY
@given(steps)
def test_every_state_is_met_again_for_long(moves: list[tuple[str, int]]) -> None:
    live(moves)


@dataclass
class Told:
    """The states that were seen, as an editor keeps them."""

    hands: Hands
    now: State
    past: list[State] = field(default_factory=list)
    ahead: list[State] = field(default_factory=list)

    def move(self, name: str, pick: int) -> None:
        desk = self.hands.desk
        if name == "undo":
            self._turn_back(desk.undo(), self.past, self.ahead)
        elif name == "redo":
            self._turn_back(desk.redo(), self.ahead, self.past)
        else:
            self._act(name, pick)
        assert desk.state() == self.now

    def _turn_back(self, told: str, source: list[State], target: list[State]) -> None:
        assert (told != "") == bool(source)
        if source:
            target.append(self.now)
            self.now = source.pop()

    def _act(self, name: str, pick: int) -> None:
        log = self.hands.desk.mine.log
        position = log.last_position()
        try:
            self.hands.act(name, pick)
        except Conflict:  # Nothing is mounted, or the answers are those of another line.
            assert log.last_position() == position
        if log.last_position() != position:
            self.ahead = []
        if (state := self.hands.desk.state()) != self.now:
            # The same name once more is nothing to undo.
            self.past.append(self.now)
            self.now = state


def _live(desk: Desk, hands: Hands, moves: list[tuple[str, int]]) -> None:
    told = Told(hands, desk.state())
    for move in moves:
        told.move(*move)
    first, last = [*told.past, told.now][0], told.now
    for _ in told.past:
        assert desk.undo() != ""
    assert desk.undo() == ""
    assert desk.state() == first
    for _ in told.past:
        assert desk.redo() != ""
    assert desk.state() == last
    assert desk.mine.log.verify().difference is None
    desk.mine.log.rebuild()
    assert desk.state() == last
    assert desk.mine.log.verify().difference is None
