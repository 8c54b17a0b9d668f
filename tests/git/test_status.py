"""What a probe says of each state a working tree can be in."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from smriti_tui.domain.errors import GitError
from smriti_tui.git.places import operation, place, root, top_level
from smriti_tui.git.probes import Probes
from smriti_tui.git.status import parse, probe
from tests.git.repository import Repository, empty, repository

ODD = (
    "dir é/notes ä.md",
    "a -> b.txt",
    'q"uote.txt',
    "tab\tname",
    "new\nline",
    "end ",
    "फ़ाइल",
    "-x",
)


def test_clean_dirty_and_renamed(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    found = probe(made.path, 5)
    assert (found.fault, found.branch, found.dirty, found.operation) == ("", "main", (), None)
    assert found.commit == made.git("rev-parse", "HEAD")
    assert (found.committed_at or "").endswith(".000000Z")
    made.git("mv", "file", "other name")
    made.write("file2", "new")
    assert probe(made.path, 5).dirty == ("file → other name", "file2")


@pytest.mark.parametrize("name", ODD)
def test_names_come_as_they_are_on_disk(tmp_path: Path, name: str) -> None:
    made = repository(tmp_path / "proj ü (copy)\n2")
    made.write("tracked " + name, "a")
    made.git("add", "--all")
    made.git("commit", "-q", "-m", "x")
    made.write("tracked " + name, "b")
    found = probe(made.path, 5)
    assert found.dirty == ("tracked " + name,)


def test_drift_against_the_upstream_else_the_default_branch_else_nothing(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin", "trunk")
    made = origin.clone("clone")
    for number in range(2):
        made.commit(f"mine{number}")
    origin.commit("theirs")
    made.git("fetch", "-q")
    found = probe(made.path, 5)
    assert (found.against, found.ahead, found.behind) == ("origin/trunk", 2, 1)
    tree = made.worktree("wt", "topic")
    tree.commit("more")
    found = probe(tree.path, 5)
    assert (found.against, found.ahead, found.behind) == ("origin/trunk", 3, 1)
    alone = repository(tmp_path / "alone")
    assert probe(alone.path, 5).against is None
    topic = alone.worktree("topic")
    topic.commit("x")
    found = probe(topic.path, 5)
    assert (found.against, found.ahead, found.behind) == ("main", 1, 0)
    gone = made.git("rev-parse", "HEAD")
    made.git("branch", "--track", "lost", "origin/trunk")
    made.git("checkout", "-q", "lost")
    made.git("update-ref", "-d", "refs/remotes/origin/trunk")
    made.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD", fails=True)
    found = probe(made.path, 5)
    assert (found.fault, found.against, bool(gone)) == ("", "trunk", True)


def test_detached_unborn_renamed_and_missing(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    made.git("checkout", "-q", "--detach")
    assert probe(made.path, 5).branch is None
    tree = made.worktree("wt", "old")
    tree.git("branch", "-m", "old", "renamed")
    assert probe(tree.path, 5).branch == "renamed"
    fresh = empty(tmp_path / "empty")
    found = probe(fresh.path, 5)
    assert (found.branch, found.commit, found.fault) == ("main", None, "")
    assert probe(tmp_path / "nowhere", 5).fault == "the folder is missing"
    plain = tmp_path / "plain"
    plain.mkdir()
    assert probe(plain, 5).fault == "it is no git repository"
    made.path.rename(tmp_path / "moved")
    assert probe(tree.path, 5).fault == "its repository is gone"


@pytest.mark.parametrize("what", ["rebase", "merge", "cherry-pick", "revert", "bisect", "am"])
def test_what_is_in_progress_is_told(tmp_path: Path, what: str) -> None:
    made = repository(tmp_path / "r")
    made.git("checkout", "-q", "-b", "side")
    side = made.commit("file", "side\n", "side")
    made.git("checkout", "-q", "main")
    made.commit("file", "main\n", "main")
    tree = made.worktree("wt")
    patch = made.git("format-patch", "-1", side, "-o", str(tmp_path))
    begin = {
        "rebase": ("rebase", "side"),
        "merge": ("merge", "side"),
        "cherry-pick": ("cherry-pick", side),
        "revert": ("revert", "--no-edit", "HEAD~1"),
        "bisect": ("bisect", "start"),
        "am": ("am", patch),
    }
    tree.git(*begin[what], fails=True)
    assert operation(place(tree.path).own) == what
    assert probe(tree.path, 5).operation == what


def test_submodules_count(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    made = repository(tmp_path / "r")
    made.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    made.git("commit", "-q", "-m", "sub")
    assert probe(made.path, 5).dirty == ()
    Repository(made.path / "sub").commit("x")
    assert probe(made.path, 5).dirty == ("sub",)


def test_odd_output_gives_what_can_be_read() -> None:
    odd = b"# branch.oid abc\0# branch.head b\0nonsense\0? a\0001 broken\0u x\0# branch.ab x y\0"
    found = parse(odd)
    assert (found.commit, found.branch, found.dirty, found.ahead) == ("abc", "b", ("a",), None)
    with pytest.raises(GitError, match="unexpected"):
        parse(b"hello")


def test_roots(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    (made.path / "below").mkdir()
    assert root(made.path / "below") == top_level(made.path / "below") == made.path
    bare = tmp_path / "bare"
    bare.mkdir()
    Repository(bare).git("init", "-q", "--bare")
    codes = {bare: "bare_repository", tmp_path / "no": "root_missing", tmp_path: "not_a_repository"}
    for folder, code in codes.items():
        with pytest.raises(GitError) as error:
            root(folder)
        assert error.value.code == code
    assert top_level(tmp_path) is None


def test_many_hung_ones_cost_one_limit_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trees = []
    for number in range(10):
        trees.append(repository(tmp_path / str(number)).path)
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text("#!/bin/sh\nsleep 60\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    began = time.monotonic()
    found = Probes().look(trees, limit_s=1)
    assert {each.fault for each in found} == {"git took too long"}
    assert time.monotonic() - began < 1.9


def test_the_default_branch_is_never_an_old_one(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin", "dev")
    made = origin.clone("clone")
    tree = made.worktree("wt", "topic")
    probes = Probes()

    def behind() -> tuple[str | None, int | None]:
        found = probes.look([tree.path], fresh=True)[0]
        return found.against, found.behind

    assert behind() == ("origin/dev", 0)
    for number in range(3):
        origin.commit("file", f"{number}\n")
        made.git("fetch", "-q")
        if number == 1:
            made.git("pack-refs", "--all")
        assert behind() == ("origin/dev", number + 1)
    made.git("update-ref", "refs/remotes/origin/main", "HEAD")
    made.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    assert behind() == ("origin/main", 0)
    made.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    made.git("update-ref", "-d", "refs/remotes/origin/main")
    assert behind()[0] is None


def test_answers_are_kept_until_time_or_a_change(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    now = [0.0]
    probes = Probes(lambda: now[0])
    assert probes.look([made.path])[0].dirty == ()
    made.write("new", "x")
    assert probes.look([made.path])[0].dirty == ()
    assert probes.look([made.path], fresh=True)[0].dirty == ("new",)
    made.write("newer", "x")
    probes.drop([made.path])
    assert len(probes.look([made.path, made.path])[1].dirty) == 2
    made.write("newest", "x")
    now[0] = 61
    assert len(probes.look([made.path])[0].dirty) == 3
