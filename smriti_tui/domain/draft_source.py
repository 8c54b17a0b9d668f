"""Where a cited passage stands in its turn, letter by letter, so that it can be shown there."""

from __future__ import annotations

import unicodedata

from smriti_tui.domain.quotes import case_folded, folded, places


def passage(text: str, quote: str) -> tuple[int, int] | None:
    """Begin and end of the first place in `text` where `quote` stands by the rule of `quotes`; None
    where it stands nowhere."""
    wanted = folded(quote)
    if not wanted:
        return None
    signs, starts = _mapped(text)
    at = next(places(wanted, signs), None)
    if at is None:
        return None
    last = starts[at + len(wanted) - 1]
    end = next((each for each in starts[at + len(wanted) :] if each > last), len(text))
    return starts[at], len(text[:end].rstrip())


def _mapped(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its signs where in `text` it began.

    Signs are composed together with the marks behind them, as the whole text would be.
    """
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and _joins(text[end]):
            end += 1
        for sign in case_folded(text[at:end]):
            blank = sign.isspace()
            if not (blank and (not parts or parts[-1] == " ")):
                parts.append(" " if blank else sign)
                starts.append(at)
        at = end
    return "".join(parts), starts


def _joins(sign: str) -> bool:
    """Whether a sign may compose with the one before it: a mark, or a part of a Hangul syllable.
    Vowel signs of Bengali or Tamil do, whose combining class is 0."""
    return unicodedata.category(sign).startswith("M") or "\u1161" <= sign <= "\u11c2"
