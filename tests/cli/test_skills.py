"""`smriti skills`: files of others are never lost (cases SKILL)."""

from __future__ import annotations

from smriti_tui.domain.skill_pack import VERSION
from tests.cli.calling import Cli


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
