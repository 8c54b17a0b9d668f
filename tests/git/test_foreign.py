"""A repository's own settings start no program and hide nothing while it is looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from smriti_tui.git.foreign import foreign
from smriti_tui.git.places import place
from smriti_tui.git.status import probe
from tests.git.repository import Repository, repository


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    return tmp_path / "proof"


@pytest.fixture
def evil(tmp_path: Path, proof: Path) -> str:
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\ntouch '{proof}'\ncat\n")
    program.chmod(0o755)
    return str(program)


def filtered(made: Repository) -> None:
    """A file that git has to read again, and that a filter named x is for."""
    made.write("file", "One\ntwo\nthree\n")
    made.write(".git/info/attributes", "* filter=x diff=x\n")


@pytest.mark.parametrize("way", ["clean", "process", "included", "for the worktree"])
def test_filters_of_a_repository_do_not_run(
    tmp_path: Path, evil: str, proof: Path, way: str
) -> None:
    made = repository(tmp_path / "r")
    name = f"filter.x.{'process' if way == 'process' else 'clean'}"
    if way == "included":
        made.git("config", "-f", ".git/more", name, evil)
        made.git("config", "include.path", "more")
    elif way == "for the worktree":
        made.git("config", "extensions.worktreeConfig", "true")
        made.git("config", "--worktree", name, evil)
    else:
        made.git("config", name, evil)
    made.git("config", "filter.x.required", "true")
    made.git("config", "diff.x.textconv", evil)
    filtered(made)
    found = probe(made.path, 5)
    assert (found.fault, found.dirty) == ("", ("file",))
    assert not proof.exists()


def test_filters_of_a_submodule_do_not_run(tmp_path: Path, evil: str, proof: Path) -> None:
    inner = repository(tmp_path / "inner")
    made = repository(tmp_path / "r")
    made.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    made.git("commit", "-q", "-m", "sub")
    sub = Repository(made.path / "sub")
    sub.git("config", "filter.x.clean", evil)
    (made.path / ".git/modules/sub/info/attributes").write_text("* filter=x\n")
    sub.write("file", "One\ntwo\nthree\n")
    assert probe(made.path, 5).dirty == ("sub",)
    assert not proof.exists()


def test_filters_of_the_person_do_run(tmp_path: Path, home: Path) -> None:
    made = repository(tmp_path / "r")
    (home / ".gitconfig").write_text('[filter "x"]\n\tclean = tr O o\n')
    filtered(made)
    assert foreign(place(made.path), 5).quiet == {}
    assert probe(made.path, 5).dirty == ()


def test_settings_hide_nothing(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    made = repository(tmp_path / "r")
    made.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    made.git("commit", "-q", "-m", "sub")
    for name, value in (
        ("status.showUntrackedFiles", "no"),
        ("status.renames", "false"),
        ("status.relativePaths", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("submodule.sub.ignore", "all"),
        ("core.quotePath", "true"),
    ):
        made.git("config", name, value)
    made.git("mv", "file", "ä")
    made.write("dir é/notes ä.md", "x")
    made.write("sub/new", "x")
    assert probe(made.path, 5).dirty == ("sub", "file → ä", "dir é/notes ä.md")


def test_a_folder_inside_a_repository_is_not_taken_for_it(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    inside = made.worktree("r/inside", "topic")
    (inside.path / ".git").unlink()
    assert probe(inside.path, 5).fault == "it is no git repository"
    (inside.path / ".git").mkdir()
    assert probe(inside.path, 5).fault == "it is no git repository"
    (inside.path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    found = probe(inside.path, 5)
    assert found.branch is None
    assert "not a git repository" in found.fault


def test_a_worktree_that_its_repository_forgot_says_so(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    tree = made.worktree("wt")
    away = tmp_path / "away"
    tree.path.rename(away)
    made.git("worktree", "prune", "--expire", "now")
    assert probe(away, 5).fault == "its repository does not know it any more"


def test_a_branch_may_have_the_name_of_none(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    made.git("checkout", "-q", "-b", "(detached)")
    assert probe(made.path, 5).branch == "(detached)"
    made.git("checkout", "-q", "--detach")
    assert probe(made.path, 5).branch is None


def test_a_name_that_is_no_text_is_told_as_it_is(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    Path(os.fsdecode(os.fsencode(made.path) + b"/caf\xe9")).write_text("x")
    assert [os.fsencode(each) for each in probe(made.path, 5).dirty] == [b"caf\xe9"]
