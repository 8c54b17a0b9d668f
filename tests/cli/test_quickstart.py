"""`smriti quickstart` (cases QUICK)."""

from __future__ import annotations

import shlex

import pytest

from smriti_tui.services.notes import NoteService
from tests.cli.calling import Cli


def test_the_space_is_made_once_and_its_guide_works_as_printed(cli: Cli) -> None:
    made = cli.call("quickstart", "--json").json
    assert (len(made["checkpoints"]), len(made["guide"])) == (4, 5)
    assert cli.call("quickstart").code == 4
    assert len(cli.call("space", "list", "--json").json["spaces"]) == 1
    metrics = cli.call("metrics", "smriti-demo", "--json").json
    assert metrics["coordination"]["unique_agents"] == 2
    assert metrics["coordination"]["cross_agent_continuations"] > 0
    assert metrics["branches"] == {"active": 0, "integrated": 0, "abandoned": 1}
    assert (metrics["state_quality"]["milestone_count"], metrics["state_quality"]["noise_count"]) \
        == (1, 1)  # fmt: skip
    claims = cli.call("claim", "list", "smriti-demo", "--all", "--json").json["claims"]
    assert sorted(each["state"] for each in claims) == ["active", "done"]
    for command in made["guide"]:
        assert cli.call(*shlex.split(command)[1:]).code == 0, command
    assert cli.call("space", "list", "--json").json["spaces"] == []


def test_the_demo_brief_is_short(cli: Cli) -> None:
    cli.call("quickstart")
    assert cli.call("state", "smriti-demo", "--json").json["tokens"] < 2500


def test_only_what_quickstart_made_is_taken_away(cli: Cli) -> None:
    assert cli.call("quickstart", "--remove").code == 3
    assert cli.call("quickstart", "--remove", "--reset").code == 2
    cli.call("space", "create", "smriti-demo")
    for flag in ([], ["--remove"], ["--reset"]):
        assert cli.call("quickstart", *flag).code == 4, flag
    assert len(cli.call("space", "list", "--json").json["spaces"]) == 1


def test_reset_makes_it_anew(cli: Cli) -> None:
    first = cli.call("quickstart", "--json").json["space"]["id"]
    again = cli.call("quickstart", "--reset", "--json").json["space"]["id"]
    assert again != first
    assert [each["id"] for each in cli.call("space", "list", "--json").json["spaces"]] == [again]


def test_half_made_it_is_not_left_behind(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(NoteService, "add", broken)
        assert cli.call("quickstart").code == 130
    assert cli.call("space", "list", "--json").json["spaces"] == []
    cli.call(
        "space", "create", "smriti-demo", "--description", "Being made by `smriti quickstart`."
    )
    assert cli.call("quickstart").code == 0
    assert len(cli.call("space", "list", "--json").json["spaces"]) == 1


def test_the_document_has_the_same_keys_whatever_was_asked(cli: Cli) -> None:
    made = cli.call("quickstart", "--json").json
    assert cli.call("quickstart", "--remove", "--json").json.keys() == made.keys()
