"""`smriti worktree` as agents call it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calling import Cli
from tests.git.repository import Repository, repository


def project(cli: Cli) -> Repository:
    made = repository(cli.cwd)
    cli.call("space", "create", "Search")
    return made


def test_open_prints_the_path_alone(cli: Cli) -> None:
    project(cli)
    done = cli.run("worktree", "open", "Search")
    path = Path(done.text.removesuffix("\n"))
    assert (done.code, path.is_dir(), done.text.count("\n")) == (0, True, 1)
    made = cli.call("worktree", "open", "Search", "--json", "--actor", "Codex").json
    assert made["branch"].startswith("smriti/codex/")
    assert made["probe"]["dirty_files"] == 0
    rows = cli.call("worktree", "list", "Search").text
    assert made["id"][:7] in rows
    assert "  0  " in rows
    shown = cli.call("worktree", "show", made["id"][:12], "--json").json
    assert shown["id"] == made["id"]


def test_close_refuses_what_would_be_lost_and_prune_finds_what_is_gone(cli: Cli) -> None:
    made = project(cli)
    tree = cli.call("worktree", "open", "Search", "--json").json
    (Path(tree["path"]) / "new").write_text("x")
    refused = cli.call("worktree", "close", tree["id"], "--json")
    assert (refused.code, refused.json["error"]["code"]) == (4, "dirty_worktree")
    assert "--force" in refused.error
    assert cli.call("worktree", "close", tree["id"], "--force").code == 0
    assert "closed already" in cli.call("worktree", "close", tree["id"]).text
    other = cli.call("worktree", "open", "Search", "--json").json
    Path(other["path"]).rename(cli.folder / "away")
    assert cli.call("worktree", "close", other["id"]).code == 4
    assert "the folder is missing" in cli.call("worktree", "list", "Search").text
    assert cli.call("worktree", "prune", "Search", "--json").json["closed"] == [other["id"]]
    assert cli.call("worktree", "prune", "Search").text == "No worktree's folder is gone.\n"
    assert tree["branch"] in made.git("branch", "--format=%(refname:short)")
    assert "closed just now" in cli.call("worktree", "list", "Search", "--all").text


def test_without_a_root_it_names_the_way_to_one(cli: Cli) -> None:
    cli.call("space", "create", "Search", "--no-project-root")
    done = cli.call("worktree", "open", "Search")
    assert done.code == 2
    assert "set-project-root" in done.error


def test_a_new_worktree_is_set_up_as_the_person_allowed(cli: Cli) -> None:
    made = project(cli)
    made.write(".env", "KEY=1\n")
    (made.path / "out").symlink_to("/etc")
    refused = cli.call("worktree", "setup", "Search", "--run", "touch ran")
    assert refused.code == 7
    for bad in ("/etc/passwd", "../x", " "):
        assert cli.call("worktree", "setup", "Search", "--copy", bad, "--yes").code == 2
    wish = ["--copy", ".env", "--copy", "no", "--copy", "out/passwd", "--copy", "file"]
    command = "echo noise; touch ran; exit 3"
    assert cli.call("worktree", "setup", "Search", *wish, "--run", command, "--yes").code == 0
    done = cli.run("worktree", "open", "Search")
    tree = Path(done.text.removesuffix("\n"))
    assert done.code == 0
    assert (tree / ".env").read_text() == "KEY=1\n"
    assert (tree / "ran").exists()
    assert not (tree / "out").exists()
    for said in (
        "no was not copied: there is no such file", "out/passwd was not copied: it leads out",
        "file was not copied: the worktree has one", "failed with exit code 3: noise",
    ):  # fmt: skip
        assert said in done.error
    assert cli.call("worktree", "setup", "Search", "--json").json["run"] == command
    assert cli.call("worktree", "setup", "Search", "--clear").text.startswith("Nothing is done")


def test_in_a_worktree_no_command_needs_the_name_of_the_space(cli: Cli) -> None:
    project(cli)
    cli.call("space", "create", "Other")
    tree = cli.call("worktree", "open", "Search", "--json").json
    inner = Path(tree["path"]) / "src"
    inner.mkdir()
    cli.place = str(inner)
    for command in (["state"], ["claim", "list"], ["status"]):
        done = cli.call(*command)
        assert (done.code, "No Space is named" in done.text) == (0, False), done.error
    assert "# Search" in cli.call("state").text
    cli.place = ""
    assert cli.call("worktree", "close", tree["id"], "--force").code == 0
    inner.mkdir(parents=True)
    cli.place = str(inner)
    assert cli.call("state").code == 2
