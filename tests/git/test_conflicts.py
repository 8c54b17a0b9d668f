"""Predicted conflicts against the truth of really merging (certain is always right)."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import time
from pathlib import Path

import pytest

from smriti_tui.git.conflicts import predict
from tests.git.repository import Repository, empty

FILES = ("a.txt", "b/c d.txt", "ü.txt")
LINES = 30


def lines(*changed: int, text: str = "x") -> str:
    return "".join(f"{text} {n}\n" if n in changed else f"line {n}\n" for n in range(LINES))


def pair(tmp_path: Path) -> tuple[Repository, Repository, Repository]:
    made = empty(tmp_path / "r")
    for name in FILES:
        made.write(name, lines())
    made.git("add", "--all")
    made.git("commit", "-q", "-m", "first")
    return made, made.worktree("one"), made.worktree("two")


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_three_words(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    one.write("a.txt", lines(5, 20))
    two.commit("a.txt", lines(5, text="y"))
    one.commit("b/c d.txt", lines(3))
    two.write("b/c d.txt", lines(5))
    one.write("ü.txt", lines(1))
    two.write("ü.txt", lines(25))
    one.write("only mine", "x")
    found = predict(made.path, [one.path, two.path])[0]
    assert {each.path: each.certainty for each in found.shared} == {
        "a.txt": "certain", "b/c d.txt": "likely", "ü.txt": "possible",
    }  # fmt: skip
    assert found.shared[0].lines == ((6, 6),)
    assert [each.certainty for each in found.shared] == ["certain", "likely", "possible"]


def test_untracked_and_deleted_files_count(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    one.write("new", "mine\n")
    two.write("new", "theirs\n")
    (one.path / "a.txt").unlink()
    two.write("a.txt", lines(4))
    found = predict(made.path, [one.path, two.path])[0]
    assert {each.path: each.certainty for each in found.shared} == {
        "new": "certain", "a.txt": "certain",
    }  # fmt: skip


def test_the_same_change_on_both_sides_is_no_conflict_and_nothing_in_common_is_silent(
    tmp_path: Path,
) -> None:
    made, one, two = pair(tmp_path)
    one.write("a.txt", lines(4))
    two.write("b/c d.txt", lines(4))
    assert predict(made.path, [one.path, two.path]) == []
    two.write("a.txt", lines(4))
    found = predict(made.path, [one.path, two.path])[0]
    assert [each.certainty for each in found.shared] == ["likely"]
    assert predict(made.path, [one.path]) == []


def test_the_trial_touches_nothing(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    one.write("a.txt", lines(5))
    two.write("a.txt", lines(5, text="y"))
    two.write("staged", "s")
    two.git("add", "staged")
    before = fingerprint(tmp_path)
    assert predict(made.path, [one.path, two.path])[0].shared[0].certainty == "certain"
    assert fingerprint(tmp_path) == before


def test_what_was_changed_in_the_moment_of_the_checkout_counts(tmp_path: Path) -> None:
    """In the same second and at the same size: only the time of git's index tells."""
    made, one, two = pair(tmp_path)
    made.git("config", "core.trustctime", "false")
    index = Path(one.git("rev-parse", "--path-format=absolute", "--git-path", "index"))
    known = (one.path / "a.txt").stat().st_mtime_ns
    one.write("a.txt", lines(7, text="mine"))
    two.write("a.txt", lines(7, text="theirs"))
    for path in (one.path / "a.txt", index):
        os.utime(path, ns=(known, known))
    while time.time_ns() // 10**9 <= known // 10**9:
        time.sleep(0.05)
    assert predict(made.path, [one.path, two.path])[0].shared[0].certainty == "certain"


