"""Quotes are checked word for word."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Role, Turn
from smriti_tui.domain.quotes import Said, folded, proves


def turn(number: int, role: Role, text: str) -> Turn:
    return Turn(SessionId("s"), number, 1, role, text, text, "complete", "2026-01-01T00:00:00Z")


WINDOW = (
    turn(13, "user", "Do we still need a server if we pass 2 M documents?"),
    turn(14, "assistant", "Past two million FTS5 still answers,  but the rebuild\ntakes longer."),
    turn(15, "user", "Then make the rebuild a JOB. Café, नमस्ते दुनिया, 我们用一个文件。"),
    turn(16, "assistant", "Agreed: the rebuild runs as a job, not inside a request."),
    turn(17, "user", "हिन्दीभाषा ---- μα\u0390ου για όλα"),
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
        ("दुनिया", 15, "found", 15),
        ("भाषा", 17, "not_found", 17),  # a part of a word, behind a vowel sign
        ("ΜΑΪ\u0301ΟΥ ΓΙΑ ΌΛΑ", 17, "found", 17),  # composed only once it is folded
        ("----", 17, "not_found", 17),  # no word
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
    wanted = folded(quote)
    if proves(wanted) and wanted[0].isascii():
        assert said.check(quote, 1).check == "found"


def test_two_hundred_quotes_in_a_thousand_turns_are_quick() -> None:
    turns = [turn(n, "user", f"turn {n} says " + "some words about the index " * 12)
             for n in range(1000)]  # fmt: skip
    start = time.process_time()
    said = Said(turns)
    found = [said.check(f"turn {n} says some", n) for n in range(200)]
    assert all(each.check == "found" for each in found)
    assert time.process_time() - start < 2
