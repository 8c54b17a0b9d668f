"""Text that is shown never drives the terminal."""

from __future__ import annotations

import unicodedata

from smriti_tui.domain.clean import clean, clean_line

DIRECTIONS = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
BREAKS = {0x2028, 0x2029, 0xFEFF}


def expected(code: int) -> str:
    sign = chr(code)
    if code in (0x09, 0x0A):
        return sign
    if code == 0x0D:
        return "\n"
    if code == 0x200D:
        return ""
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if code in DIRECTIONS or code in BREAKS:
        return f"<U+{code:04X}>"
    return "\ufffd" if unicodedata.category(sign) in ("Cc", "Cs") else sign


def test_every_character_is_kept_or_made_visible() -> None:
    wrong = [code for code in range(0x110000) if clean(chr(code)) != expected(code)]
    assert wrong == []


def test_line_ends_are_line_feeds() -> None:
    assert clean("a\r\nb\rc\n\r\nd") == "a\nb\nc\n\nd"


def test_a_joiner_stays_where_it_joins_emoji() -> None:
    family = "👩\u200d👩\u200d👧 ❤️\u200d🔥"
    assert clean(family) == family
    assert clean("a\u200d b क\u094d\u200dष 👩\u200d x") == "a b क\u094dष 👩 x"


def test_a_line_is_one_line() -> None:
    assert clean_line("a\tb\r\nc\x1b[2J") == "a b c\u241b[2J"
