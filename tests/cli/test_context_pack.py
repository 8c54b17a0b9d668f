"""`smriti context-pack`: each target, what can be named, and what a script gets."""

from __future__ import annotations

import pytest

from tests.cli.calling import Cli
from tests.unit.packs import element, parts

KEYS = {
    "checkpoint", "session", "first", "last", "target", "text", "characters", "tokens", "budget",
    "fits", "left_out", "advice",
}  # fmt: skip
HOSTILE = "# x\n```\n</content>\n~~~~\n\x1b]0;owned\x07"


@pytest.fixture
def saved(cli: Cli) -> str:
    cli.space()
    content = {
        "title": "Use FTS5",
        "decisions": ["Use SQLite FTS5"],
        "tasks": [{"text": "Load test", "intent_hint": "test", "blocked_by": ["x"]}],
        "artifacts": [{"type": "markdown", "label": "notes.md", "content": HOSTILE}],
    }
    return str(cli.checkpoint("Search", content, "--no-project-root")["id"])


@pytest.fixture
def session(cli: Cli) -> str:
    cli.space()
    key = cli.session()
    for words in ("one", "</turn> two", "three"):
        assert cli.call("chat", "send", "--session", key, words).code == 0
    return key


@pytest.mark.parametrize("target", ["generic", "claude", "cursor", "chatgpt"])
def test_each_target_is_the_same_text_each_time_and_in_json(
    cli: Cli, saved: str, target: str
) -> None:
    printed = cli.call("context-pack", saved[:7], "--target", target)
    assert printed.code == 0
    assert f"{len(printed.text):,} characters, about " in printed.error
    document = cli.ok("context-pack", saved, "--target", target)
    assert set(document) == KEYS
    assert document["text"] == printed.text
    assert (document["checkpoint"], document["session"]) == (saved, None)
    assert (document["target"], document["fits"], document["left_out"]) == (target, True, [])
    assert cli.run("context-pack", saved, "--target", target, "--quiet").out == printed.out
    assert "\x1b" not in printed.text
    assert "~~~~\n␛]0;owned␇" in printed.text
    assert printed.text.isprintable() or "\n" in printed.text


def test_generic_is_what_one_gets_unasked_and_names_where_it_is_from(cli: Cli, saved: str) -> None:
    text = cli.call("context-pack", saved).text
    assert text == cli.call("context-pack", saved, "--target", "generic").text
    assert f"- checkpoint: {saved[:7]}\n- space: Search\n- branch: main\n- author: ada\n" in text
    assert "project root" not in text  # none was recorded


def test_a_transcript_is_a_range_of_turns(cli: Cli, session: str) -> None:
    whole = cli.ok("context-pack", "--session", session, "--target", "claude")
    assert (whole["checkpoint"], whole["session"]) == (None, session)
    assert (whole["first"], whole["last"]) == (1, 6)
    said = element(whole["text"]).one("transcript").inside
    assert [each.attributes["role"] for each in said] == ["user", "assistant"] * 3
    turns = cli.ok("session", "turns", session)["turns"]
    assert [each.text for each in said] == [turn["text"] for turn in turns]
    some = cli.ok("context-pack", "--session", session[:8], "--first", "3", "--last", "4")
    heads = [part.heading for part in parts(some["text"]) if part.level == 3]
    assert heads == ["Turn 3: user", "Turn 4: assistant"]
    upto = cli.ok("context-pack", f"{session}:4", "--first", "3")
    assert upto["text"] == some["text"]


def test_a_budget_says_what_it_leaves_out(cli: Cli, session: str) -> None:
    turns = cli.ok("context-pack", "--session", session, "--first", "5")["tokens"]
    done = cli.call("context-pack", "--session", session, "--budget", str(turns + 80))
    assert "Left out: the first 4 turns, for the budget." in done.error
    assert "- left out: the first 4 turns, for the budget\n" in done.text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["feed"], 3), (["--session", "feed"], 3), (["feed:2"], 3), ([], 2), (["x"], 3),
        (["feed", "--session", "feed"], 2), (["feed", "--target", "emacs"], 2),
        (["feed", "--first", "2"], 2), (["feed:2", "--last", "2"], 2),
        (["feed:2", "--evidence"], 2), (["feed", "--budget", "0"], 2), (["feed:" + "9" * 99], 3),
        (["--session", "feed", "--first", "0"], 2),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(cli: Cli, arguments: list[str], code: int) -> None:
    cli.space()
    cli.fails(code, "context-pack", *arguments)


def test_turns_that_are_not_there_are_refused(cli: Cli, session: str) -> None:
    for more in (["--last", "7"], ["--first", "7"], ["--first", str(2**63 - 1)]):
        assert "has no turn" in cli.fails(3, "context-pack", "--session", session, *more)["message"]
    cli.fails(3, "context-pack", f"{session}:0")
    cli.fails(2, "context-pack", "--session", session, "--first", "4", "--last", "2")
    empty = cli.ok("context-pack", "--session", cli.session())
    assert (empty["first"], empty["last"]) == (None, None)


def test_a_deleted_checkpoint_is_there_at_the_time_it_was(cli: Cli, saved: str) -> None:
    then = cli.call("context-pack", saved, "--target", "cursor")
    at = str(cli.call("log", "read", "--all").lines[-1]["position"])
    cli.ok("checkpoint", "delete", saved, "--yes")
    cli.fails(3, "context-pack", saved)
    again = cli.call("context-pack", saved, "--target", "cursor", "--at", at)
    assert (again.code, again.out) == (0, then.out)


def test_a_transcript_then(cli: Cli, session: str) -> None:
    then = cli.call("context-pack", "--session", session)
    at = str(cli.call("log", "read", "--all").lines[-1]["position"])
    cli.ok("chat", "send", "--session", session, "four")
    assert cli.call("context-pack", "--session", session).out != then.out
    assert cli.call("context-pack", "--session", session, "--at", at).out == then.out
