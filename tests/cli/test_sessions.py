"""`smriti session`, `mount`, `unmount` (SESS, SEND-05, SEND-19)."""

from __future__ import annotations

import uuid

from tests.cli.calling import Cli, ids


def test_a_new_session_is_empty_and_seeded_with_the_head(cli: Cli) -> None:
    cli.space()
    first = cli.ok("session", "new", "Search", "--title", "Which index")
    assert (first["turns"], first["current"]["anchor"]) == (0, None)
    assert (first["current"]["mode"], first["branch"], first["title"]) == (
        "HEAD",
        "main",
        "Which index",
    )
    head = cli.checkpoint("Search", {"title": "Choose FTS5"})["id"]
    assert cli.ok("session", "new", "Search")["current"]["anchor"] == head


def test_sessions_are_listed_shown_renamed_deleted(cli: Cli) -> None:
    cli.space()
    one, two = cli.session(), cli.session()
    assert ids(cli.ok("session", "list", "Search")["sessions"]) == [two, one]
    assert ids(cli.ok("session", "list", "Search", "--limit", "1")["sessions"]) == [two]
    assert cli.ok("session", "rename", one[:9], "Renamed")["title"] == "Renamed"
    cli.fails(2, "session", "rename", one, "two\nlines")
    cli.fails(7, "session", "delete", one)
    again = str(uuid.uuid4())
    for _ in range(2):
        gone = cli.ok("session", "delete", one, "--yes", "--command-id", again)
        assert gone == {"deleted": True, "id": one}
    assert ids(cli.ok("session", "list", "Search")["sessions"]) == [two]
    cli.fails(3, "session", "show", one)
    cli.fails(3, "session", "turns", one)


def test_a_fresh_session_is_attached_once(cli: Cli) -> None:
    key = cli.space()
    fresh = cli.ok("session", "new", "--fresh")
    assert (fresh["space"], fresh["current"]["mode"]) == (None, "FRESH")
    assert ids(cli.ok("session", "list", "--fresh")["sessions"]) == [fresh["id"]]
    attached = cli.ok("session", "attach", fresh["id"], "Search")
    assert (attached["space"], attached["branch"]) == (key, "main")
    assert cli.fails(4, "session", "attach", fresh["id"], "Search")["code"] == "attached"
    cli.fails(2, "session", "new", "Search", "--fresh")


def test_an_unknown_branch_or_space_makes_no_session(cli: Cli) -> None:
    cli.space()
    cli.fails(3, "session", "new", "Search", "--branch", "nope")
    cli.fails(3, "session", "new", "Nowhere")
    assert cli.ok("session", "list", "Search")["sessions"] == []


def test_turns_can_be_read_in_part(cli: Cli) -> None:
    cli.space()
    session = cli.session()
    for text in ("one", "two"):
        cli.ok("chat", "send", "--session", session, text)
    every = cli.ok("session", "turns", session)["turns"]
    assert [turn["sequence_number"] for turn in every] == [1, 2, 3, 4]
    assert [turn["role"] for turn in every] == ["user", "assistant"] * 2
    assert cli.ok("session", "turns", session, "--after", "3")["turns"] == every[3:]
    assert cli.ok("session", "turns", session, "--last", "2")["turns"] == every[2:]
    assert cli.ok("session", "turns", session, "--last", "9")["turns"] == every
    assert cli.ok("session", "turns", session, "--after", "9")["turns"] == []
    text = cli.call("session", "turns", session, "--last", "2").text
    assert text.startswith("## 3 user, line 1, ")
    assert "\n\ntwo\n\n## 4 assistant, line 1, answers 3, complete, demo/scripted, " in text


def test_mounting_opens_a_line_and_unmounting_goes_back(cli: Cli) -> None:
    cli.space()
    session = cli.session()
    cli.ok("chat", "send", "--session", session, "before")
    head = cli.checkpoint("Search", {"title": "Choose FTS5"}, "--session", session)["id"]
    once = str(uuid.uuid4())
    for _ in range(2):
        mounted = cli.ok("mount", head[:7], "--session", session, "--command-id", once)
        assert mounted == {
            "session": session,
            "line": 2,
            "checkpoint": head,
            "history_base_seq": 2,
        }
    assert cli.ok("session", "show", session)["current"]["mode"] == "RESTORED"
    cli.ok("chat", "send", "--session", session, "after")
    sent = cli.ok("context", "--turn", f"{session}:4")
    assert [m["content"] for m in sent["messages"] if m["role"] == "user"] == ["after"]
    left = [(each["first"], each["last"]) for each in sent["manifest"]["left_out"] if each["first"]]
    assert left == [(1, 2)]
    back = cli.ok("unmount", "--session", session)
    assert back == {"session": session, "line": 1, "checkpoint": None, "history_base_seq": 0}
    assert cli.fails(4, "unmount", "--session", session)["code"] == "not_mounted"


def test_another_spaces_checkpoint_is_never_mounted(cli: Cli) -> None:
    cli.space("A")
    cli.space("B")
    foreign = cli.checkpoint("B", {"title": "Theirs"})["id"]
    session = cli.session("A")
    cli.fails(2, "mount", foreign, "--session", session)
    cli.fails(3, "mount", "f" * 12, "--session", session)
    fresh = cli.ok("session", "new", "--fresh")["id"]
    cli.fails(2, "mount", foreign, "--session", fresh)
    assert cli.ok("session", "show", session)["current"]["line"] == 1
