"""`smriti checkpoint reach`: what rests on an item, as text and JSON, now and then."""

from __future__ import annotations

from tests.cli.calling import Cli

BASE = {
    "title": "Base",
    "assumptions": [{"uid": "a-small", "text": "At most 2 M\ndocuments \x1b[2J"}],
    "decisions": [{"uid": "d-fts", "text": "Use FTS5", "rests_on": ["a-small"]}],
    "tasks": [{"uid": "t-load", "text": "Load test", "id": "load-1", "rests_on": ["d-fts"]}],
    "artifacts": [{"id": "bench-01", "label": "bench.csv", "content": "1"}],
}
WIDE = {**BASE, "title": "Wide", "decisions": [{"text": "Tantivy", "rests_on": ["bench-01"]}]}


def test_it_names_all_that_rests_on_an_item(cli: Cli) -> None:
    cli.space()
    base = cli.checkpoint("Search", BASE)["id"]
    fork = cli.ok("fork", base, "--branch", "expl")["session"]
    alone = cli.call("checkpoint", "reach", base, "A1").text
    cli.checkpoint("Search", WIDE, "--session", fork)
    before = cli.call("log", "read", "--all").lines[-1]["position"]
    cli.ok(
        "claim",
        "create",
        "Search",
        "--scope",
        "the load test",
        "--task-id",
        "load-1",
        "--ttl",
        "1h",
    )

    found = cli.ok("checkpoint", "reach", base, "a-sma")
    assert found["item"]["label"] == "A1"
    assert [(each["label"], each["on"], each["steps"]) for each in found["here"]] == [
        ("D1", "A1", 1), ("T1", "D1", 2),
    ]  # fmt: skip
    assert [(each["branch"], each["label"]) for each in found["elsewhere"]] == [("expl", "A1")]
    assert [(each["why"], each["label"]) for each in found["claims"]] == [("task", "T1")]

    text = cli.call("checkpoint", "reach", base, "A1").text
    assert text.startswith("# What rests on A1 At most 2 M documents ")
    assert "\x1b" not in text
    for line in (
        "- D1 Use FTS5 (rests on A1)", "- T1 Load test (rests on D1)",
        "- still there as A1", "## Claims", "the load test: its task is T1",
    ):  # fmt: skip
        assert line in text
    assert "expl" not in alone
    then = cli.call("--at", str(before), "checkpoint", "reach", base, "A1").text
    assert "- still there as A1" in then
    assert "Claims" not in then

    by_file = cli.ok("checkpoint", "reach", base, "bench-01")
    assert by_file["here"] == []
    assert [hit["label"] for hit in by_file["elsewhere"][0]["reached"]] == ["D1"]
    cli.fails(3, "checkpoint", "reach", base, "D9")
