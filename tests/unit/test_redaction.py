"""A text is found however it was written, and nothing else is."""

from __future__ import annotations

import json
import time
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.redaction import MARK, fold, sought

KEY = "sk-" + "proj-abcDEF0123456789abcDEF01"
SECRETS = (
    "hunter2 and more", 'a "quoted" word', "back\\slash\\new\\u0041", "two\nlines here",
    "क्षत्रिय रहस्य", "Öl für 😀 alle", "a/b/c/d/e", "<tag & more>", "tab\tand  blanks",
    "n-begins", "ends in \\\\",
)  # fmt: skip


def nested(text: str, times: int, *, ascii_only: bool) -> str:
    for _ in range(times):
        text = json.dumps({"x": f"<{text}>"}, ensure_ascii=ascii_only)
    return text


@pytest.mark.parametrize("times", range(5))
@pytest.mark.parametrize("secret", SECRETS)
def test_it_is_found_at_any_depth_of_json(secret: str, times: int) -> None:
    for ascii_only in (True, False):
        text = nested(secret, times, ascii_only=ascii_only)
        left = sought([secret]).without(text)
        assert MARK in left
        if not secret.endswith("\\"):
            assert left == nested(MARK, times, ascii_only=ascii_only)


def test_what_other_writers_of_json_escape_is_found_too() -> None:
    assert sought(["a/b/c/d/e"]).without(r'{"x":"a\/b\/c\/d\/e"}') == f'{{"x":"{MARK}"}}'
    assert sought(["<tag&more>"]).without(r"\u003Ctag\u0026more\u003e!") == f"{MARK}!"
    assert sought(["für 😀 all"]).without(r"f\u00FCr \uD83D\uDE00 all") == MARK


def test_white_space_between_words_may_be_any() -> None:
    wanted = sought(["alpha beta gamma"])
    for text in ("alpha\n   beta gamma", r"alpha\n\tbeta\r\ngamma", "alpha  beta\tgamma"):
        assert wanted.without(f"({text})") == f"({MARK})"
    assert wanted.without("alphabeta gamma") == "alphabeta gamma"


def test_forms_of_unicode() -> None:
    for form in ("NFC", "NFD"):
        assert sought(["Crème brûlée"]).without(normalize(form, "eine Crème brûlée!")) == (
            f"eine {MARK}!"
        )


def test_after_a_backslash_it_is_found() -> None:
    assert sought(["nF83kd92ls"]).without(r"C:\nF83kd92ls") == rf"C:\{MARK}"
    assert sought(["nF83kd92ls"]).stands_in(json.dumps(r"C:\nF83kd92ls"))


def test_what_looks_like_a_secret_in_it_goes_by_itself() -> None:
    wanted = sought([f"my key is {KEY}, please use it"])
    assert wanted.without(f"I use {KEY}.") == f"I use {MARK}."
    assert wanted.without("my key is lost") == "my key is lost"


def test_lines_go_by_themselves_unless_they_are_many() -> None:
    lines = [f"this is line number {number}" for number in range(101)]
    assert sought(["\n".join(lines[:50])]).without(lines[3]) == MARK
    wanted = sought(["\n".join([*lines, f"with {KEY} in it"])])
    assert wanted.without(lines[0]) == MARK
    assert wanted.without(lines[3]) == lines[3]
    assert wanted.without(KEY) == MARK


def test_names_and_nested_values_are_cleared() -> None:
    given = {"hunter2 and more": [1, None, {"x": "hunter2 and more!"}]}
    assert sought(["hunter2 and more"]).cleared(given) == {MARK: [1, None, {"x": f"{MARK}!"}]}


def test_numbers_are_texts_and_no_name_takes_the_place_of_another() -> None:
    assert sought(["4111111111111111"]).cleared([4111111111111111, 4.5, True, None, 41]) == [
        MARK, 4.5, True, None, 41
    ]  # fmt: skip
    assert sought(["hunter2 and more"]).cleared(
        {"hunter2 and more": 1, "hunter2  and more": 2, MARK: 3, f"{MARK}~": 4}
    ) == {f"{MARK}~~": 1, f"{MARK}~~~": 2, MARK: 3, f"{MARK}~": 4}


@pytest.mark.parametrize("text", ["short", "       x", "\\" * 20, MARK, "redacted"])
def test_too_short_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        sought([text])


@given(st.text(alphabet='ab\\"nu0041 \n\té😀/', max_size=60))
def test_every_part_of_a_folded_text_has_its_place(text: str) -> None:
    folded = fold(text)
    ends = 0
    for index in range(len(folded.text)):
        first, end = folded.span(index, index + 1)
        assert set(text[ends:first]) <= {"\\"}
        assert end > first
        ends = end
    assert set(text[ends:]) <= {"\\"}


@given(
    st.text(alphabet='abn\\"u/\n é', min_size=8, max_size=20),
    st.text(alphabet="xyz", max_size=5),
    st.integers(0, 3),
)
def test_nothing_of_it_is_left(secret: str, around: str, times: int) -> None:
    try:
        wanted = sought([secret])
    except Invalid:
        return
    text = nested(f"{around}|{secret}|{around}", times, ascii_only=True)
    assert not wanted.stands_in(wanted.without(text))
    assert MARK in wanted.without(text)


def test_a_long_text_takes_no_longer_than_it_is() -> None:
    text = "\n".join(f"line {number} of a long file that was pasted" for number in range(25_000))
    started = time.process_time()
    assert sought([text]).without(json.dumps({"x": text})) == f'{{"x": "{MARK}"}}'
    assert time.process_time() - started < 4
    started = time.process_time()
    sought(["\\" * 10 + "a" * 20]).without("\\" * 500_000 + "aaaa" * 100)
    assert time.process_time() - started < 2
