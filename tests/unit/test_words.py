"""Long texts: what changed is told in bounded time, and pieces are still both texts."""

from __future__ import annotations

import random
import time

import pytest

from smriti_tui.domain.words import MOST_SIGNS, Piece, line_changes, word_changes


def both(pieces: tuple[Piece, ...]) -> tuple[str, str]:
    def text(without: str) -> str:
        return "".join(each.text for each in pieces if each.sign != without)

    return text("+"), text("-")


def prose(count: int, chance: random.Random) -> list[str]:
    """Half of it few words that come again and again, half many that do not."""
    often = [
        "the",
        "of",
        "and",
        "to",
        "a",
        "in",
        "it",
        "is",
        "was",
        "for",
        "on",
        "with",
        "he",
        "be",
        "by",
        "at",
    ]
    return [
        chance.choice(often) if chance.random() < 0.5 else f"z{chance.randrange(3_000)}"
        for _ in range(count)
    ]


def test_single_words_of_a_long_text_are_told() -> None:
    old = prose(1_900, random.Random(1))
    new = ["other" if number % 40 == 7 else word for number, word in enumerate(old)]
    begun = time.process_time()
    pieces = word_changes(" ".join(old), " ".join(new))
    assert time.process_time() - begun < 3
    assert both(pieces) == (" ".join(old), " ".join(new))
    changed = [each.text for each in pieces if each.sign == "+"]
    assert changed.count("other") > 40


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" ".join(f"w{n % 50}" for n in range(1_990)), " ".join(f"w{n * 7 % 50}" for n in range(1_990))),  # noqa: E501
        ("a " * 1_999, "a " * 1_500 + "b"),
        ("\u0300" * 100_000, "e\u0301" * 90_000),
        ("x y " * 2_500_000, "y" * MOST_SIGNS),
    ],
    ids=["few words", "one word", "marks", "megabytes"],
)  # fmt: skip
def test_texts_made_to_cost_are_cheap(old: str, new: str) -> None:
    begun = time.process_time()
    pieces = word_changes(old, new)
    assert time.process_time() - begun < 5
    assert both(pieces) == (old, new)


def test_lines_that_come_again_and_again_are_cheap() -> None:
    lines = [f"line {number % 126}\n" for number in range(9_000)]
    other = random.Random(1).sample(lines, len(lines))
    begun = time.process_time()
    pieces = line_changes("".join(lines), "".join(other))
    assert time.process_time() - begun < 5
    assert sum(each.sign == "+" for each in pieces) > 0
