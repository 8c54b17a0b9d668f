"""Whether the words that a draft cites were said: checked by rule, never by a model.

A quote counts as said where it stands word for word after Unicode composition (NFC), case folding
and joining of white space, at the borders of words, within one turn. Letters that only look alike
differ.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from smriti_tui.domain.model import EvidenceCheck, Turn

LEAST_SIGNS = 4
"""A shorter quote proves nothing: it stands in nearly every text."""
_NEAR_WORDS = 400
"""Words of a turn that are looked through for the nearest passage, around the best place."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a turn that come nearest to a quote that is nowhere."""

    turn: int
    text: str
    words: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a quote."""

    check: EvidenceCheck
    turn: int | None
    """Where the words stand: the cited turn if it has them, else the one nearest to it."""
    nearest: Passage | None = None


def folded(text: str) -> str:
    """The form in which quotes and turns are compared."""
    return " ".join(case_folded(text).split())


def case_folded(text: str) -> str:
    """As `folded`, with its white space. Folding takes some signs apart: they are composed anew."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def proves(wanted: str) -> bool:
    """Whether folded words are enough to prove anything; signs without any letter are not."""
    return len(wanted) >= LEAST_SIGNS and any(sign.isalnum() for sign in wanted)


@dataclass
class Said:
    """The turns of a window, ready for many quotes; and what else was said in the session."""

    window: Sequence[Turn]
    outside: Iterable[Turn] = ()
    _texts: dict[int, str] = field(default_factory=dict)
    _users: set[int] = field(default_factory=set)
    _beyond: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._texts = {turn.sequence_number: folded(turn.content) for turn in self.window}
        self._users = {turn.sequence_number for turn in self.window if turn.role == "user"}
        self._beyond = {turn.sequence_number: folded(turn.content) for turn in self.outside}

    def has(self, words: str) -> bool:
        """Whether words stand in the window, however short they are."""
        wanted = folded(words)
        return bool(wanted) and bool(_holding(self._texts, wanted))

    def check(self, quote: str, turn: int | None) -> Checked:
        """Classes a quote that is said to stand in `turn`.

        A person's words count before an assistant's, and the cited turn before others.
        """
        wanted = folded(quote)
        if not proves(wanted):
            return Checked("not_found", turn)
        there = _holding(self._texts, wanted)
        own = [number for number in there if number in self._users]
        if own:
            return Checked("found", _closest(own, turn))
        if there:
            return Checked("assistant_only", _closest(there, turn))
        beyond = _holding(self._beyond, wanted)
        if beyond:
            return Checked("outside_window", _closest(beyond, turn))
        return Checked("not_found", turn, self._nearest(wanted, turn))

    def _nearest(self, wanted: str, turn: int | None) -> Passage | None:
        words = _WORD.findall(wanted)
        if not words or not self._texts:
            return None
        number = turn if turn in self._texts else self._likeliest(words)
        found = _WORD.findall(self._texts[number])
        found = found[: _NEAR_WORDS * 10]
        run = SequenceMatcher(None, found, words, autojunk=False).find_longest_match()
        if run.size == 0:
            return None
        return Passage(number, " ".join(found[run.a : run.a + run.size]), run.size)

    def _likeliest(self, words: Sequence[str]) -> int:
        """The turn that holds most of the words."""
        wanted = set(words)
        return max(
            self._texts,
            key=lambda number: len(wanted & set(self._texts[number].split())),
            default=0,
        )


def _holding(texts: Mapping[int, str], wanted: str) -> list[int]:
    """The turns where the words stand. The plain look comes first: nearly all have none of them."""
    return [number for number, text in texts.items() if wanted in text and stands_in(wanted, text)]


def stands_in(wanted: str, text: str) -> bool:
    """Whether folded words stand in a folded text, not as a part of longer words."""
    return next(places(wanted, text), None) is not None


def places(wanted: str, text: str) -> Iterator[int]:
    """Where in a folded text folded words begin, not as a part of longer words."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        before = text[start - 1] if start else " "
        behind = text[end] if end < len(text) else " "
        if not (_joins(before, wanted[0]) or _joins(wanted[-1], behind)):
            yield start
        start = text.find(wanted, start + 1)


def _joins(left: str, right: str) -> bool:
    """Whether two signs belong to one word. Scripts without spaces have no borders to look at."""
    if unicodedata.category(right) in ("Mn", "Mc", "Me"):
        return True
    in_word = left.isalnum() or unicodedata.category(left) in ("Mn", "Mc")
    return in_word and right.isalnum() and not (_unspaced(left) or _unspaced(right))


def _unspaced(sign: str) -> bool:
    return "\u0e00" <= sign <= "\u0eff" or "\u1000" <= sign <= "\u17ff" or sign >= "\u2e80"


def _closest(numbers: Sequence[int], turn: int | None) -> int:
    if turn is None:
        return numbers[0]
    return min(numbers, key=lambda number: (abs(number - turn), number))
