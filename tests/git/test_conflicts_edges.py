"""Conflicts where names, settings or the git at hand are odd."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from smriti_tui.git.conflicts import Prediction, predict
from smriti_tui.git.hunks import hunks
from smriti_tui.git.quoting import quoted, unquoted
from tests.git.repository import Repository, repository
from tests.git.test_conflicts import lines, pair
from tests.git.test_status import ODD
from tests.git.test_trees_edges import in_front_of_git

BEFORE_2_38 = """#!/bin/sh
case "$*" in *'merge-tree --write-tree'*) exit 129;; esac
exec {git} "$@"
"""


def told(found: list[Prediction]) -> dict[str, str]:
    assert [each.fault for each in found if each.fault] == []
    return {shared.path: shared.certainty for each in found for shared in each.shared}


def test_every_name_has_its_own_lines(tmp_path: Path) -> None:
    names = (*(f"t{name}" for name in ODD), "-- a", "b/b/b")
    made = repository(tmp_path / "r:é")
    for name in names:
        made.write(name, lines())
    made.commit("more", lines())
    one, two = made.worktree("one"), made.worktree("two")
    for number, name in enumerate(names):
        one.write(name, lines(number + 5, text="--- x"))
        two.write(name, lines(number + 6, text="+++ b/y"))
    found = predict(made.path, [one.path, two.path])
    assert set(told(found).values()) == {"certain"}
    by_name = {shared.path: shared.lines for shared in found[0].shared}
    assert by_name == {name: ((n + 6, n + 7),) for n, name in enumerate(names)}


def test_a_program_that_the_repository_names_decides_nothing(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    proof = tmp_path / "proof"
    made.git("config", "merge.x.driver", f"touch '{proof}'; false")
    made.git("config", "filter.x.clean", f"touch '{proof}'; cat")
    made.write(".git/info/attributes", "a.txt merge=x\nü.txt filter=x\n")
    for name in ("a.txt", "b/c d.txt", "ü.txt"):
        one.write(name, lines(4))
        two.write(name, lines(4, text="y"))
    found = told(predict(made.path, [one.path, two.path]))
    assert found == {"a.txt": "likely", "b/c d.txt": "certain", "ü.txt": "likely"}
    assert not proof.exists()


def test_attributes_of_one_side_make_nothing_certain_that_the_other_order_merges(
    tmp_path: Path,
) -> None:
    made, one, two = pair(tmp_path)
    one.write("a.txt", lines(4))
    two.write("a.txt", lines(4, text="y"))
    two.write(".gitattributes", "a.txt merge=union\n")
    assert told(predict(made.path, [one.path, two.path])) == {"a.txt": "likely"}
    assert told(predict(made.path, [two.path, one.path])) == {"a.txt": "likely"}


def test_submodules_that_went_apart_are_likely(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    made = repository(tmp_path / "r")
    allow = ("-c", "protocol.file.allow=always")
    made.git(*allow, "submodule", "add", "-q", str(inner.path), "sub")
    made.git("commit", "-q", "-m", "sub")
    sides = [made.worktree("one"), made.worktree("two")]
    for number, side in enumerate(sides):
        side.git(*allow, "submodule", "update", "--init", "-q")
        Repository(side.path / "sub").commit("file", f"{number}\n")
    assert told(predict(made.path, [each.path for each in sides])) == {"sub": "likely"}


def test_a_repository_below_a_tree_is_none_of_it(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    for side in (one, two):
        below = Repository(side.path / "below")
        below.path.mkdir()
        below.git("init", "-q")  # without a commit `git add` would give up
        below.write("f", str(side.path))
    one.write("a.txt", lines(4))
    two.write("a.txt", lines(4, text="y"))
    assert told(predict(made.path, [one.path, two.path])) == {"a.txt": "certain"}


def test_what_is_being_merged_counts_as_merged(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    one.commit("a.txt", lines(4))
    two.commit("a.txt", lines(4, text="y"))
    one.git("merge", "-q", "two", fails=True)
    found = told(predict(made.path, [one.path, two.path]))
    assert "certain" not in found.values()
    two.commit("a.txt", lines(4, text="z"))
    assert told(predict(made.path, [one.path, two.path])) == {"a.txt": "certain"}


def test_a_file_that_became_a_folder_is_tried_out(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    (one.path / "a.txt").unlink()
    one.write("a.txt/inner", "x")
    two.write("a.txt", lines(4))
    found = told(predict(made.path, [one.path, two.path]))
    assert "certain" in found.values()


def test_with_an_older_git_nothing_is_certain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, one, two = pair(tmp_path)
    one.write("a.txt", lines(4))
    two.write("a.txt", lines(4, text="y"))
    one.write("ü.txt", lines(1))
    two.write("ü.txt", lines(20))
    in_front_of_git(tmp_path, monkeypatch, BEFORE_2_38)
    assert told(predict(made.path, [one.path, two.path])) == {
        "a.txt": "likely",
        "ü.txt": "possible",
    }


def test_one_that_cannot_be_tried_leaves_the_others(tmp_path: Path) -> None:
    made, one, two = pair(tmp_path)
    three = made.worktree("three")
    one.write("a.txt", lines(4))
    two.write("a.txt", lines(4, text="y"))
    shutil.rmtree(three.path)
    found = predict(made.path, [three.path, one.path, two.path])
    assert [bool(each.fault) for each in found] == [True, True, False]
    assert found[2].shared[0].certainty == "certain"
    alone = repository(tmp_path / "alone")
    alone.git("checkout", "-q", "--orphan", "new")
    assert predict(alone.path, [alone.path, one.path])[0].fault == "there is no commit yet"


def test_trees_without_a_file_in_common_are_cheap(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    sides = [made.worktree(f"w{number}") for number in range(8)]
    for number, side in enumerate(sides):
        side.write(f"mine {number}", "x")
    began = time.monotonic()
    assert predict(made.path, [each.path for each in sides]) == []
    assert time.monotonic() - began < 4


def test_names_are_written_as_git_reads_them(tmp_path: Path) -> None:
    for name in ("plain", 'a"b', "a:b\\c", "new\nline", "tab\tname", "é", "caf\udce9"):
        assert unquoted(quoted(name)) == name
    assert unquoted('"d\\303\\251\\tx"') == "dé\tx"
    assert os.fsencode(unquoted('"caf\\351"')) == b"caf\xe9"
    assert hunks(b"") == {}
