"""The state says where the reader's repository differs from what the head recorded (STATE-27)."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calling import Cli
from tests.git.repository import Repository, repository


def state(cli: Cli, *extra: str) -> str:
    return cli.call("state", "Search", *extra).text


def saved(cli: Cli) -> Repository:
    made = repository(cli.cwd)
    cli.call("space", "create", "Search")
    (cli.cwd / "c.json").write_text('{"title": "T"}')
    made.git("add", "--all")
    made.git("commit", "-q", "-m", "c")
    cli.call("checkpoint", "create", "Search", "c.json")
    return made


def test_a_checkpoint_records_commit_and_branch_and_equal_says_nothing(cli: Cli) -> None:
    made = saved(cli)
    head = cli.call("state", "Search", "--json").json
    assert head["head"]["git"] == {"head": made.git("rev-parse", "HEAD"), "branch": "main"}
    assert head["repo_state"]["checkpoint"]["relation"] == "in_sync"
    assert head["repo_state"]["signals"] == []
    assert "## Repository" not in state(cli)


def test_ahead_behind_diverged_missing_and_another_branch_are_said(cli: Cli) -> None:
    made = saved(cli)
    start = made.git("rev-parse", "HEAD")
    made.commit("more")
    assert f"- 1 commit ahead of {start[:7]}, which the head recorded." in state(cli)
    made.git("checkout", "-q", "-b", "side")
    text = state(cli)
    assert "- The head was saved on main, you are on side." in text
    made.git("checkout", "-q", "main")
    made.git("reset", "-q", "--hard", f"{start}~1")
    assert "1 commit behind" in state(cli)
    made.commit("other")
    assert "Diverged from" in state(cli)
    made.git("checkout", "-q", "--detach")
    assert "- No branch is checked out." in state(cli)
    assert "## Repository" not in state(cli, "--main-only")


def test_another_repository_is_told_and_a_worktree_of_the_same_is_not(cli: Cli) -> None:
    made = saved(cli)
    tree = cli.call("worktree", "open", "Search", "--json").json
    cli.place = str(Path(tree["path"]))
    assert "not in the project root" not in state(cli)
    other = repository(cli.folder / "other")
    cli.place = str(other.path)
    text = state(cli)
    assert "not in the project root" in text
    assert "is not here" in text
    (cli.folder / "plain").mkdir()
    cli.place = str(cli.folder / "plain")
    assert cli.call("state", "Search", "--json").json["repo_state"] is None
    assert made.path.exists()
