"""Opening and closing where something stands in the way, or somebody else is quicker."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, GitError, Invalid, SmritiError
from smriti_tui.git import trees
from tests.git.repository import Repository, repository
from tests.git.test_trees import branches, opened

OLD_GIT = """#!/bin/sh
for word in "$@"; do
  if [ "$word" = -z ] && [ -n "$list" ]; then echo "error: unknown switch" >&2; exit 129; fi
  [ "$word" = list ] && list=1
done
exec {git} "$@"
"""


@pytest.mark.parametrize("same", ["branch", "path"])
def test_of_two_that_want_the_same_one_gets_it_and_the_other_harms_nothing(
    tmp_path: Path, same: str
) -> None:
    made = repository(tmp_path / "r")
    for turn in range(4):
        paths = [tmp_path / f"{turn}{'' if same == 'path' else n}" for n in range(2)]
        names = [f"b{turn}{'' if same == 'branch' else n}" for n in range(2)]

        def open_one(path: Path, name: str) -> SmritiError | None:
            try:
                opened(made, path, name)
            except SmritiError as error:
                return error
            return None

        with ThreadPoolExecutor(2) as pool:
            failed = list(pool.map(open_one, paths, names))
        won = failed.index(None)
        lost = failed[1 - won]
        assert isinstance(lost, Conflict), lost
        assert Repository(paths[won]).git("branch", "--show-current") == names[won]
        assert (paths[won] / "file").read_text() == "one\ntwo\nthree\n"
        if same == "branch":
            assert not paths[1 - won].exists()
        else:
            assert names[1 - won] not in branches(made)


def test_a_checkout_that_fails_leaves_neither_folder_nor_branch_nor_record(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    made.commit(".gitattributes", "file filter=x\n")
    made.git("config", "filter.x.smudge", "false")
    made.git("config", "filter.x.required", "true")
    with pytest.raises(GitError):
        opened(made, tmp_path / "deep" / "w")
    assert not (tmp_path / "deep").exists()
    assert branches(made) == ["main"]
    assert len(trees.listed(made.path)) == 1


def test_the_record_of_what_was_at_the_path_goes_and_no_other(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    for name in ("a", "b", "locked"):
        opened(made, tmp_path / name, name)
        shutil.rmtree(tmp_path / name)
    made.git("worktree", "lock", "--reason", "on a\nstick", str(tmp_path / "locked"))
    again = opened(made, tmp_path / "a", "a2")
    assert again.git("branch", "--show-current") == "a2"
    with pytest.raises(Conflict) as error:
        opened(made, tmp_path / "locked", "other")
    assert (error.value.code, "on a stick" in str(error.value)) == ("locked_worktree", True)
    assert not (tmp_path / "locked").exists()
    with pytest.raises(Conflict, match="b, which is gone"):
        opened(made, tmp_path / "new", "b")
    assert [each.branch for each in trees.listed(made.path)] == ["main", "a2", "b", "locked"]


def test_a_tag_of_the_same_name_is_not_taken_for_the_branch(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    made.git("tag", "topic")
    made.commit("file", "newer\n")
    tree = opened(made, tmp_path / "w")
    assert tree.git("symbolic-ref", "HEAD") == "refs/heads/topic"
    assert tree.git("rev-parse", "HEAD") == made.git("rev-parse", "HEAD")
    assert (tree.path / "file").read_text() == "newer\n"
    assert tree.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["HEAD", "@", "@{-1}", "-", "a\0b", "a\nb", "ä..b", "refs//x"])
def test_no_names_for_branches(tmp_path: Path, name: str) -> None:
    made = repository(tmp_path / "r")
    with pytest.raises(Invalid) as error:
        opened(made, tmp_path / "w", name)
    assert error.value.field == "branch"
    assert not (tmp_path / "w").exists()


def test_a_link_or_another_tree_in_its_place_is_left_alone(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    a, b = opened(made, tmp_path / "a", "a"), opened(made, tmp_path / "b", "b")
    a.path.rename(tmp_path / "away")
    a.path.symlink_to(b.path)
    with pytest.raises(Conflict) as error:
        trees.remove(made.path, a.path, force=True)
    assert error.value.code == "not_a_worktree"
    a.path.unlink()
    (tmp_path / "away").rename(a.path)
    made.git("worktree", "move", str(a.path), str(tmp_path / "moved"))
    made.git("worktree", "move", str(b.path), str(a.path))
    with pytest.raises(Conflict) as error:
        trees.remove(made.path, a.path, force=True, branch="a")
    assert error.value.code == "not_a_worktree"
    assert len(trees.listed(made.path)) == 3
    made.git("branch", "-m", "b", "renamed")
    trees.remove(made.path, a.path, branch="b")
    assert [each.branch for each in trees.listed(made.path)] == ["main", "a"]


def in_front_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A program that does something and then is git; it finds the real one as `{git}`."""
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(text.format(git=shutil.which("git")))
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")


def test_what_is_written_between_the_look_and_the_removal_stands_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository(tmp_path / "r")
    made.git("config", "status.showUntrackedFiles", "no")
    tree = opened(made, tmp_path / "w")
    write = f"case \"$*\" in *'worktree remove'*) touch {tree.path}/new;; esac\n"
    in_front_of_git(tmp_path, monkeypatch, f'#!/bin/sh\n{write}exec {{git}} "$@"\n')
    with pytest.raises(Conflict) as error:
        trees.remove(made.path, tree.path)
    assert (error.value.code, error.value.details["paths"]) == ("dirty_worktree", ["new"])
    assert (tree.path / "new").exists()


def test_commits_that_only_a_submodule_has_stand_in_the_way(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    made = repository(tmp_path / "r")
    allow = ("-c", "protocol.file.allow=always")
    made.git(*allow, "submodule", "add", "-q", str(inner.path), "sub")
    made.git("commit", "-q", "-m", "sub")
    tree = opened(made, tmp_path / "w")
    tree.git(*allow, "submodule", "update", "--init", "-q")
    Repository(tree.path / "sub").commit("new")
    tree.git("commit", "-q", "-a", "-m", "bump")
    with pytest.raises(Conflict) as error:
        trees.remove(made.path, tree.path)
    assert error.value.code == "unpushed_submodule"
    trees.remove(made.path, tree.path, force=True)


def test_a_git_without_z_lists_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository(tmp_path / "r")
    tree = opened(made, tmp_path / "w ü")
    in_front_of_git(tmp_path, monkeypatch, OLD_GIT)
    assert [each.branch for each in trees.listed(made.path)] == ["main", "topic"]
    trees.remove(made.path, tree.path)
    assert not tree.path.exists()


def test_with_longer_hashes_it_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.mkdir()
    made = Repository(path)
    made.git("init", "-q", "-b", "main", "--object-format=sha256")
    commit = made.commit()
    tree = opened(made, tmp_path / "w")
    assert (len(commit), tree.git("rev-parse", "HEAD")) == (64, commit)
    trees.remove(made.path, tree.path)


def test_a_folder_that_cannot_be_looked_at_is_not_gone(tmp_path: Path) -> None:
    assert trees.is_gone(tmp_path / "no")
    assert not trees.is_gone(tmp_path / ("x" * 300))
    (tmp_path / "link").symlink_to("nowhere")
    assert not trees.is_gone(tmp_path / "link")
