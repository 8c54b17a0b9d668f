"""What changes is told and dropped; what does not costs nothing; nothing is older than a second."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from smriti_tui.domain.worktrees import Probed
from smriti_tui.git.probes import UNSEEN_S, Probes
from smriti_tui.git.watching import Pulse, WorktreeWatch
from tests.git.repository import Repository, repository

PATIENCE_S = 15.0


@dataclass
class Desk:
    """Probes under a watch, and what was told."""

    told: list[Path] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    local: bool = True
    probes: Probes = field(default_factory=Probes)

    def __post_init__(self) -> None:
        self.watch = WorktreeWatch(self.probes, self.hear, self.failed.append, lambda _: self.local)
        self.hold: Callable[[], object] = lambda: None

    def hear(self, trees: Sequence[Path]) -> None:
        self.told.extend(trees)
        self.hold()

    def begin(self, *trees: Repository) -> None:
        self.watch.watch([each.path for each in trees])
        for each in trees:
            until(partial(self.sees, each))
            self.look(each)
        self.told.clear()

    def sees(self, tree: Repository) -> bool:
        return self.watch.sees(tree.path) is True

    def shows(self, tree: Repository, path: str) -> bool:
        return path in self.look(tree).dirty

    def look(self, tree: Repository) -> Probed:
        return self.probes.look([tree.path], limit_s=10)[0]


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.watch.stop()


def test_each_change_is_told_and_a_tree_beside_it_is_left_alone(tmp_path: Path, desk: Desk) -> None:
    made = repository(tmp_path / "r")
    made.commit("deep/er/file", "x\n")
    one, two = made.worktree("one"), made.worktree("two")
    desk.begin(one, two)
    kept = desk.probes.last(two.path)
    changes: list[Callable[[], object]] = [
        lambda: one.write("deep/er/file", "changed\n"),
        lambda: one.write("new", "x"),
        lambda: one.git("add", "--all"),
        lambda: one.git("commit", "-q", "-m", "all"),
        lambda: one.git("checkout", "-q", "--detach"),
        lambda: one.git("checkout", "-q", "-b", "renamed"),
        lambda: (one.path / "deep/er/file").unlink(),
    ]
    for number, change in enumerate(changes):
        desk.look(one)
        desk.told.clear()
        change()
        until(lambda: one.path in desk.told)
        assert desk.probes.last(one.path) is None
        assert two.path not in desk.told, number
    assert desk.look(one).dirty == ("deep/er/file",)
    assert desk.look(one).branch == "renamed"
    assert desk.probes.last(two.path) is kept is not None


def test_the_branch_it_is_measured_against_counts(tmp_path: Path, desk: Desk) -> None:
    origin = repository(tmp_path / "origin")
    made = origin.clone("clone")
    tree, alone = made.worktree("wt"), repository(tmp_path / "alone")
    beside = alone.worktree("beside")
    desk.begin(tree, beside)
    origin.commit("theirs")
    made.git("fetch", "-q")
    until(lambda: desk.look(tree).behind == 1)
    made.git("pack-refs", "--all")
    until(lambda: tree.path in desk.told)
    alone.commit("more")
    until(lambda: desk.look(beside).behind == 1)


def test_folders_that_come_are_watched_and_ignored_ones_are_not(tmp_path: Path, desk: Desk) -> None:
    made = repository(tmp_path / "r")
    made.commit(".gitignore", "node_modules\n")
    desk.begin(made)
    made.write("a/b/c/file", "x")
    until(lambda: desk.watch.sees(made.path) is False)
    until(lambda: desk.watch.sees(made.path) is True)
    assert desk.look(made).dirty == ("a/b/c/file",)
    made.write("a/b/c/second", "x")
    until(lambda: len(desk.look(made).dirty) == 2)
    made.write("node_modules/x/y/z", "x")
    until(lambda: desk.watch.sees(made.path) is False)
    until(lambda: desk.watch.sees(made.path) is True)
    desk.look(made)
    desk.told.clear()
    made.write("node_modules/x/y/z", "y")
    made.write("last", "x")
    until(lambda: made.path in desk.told)
    assert desk.told == [made.path]


def test_a_folder_that_is_made_anew_is_watched_anew(tmp_path: Path, desk: Desk) -> None:
    """The system watches what was there, not what has its name."""
    made = repository(tmp_path / "r")
    made.commit("sub/file", "x\n")
    made.git("branch", "other", "HEAD~1")
    desk.begin(made)
    made.git("checkout", "-q", "other")
    made.git("checkout", "-q", "main")
    until(lambda: desk.watch.sees(made.path) is True and made.path in desk.told)
    until(lambda: desk.watch.sees(made.path) is True)
    assert desk.look(made).dirty == ()
    desk.told.clear()
    made.write("sub/file", "changed\n")
    until(lambda: made.path in desk.told)
    assert desk.look(made).dirty == ("sub/file",)


def test_what_cannot_be_watched_is_asked_again_after_a_second(tmp_path: Path) -> None:
    desk = Desk(local=False)
    made = repository(tmp_path / "r")
    try:
        desk.watch.watch([made.path])
        assert desk.watch.sees(made.path) is False
        assert desk.watch.sees(tmp_path) is None
        desk.look(made)
        made.write("new", "x")
        began = time.monotonic()
        until(lambda: desk.look(made).dirty == ("new",))
        assert time.monotonic() - began < UNSEEN_S + 0.5
    finally:
        desk.watch.stop()


def test_a_repository_inside_is_asked_again_after_a_second(tmp_path: Path, desk: Desk) -> None:
    made = repository(tmp_path / "r")
    repository(made.path / "inner")
    desk.watch.watch([made.path])
    time.sleep(0.3)
    assert desk.watch.sees(made.path) is False


def test_a_state_is_never_older_than_a_second(tmp_path: Path, desk: Desk) -> None:
    """Whatever the watch hears, and when: changes of all kinds, each looked for at once."""
    made = repository(tmp_path / "r")
    tree = made.worktree("wt")
    desk.begin(tree)
    for number in range(12):
        path = f"d{number}/e/f" if number % 3 == 0 else f"file {number}"
        tree.write(path, "x")
        began = time.monotonic()
        until(partial(desk.shows, tree, path))
        assert time.monotonic() - began < UNSEEN_S + 0.5


def test_a_watch_that_is_late_is_not_believed(tmp_path: Path) -> None:
    """Its thread is held up by whoever it tells; what happens then is known all the same."""
    held, go_on = threading.Event(), threading.Event()
    desk = Desk()
    made = repository(tmp_path / "r")
    try:
        desk.begin(made)
        desk.hold = lambda: [each() for each in (held.set, partial(go_on.wait, PATIENCE_S))]
        made.write("first", "x")
        assert held.wait(PATIENCE_S)
        assert desk.look(made).dirty == ("first",)
        made.write("second", "x")
        began = time.monotonic()
        until(partial(desk.shows, made, "second"))
        assert time.monotonic() - began < UNSEEN_S + 1
        assert desk.watch.sees(made.path) is False
        go_on.set()
        until(partial(desk.sees, made))
    finally:
        go_on.set()
        desk.watch.stop()


def test_a_tree_that_goes_and_comes_back_is_seen_again(tmp_path: Path, desk: Desk) -> None:
    made = repository(tmp_path / "r")
    tree = made.worktree("wt")
    desk.begin(tree)
    tree.path.rename(tmp_path / "away")
    until(lambda: desk.look(tree).fault != "")
    (tmp_path / "away").rename(tree.path)
    until(lambda: desk.look(tree).fault == "")
    tree.write("new", "x")
    until(lambda: desk.look(tree).dirty == ("new",))
    shutil.rmtree(tree.path)
    until(lambda: desk.look(tree).fault == "the folder is missing")


def test_a_lost_beat_is_noticed(tmp_path: Path) -> None:
    pulse = Pulse(str(tmp_path))
    written: list[str] = []
    for _ in range(3):
        pulse.beat()
        (path,) = set(map(str, tmp_path.iterdir())) - set(written)
        written.append(path)
        time.sleep(0.3)
    assert not pulse.heard([(1, written[0])])
    assert pulse.heard([(1, written[2])])
    assert not pulse.heard([(1, "/other")])


WITHOUT = """
import sys, time
from pathlib import Path
from tests.git.test_watching import Desk, until
desk = Desk()
desk.watch.watch([Path(sys.argv[1])])
until(lambda: bool(desk.failed))
assert desk.watch.sees(Path(sys.argv[1])) is False
print(desk.probes.look([Path(sys.argv[1])], limit_s=10)[0].branch, len(desk.failed))
"""


def test_where_the_system_watches_no_more_it_says_so(tmp_path: Path) -> None:
    """In a room of its own, where a user may watch nothing."""
    made = repository(tmp_path / "r")
    closed = "echo 0 > /proc/sys/user/max_inotify_instances"
    room = ["unshare", "-Ur", "sh", "-c"]
    if shutil.which("unshare") is None or subprocess.run([*room, closed], check=False).returncode:
        pytest.skip("this system lets no user have namespaces, so no limit of watches can be set")
    done = subprocess.run(
        [*room, f'{closed}; exec "$@"', "-", sys.executable, "-c", WITHOUT, str(made.path)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "main 1\n"), done.stderr
