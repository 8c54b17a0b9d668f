"""Taking a text out of what was recorded: how it may be written, and what stands in its place.

The text is looked for as it is, in the composed and decomposed forms of Unicode, and escaped as in
JSON, once and twice: an answer that is JSON holds it so inside its own payload. Between its words
any white space may stand: briefs indent lines, and a list of sessions shows them as one. A long
line of it is taken out by itself too, since what is shown of a text often ends with its first line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from smriti_tui.domain.errors import Invalid

MARK: Final = "[redacted]"
MIN_LENGTH: Final = 8
"""Fewest characters of a text that is taken out: a shorter one stands in too much else."""
MIN_LINE: Final = 16
"""Fewest characters of a line that is taken out by itself."""
_BETWEEN: Final = r"(?:\s|\\+[nrt])+"


@dataclass(frozen=True)
class Sought:
    """Texts that are to be taken out."""

    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    """What stands nowhere shows that none of the texts does: the longest word of each."""

    def stands_in(self, text: str) -> bool:
        """Whether one of the texts stands in it; a payload holds its texts escaped once more."""
        return any(hint in text for hint in self.hints) and bool(self.pattern.search(text))

    def may_stand_in(self, text: str) -> bool:
        """Cheap: no for almost everything that holds none."""
        return any(hint in text for hint in self.hints)

    def without(self, text: str) -> str:
        """`text` with the mark in the place of each."""
        return self.pattern.sub(lambda _: MARK, text) if self.may_stand_in(text) else text

    def cleared(self, value: object) -> object:
        """A JSON value with the mark in all its texts, keys too."""
        if isinstance(value, str):
            return self.without(value)
        if isinstance(value, Mapping):
            return {self.without(str(key)): self.cleared(each) for key, each in value.items()}
        if isinstance(value, Sequence):
            return [self.cleared(each) for each in value]
        return value


def sought(texts: Sequence[str]) -> Sought:
    """What finds the texts in all their forms.

    Raises:
        Invalid: one is too short, or part of what is put in its place.
    """
    pieces = {piece for text in texts for piece in _pieces(text)}
    patterns: set[str] = set()
    hints: set[str] = set()
    for piece in pieces:
        for form in {piece, normalize("NFC", piece), normalize("NFD", piece)}:
            words = form.split()
            for written in _escaped(words):
                patterns.add(_BETWEEN.join(map(re.escape, written)))
            longest = max(words, key=len)
            hints |= {one for (one,) in _escaped([longest], times=3)}
    longest_first = sorted(patterns, key=lambda each: (-len(each), each))
    return Sought(re.compile("|".join(longest_first)), tuple(sorted(hints)))


def _pieces(text: str) -> Iterator[str]:
    plain = text.strip()
    if len(plain) < MIN_LENGTH:
        raise Invalid(
            f"The text has {len(plain)} characters: it may stand in much else.",
            f"Give at least {MIN_LENGTH}, with what stands around it.",
            code="too_short",
            field="text",
        )
    if plain in MARK:
        raise Invalid(f"{plain!r} is what stands for a text that was taken out.", field="text")
    yield plain
    yield from (line.strip() for line in plain.splitlines() if len(line.strip()) >= MIN_LINE)


def _escaped(words: Sequence[str], times: int = 2) -> Iterator[tuple[str, ...]]:
    """The words as they are, and escaped as in JSON up to so many times."""
    found = {tuple(words)}
    for _ in range(times):
        for each in tuple(found):
            for ascii_only in (True, False):
                found.add(tuple(json.dumps(word, ensure_ascii=ascii_only)[1:-1] for word in each))
    yield from found
