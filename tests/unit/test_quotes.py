"""Quotes are checked word for word, and answers of any shape are read for what they hold."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.draft_reply import read_reply
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Role, Turn
from smriti_tui.domain.quotes import Said


def turn(number: int, role: Role, text: str) -> Turn:
    return Turn(SessionId("s"), number, 1, role, text, text, "complete", "2026-01-01T00:00:00Z")


WINDOW = (
    turn(13, "user", "Do we still need a server if we pass 2 M documents?"),
    turn(14, "assistant", "Past two million FTS5 still answers,  but the rebuild\ntakes longer."),
    turn(15, "user", "Then make the rebuild a JOB. Café, नमस्ते दुनिया, 我们用一个文件。"),
    turn(16, "assistant", "Agreed: the rebuild runs as a job, not inside a request."),
)
EARLIER = (turn(3, "user", "We write with a single writer only."),)
SAID = Said(WINDOW, EARLIER)


@pytest.mark.parametrize(
    ("quote", "cited", "check", "where"),
    [
        ("make the rebuild a job", 15, "found", 15),
        ("Then  make the\nREBUILD a job.", 15, "found", 15),
        ("make the rebuild a job", 13, "found", 15),  # shifted: the turn is put right
        ("Cafe\u0301", 15, "found", 15),
        ("नमस्ते", 15, "found", 15),
        ("用一个文件", 15, "found", 15),
        ("the rebuild takes longer", 14, "assistant_only", 14),
        ("a single writer", 14, "outside_window", 3),
        ("run it from cron", 16, "not_found", 16),
        ("m\u0430ke the rebuild a job", 15, "not_found", 15),  # a Cyrillic letter
        ("documents? Past two million", 14, "not_found", 14),  # over two turns
        ("ake the rebuild", 15, "not_found", 15),  # a part of a word
        ("नमस", 15, "not_found", 15),  # a part of a sign
        ("job", 15, "not_found", 15),  # too short to prove anything
        ("", None, "not_found", None),
    ],
)
def test_a_quote_is_classed(quote: str, cited: int | None, check: str, where: int | None) -> None:
    found = SAID.check(quote, cited)
    assert (found.check, found.turn) == (check, where)


def test_the_nearest_passage_is_named() -> None:
    found = SAID.check("the rebuild should run as a job from cron", 16)
    assert found.nearest is not None
    assert (found.nearest.turn, found.nearest.text) == (16, "as a job")
    assert SAID.check("xyz qwv", 16).nearest is None


@given(st.text(), st.text(min_size=1), st.text())
def test_what_stands_between_spaces_is_found(before: str, quote: str, behind: str) -> None:
    said = Said((turn(1, "user", f"{before} {quote} {behind}"),))
    if len(" ".join(quote.split())) >= 8 and quote.strip()[0].isascii():
        assert said.check(quote, 1).check == "found"


def test_two_hundred_quotes_in_a_thousand_turns_are_quick() -> None:
    turns = [turn(n, "user", f"turn {n} says " + "some words about the index " * 12)
             for n in range(1000)]  # fmt: skip
    start = time.process_time()
    said = Said(turns)
    found = [said.check(f"turn {n} says some", n) for n in range(200)]
    assert all(each.check == "found" for each in found)
    assert time.process_time() - start < 2


# ---- answers -----------------------------------------------------------------------------------

WHOLE = {
    "title": "Keep FTS5", "objective": "Find", "summary": "We keep it.",
    "decisions": [{"text": "Use FTS5", "turn": 15, "quote": "use it"}],
    "tasks": ["Load test", {"text": "Docs", "intent_hint": "DOCS", "blocked_by": ["t1"],
                            "id": "docs-1", "status": "done", "turn": "t16"}],
    "entities": ["FTS5", "FTS5", " "],
}  # fmt: skip
TEXT = json.dumps(WHOLE)


@pytest.mark.parametrize(
    "answer",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"Here it is.\n```bash\necho ${{HOME}} {{}}\n```\nand\n```json\n{TEXT}\n```\nDone.",
        f"  \ufeff{TEXT} trailing words }}",
    ],
)
def test_an_answer_in_any_wrapping_is_read(answer: str) -> None:
    reply = read_reply(answer)
    assert reply is not None
    assert (reply.title, reply.entities) == ("Keep FTS5", ("FTS5",))
    assert [(each.kind, each.text, each.turn) for each in reply.items] == [
        ("decisions", "Use FTS5", 15), ("tasks", "Load test", None), ("tasks", "Docs", 16),
    ]  # fmt: skip
    docs = reply.items[2]
    assert (docs.intent_hint, docs.blocked_by, docs.id, docs.status) == (
        "docs", ("t1",), "docs-1", "done",
    )  # fmt: skip


def test_fences_inside_values_stay() -> None:
    value = "Run\n```sh\nmake {all}\n```"
    reply = read_reply("```json\n" + json.dumps({"summary": value, "decisions": [value]}) + "\n```")
    assert reply is not None
    assert (reply.summary, reply.items[0].text) == (value, value)


@pytest.mark.parametrize(
    ("given_fields", "texts", "problems"),
    [
        ({"decisions": "Use FTS5"}, ["Use FTS5"], 0),
        ({"decisions": ["A", "a.", "B"]}, ["A", "B"], 0),
        ({"decisions": ["", None, {"turn": 3}, {"text": " "}, "A"]}, ["A"], 4),
        ({"tasks": [{"description": "Old", "intent": "deploy"}]}, ["Old"], 0),
        ({"decisions": 7, "title": {"x": 1}, "mood": "good"}, [], 3),
    ],
)
def test_wrong_types_cost_only_themselves(
    given_fields: dict[str, Any], texts: list[str], problems: int
) -> None:
    reply = read_reply(json.dumps(given_fields))
    assert reply is not None
    assert [each.text for each in reply.items] == texts
    assert len(reply.problems) == problems


@pytest.mark.parametrize(
    "answer",
    ["", "Sorry, I can't help with that.", TEXT[:60], '{"answer": 42}', "[1, 2]", "{" * 999],
)
def test_what_is_no_draft_is_none(answer: str) -> None:
    assert read_reply(answer) is None


@given(st.text())
def test_reading_never_fails(answer: str) -> None:
    read_reply(answer)
    read_reply("{" + answer + "}")
