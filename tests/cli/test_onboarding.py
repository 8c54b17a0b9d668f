"""`smriti attach` and `smriti init` (cases ATTACH, INIT)."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.calling import Cli


def binding(cli: Cli) -> dict[str, object]:
    found: dict[str, object] = json.loads((cli.cwd / ".smriti.json").read_text())
    return found


def hooks(cli: Cli) -> list[dict[str, object]]:
    settings = json.loads((cli.cwd / ".claude" / "settings.json").read_text())
    found: list[dict[str, object]] = settings["hooks"]["SessionStart"]
    return found


def test_a_folder_is_bound_and_commands_below_it_need_no_space(cli: Cli) -> None:
    cli.space()
    cli.call("space", "create", "Other")
    assert cli.call("attach").code == 3
    made = cli.call("attach", "Search", "--json").json
    assert made["steps"][0]["outcome"] == "created"
    found = binding(cli)
    assert (found["version"], found["space"]) == (1, "Search")
    assert str(found["attached_at"]).endswith("Z")
    (cli.cwd / "a" / "b").mkdir(parents=True)
    cli.place = "a/b"
    for command in (["state"], ["current"], ["claim", "list"], ["metrics"], ["checkpoint", "list"]):
        assert cli.call(*command).code == 0, command
    assert "# Search" in cli.call("state").text
    assert "# Other" in cli.call("state", "Other").text
    assert cli.call("attach", "--json").json["space"] == "Search"


def test_status_names_the_space_its_head_and_the_claims(cli: Cli) -> None:
    cli.space()
    cli.call("attach", "Search")
    for scope in ("load test", "docs"):
        cli.call("claim", "create", "--scope", scope)
    text = cli.call("status").text
    assert "Search" in text
    assert "ada: docs; ada: load test" in text
    found = cli.call("status", "--json").json
    assert [each["scope"] for each in found["claims"]] == ["docs", "load test"]
    (cli.cwd / ".smriti.json").write_text("no json")
    assert "does not count" in cli.call("status").text


def test_attaching_again_changes_the_space_and_keeps_what_others_wrote(cli: Cli) -> None:
    cli.space()
    cli.call("space", "create", "Other")
    (cli.cwd / ".smriti.json").write_text('{"space": "Search", "mine": [1]}')
    assert cli.call("attach", "Other").code == 0
    assert binding(cli)["mine"] == [1]
    assert binding(cli)["space"] == "Other"
    again = cli.call("attach", "Other", "--json").json
    assert again["steps"][0]["outcome"] == "unchanged"


@pytest.mark.parametrize("content", ["no json", "[]", '"x"', "{", "\xff\xfe"])
def test_what_is_no_binding_is_left_alone_and_named(cli: Cli, content: str) -> None:
    cli.space()
    path = cli.cwd / ".smriti.json"
    path.write_bytes(content.encode("latin-1"))
    done = cli.call("attach", "Search")
    assert done.code == 4
    assert str(path) in done.error
    assert path.read_bytes() == content.encode("latin-1")


def test_init_makes_what_is_missing_once(cli: Cli) -> None:
    planned = cli.call("init", "Search", "--dry-run", "--json").json
    assert next(each["outcome"] for each in planned["steps"]) == "planned"
    assert not (cli.cwd / ".smriti.json").exists()
    assert cli.call("space", "list", "--json").json["spaces"] == []
    made = cli.call("init", "Search", "--description", "Which index", "--json").json
    assert made["space"]["project_root"] == str(cli.cwd)
    assert [each["matcher"] for each in hooks(cli)] == ["startup", "compact", "resume"]
    before = (cli.cwd / ".claude" / "settings.json").read_bytes()
    again = cli.call("init", "--json").json
    assert {each["outcome"] for each in again["steps"]} == {"unchanged"}
    assert (cli.cwd / ".claude" / "settings.json").read_bytes() == before
    assert len(cli.call("space", "list", "--json").json["spaces"]) == 1


def test_init_tells_how_a_host_starts_the_server(cli: Cli) -> None:
    made = cli.call("init", "Search", "--json").json
    server = made["mcp_settings"]["mcpServers"]["smriti"]
    assert server["command"] == str(Path(sys.executable).with_name("smriti-mcp"))
    assert server["args"] == ["--actor", "claude-code"]
    told = cli.call("init", "Search").text
    assert json.dumps(made["mcp_settings"]) in told


def test_a_named_database_is_named_to_hook_and_server_too(cli: Cli) -> None:
    made = cli.call("init", "Search", "--db", "my files/x.db", "--json").json
    path = str(cli.cwd / "my files" / "x.db")
    assert made["mcp_settings"]["mcpServers"]["smriti"]["args"][:2] == ["--db", path]
    command = hooks(cli)[0]["hooks"][0]["command"]  # type: ignore[index]
    assert shlex.split(command)[1:] == ["--db", path, "state", "--compact", "--hook"]
    done = cli.hooked(command)
    assert (done.code, done.out[:8]) == (0, b"# Search")
    again = cli.call("init", "--db", path, "--json").json
    assert {each["outcome"] for each in again["steps"]} == {"unchanged"}


def test_init_keeps_other_settings_and_other_hooks_first_and_renews_ours(cli: Cli) -> None:
    path = cli.cwd / ".claude" / "settings.json"
    path.parent.mkdir()
    other = {"matcher": "startup", "hooks": [{"type": "command", "command": "echo hi"}]}
    stale = {"matcher": "startup", "hooks": [
        {"type": "command", "command": "/old/smriti state --compact --hook"},
        {"type": "command", "command": "echo both"},
    ]}  # fmt: skip
    path.write_text(json.dumps({"model": "x", "hooks": {"SessionStart": [stale, other]}}))
    cli.call("init", "Search")
    settings = json.loads(path.read_text())
    assert settings["model"] == "x"
    found = hooks(cli)
    assert found[1] == other
    assert found[0]["hooks"] == [{"type": "command", "command": "echo both"}]
    assert [each["matcher"] for each in found[2:]] == ["startup", "compact", "resume"]
    assert "/old/" not in path.read_text()


@pytest.mark.parametrize("content", ["{ not json", "[1]", '{"hooks": {"SessionStart": {}}}'])
def test_settings_that_cannot_be_read_are_left_alone_and_named(cli: Cli, content: str) -> None:
    path = cli.cwd / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(content)
    done = cli.call("init", "Search")
    assert done.code == 0
    assert f"hook: {path} was left alone" in done.error
    assert path.read_text() == content


def test_a_name_that_fits_two_spaces_stops_init(cli: Cli) -> None:
    for _ in range(2):
        cli.call("space", "create", "Search")
    done = cli.call("init", "search", "--json")
    assert done.code == 4
    assert len(done.json["error"]["details"]["candidates"]) == 2
    assert not (cli.cwd / ".smriti.json").exists()


def test_nothing_is_written_through_a_link_that_leads_out_of_the_project(
    cli: Cli, tmp_path: Path
) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (cli.cwd / ".claude").symlink_to(outside)
    (cli.cwd / "AGENTS.md").symlink_to(outside / "agents")
    done = cli.call("init", "Search", "--json")
    assert done.code == 0
    assert [each["outcome"] for each in done.json["steps"][2:]] == ["left", "left", "left"]
    assert list(outside.iterdir()) == []
    assert cli.call("skills", "install", "codex", "--force").code == 4
    (cli.cwd / ".smriti.json").unlink()
    (cli.cwd / ".smriti.json").symlink_to(outside / "binding")
    assert cli.call("attach", "Search").code == 4
    assert list(outside.iterdir()) == []


def test_named_pipes_are_not_waited_for(cli: Cli) -> None:
    (cli.cwd / ".claude").mkdir()
    os.mkfifo(cli.cwd / ".claude" / "settings.json")
    os.mkfifo(cli.cwd / "AGENTS.md")
    done = cli.call("init", "Search", "--json")
    assert [each["outcome"] for each in done.json["steps"][3:]] == ["left", "left"]
    (cli.cwd / ".smriti.json").unlink()
    os.mkfifo(cli.cwd / ".smriti.json")
    assert cli.call("attach", "Search").code == 4


def test_half_a_surrogate_pair_names_no_space(cli: Cli) -> None:
    (cli.cwd / ".smriti.json").write_text('{"space": "\\ud800", "space_id": "\\udfff"}')
    done = cli.call("status", "--json")
    assert (done.code, done.json["attachment"]["fault"]) == (0, "it names no Space")
    assert cli.call("state").code == 2


def test_what_writes_files_takes_no_at(cli: Cli) -> None:
    cli.space()
    for command in (
        ["attach", "Search"], ["init"], ["skills", "install", "codex"],
        ["worktree", "setup", "Search", "--clear", "--yes"],
    ):  # fmt: skip
        done = cli.call(*command, "--at", "1")
        assert (done.code, "takes no --at" in done.error) == (2, True), command
    assert not (cli.cwd / "AGENTS.md").exists()


def test_init_in_a_clone_says_how_its_space_is_made(cli: Cli) -> None:
    (cli.cwd / ".smriti.json").write_text('{"space": "Our search"}')
    done = cli.call("init")
    assert done.code == 3
    assert "`smriti init 'Our search'`" in done.error
    assert cli.call("init", "Our search").code == 0


def test_a_dry_run_names_every_step_and_a_folder_that_cannot_be_bound_makes_no_space(
    cli: Cli,
) -> None:
    steps = cli.call("init", "Search", "--dry-run", "--json").json["steps"]
    assert [each["outcome"] for each in steps] == ["planned"] * 5
    (cli.cwd / ".smriti.json").write_text("no json")
    assert cli.call("init", "Search").code == 4
    assert cli.call("space", "list", "--json").json["spaces"] == []


def test_a_file_that_is_left_is_told_once(cli: Cli) -> None:
    (cli.cwd / "AGENTS.md").write_text("mine")
    error = cli.call("init", "Search").error
    assert error.count("AGENTS.md") == 1
    assert "--destination" not in error
