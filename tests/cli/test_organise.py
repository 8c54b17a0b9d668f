"""Pinning, archiving and titling on the command line."""

from __future__ import annotations

import uuid

from tests.cli.calling import Cli


def test_an_archived_space_is_off_the_list_and_found_all_the_same(cli: Cli) -> None:
    key = cli.space("Search")
    cli.space("Billing")
    assert cli.ok("space", "archive", "Search")["archived"] is True
    shown = cli.call("space", "list").text
    assert "Search" not in shown
    assert "1 archived Space is not shown; --all lists them." in shown
    assert "Search (archived)" in cli.call("space", "list", "--all").text
    flags = {each["name"]: each["archived"] for each in cli.ok("space", "list")["spaces"]}
    assert flags == {"Search": True, "Billing": False}
    assert cli.ok("space", "show", "search")["id"] == key
    cli.ok("space", "archive", "Billing")
    assert cli.call("space", "list").text == "2 archived Spaces are not shown; --all lists them.\n"
    cli.ok("space", "unarchive", "Billing")
    assert cli.ok("session", "new", "Search")["space"] == key
    assert cli.ok("space", "unarchive", key[:8])["archived"] is False
    assert "not shown" not in cli.call("space", "list").text


def test_a_name_that_was_given_again_means_the_space_in_use(cli: Cli) -> None:
    old = cli.space("Notes")
    cli.ok("space", "archive", "Notes")
    new = cli.space("Notes")
    assert cli.ok("space", "show", "Notes")["id"] == new
    cli.ok("space", "archive", new)
    assert cli.fails(4, "space", "show", "Notes")["code"] == "ambiguous"
    assert cli.ok("space", "show", old)["archived"] is True


def test_sessions_are_pinned_and_archived(cli: Cli) -> None:
    cli.space()
    one, two = cli.session("Search"), cli.session("Search")
    assert cli.ok("session", "pin", one)["pinned"] is True
    assert cli.ok("session", "archive", two)["archived"] is True
    shown = cli.call("session", "list", "Search").text
    assert "(pinned)" in shown
    assert two[:7] not in shown
    assert "1 archived session is not shown; --all lists them." in shown
    assert f"{two[:7]}" in cli.call("session", "list", "Search", "--all").text
    listed = cli.ok("session", "list", "Search")["sessions"]
    assert {each["id"]: (each["pinned"], each["archived"]) for each in listed} == {
        one: (True, False),
        two: (False, True),
    }
    assert "pinned" in cli.call("session", "show", one).text
    assert cli.ok("session", "unpin", one)["pinned"] is False
    assert cli.ok("session", "unarchive", two)["archived"] is False
    cli.ok("chat", "send", "--session", two, "still works")


def test_a_mark_is_written_once(cli: Cli) -> None:
    cli.space()
    session, once = cli.session("Search"), str(uuid.uuid4())
    for _ in range(2):
        assert cli.ok("session", "pin", session, "--command-id", once)["pinned"] is True
    cli.ok("session", "pin", session)
    events = cli.call("log", "read", f"session/{session}").lines
    assert [e["payload"] for e in events if e["type"] == "session.changed"] == [
        {"archived": None, "pinned": True, "title": None, "undoes": None}
    ]
    assert cli.fails(3, "session", "archive", "f" * 12)["code"] == "not_found"
    assert cli.fails(3, "space", "archive", "nope")["code"] == "not_found"


def test_sessions_that_nobody_named_are_told_apart(cli: Cli) -> None:
    cli.space()
    one, two, named = cli.session("Search"), cli.session("Search"), cli.session("Search")
    cli.ok("session", "rename", named, "Kept")
    for session, words in ((one, "Which index\nis best?"), (two, "How big?"), (named, "Why?")):
        cli.ok("chat", "send", "--session", session, words)
    listed = cli.ok("session", "list", "Search")["sessions"]
    labels = {each["id"]: each["label"] for each in listed}
    assert labels == {one: "Which index is best?", two: "How big?", named: "Kept"}
    assert all(each["title"].startswith(("Session 20", "Kept")) for each in listed)
    assert "Which index is best?" in cli.call("session", "list", "Search").text


def test_a_title_is_asked_for_and_kept(cli: Cli) -> None:
    cli.space()
    session = cli.session("Search")
    error = cli.fails(5, "session", "title", session)
    assert "background.model" in error["hint"]
    cli.extra["SMRITI_BACKGROUND_MODEL"] = "demo/scripted"
    assert cli.fails(2, "session", "title", session)["code"] == "no_turns"
    cli.ok("chat", "send", "--session", session, "Which index do we take for the search?")
    once = str(uuid.uuid4())
    first = cli.call("session", "title", session, "--command-id", once)
    assert "asking demo/scripted for a title" in first.error
    assert "Which index do we take for" in first.text
    cli.ok("session", "rename", session, "Mine")
    assert cli.ok("session", "title", session, "--command-id", once)["title"] == "Mine"
