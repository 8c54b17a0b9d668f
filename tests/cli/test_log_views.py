"""`smriti log project` and `snapshot`."""

from __future__ import annotations

import json
from contextlib import closing

from smriti_tui.store.engine import driver
from tests.cli.calling import Cli


def item(cli: Cli, type_name: str = "item_created", **fields: object) -> None:
    cli.ok("log", "append", "tracker", type_name, json.dumps(fields))


def test_a_view_is_printed_as_text_and_document(cli: Cli) -> None:
    item(cli, id="T1", title="First\nline", priority="P0", lane="ranked", tags=["a", "b"])
    item(cli, id="T2", title="Second")
    item(cli, "item_updated", id="T2", lane="done", status="done")
    item(cli, "unheard.of")
    text = cli.call("log", "project", "tracker").text
    assert text.startswith("# Tracker: 2 items, 1 closed\n\n## ranked: 1\n\n- T1 P0: First")
    assert "[a, b]" in text
    assert "## done: 1\n\n- T2 done: Second" in text
    assert "Skipped 1 event: unknown type: unheard.of 1." in text
    told = cli.ok("log", "project", "tracker")
    assert [each["id"] for each in told["items"]] == ["T1", "T2"]
    assert told["folded"]["streams"] == {"tracker": 4}
    one = cli.ok("log", "project", "tracker", "--limit", "1")
    assert [each["id"] for each in one["items"]] == ["T1"]
    assert one["folded"]["left_out"] == {"items": 1}
    assert "Left out: 1 of items." in cli.call("log", "project", "tracker", "--limit", "1").text


def test_at_names_a_version_of_the_stream_or_a_moment(cli: Cli) -> None:
    cli.ok("log", "append", "other", "x")
    item(cli, id="T1")
    item(cli, id="T2")
    told = cli.ok("log", "project", "tracker", "--at", "1")
    assert [each["id"] for each in told["items"]] == ["T1"]
    event = cli.call("log", "read", "tracker").lines[1]["event_id"]
    assert cli.ok("log", "project", "tracker", "--at", event) == cli.ok("log", "project", "tracker")
    assert "no version 3" in cli.fails(3, "log", "project", "tracker", "--at", "3")["message"]
    assert cli.fails(3, "log", "project", "tracker", "--at", "0")["code"] == "not_found"


def test_a_space_and_its_state_are_views_too(cli: Cli) -> None:
    key = cli.ok("space", "create", "Search")["id"]
    assert cli.ok("log", "project", f"space:{key}") == cli.ok("space", "show", key)
    assert cli.call("log", "project", f"state:{key[:8]}").text == cli.call("state", key).text
    cli.ok("space", "rename", key, "Other")
    then = cli.ok("log", "project", f"space:{key}", "--at", "1")
    assert then["name"] == "Search"


def test_what_is_no_view_is_named(cli: Cli) -> None:
    error = cli.fails(3, "log", "project", "nope")
    assert error["code"] == "view"
    assert "tracker" in error["hint"]
    assert cli.fails(3, "log", "snapshot", "nope")["code"] == "view"
    assert cli.fails(3, "log", "project", "space:nope")["code"] == "not_found"
    assert cli.ok("log", "project", "tracker")["items"] == []


def test_a_snapshot_is_kept_and_a_corrupt_one_told(cli: Cli) -> None:
    item(cli, id="T1")
    kept = cli.ok("log", "snapshot", "tracker")
    assert kept["streams"] == {"tracker": 1}
    assert cli.ok("log", "verify")["ok"]
    with closing(driver().connect(str(cli.database))) as connection, connection:
        connection.execute("UPDATE view_snapshot SET body = 'x'")
    done = cli.call("log", "project", "tracker")
    assert "T1" in done.text
    assert "snapshot of tracker" in done.error
    assert "corrupt" in done.error
