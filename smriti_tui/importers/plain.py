"""Plain text of unknown care: bytes that are no UTF-8, and where fenced code begins and ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})(.*)", re.DOTALL)
_LONE_SURROGATE: Final = re.compile("\udced[\udca0-\udcbf][\udc80-\udcbf]")
_STRAY: Final = re.compile("[\udc80-\udcff]")


def decoded(raw: bytes) -> str:
    """The text of a line. Stray bytes are read as Western European ones, as old files have them;
    a surrogate that was written alone is U+FFFD."""
    text = raw.decode("utf-8", "surrogateescape")
    if text.isascii():
        return text
    return _STRAY.sub(_western, _LONE_SURROGATE.sub("�", text))


def _western(found: re.Match[str]) -> str:
    return bytes([ord(found[0]) - 0xDC00]).decode("cp1252", "replace")


@dataclass(frozen=True)
class FenceLine:
    """A line that can begin or end fenced code."""

    sign: str
    length: int
    bare: bool
    """Whether nothing follows the signs: only such a line ends one."""


def fence_line(text: str) -> FenceLine | None:
    """What a line is as a fence; None for any other line. However far it is indented: in lists
    they stand deep."""
    found = _FENCE.match(text)
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return None
    return FenceLine(found[1][0], len(found[1]), not found[2].strip())


class Fences:
    """Whether the line at hand is inside fenced code.

    A fence with a language inside an open one is taken as nested, as models write it, although
    CommonMark does not know that.
    """

    def __init__(self) -> None:
        self._open: list[FenceLine] = []
        self.since = 0
        """Number of the line that opened the outermost."""

    @property
    def inside(self) -> bool:
        return bool(self._open)

    def take(self, found: FenceLine | None, number: int = 0) -> None:
        """Goes past a line."""
        if found is None:
            return
        if not self._open:
            self._open, self.since = [found], number
            return
        top = self._open[-1]
        if found.sign != top.sign or found.length < top.length:
            return
        if found.bare:
            self._open.pop()
        else:
            self._open.append(found)

    def close(self) -> None:
        self._open = []