def test_what_cannot_be_tried_says_so(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    shutil.rmtree(two.path)
    assert predict(made.path, [one.path, two.path])[0].fault
    three = made.worktree("three")
    assert predict(made.path, [one.path, three.path], limit_s=0.0)[0].fault


def _change(chance: random.Random, side: Repository, text: str) -> None:
    name = chance.choice(FILES)
    at = chance.randrange(LINES)
    act = chance.choice(["edit"] * 6 + ["delete", "new", "move", "folder", "mode", "bytes", "up"])
    path = side.path / name
    if act == "edit":
        side.write(name, lines(*range(at, at + chance.randint(1, 4)), text=text))
    elif act == "delete":
        path.unlink(missing_ok=True)
    elif act == "new":
        side.write(f"new {chance.randint(1, 2)}", f"{text}\n")
    elif act == "move" and path.is_file():
        path.rename(side.path / f"moved {chance.randint(1, 2)}")
    elif act == "folder" and path.is_file():
        path.unlink()
        side.write(f"{name}/inner", text)
    elif act == "mode" and path.is_file():
        path.chmod(chance.choice([0o755, 0o644]))
    elif act == "bytes":
        (side.path / "bytes").write_bytes(bytes([0, at, *text.encode()]))
    elif act == "up":
        side.write(".gitattributes", chance.choice(["*.txt merge=union\n", "*.txt -merge\n"]))


def _random_life(tmp_path: Path, seed: int) -> tuple[Repository, Repository, Repository]:
    """Two worktrees in which much happened: some of it committed, staged, or neither."""
    chance = random.Random(seed)
    made, one, two = pair(tmp_path)
    for side, text in ((one, "x"), (two, chance.choice("xy"))):
        for _ in range(chance.randint(1, 4)):
            try:
                _change(chance, side, text)
            except OSError:  # a folder is a file by now, or the other way round
                continue
            if chance.random() < 0.5:
                side.git("add", "--all")
                if chance.random() < 0.7:
                    side.git("commit", "-q", "--allow-empty", "-m", "c")
    if chance.random() < 0.1:  # in the middle of a merge, with marks in the files
        one.git("stash", "-q", "-u", fails=True)
        one.git("merge", "-q", "--no-edit", "two", fails=True)
    return made, one, two


def _really(tmp_path: Path, made: Repository, one: Repository, two: Repository) -> bool:
    """Whether committing all and merging, in a throw-away clone, conflicts."""
    copy = tmp_path / "copy"
    shutil.copytree(made.path.parent, copy, symlinks=True)
    for side in (one, two):
        there = Repository(copy / side.path.name)
        (there.path / ".git").write_text(
            f"gitdir: {copy / made.path.name / '.git' / 'worktrees' / side.path.name}\n"
        )
        there.git("add", "--all")
        there.git("commit", "-q", "--allow-empty", "-m", "all")
    mine = Repository(copy / one.path.name)
    mine.git("merge", "-q", "--no-edit", "two", fails=True)
    return bool(mine.git("ls-files", "--unmerged"))


def _check(tmp_path: Path, seed: int) -> bool:
    home = tmp_path / str(seed)
    home.mkdir()
    made, one, two = _random_life(home, seed)
    found = predict(made.path, [one.path, two.path])
    certain = any(each.certainty == "certain" for prediction in found for each in prediction.shared)
    assert [prediction.fault for prediction in found if prediction.fault] == [], seed
    really = _really(tmp_path / f"t{seed}", made, one, two)
    # Attributes that one side alone has decide by which of the two is merged into the other.
    ordered = any((side.path / ".gitattributes").exists() for side in (one, two))
    assert certain == really or (really and ordered), seed
    shutil.rmtree(home)
    return certain


def test_certain_is_what_really_conflicts(tmp_path: Path) -> None:
    found = [_check(tmp_path, seed) for seed in range(25)]
    assert 5 <= sum(found) <= 20


@pytest.mark.soak
def test_certain_is_what_really_conflicts_in_200_cases(tmp_path: Path) -> None:
    found = [_check(tmp_path, seed) for seed in range(1000, 1200)]
    assert 40 <= sum(found) <= 160
