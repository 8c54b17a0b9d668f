"""Comparison keys over scripts, and uids that survive from checkpoint to checkpoint."""

from __future__ import annotations

import pytest

from smriti_tui.domain.checkpoint_input import parse_checkpoint
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.items import comparison_key, with_uids
from smriti_tui.domain.model import Item


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use Pydantic.", "use pydantic"),
        ("Use  PostgreSQL!", "use postgresql"),
        ('"Keep it"', "keep it"),
        ("(optional) cache", "optional) cache"),
        ("Straße", "STRASSE"),
        ("ﬁle", "file"),
        ("यह तय है।", "यह तय है"),
        ("使用 SQLite。", "使用 sqlite"),
        ("استخدم SQLite؟", "استخدم sqlite"),
        ("e\u0301", "é"),
    ],
)
def test_two_wordings_of_one_item_share_a_key(one: str, other: str) -> None:
    assert comparison_key(one) == comparison_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("C++", "C#"),
        ("用 Postgres", "postgres"),
        ("हिन्दी", "हिन्द"),
        ("Использовать", "Не использовать"),
    ],
)
def test_different_items_have_different_keys(one: str, other: str) -> None:
    assert comparison_key(one) != comparison_key(other)


def test_an_item_of_punctuation_alone_matches_nothing() -> None:
    assert comparison_key("---") == ""
    first = with_uids([Item("", "---")], [Item("u1", "---")])
    assert first[0].uid not in ("", "u1")


def test_a_uid_is_taken_from_the_parents_live_item_once() -> None:
    parent = [Item("u1", "Use FTS5"), Item("u2", "Old", state="retired")]
    made = with_uids([Item("", "use fts5."), Item("", "Use FTS5"), Item("", "old")], parent)
    assert made[0].uid == "u1"
    assert made[1].uid not in ("", "u1")
    assert made[2].uid not in ("", "u2")


def test_plain_and_structured_input() -> None:
    given = parse_checkpoint(
        {
            "message": "T",
            "decisions": ["one", {"text": "two", "uid": "u"}],
            "tasks": [
                "plain",
                {"text": "t", "id": "a", "intent_type": "review", "blocked_by": "b"},
                {"text": "u", "blocked_by": ["x", "y"], "status": "done"},
            ],
            "artifacts": [{"label": "x", "content": "y"}],
        }
    )
    assert given.title == "T"
    assert [item.text for item in given.decisions] == ["one", "two"]
    assert given.tasks[1].intent_hint == "review"
    assert given.tasks[1].blocked_by == ("b",)
    assert (given.tasks[2].blocked_by, given.tasks[2].status) == (("x", "y"), "done")
    assert given.artifacts[0].type == "text"


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ([], None),
        ({}, "title"),
        ({"title": " "}, "title"),
        ({"title": "a\nb"}, "title"),
        ({"title": 7}, "title"),
        ({"title": "t", "wat": 1}, "wat"),
        ({"title": "t", "decisions": "use it"}, "decisions"),
        ({"title": "t", "decisions": [7]}, "decisions[0]"),
        ({"title": "t", "decisions": [""]}, "decisions[0]"),
        ({"title": "t", "decisions": [{"text": "x", "why": 1}]}, "decisions[0].why"),
        ({"title": "t", "tasks": [{"text": "x", "intent_hint": "deploy"}]}, "tasks[0].intent_hint"),
        ({"title": "t", "tasks": [{"text": "x", "blocked_by": 3}]}, "tasks[0].blocked_by"),
        ({"title": "t", "artifacts": [{"label": "x"}]}, "artifacts[0].content"),
        ({"title": "t", "message": "u"}, "title"),
        ({"title": "t", "entities": [1]}, "entities[0]"),
        ({"title": "t", "summary": ["x"]}, "summary"),
    ],
)
def test_bad_input_names_the_field(value: object, field: str | None) -> None:
    with pytest.raises(Invalid) as caught:
        parse_checkpoint(value)
    assert caught.value.field == field
