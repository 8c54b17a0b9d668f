"""Taking a text out of what was recorded: how it may be written, and what stands in its place.

Text and what is searched are both folded: escapes as in JSON are undone, however often they were
made (an answer that is JSON holds them so inside its own payload), and all white space between two
words is one blank, since briefs indent lines and lists show them as one. What looks like a secret
inside the text is taken out by itself too, and so is each line of it: an answer repeats the key
alone, and what is shown of a text often ends with its first line.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.likely_secrets import secrets_in

MARK: Final = "[redacted]"
MIN_LENGTH: Final = 8
"""Fewest characters of a text that is taken out: a shorter one stands in too much else."""
MIN_LINE: Final = 16
"""Fewest characters of a line that is taken out by itself."""
MAX_LINES: Final = 100
"""Lines of a text up to which each is looked for by itself; of a longer one the first is."""

_WHITE: Final = r"(?:\s|\\+[nrtf]|\\+(?=\s))"
_FOLDED: Final = re.compile(
    rf"(?P<between>{_WHITE}{{2,}}|(?! ){_WHITE})"
    r"|\\+(?:u(?P<pair>[dD][89abAB][0-9a-fA-F]{2}\\+u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u(?P<code>[0-9a-fA-F]{4})|(?P<sign>[\"/b])|)"
)
"""White space that is no single blank, an escape, or backslashes; those count for nothing, since
none can be told from one that escapes what comes next."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.=-]{4,}")


@dataclass(frozen=True)
class Folded:
    """A text without escapes, and where each part of it came from."""

    text: str
    at: Sequence[int]
    """Where parts begin in `text`, rising."""
    source: Sequence[tuple[int, int]]
    """Where each begins in the source, and how long it is there if it is one sign in `text`; 0 for
    a part that stands there as it is."""

    def span(self, first: int, end: int) -> tuple[int, int]:
        """The part of the source that `text[first:end]` came from."""
        return self._place(first)[0], self._place(end - 1)[1]

    def _place(self, index: int) -> tuple[int, int]:
        part = bisect_right(self.at, index) - 1
        begins, length = self.source[part]
        if length:
            return begins, begins + length
        place = begins + index - self.at[part]
        return place, place + 1


def fold(text: str) -> Folded:
    """See above."""
    parts: list[str] = []
    at: list[int] = []
    source: list[tuple[int, int]] = []
    length = done = 0

    def add(part: str, begins: int, ends: int) -> None:
        nonlocal length
        parts.append(part)
        at.append(length)
        source.append((begins, ends))
        length += len(part)

    for found in _FOLDED.finditer(text):
        if found.start() > done:
            add(text[done : found.start()], done, 0)
        done = found.end()
        add(_sign(found), found.start(), done - found.start())
    if done < len(text):
        add(text[done:], done, 0)
    return Folded("".join(parts), at, source)


def _sign(found: re.Match[str]) -> str:
    if found["between"]:
        return " "
    if found["pair"]:
        high, low = (int(each, 16) for each in re.split(r"\\+u", found["pair"]))
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if found["code"]:
        return chr(int(found["code"], 16))
    return {"b": "\b", None: ""}.get(found["sign"], found["sign"])


@dataclass(frozen=True)
class Sought:
    """Texts that are to be taken out."""

    pieces: tuple[str, ...]
    """Folded, the longest first."""
    literal: tuple[str, ...]
    """As they were given: folded, a sign after a backslash is none of its own."""
    hints: tuple[str, ...]
    """What stands nowhere shows that none of the texts does."""

    @property
    def longest(self) -> int:
        return len(self.pieces[0])

    def stands_in(self, text: str) -> bool:
        """Whether one of the texts stands in it; a payload holds its texts escaped once more."""
        if not self.may_stand_in(text):
            return False
        folded = fold(text).text
        return any(map(folded.__contains__, self.pieces)) or any(
            map(text.__contains__, self.literal)
        )

    def may_stand_in(self, text: str) -> bool:
        """Cheap: no for almost everything that holds none."""
        return any(hint in text for hint in self.hints)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where they stand, in order; what touches is one."""
        if not self.may_stand_in(text):
            return []
        folded = fold(text)
        found = [folded.span(*each) for each in _places(folded.text, self.pieces)]
        joined: list[tuple[int, int]] = []
        for first, end in sorted((*found, *_places(text, self.literal))):
            if joined and first <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((first, end))
        return joined

    def without(self, text: str) -> str:
        """`text` with the mark in the place of each."""
        parts: list[str] = []
        done = 0
        for first, end in self.spans(text):
            parts += (text[done:first], MARK)
            done = end
        return "".join((*parts, text[done:])) if parts else text

    def cleared(self, value: object) -> object:
        """A JSON value with the mark in all its texts, keys too, and in place of numbers."""
        if isinstance(value, str):
            return self.without(value)
        if isinstance(value, Mapping):
            left: dict[str, object] = {}
            for key, each in value.items():
                name = self.without(str(key))
                while name in left or (name != key and name in value):
                    name += "~"  # no other entry goes with it
                left[name] = self.cleared(each)
            return left
        if isinstance(value, Sequence):
            return [self.cleared(each) for each in value]
        return MARK if self.stands_in(json.dumps(value)) else value


def _places(text: str, pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
    for piece in pieces:
        first = text.find(piece)
        while first >= 0:
            yield first, first + len(piece)
            first = text.find(piece, first + len(piece))


def sought(texts: Sequence[str]) -> Sought:
    """What finds the texts in all their forms.

    Raises:
        Invalid: one is too short, or part of what is put in its place.
    """
    pieces: set[str] = set()
    literal: set[str] = set()
    hints: set[str] = set()
    for piece in {piece for text in texts for piece in _pieces(text)}:
        for form in {piece, normalize("NFC", piece), normalize("NFD", piece)}:
            folded = fold(form).text.strip()
            if len(folded) < MIN_LENGTH // 2:
                continue
            pieces.add(folded)
            literal.add(form)
            hints |= _hints(form)
    longest_first = sorted(pieces, key=lambda each: (-len(each), each))
    return Sought(tuple(longest_first), tuple(sorted(literal)), tuple(sorted(hints)))


def _hints(text: str) -> set[str]:
    """The longest part that everything that writes it writes alike, or its rarest sign, which may
    be written by its number."""
    plain = _PLAIN.findall(text)
    if plain:
        return {max(plain, key=len)}
    rarest = max(text)
    code = rarest.encode("utf-16-be", "surrogatepass")[:2].hex()
    return {rarest, code, code.upper()}


def _pieces(text: str) -> Iterator[str]:
    plain = text.strip()
    if len(plain) < MIN_LENGTH or len(fold(plain).text.strip()) < MIN_LENGTH // 2:
        raise Invalid(
            f"The text has {len(plain)} characters: it may stand in much else.",
            f"Give at least {MIN_LENGTH}, with what stands around it.",
            code="too_short",
            field="text",
        )
    if plain in MARK:
        raise Invalid(f"{plain!r} is what stands for a text that was taken out.", field="text")
    yield plain
    yield from (each for each in secrets_in(plain) if len(each) >= MIN_LENGTH)
    lines = [line for each in plain.splitlines() if len(line := each.strip()) >= MIN_LINE]
    yield from lines if len(lines) <= MAX_LINES else lines[:1]
