"""Worktrees opened and closed in real repositories: never another than the one that is meant."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, GitError, Invalid
from smriti_tui.domain.slugs import branch_for, folder_for, slug
from smriti_tui.git import trees
from tests.git.repository import Repository, empty, repository

NAMES = ("wt 1", "proj ü (copy)", "new\nline", "a -> b", 'q"', "-dash", "फ़ाइल")


def opened(made: Repository, path: Path, branch: str = "topic") -> Repository:
    trees.add(made.path, path, branch, trees.head(made.path))
    return Repository(path)


def branches(made: Repository) -> list[str]:
    return made.git("branch", "--format=%(refname:short)").split("\n")


@pytest.mark.parametrize("name", NAMES)
def test_odd_paths_are_opened_listed_and_closed(tmp_path: Path, name: str) -> None:
    made = repository(tmp_path / "r")
    tree = opened(made, tmp_path / "deep" / name)
    assert trees.listed(made.path)[1] == trees.Listed(tree.path, "topic")
    trees.remove(made.path, tree.path)
    assert not tree.path.exists()
    assert branches(made) == ["main", "topic"]


def test_what_is_taken_is_refused_and_named(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    tree = opened(made, tmp_path / "w", "feat/x")
    for branch, place in (("feat/x", tree.path), ("main", made.path)):
        with pytest.raises(Conflict) as error:
            opened(made, tmp_path / "other", branch)
        assert str(place) in str(error.value)
    made.git("branch", "free")
    for branch in ("free", "feat", "feat/x/y"):
        with pytest.raises(Conflict) as error:
            opened(made, tmp_path / "other", branch)
        assert error.value.code == "branch_exists"
    for branch in ("-x", "a b", "a..b", "", "x.lock", " x"):
        with pytest.raises(Invalid):
            opened(made, tmp_path / "other", branch)
    (tmp_path / "other").mkdir()
    with pytest.raises(Conflict) as error:
        opened(made, tmp_path / "other", "fine")
    assert error.value.code == "path_taken"
    assert (tmp_path / "other").is_dir()
    assert branches(made) == ["feat/x", "free", "main"]


def test_a_failed_opening_leaves_nothing(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    with pytest.raises(GitError):
        trees.add(made.path, tmp_path / "a" / "b" / "w", "topic", "0" * 40)
    assert not (tmp_path / "a").exists()
    assert branches(made) == ["main"]
    with pytest.raises(Invalid) as error:
        trees.head(empty(tmp_path / "e").path)
    assert error.value.code == "no_commit"
    with pytest.raises(Invalid):
        trees.head(made.path, "--help")


def test_what_would_be_lost_stands_in_the_way(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    tree = opened(made, tmp_path / "w")
    tree.write("untracked", "x")
    with pytest.raises(Conflict) as error:
        trees.remove(made.path, tree.path)
    assert (error.value.code, error.value.details["paths"]) == ("dirty_worktree", ["untracked"])
    tree.git("add", "--all")
    tree.git("commit", "-q", "-m", "x")
    made.commit("file", "other\n")
    tree.commit("file", "mine\n")
    tree.git("rebase", "main", fails=True)
    with pytest.raises(Conflict) as error:
        trees.remove(made.path, tree.path)
    assert error.value.code == "operation_in_progress"
    tree.git("rebase", "--abort")
    made.git("worktree", "lock", "--reason", "on a stick", str(tree.path))
    with pytest.raises(Conflict, match="on a stick"):
        trees.remove(made.path, tree.path, force=True)
    made.git("worktree", "unlock", str(tree.path))
    trees.remove(made.path, tree.path)
    with pytest.raises(Conflict) as error:
        trees.remove(made.path, made.path, force=True)
    assert error.value.code == "not_a_worktree"
    assert made.path.exists()


def test_force_loses_what_is_dirty_and_keeps_the_branch(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    tree = opened(made, tmp_path / "w")
    tree.write("untracked", "x")
    trees.remove(made.path, tree.path, force=True)
    assert not tree.path.exists()
    assert "topic" in branches(made)


def test_closing_one_leaves_a_moved_one_and_its_half_done_work_alone(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    made.git("config", "gc.worktreePruneExpire", "now")
    a, b = opened(made, tmp_path / "a", "a"), opened(made, tmp_path / "b", "b")
    gone = opened(made, tmp_path / "c", "c")
    b.write("staged", "s")
    b.git("add", "staged")
    away = tmp_path / "away"
    b.path.rename(away)
    shutil.rmtree(gone.path)
    trees.remove(made.path, a.path)
    assert trees.forget(made.path, gone.path)
    assert not trees.forget(made.path, tmp_path / "never")
    away.rename(b.path)
    assert b.git("status", "--porcelain") == "A  staged"
    assert [each.branch for each in trees.listed(made.path)] == ["main", "b"]
    opened(made, gone.path, "c2")


def test_a_worktree_with_submodules_closes(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    made = repository(tmp_path / "r")
    allow = ("-c", "protocol.file.allow=always")
    made.git(*allow, "submodule", "add", "-q", str(inner.path), "sub")
    made.git("commit", "-q", "-m", "sub")
    tree = opened(made, tmp_path / "w")
    tree.git(*allow, "submodule", "update", "--init", "-q")
    Repository(tree.path / "sub").write("new", "x")
    with pytest.raises(Conflict):
        trees.remove(made.path, tree.path)
    (tree.path / "sub" / "new").unlink()
    trees.remove(made.path, tree.path)
    assert not tree.path.exists()


def test_names_for_branches_and_folders() -> None:
    assert [slug(name, "agent") for name in ("Smriti Dev!", "Claude_Code v2", "!!!")] == [
        "smriti-dev", "claude-code-v2", "agent",
    ]  # fmt: skip
    assert branch_for("Codex", "1234abcd") == "smriti/codex/1234abcd"
    assert folder_for("खोज", "Codex", "1234abcd") == "space/codex-1234abcd"
