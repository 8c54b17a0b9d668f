"""The one tolerant reader of a JSON object in a model's answer, whatever stands around it.

Strict JSON is tried first. What that refuses is read by rules that add nothing: raw line ends in
strings, trailing and missing commas, comments, other quotation marks, unescaped ones inside a text,
names without any, Python's words for true and null. An object that ends or breaks on the way gives
its whole fields and the whole entries of its lists, marked as cut; a value of which the end was not
seen is dropped.

A library for repair was tried (json-repair 0.64.6, MIT, pure Python). It completes what it does not
know: a text that was cut in a word counts as whole, as does half a number, `{"title": ,` gets an
empty title, and a refusal with a brace in it becomes a list. What a person is shown as the model's
proposal must be the model's, so the rules stand here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

MOST_STARTS = 200
"""How many braces are tried as the beginning of the object."""
MOST_STEPS = 200_000
"""Values and quotation marks that the tolerant rules look at, in all tries of one answer."""
NESTED = 3
"""Levels on which an object with a known field is looked for inside another one."""
DEEPEST = 40
"""Levels that are read; what lies deeper is none of an answer's."""

LONGEST_NUMBER = 300

_START = re.compile(r"""\{(?=\s*(?:["'“”„‘’}/#]|[A-Za-z_]\w*\s*:))""")
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype|html|head)\b", re.IGNORECASE)
_SPACE = re.compile(r"(?:[\s\ufeff\u200b]+|//[^\n]*|/\*.*?\*/|#[^\n]*|\.{3}|…)*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")
_BARE = re.compile(r"""[^\s,:\[\]{}"'“”„‘’]*\w[^\s,:\[\]{}"'“”„‘’]*""")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS: Mapping[str, object] = MappingProxyType(
    {
        "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
        "undefined": None,
    }
)  # fmt: skip
_DOUBLE, _TYPED, _SINGLE = re.compile(r'["\\]'), re.compile(r'["“”\\]'), re.compile(r"['‘’\\]")
_CLOSERS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {'"': _DOUBLE, "“": _TYPED, "”": _TYPED, "„": _TYPED} | dict.fromkeys("'‘’", _SINGLE)
)
_NEXT = r"""["'“”„‘’{\[}\]]|[A-Za-z_]\w*\s*:|//|/\*|\#\s"""
_AFTER_NAME = re.compile(r"\s*:")
_AFTER_TEXT = re.compile(
    rf"\s*(?:[}}\]]|,\s*(?:{_NEXT})|//|/\*|\#\s)|[^\S\n]*\n\s*[\"“{{\[]", re.VERBOSE
)
"""What stands behind a text that has ended: else the quotation mark belongs to it."""
_AFTER_FIRST = re.compile(r"\s*,\s*(?:[-\d]|(?:true|false|null|True|False|None)\b|\Z)")
"""What may stand there too, as long as no mark was taken for a part of the text."""
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES: Mapping[str, str] = MappingProxyType(
    {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
    | {sign: sign for sign in "\"'/\\\n“”‘’"}
)


@dataclass(frozen=True)
class Found:
    """An object that stood in an answer."""

    value: dict[str, object]
    cut: bool = False
    """It ends or breaks on the way; only what came whole is here."""
    mended: bool = False
    """A text had quotation marks in it that could have been its end: it may be parted wrongly."""


def read_object(answer: str, known: Collection[str]) -> Found | None:
    """The object in `answer` that has the most of the fields `known`, the first among equals; None
    if none has any, as in a refusal, an empty answer or a page of a network's sign-in.

    Takes time in proportion to the answer's length at most.
    """
    if _PAGE.match(answer):
        return None
    _, thought, rest = answer.rpartition("</think>")
    places = [rest, answer] if thought else [_unwrapped(answer)]
    for place in places:
        found = max(_objects(place, known), key=lambda each: _worth(each, known), default=None)
        if found is not None:
            return found
    return None


def _worth(found: Found, known: Collection[str]) -> tuple[int, bool]:
    return sum(name in known for name in found.value), not found.cut


def _unwrapped(answer: str) -> str:
    """The answer; the text inside where all of it is one JSON string."""
    try:
        inner = json.loads(answer) if answer.lstrip().startswith('"') else answer
    except (ValueError, RecursionError):
        return answer
    return inner if isinstance(inner, str) else answer


def _objects(answer: str, known: Collection[str]) -> Iterator[Found]:
    """The objects with a known field, in their order; one inside another only where the outer has
    none. Fences and talk around them do not matter; a fence inside a value does neither."""
    reader = _Reader(answer)
    start = _START.search(answer)
    for _ in range(MOST_STARTS):
        if start is None:
            return
        found, end = _at(reader, start.start())
        value = _known_part(found.value, known, 1 if found.cut else NESTED)
        if value is not None:
            whole = {name: _sound(each) for name, each in value.items()}
            yield Found(whole, found.cut, found.mended)
        elif found.cut:
            end = start.end()  # What was lost here may be whole further in.
        start = _START.search(answer, end)


def _at(reader: _Reader, at: int) -> tuple[Found, int]:
    try:
        value, end = _STRICT.raw_decode(reader.text, at)
    except (ValueError, RecursionError):
        return reader.object_at(at)
    return Found(value), end


_STRICT = json.JSONDecoder(strict=False)


def _known_part(
    value: dict[str, object], known: Collection[str], levels: int
) -> dict[str, object] | None:
    """The object itself, or the first one in a field of it, that has a known field: some models put
    the whole answer below a name of their own."""
    level: list[object] = [value]
    for _ in range(levels):
        inside: list[object] = []
        for each in level:
            if isinstance(each, dict):
                if any(name in each for name in known):
                    return each
                inside += each.values()
        level = inside
    return None


def _sound(value: object, depth: int = 1) -> object:
    """Without NUL and halves of characters, which no file and no screen takes."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value.replace("\0", ""))
    if depth > DEEPEST:
        return None
    if isinstance(value, list):
        return [_sound(each, depth + 1) for each in value]
    if isinstance(value, dict):
        return {str(_sound(name)): _sound(each, depth + 1) for name, each in value.items()}
    return value


class _Reader:
    """Reads by the tolerant rules. Each method starts at `_at` and leaves it behind what it read;
    "whole" says whether the end of a value was seen. Where it was not, nothing is read after it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = 0
        self._left = MOST_STEPS
        self._mended = False

    def object_at(self, at: int) -> tuple[Found, int]:
        """The object that begins at `at`, and where it ends or breaks."""
        self._at, self._mended = at, False
        value, whole = self._object(0)
        return Found(value, not whole, self._mended), self._at

    def _object(self, depth: int) -> tuple[dict[str, object], bool]:
        fields: dict[str, object] = {}
        self._at += 1
        while (sign := self._next()) != "}":
            if sign == ",":
                self._at += 1
                continue
            name = self._field_name(sign)
            if name is None:
                return fields, False
            if self._next() in (",", "}"):
                continue  # A name without a value.
            value, whole = self._value(depth + 1)
            if whole:
                fields[name] = value
                continue
            part = _lists_in(value)
            return (fields if part is None else {**fields, name: part}), False
        self._at += 1
        return fields, True

    def _list(self, depth: int) -> tuple[list[object], bool]:
        entries: list[object] = []
        self._at += 1
        while (sign := self._next()) != "]":
            if sign == ",":
                self._at += 1
                continue
            value, whole = self._value(depth + 1)
            if not whole:
                return entries, False
            entries.append(value)
        self._at += 1
        return entries, True

    def _field_name(self, sign: str) -> str | None:
        name: object
        if sign in _CLOSERS:
            name, whole = self._text(_AFTER_NAME)
        elif found := _NAME.match(self.text, self._at):
            self._at, name, whole = found.end(), found.group(), True
        else:
            return None
        if not whole or self._next() != ":":
            return None
        self._at += 1
        return str(name)

    def _value(self, depth: int) -> tuple[object, bool]:
        sign = self._next()
        self._left -= 1
        if depth > DEEPEST or self._left < 0:
            return None, False
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._list(depth)
        value, whole = self._text(_AFTER_TEXT) if sign in _CLOSERS else self._word()
        return value, whole and self._parted()

    def _text(self, after: re.Pattern[str]) -> tuple[str, bool]:
        begin = self._at + 1
        closer = _CLOSERS[self.text[self._at]]
        first = True
        mark = closer.search(self.text, begin)
        while mark is not None and self._left > 0:
            self._left -= 1
            end = mark.end()
            if mark.group() == "\\":
                end += 1
            elif after.match(self.text, end) or (first and _AFTER_FIRST.match(self.text, end)):
                self._at = end
                self._mended = self._mended or not first
                return _unescaped(self.text[begin : mark.start()]), True
            else:
                first = False
            mark = closer.search(self.text, end)
        self._at = len(self.text)
        return "", False

    def _word(self) -> tuple[object, bool]:
        """A number, a word that is a value, or another one as the text that it is."""
        found = _BARE.match(self.text, self._at)
        if found is None:
            return None, False
        self._at = found.end()
        word = found.group()
        if _NUMBER.fullmatch(word) and len(word) <= LONGEST_NUMBER:
            return (int(word) if word.lstrip("-").isdigit() else float(word)), True
        return _WORDS.get(word, word), True

    def _parted(self) -> bool:
        """Whether what follows parts a value from the next one: a sign or, where a comma was
        forgotten, the end of the line. At the end of the text the value may have gone on."""
        before = self._at
        sign = self._next()
        return sign in (",", "}", "]") or (sign != "" and "\n" in self.text[before : self._at])

    def _next(self) -> str:
        """The next sign that is neither space nor comment; empty at the end."""
        space = _SPACE.match(self.text, self._at)
        self._at = space.end() if space else self._at
        return self.text[self._at : self._at + 1]


def _lists_in(value: object) -> object | None:
    """What may be kept of a value whose end was not seen: lists with their whole entries. Of any
    other value something is missing that would change it."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    kept = {name: part for name, each in value.items() if (part := _lists_in(each)) is not None}
    return kept or None


def _unescaped(text: str) -> str:
    """A backslash before any other sign than JSON's stands for itself, as in paths and patterns."""
    if "\\" not in text:
        return text
    return _paired(_ESCAPE.sub(lambda found: _sign(found.group(1)), text))


def _sign(escape: str) -> str:
    if len(escape) > 1:
        return chr(int(escape[1:], 16))
    return _ESCAPES.get(escape, f"\\{escape}")


def _paired(text: str) -> str:
    """Two halves of a character side by side become it."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
