"""What a draft takes from an answer: every item in it, told what was left out, nothing invented."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smriti_tui.domain.draft_reply import Proposed, read_reply
from smriti_tui.domain.draft_text import SCHEMA, SHAPE

WHOLE = {
    "title": "Keep FTS5", "objective": "Find", "summary": "We keep it.",
    "decisions": [{"text": "Use FTS5", "turn": 15, "quote": "use it", "rests_on": ["2 M at most"]}],
    "assumptions": ["2 M at most"],
    "tasks": ["Load test", {"text": "Docs", "intent_hint": "DOCS", "blocked_by": ["t1"],
                            "id": "docs-1", "status": "done", "turn": "t16"}],
    "entities": ["FTS5", "FTS5", " "],
}  # fmt: skip
TEXT = json.dumps(WHOLE)


@pytest.mark.parametrize("answer", [TEXT, f"Here:\n```json\n{TEXT}\n```\nDone.", f"[{TEXT}]"])
def test_all_of_a_good_answer_is_read(answer: str) -> None:
    reply = read_reply(answer)
    assert reply is not None
    assert (reply.title, reply.objective, reply.summary) == ("Keep FTS5", "Find", "We keep it.")
    assert (reply.entities, reply.problems, reply.cut) == (("FTS5",), (), False)
    assert list(reply.items) == [
        Proposed("decisions", "Use FTS5", "use it", 15, rests_on=("2 M at most",)),
        Proposed("assumptions", "2 M at most"),
        Proposed("tasks", "Load test"),
        Proposed("tasks", "Docs", "", 16, "docs-1", "docs", ("t1",), "done"),
    ]


def test_fences_inside_values_stay() -> None:
    value = "Run\n```sh\nmake {all}\n```"
    reply = read_reply("```json\n" + json.dumps({"summary": value, "decisions": [value]}) + "\n```")
    assert reply is not None
    assert (reply.summary, reply.items[0].text) == (value, value)


@pytest.mark.parametrize(
    ("given_fields", "texts", "problems"),
    [
        ({"decisions": "Use FTS5"}, ["Use FTS5"], 0),
        ({"decisions": "- Use FTS5\n- One file"}, ["Use FTS5", "One file"], 0),
        ({"decisions": "1. One\n2) Two"}, ["One", "Two"], 0),
        ({"decisions": "- Use FTS5\nas it is"}, ["- Use FTS5\nas it is"], 0),
        ({"decisions": ["A", "a.", "B"]}, ["A", "B"], 0),
        ({"decisions": ["", None, {"turn": 3}, {"text": " "}, "A"]}, ["A"], 1),
        ({"decisions": {"text": "A", "quote": "a"}}, ["A"], 0),
        ({"decisions": {"items": ["A", {"decision": "B"}]}}, ["A", "B"], 0),
        ({"decisions": {"D1": "A", "D2": {"text": "B"}}}, ["A", "B"], 0),
        ({"decisions": {"Use FTS5": "because it is there"}}, [], 1),
        ({"decisions": {}}, [], 0),
        ({"tasks": ["A", {"task": "B"}, 3, {"x": 1}]}, ["A", "B"], 1),
        ({"tasks": [{"description": "Old", "intent": "deploy"}]}, ["Old"], 0),
        ({"decisions": 7, "title": {"x": 1}, "mood": "good"}, [], 3),
        ({"summary": 7, "title": None, "decisions": ["A"]}, ["A"], 1),
        ({"entities": [{"name": "A"}, {"x": 1}]}, [], 1),
    ],
)
def test_wrong_types_cost_only_themselves(
    given_fields: dict[str, Any], texts: list[str], problems: int
) -> None:
    reply = read_reply(json.dumps(given_fields))
    assert reply is not None
    assert [each.text for each in reply.items] == texts
    assert len(reply.problems) == problems


def test_the_same_mistake_in_many_entries_is_told_once() -> None:
    reply = read_reply(json.dumps({"decisions": [{"text": ""}] * 16, "tasks": [3]}))
    assert reply is not None
    assert reply.problems == (
        "an entry of decisions has no text (16 times)", "an entry of tasks has no text"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("turn", "number"),
    [(16, 16), ("16", 16), ("t16", 16), ("turn 16", 16), (16.0, 16), (16.5, None), ([16, 17], 16),
     (None, None), (True, None), ([], None), ("the last", None)],
)  # fmt: skip
def test_turns_in_any_spelling(turn: object, number: int | None) -> None:
    reply = read_reply(json.dumps({"decisions": [{"text": "A", "turn": turn}]}))
    assert reply is not None
    assert reply.items[0].turn == number


@pytest.mark.parametrize(
    ("rests_on", "texts", "problems"),
    [
        (["One writer"], ("One writer",), 0),
        ("One writer", ("One writer",), 0),
        ([2, "A1", "assumption 2"], ("Small files", "One writer", "Small files"), 0),
        ([3, 0, {"x": 1}], (), 1),
        (["not among them"], ("not among them",), 0),
        (None, (), 0),
        ([], (), 0),
    ],
)
def test_what_an_item_rests_on_is_a_text_of_the_answer(
    rests_on: object, texts: tuple[str, ...], problems: int
) -> None:
    answer = {
        "assumptions": [{"text": "One writer"}, "Small files"],
        "decisions": [{"text": "A", "rests_on": rests_on}],
    }
    reply = read_reply(json.dumps(answer))
    assert reply is not None
    assert reply.items[0].rests_on == texts
    assert len(reply.problems) == problems


@pytest.mark.parametrize(
    "answer", ["", "Sorry, I can't help with that.", TEXT[:15], '{"answer": 42}', "[1, 2]"]
)
def test_what_is_no_draft_is_none(answer: str) -> None:
    assert read_reply(answer) is None


texts = st.text(max_size=12) | st.sampled_from(
    ['"', 'a "b", c', "{", "```", "x\ny", "\\", "A", "a."]
)
entries = texts | st.fixed_dictionaries(
    {"text": texts},
    optional={"turn": st.integers(0, 20), "quote": texts, "rests_on": st.lists(texts)},
)
lists = st.lists(entries, max_size=4)
answers = st.fixed_dictionaries(
    {"title": texts}, optional={"decisions": lists, "tasks": lists, "assumptions": lists}
)


@given(answers, st.floats(0, 1), st.sampled_from(["{}", "```json\n{}\n```", "So: {} That is all."]))
@settings(deadline=None)
def test_a_cut_answer_has_no_item_that_the_whole_one_has_not(
    value: dict[str, Any], share: float, around: str
) -> None:
    text = around.replace("{}", json.dumps(value, ensure_ascii=False))
    whole, part = read_reply(text), read_reply(text[: int(len(text) * share)])
    assert whole is not None
    if part is not None:
        assert set(part.items) <= set(whole.items)
        assert part.title in ("", whole.title)
        assert part.cut or part.items == whole.items


def test_the_schema_asks_for_what_the_words_ask_for() -> None:
    shape = json.loads(SHAPE.partition("\n")[2])

    def fields(schema: Any) -> Any:
        if "properties" in schema:
            assert schema["required"] == list(schema["properties"])
            return {name: fields(each) for name, each in schema["properties"].items()}
        return [fields(schema["items"])] if "items" in schema else None

    def names(example: Any) -> Any:
        if isinstance(example, dict):
            return {name: names(each) for name, each in example.items()}
        return [names(each) for each in example or [""]] if isinstance(example, list) else None

    assert fields(SCHEMA) == names(shape)
