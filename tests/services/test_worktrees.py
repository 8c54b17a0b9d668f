"""Worktrees in a Space: recorded, probed, closed; what their work does to each other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from smriti_tui.domain.checkpoint_input import parse_checkpoint
from smriti_tui.domain.errors import Conflict, GitError, Invalid, StoreError
from smriti_tui.domain.ids import SpaceId, new_id
from smriti_tui.domain.render.state import state_brief
from smriti_tui.services import Services
from smriti_tui.store.verify import verify
from tests.git.repository import Repository, repository

PATIENCE = 5
"""How often a state is asked for on a machine that does other things."""


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    return repository(tmp_path / "project")


@pytest.fixture
def space(services: Services, project: Repository) -> SpaceId:
    return services.spaces.create("Smriti Dev!", project_root=str(project.path)).id


def test_a_worktree_is_opened_where_its_name_says(
    services: Services, space: SpaceId, project: Repository, tmp_path: Path
) -> None:
    made = services.worktrees.open(space)
    digits = made.branch.rpartition("/")[2]
    assert made.branch == f"smriti/ada/{digits}"
    assert made.path == str(tmp_path / "worktrees" / "smriti-dev" / f"ada-{digits}")
    assert (made.base, made.status) == (project.git("rev-parse", "HEAD"), "active")
    look = services.worktrees.look([made])[0]
    assert look.probed is not None
    assert (look.probed.branch, look.probed.dirty) == (made.branch, ())
    own = services.worktrees.open(space, branch="x", base="HEAD", path=str(tmp_path / "here"))
    assert (own.branch, own.path) == ("x", str(tmp_path / "here"))
    with pytest.raises(Invalid, match="absolute"):
        services.worktrees.open(space, path="relative/x")
    closed = services.worktrees.close(made.id)
    assert (closed.status, services.worktrees.close(made.id)) == ("closed", closed)
    assert [each.id for each in services.worktrees.of_space(space)] == [own.id]
    assert len(services.worktrees.of_space(space, every=True)) == 2
    assert services.worktrees.look([closed])[0].probed is None
    with services.caller.read() as tx:
        assert verify(tx).difference is None


def test_the_root_is_the_spaces_else_the_newest_checkpoints_and_then_stays(
    services: Services, project: Repository, tmp_path: Path
) -> None:
    space = services.spaces.create("Search").id
    with pytest.raises(Invalid) as error:
        services.worktrees.open(space)
    assert error.value.code == "no_project_root"
    content = parse_checkpoint({"title": "T", "project_root": str(project.path)})
    services.checkpoints.create(space, content)
    services.worktrees.open(space)
    assert services.spaces.get(space).project_root == str(project.path)
    services.spaces.change(space, project_root=str(tmp_path / "gone"))
    with pytest.raises(GitError) as gone:
        services.worktrees.open(space)
    assert gone.value.code == "root_missing"


def test_a_repeated_command_opens_and_closes_one(services: Services, project: Repository) -> None:
    space = services.spaces.create("Search").id
    content = parse_checkpoint({"title": "T", "project_root": str(project.path)})
    services.checkpoints.create(space, content)
    command, close = new_id(), new_id()
    first = services.worktrees.open(space, command_id=command)
    assert services.worktrees.open(space, command_id=command).id == first.id
    assert len(services.worktrees.of_space(space)) == 1
    other = services.worktrees.open(space)
    assert services.worktrees.close(first.id, command_id=close).id == first.id
    assert services.worktrees.close(other.id, command_id=close).id == first.id
    assert Path(other.path).is_dir()


def test_the_id_of_another_command_is_refused_before_git_is_asked(
    services: Services, space: SpaceId
) -> None:
    claimed, opened = new_id(), new_id()
    services.claims.take(space, "x", command_id=claimed)
    tree = services.worktrees.open(space, command_id=opened)
    with pytest.raises(Conflict) as open_again:
        services.worktrees.open(space, command_id=claimed)
    with pytest.raises(Conflict) as close_again:
        services.worktrees.close(tree.id, command_id=opened)
    assert open_again.value.code == close_again.value.code == "command_id"
    assert [each.id for each in services.worktrees.of_space(space)] == [tree.id]
    assert Path(tree.path).is_dir()


def test_a_write_that_fails_takes_the_worktree_back(
    services: Services, space: SpaceId, project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(type(services.caller), "write", full)
    with pytest.raises(StoreError):
        services.worktrees.open(space)
    assert project.git("worktree", "list").count("\n") == 0
    assert project.git("branch", "--format=%(refname:short)") == "main"


def test_missing_moved_and_lost_ones(
    services: Services, space: SpaceId, project: Repository, tmp_path: Path
) -> None:
    gone, moved = services.worktrees.open(space), services.worktrees.open(space)
    shutil.rmtree(gone.path)
    with pytest.raises(Conflict) as error:
        services.worktrees.close(gone.id)
    assert error.value.code == "worktree_missing"
    assert "--force" in error.value.hint
    assert services.worktrees.look([gone])[0].probed is not None
    project.git("worktree", "move", moved.path, str(tmp_path / "elsewhere"))
    with pytest.raises(Conflict, match="was moved"):
        services.worktrees.close(moved.id)
    assert {each.id for each in services.worktrees.prune(space)} == {gone.id, moved.id}
    assert (tmp_path / "elsewhere").exists()
    lost = services.worktrees.open(space)
    shutil.rmtree(lost.path)
    project.path.rename(tmp_path / "project-moved")
    assert services.worktrees.close(lost.id, force=True).status == "closed"


def test_the_state_tells_of_worktrees_and_what_they_do_to_each_other(
    services: Services, space: SpaceId, project: Repository
) -> None:
    project.commit("index/build.py", "".join(f"line {n}\n" for n in range(20)))
    one, two = services.worktrees.open(space), services.worktrees.open(space)
    claim = services.claims.take(space, "docs in README.md", worktree=one.id[:8]).claim
    assert claim.worktree == one.id
    for tree, word in ((one, "mine"), (two, "theirs")):
        Repository(Path(tree.path)).write(
            "index/build.py", "".join(f"{word if n == 7 else 'line'} {n}\n" for n in range(20))
        )
    for _ in range(PATIENCE):
        # A worktree that git cannot tell of in time says so, and is asked for again.
        services.worktrees.probes.drop([Path(one.path), Path(two.path)])
        view = services.state.view(space)
        if len(view.signals) == 2:
            break
    assert [look.probed.fault for look in view.worktrees if look.probed] == ["", ""]
    assert {each.kind: each.certainty for each in view.signals} == {
        "worktrees": "certain", "off_claim": "possible",
    }  # fmt: skip
    text = state_brief(view).text
    assert "1 dirty (index/build.py)" in text
    assert "certain: ada and ada cannot be merged as they are: index/build.py" in text
    assert "index/build.py 8 (certain)" in text
    Repository(Path(one.path)).git("checkout", "-q", "--", ".")
    Repository(Path(two.path)).git("checkout", "-q", "--", ".")
    for tree in (one, two):
        services.worktrees.close(tree.id)
    closed = state_brief(services.state.view(space)).text
    assert "is closed" in closed
    with pytest.raises(Conflict):
        services.claims.take(space, "x", worktree=one.id)
