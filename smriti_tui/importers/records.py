"""JSON that is larger than memory: the items of an array and the lines of a file, one at a time.

What cannot be read costs only itself: a broken line, and a broken conversation in an array, since
the next one is looked for behind it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

from smriti_tui.domain.imported import Skipped
from smriti_tui.importers.files import MAX_RECORD, PIECE, SourceFile

BOM: Final = b"\xef\xbb\xbf"
_DECODER: Final = json.JSONDecoder(strict=False)
"""Not strict: a raw control character in a text is no reason to lose the text."""
_SPACE: Final = re.compile(r"[\s,]*")
_NEXT: Final = re.compile(r',\s*(?=\{\s*")')
LONGEST_GAP: Final = 200
"""Characters between the end of one item and the first key of the next."""
MAX_TRIES: Final = 50
"""Places behind a broken item that look like the next one and are no JSON."""
TOO_LONG: Final = f"longer than {MAX_RECORD >> 20} MB"


class Broken(ValueError):
    """A record is no JSON; its text says why, for people."""


@dataclass(frozen=True)
class Record:
    """One JSON value and where it lies, so that it can be read again."""

    number: int
    """From 1 on: of the line, or of the item in its array."""
    offset: int
    length: int
    value: Any


def parse(raw: bytes) -> Any:
    """One JSON value. Bytes that are no UTF-8 become lone surrogates, which the store repairs.

    Raises:
        Broken.
    """
    try:
        return _DECODER.decode(raw.decode("utf-8", "surrogateescape").strip())
    except RecursionError as error:
        raise Broken("nested too deeply") from error
    except json.JSONDecodeError as error:
        raise Broken(f"no JSON: {error.msg.lower()} at character {error.pos}") from error
    except ValueError as error:
        raise Broken(f"no JSON: {error}") from error


def read_again(file: SourceFile, record: Record) -> Any:
    """The value of a record that was read before. Raises: Broken, SmritiError."""
    return parse(file.part(record.offset, record.length))


# ---- lines -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    number: int
    offset: int
    raw: bytes | None
    """None for a line that is longer than any that is read."""
    whole: bool
    """Whether it ends: the last one may be half written."""


def lines(file: SourceFile) -> Iterator[Line]:
    """All lines, blank ones too, without their ends. Raises: SmritiError, Cancelled."""
    with file.open() as source:
        offset = len(BOM) if source.read(3) == BOM else 0
        source.seek(offset)
        number = 0
        while raw := source.readline(MAX_RECORD + 1):
            number += 1
            length, ends = len(raw), raw.endswith(b"\n")
            short = ends or length <= MAX_RECORD
            kept: bytes | None = raw if short else None
            if not short:
                rest, ends = _pass_over(source, file)
                length += rest
            file.watch.piece(length)
            yield Line(number, offset, kept.rstrip(b"\r\n") if kept is not None else None, ends)
            offset += length


def _pass_over(source: IO[bytes], file: SourceFile) -> tuple[int, bool]:
    """Bytes to the end of the line, and whether it ends."""
    length = 0
    while piece := source.readline(PIECE):
        length += len(piece)
        file.watch.piece(0)
        if piece.endswith(b"\n"):
            return length, True
    return length, False


def json_lines(file: SourceFile) -> Iterator[Record | Skipped]:
    """The objects of a file of JSON lines. A blank line is no fault; a line that is none, or no
    object, is told with its number. Raises: SmritiError, Cancelled."""
    for line in lines(file):
        where = f"line {line.number}"
        if line.raw is None:
            yield Skipped(where, TOO_LONG)
        elif line.raw.strip():
            try:
                value = parse(line.raw)
            except Broken as error:
                unfinished = "" if line.whole else "not finished yet, "
                yield Skipped(where, f"{unfinished}{error}")
                continue
            if isinstance(value, dict):
                yield Record(line.number, line.offset, len(line.raw), value)
            else:
                yield Skipped(where, "no JSON object")


# ---- arrays ------------------------------------------------------------------------------------


def json_items(file: SourceFile, is_one: Callable[[Any], bool]) -> Iterator[Record | Skipped]:
    """The items of a file that is one array, or the one object that it is.

    `is_one` says whether a value is an item: after a broken one the next is looked for by it.

    Raises: SmritiError, Cancelled.
    """
    with file.open() as source:
        yield from _Items(file, source, is_one).read()


class _Items:
    """Walks through the array with a buffer that begins with the item at hand."""

    def __init__(self, file: SourceFile, source: IO[bytes], is_one: Callable[[Any], bool]) -> None:
        self._file, self._source, self._is_one = file, source, is_one
        self._raw = b""
        self._text = ""
        """The buffer, decoded: all that was read and not dropped yet."""
        self._place = 0
        """In `_text`; what lies before was read."""
        self._offset = 0
        """The same place in the file."""
        self._ended = False
        self._lost = False
        """Whether nothing was found behind a broken item."""

    def read(self) -> Iterator[Record | Skipped]:
        self._more()
        if self._raw.startswith(BOM):
            self._advance(1)
        self._past_space()
        array = self._sign() == "["
        if array:
            self._advance(self._place + 1)
        number = 0
        while True:
            self._past_space()
            if not self._sign() or (array and self._sign() == "]"):
                break
            number += 1
            yield self._one(number)
            if not array or self._lost:
                return
        if not self._sign():
            yield Skipped("the end", "the file stops in the middle of the array")

    def _sign(self) -> str:
        return self._text[self._place : self._place + 1]

    def _one(self, number: int) -> Record | Skipped:
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._place)
            except RecursionError:
                return self._left_out(number, "nested too deeply")
            except ValueError as error:
                if self._grow():
                    continue
                reason = f"no JSON: {error}" if self._ended else TOO_LONG
                return self._left_out(number, reason)
            offset = self._offset
            self._advance(end)
            return Record(number, offset, self._offset - offset, value)

    def _left_out(self, number: int, reason: str) -> Skipped:
        """Goes on to the next value that is an item."""
        tries = 0
        while tries < MAX_TRIES:
            found = _NEXT.search(self._text, self._place)
            if found is not None:
                self._advance(found.end())
                verdict = self._item_here()
                if verdict:
                    return Skipped(f"item {number}", reason)
                tries += verdict is None
            elif self._ended:
                break
            else:
                self._advance(max(self._place, len(self._text) - LONGEST_GAP))
                self._more()
        while not self._ended:
            self._advance(len(self._text))
            self._more()
        self._lost = True
        return Skipped(f"item {number} and all after it", reason)

    def _item_here(self) -> bool | None:
        """Whether an item begins here; what is whole and none is passed over. None for what is no
        JSON."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._place)
            except RecursionError:
                return None
            except ValueError:
                if self._grow():
                    continue
                return None
            if not self._is_one(value):
                self._advance(end)
                return False
            return True

    def _past_space(self) -> None:
        while True:
            found = _SPACE.match(self._text, self._place)
            self._advance(found.end() if found else self._place)
            if self._place < len(self._text) or self._ended:
                return
            self._more()

    def _advance(self, place: int) -> None:
        self._offset += len(self._text[self._place : place].encode("utf-8", "surrogateescape"))
        self._place = place

    def _grow(self) -> bool:
        """Twice as much of the item at hand, unless there is no more or it is too long."""
        if self._ended or len(self._raw) > MAX_RECORD:
            return False
        self._more(max(PIECE, len(self._raw)))
        return True

    def _more(self, size: int | None = None) -> None:
        size = size or PIECE
        rest = self._text[self._place :].encode("utf-8", "surrogateescape")
        piece = self._source.read(size)
        self._ended = len(piece) < size
        self._raw = rest + piece
        self._file.watch.piece(len(piece))
        self._text = self._raw.decode("utf-8", "surrogateescape")
        self._place = 0
