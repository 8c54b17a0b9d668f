"""How texts and typed queries are cut into words, in many scripts."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smriti_tui.domain.search_query import parse
from smriti_tui.domain.search_snippet import snippet
from smriti_tui.domain.search_words import index_line, parts_line, words
from smriti_tui.domain.values import repair_text

FTS = "CREATE VIRTUAL TABLE i USING fts5(words, parts, content='', tokenize='ascii')"


def finds(typed: str, text: str) -> bool:
    """Whether the index gives a text for a typed query, and it holds it sign by sign."""
    query = parse(typed)
    if query.match:
        connection = sqlite3.connect(":memory:")
        try:
            connection.execute(FTS)
            row = (index_line(text), parts_line(text))
            connection.execute("INSERT INTO i(rowid, words, parts) VALUES (1, ?, ?)", row)
            sql = "SELECT rowid FROM i WHERE i MATCH ?"
            if not connection.execute(sql, (query.match,)).fetchall():
                return False
        finally:
            connection.close()
    return query.holds(text)


@pytest.mark.parametrize(
    ("text", "typed", "not_typed"),
    [
        ("हिन्दी में लिखा गया", "हिन्दी", "हिन"),
        ("مُحَمَّد كَتَبَ رسالة", "محمد كتب", "كتبت"),
        ("これは漢字とカナです", "漢字", "字漢"),
        ("コンピュータを使う", "ピュータ", "タピ"),
        ("서버가 필요한가", "필요", "요필"),
        ("ภาษาไทยไม่มีช่องว่าง", "ไทย", "ยไท"),
        ("На каждый день", "НА КАЖДЫЙ", "кажды день"),
        ("Ανάλυση δεδομένων", "αναλυση", "λυση"),
        ("שָׁלוֹם עולם", "שלום", "לום"),
        ("Straße und Café", "strasse cafe", "afe"),
        ("தமிழ் மொழி", "தமிழ்", "ழ்"),
        ("می\u200cخواهم بدانم", "میخواهم", "خواهم بد"),
        ("Cafe\u0301", "caf\u00e9", "cafè"),
        ("set snake_case here", "snake_case", "snake-case"),
        ("call getUserName now", "getUserName", "username"),
        ("call getUserName now", "user now", "userx"),
        ("see a.b.c for more", "a.b.c", "a.b.d"),
        ("C++ or c", "C++", "C#"),
        ("path foo/bar here", "foo/bar", "foo bar/"),
        ("I don\u2019t know", "don't", "dont"),
        ("ﬁne ＦＵＬＬ", "fine full", "ine"),
        ("POL-358 (see a:b)", "POL-358 a:b", "POL 358-"),
        ("rebuild the\n  index", '"the index"', '"index rebuild"'),
        ("half a word", "half a wo", "wo half"),
    ],
)
def test_what_is_typed_is_found_as_it_is_written(text: str, typed: str, not_typed: str) -> None:
    assert finds(typed, text)
    assert not finds(f"{not_typed} ", text)


def test_accents_that_were_typed_must_be_there() -> None:
    assert finds("cafe", "ein Café")
    assert finds("café", "ein Café")
    assert not finds("café", "ein Cafe")


@pytest.mark.parametrize("typed", ["*", "(", '"', "AND", "NEAR(", "a OR", "col:x", '"a" *', "^a"])
def test_nothing_typed_is_syntax(typed: str) -> None:
    assert finds(typed, f"before {typed} behind")
    assert not finds(f"{typed}{typed}x ", f"before {typed} behind")


texts = st.text(max_size=80).map(lambda text: repair_text(text)[0])


@given(texts)
@example("\u0301a \u00b4b")
@example("각\u11a8 ﬀ İ")
def test_a_piece_of_a_text_finds_it(text: str) -> None:
    words(text)
    for piece in text.split()[:5]:
        assert finds(piece, text), piece
        shown = snippet(text, parse(piece))
        assert shown.text


@given(texts, texts)
def test_any_query_on_any_text_never_raises(typed: str, text: str) -> None:
    finds(typed, text)
    snippet(text, parse(typed))


def test_a_snippet_marks_the_word_and_splits_no_sign() -> None:
    shown = snippet("It stands here\nthis and that", parse("and "))
    assert (shown.before, shown.hit, shown.after) == ("this ", "and", " that")
    shown = snippet("x" * 500 + " ein Cafe\u0301 " + "नि" * 400, parse("cafe"))
    assert shown.hit == "Cafe\u0301"
    assert shown.before.startswith(".. ")
    assert shown.after.endswith("नि ..")
