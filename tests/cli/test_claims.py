"""`smriti claim` as agents call it."""

from __future__ import annotations

from tests.cli.calling import Cli


def test_a_claim_is_taken_listed_extended_and_ended(cli: Cli) -> None:
    cli.space()
    made = cli.call("claim", "create", "Search", "--scope", "load test", "--json").json
    assert (made["state"], made["token"], made["overlaps"]) == ("active", 1, [])
    assert (made["task_id"], made["worktree"], made["base"]) == (None, None, None)
    held = cli.call("claim", "list", "Search")
    assert made["id"][:7] in held.text
    assert "load test" in held.text
    assert cli.call("claim", "extend", made["id"][:9], "--ttl", "30m").code == 0
    done = cli.call("claim", "done", made["id"], "--json").json
    assert (done["status"], done["ended_by"]) == ("done", "ada")
    assert "No active claims" in cli.call("claim", "list", "Search").text
    assert len(cli.call("claim", "list", "Search", "--all", "--json").json["claims"]) == 1
    assert cli.call("claim", "abandon", made["id"]).code == 4


def test_the_second_on_a_task_hears_of_the_first(cli: Cli) -> None:
    cli.space()
    task = ("--task-id", "load-1")
    cli.call("claim", "create", "Search", "--scope", "load test", *task, "--actor", "codex")
    last = cli.call("claim", "create", "Search", "--scope", "again", *task, "--actor", "claude")
    assert last.code == 0
    assert "warning: overlaps: codex (" in last.error
    assert "both are on task load-1" in cli.call("claim", "list", "Search").text


def test_bad_spans_and_intents_are_usage_errors(cli: Cli) -> None:
    cli.space()
    for extra in (["--ttl", "-4h"], ["--ttl", "soon"], ["--intent", "paused"], ["--branch", "no"]):
        done = cli.call("claim", "create", "Search", "--scope", "a", *extra)
        assert done.code == (3 if extra[0] == "--branch" else 2), extra
