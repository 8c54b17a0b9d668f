"""`smriti skills`: files of others are never lost (cases SKILL)."""

from __future__ import annotations

import os
import re
import shlex

import pytest

from smriti_tui.domain import skill_pack
from smriti_tui.domain.skill_pack import VERSION, target
from smriti_tui.services.skills import pack_text
from tests.cli.calling import Cli
from tests.git.repository import repository

ONE: dict[str, object] = {"title": "one", "tasks": [{"text": "t", "id": "docs-1"}]}


def test_a_pack_is_installed_once_and_renewed(cli: Cli) -> None:
    path = cli.cwd / ".claude" / "skills" / "smriti" / "SKILL.md"
    planned = cli.call("skills", "install", "claude-code", "--dry-run", "--json").json
    assert (planned["action"], path.exists()) == ("planned", False)
    assert cli.call("skills", "install", "claude-code", "--json").json["action"] == "created"
    shown = cli.call("skills", "show", "claude-code").text
    assert path.read_text() == shown
    again = cli.call("skills", "install", "claude-code", "--json").json
    assert (again["action"], again["previous_version"]) == ("skipped", VERSION)
    forced = cli.call("skills", "install", "claude-code", "--force", "--json").json
    assert forced["action"] == "overwritten"


def test_a_foreign_or_edited_file_is_refused_and_unchanged(cli: Cli) -> None:
    path = cli.cwd / "AGENTS.md"
    path.write_text("# Ours\n")
    done = cli.call("skills", "install", "codex")
    assert done.code == 4
    assert "was not written by Smriti" in done.error
    assert path.read_text() == "# Ours\n"
    assert cli.call("skills", "install", "codex", "--force").code == 0
    path.write_text(path.read_text() + "mine\n")
    assert cli.call("skills", "install", "codex").code == 4
    assert path.read_text().endswith("mine\n")
    path.write_bytes(b"\xff\xfe")
    assert cli.call("skills", "install", "codex", "--force").code == 2
    assert cli.call("skills", "install", "nobody").code == 2
    elsewhere = cli.call("skills", "install", "codex", "--destination", "docs/A.md", "--json").json
    assert elsewhere["action"] == "created"


def test_init_installs_both_packs_and_leaves_a_foreign_one_alone(cli: Cli) -> None:
    (cli.cwd / "AGENTS.md").write_text("# Ours\n")
    done = cli.call("init", "Search")
    assert done.code == 0
    assert "skill pack codex: " in done.error
    assert (cli.cwd / "AGENTS.md").read_text() == "# Ours\n"
    assert (cli.cwd / ".claude" / "skills" / "smriti" / "SKILL.md").exists()
    assert [each["name"] for each in cli.call("skills", "list", "--json").json["targets"]] == [
        "claude-code", "codex", "generic",
    ]  # fmt: skip


@pytest.fixture
def attached(cli: Cli) -> Cli:
    """A project that `smriti init` has set up, in a repository, with a checkpoint."""
    cli.extra = {"SMRITI_BACKGROUND_MODEL": "demo"}
    repository(cli.cwd)
    assert cli.call("init", "Search").code == 0
    cli.checkpoint("Search", ONE)
    return cli


def test_every_command_of_the_pack_runs_as_it_is_written(attached: Cli) -> None:
    """With ids in the place of ID and names in the place of NAME and NEW."""
    cli = attached
    text = cli.call("skills", "show", "codex").text
    named = re.findall(r'`(?:cd "\$\()?(smriti [^`)]+)(?:\)")?`', text)
    assert len(named) >= 15
    for command in named:
        given = b'{"title": "more"}' if command.endswith("checkpoint.json") else b""
        words = [
            {"NAME": "Search", "NEW": "new"}.get(word, word)
            for word in shlex.split(command.removesuffix(" < checkpoint.json"))[1:]
        ]
        ids = (
            [cli.ok("claim", "create", "--scope", "x")["id"]] if words[0] == "claim"
            else [head(cli, "main"), head(cli, "new")] if words[0] == "merge"
            else [head(cli, "main")] * 2
        )  # fmt: skip
        words = [ids.pop(0) if word == "ID" else word for word in words]
        done = cli.call(*words, given=given)
        assert done.code == 0, (command, done.error)
    assert cli.ok("branch", "list", "Search")["branches"][1]["disposition"] == "abandoned"


def head(cli: Cli, branch: str) -> str:
    listed = cli.ok("checkpoint", "list", "Search", "--branch", branch)["checkpoints"]
    found = listed[0]["id"] if listed else cli.checkpoint("Search", ONE, "--branch", branch)["id"]
    return str(found)


def test_an_older_pack_is_renewed_and_a_newer_one_left(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = cli.cwd / "SMRITI.md"
    for version, code in (("0.9", 0), ("1.0", 0), ("1.10", 4), ("99", 4)):
        with monkeypatch.context() as patch:
            patch.setattr(skill_pack, "VERSION", version)
            path.write_text(pack_text(target("generic")))
        before = path.read_bytes()
        done = cli.call("skills", "install", "generic", "--json")
        assert done.code == code, version
        if code:
            assert "is of a newer version" in done.json["error"]["message"]
            assert path.read_bytes() == before
        else:
            assert (done.json["previous_version"], done.json["version"]) == (version, VERSION)
            assert path.read_text() == pack_text(target("generic"))
        path.unlink()


def test_links_pipes_and_folders_in_its_place(cli: Cli) -> None:
    outside = cli.folder / "outside"
    outside.mkdir()
    (outside / "A.md").write_text("# Theirs\n")
    path = cli.cwd / "AGENTS.md"

    def refused(code: int, word: str) -> None:
        done = cli.call("skills", "install", "codex", "--force")
        assert (done.code, word in done.error) == (code, True), done.error
        assert (outside / "A.md").read_text() == "# Theirs\n"
        assert sorted(outside.iterdir()) == [outside / "A.md"]

    path.symlink_to(outside / "A.md")
    refused(4, "leads out of this project")
    path.unlink()
    path.symlink_to(outside / "new.md")
    refused(4, "leads out of this project")
    path.unlink()
    path.symlink_to(path)
    refused(2, "cannot be")
    path.unlink()
    path.mkdir()
    refused(2, "is no file")
    path.rmdir()
    os.mkfifo(path)
    refused(2, "is no file")
    path.unlink()
    (cli.cwd / ".claude").symlink_to(outside, target_is_directory=True)
    assert cli.call("skills", "install", "claude-code").code == 4
    (cli.cwd / "docs.md").write_text("# Ours\n")
    path.symlink_to("docs.md")  # inside: still somebody's file
    assert "was not written by Smriti" in cli.call("skills", "install", "codex").error
    assert cli.call("skills", "install", "codex", "--force").code == 0
    assert path.is_symlink()
    assert "skill_pack_version" in (cli.cwd / "docs.md").read_text()
