"""`smriti search`."""

from __future__ import annotations

from tests.cli.calling import Cli


def test_search_finds_and_filters(cli: Cli) -> None:
    cli.space()
    session = cli.session()
    cli.ok("chat", "send", "--session", session, "--model", "demo", "Which C++ index?")
    cli.checkpoint("Search", {"title": "State", "decisions": ["Use C++ bindings"]})
    found = cli.ok("search", "c++")
    kinds = [hit["kind"] for hit in found["hits"]]
    assert {"turn", "decision"} <= set(kinds)
    assert not found["more"]
    item = cli.ok("search", "C++", "--kind", "item", "--space", "Search", "--since", "1d")
    assert [hit["label"] for hit in item["hits"]] == ["D1"]
    assert item["hits"][0]["snippet"] == {"before": "Use ", "hit": "C++", "after": " bindings"}
    assert cli.ok("search", "C++", "--until", "2001-01-01")["hits"] == []
    cli.fails(2, "search", "C++", "--kind", "nonsense")
    cli.fails(2, "search", "C++", "--since", "soon")
    cli.fails(3, "search", "C++", "--space", "Nowhere")


def test_search_for_people_marks_the_hit(cli: Cli) -> None:
    cli.space()
    session = cli.session()
    cli.ok("session", "rename", session, "Which \x1b[31mindex")
    said = cli.run("search", "which", "--limit", "1").text
    assert "*Which*" in said
    assert "\x1b" not in said
    assert "Nothing holds that." in cli.run("search", "").text
