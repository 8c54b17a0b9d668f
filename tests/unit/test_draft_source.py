"""Where a quote stands in its turn: the place that is shown is the one that the check means."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smriti_tui.domain.draft_source import passage
from smriti_tui.domain.quotes import folded, stands_in

# Decomposed, expanding, composing without a combining class, Hangul, joined and wide signs.
SIGNS = [
    "a", "B", " ", "\n", "\t", "\u00a0", "-", "ß", "\u0301", "e", "\u0327", "\u09c7", "\u09be",
    "\u1100", "\u1161", "\u11a8", "\uac00", "日", "\u200d", "İ", "ﬁ", "\u0f71", "\u0f72", "1", ".",
]  # fmt: skip
TEXTS = st.text(st.sampled_from(SIGNS), max_size=30)


@pytest.mark.parametrize(
    ("text", "quote", "shown"),
    [
        ("Then make the rebuild a job.", "Make  the\nREBUILD", "make the rebuild"),
        ("We store it\n  in one file, for now", "in ONE file", "in one file"),
        ("cafe\u0301 au lait", "caf\u00e9 AU", "cafe\u0301 au"),
        ("Die Straße bleibt", "strasse BLEIBT", "Straße bleibt"),
        ("rebuilding is not rebuild", "rebuild", "rebuild"),
        ("run it from cron", "it from", "it from"),
        ("索引は一つのファイル", "一つの", "一つの"),
        ("x \u0995\u09c7\u09be y", "\u0995\u09cb", "\u0995\u09c7\u09be"),
        ("  the end  ", "the end", "the end"),
    ],
)
def test_the_place_is_cut_out_letter_by_letter(text: str, quote: str, shown: str) -> None:
    found = passage(text, quote)
    assert found is not None
    assert text[found[0] : found[1]] == shown


@pytest.mark.parametrize("quote", ["", "  \n", "cron", "rebuil", "make the rebuild a job now"])
def test_what_stands_nowhere_has_no_place(quote: str) -> None:
    assert passage("Then make the rebuild a job.", quote) is None


def test_the_last_words_of_a_word_borders_count() -> None:
    text = "prebuild, rebuild"
    assert passage(text, "rebuild") == (10, 17)


@given(text=TEXTS, quote=TEXTS)
@settings(max_examples=300, deadline=None)
def test_there_is_a_place_exactly_where_the_check_finds_one(text: str, quote: str) -> None:
    wanted = folded(quote)
    found = passage(text, quote)
    assert (found is not None) == (bool(wanted) and stands_in(wanted, folded(text)))
    if found is not None:
        assert wanted in folded(text[found[0] : found[1]])


@given(text=TEXTS, start=st.integers(0, 30), size=st.integers(1, 30))
@settings(max_examples=300, deadline=None)
def test_a_piece_of_the_text_is_found_where_the_check_finds_it(
    text: str, start: int, size: int
) -> None:
    quote = text[start : start + size]
    wanted = folded(quote)
    found = passage(text, quote)
    assert (found is not None) == (bool(wanted) and stands_in(wanted, folded(text)))
    if found is not None:
        assert wanted in folded(text[found[0] : found[1]])
