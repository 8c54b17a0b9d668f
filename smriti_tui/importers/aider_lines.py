"""The turns of one session of aider, told by how its lines begin."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from smriti_tui.domain.imported import Detail, DetailKind, Flag, ImportedTurn, cut_detail
from smriti_tui.domain.model import Role
from smriti_tui.importers.beside import Beside
from smriti_tui.importers.plain import FenceLine, Fences, fence_line

HEADER: Final = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_MODEL: Final = re.compile(r"(?:Main )?[Mm]odel: (\S+)")
_COMMAND: Final = re.compile(r"([/!]\S*)\s*(.*)", re.DOTALL)
QUESTIONS: Final = frozenset({"/architect", "/ask", "/code"})
"""Commands that carry words for the model."""
BLANK: Final = "<blank>"
MAX_AHEAD: Final = 2_000
"""Lines that are looked at to know whether a fence was left open."""
Kind = Literal["user", "tool", "reply"]


@dataclass(frozen=True)
class _Line:
    kind: Kind
    text: str
    """Without the sign of its kind."""
    fence: FenceLine | None = None


def session_turns(lines: Iterator[str], left_out: Counter[str]) -> Iterator[ImportedTurn]:
    """The turns of a session whose lines these are; what is not kept is counted."""
    reader = _Turns(left_out)
    for line in _told_apart(lines):
        yield from reader.take(line)
    yield from reader.end()


# ---- kinds of lines ------------------------------------------------------------------------------


class _Signs:
    """Knows aider's own lines. The first of each kind tells whether they end with two spaces."""

    def __init__(self) -> None:
        self._spaced: dict[Kind, bool] = {}

    def line(self, text: str) -> _Line:
        kind: Kind = "reply"
        if text.startswith("####") and text[4:5] in ("", " "):
            kind = "user"
        elif text.startswith(">") and text[1:2] in ("", " "):
            kind = "tool"
        spaced = text.endswith("  ")
        if kind == "reply" or not (spaced or not self._spaced.setdefault(kind, spaced)):
            return _Line("reply", text, fence_line(text))
        self._spaced.setdefault(kind, spaced)
        body = text[5:] if kind == "user" else text[2:]
        return _Line(kind, body.removesuffix("  "))

    def surely_user(self, line: _Line) -> bool:
        return line.kind == "user" and self._spaced.get("user", False)


def _told_apart(lines: Iterator[str]) -> Iterator[_Line]:
    """The lines by what they are: inside an open fence all are the reply's.

    A reply that was interrupted leaves its fence open. Then the person's next line counts: it is
    known by no end of the fence coming before another one begins.
    """
    signs, fences = _Signs(), Fences()
    ahead: deque[str] = deque()
    blank = True
    while True:
        if ahead:
            text = ahead.popleft()
        else:
            found = next(lines, None)
            if found is None:
                return
            text = found
        if not fences.inside:
            line = signs.line(text)
        else:
            line = _Line("reply", text, fence_line(text))
            own = _aiders(text, signs) if blank else None
            if own is not None and _left_open(ahead, lines):
                fences.close()
                line = own
        fences.take(line.fence)
        blank = not text.strip()
        yield line


def _aiders(text: str, signs: _Signs) -> _Line | None:
    """The line as one of the person's, if aider wrote it as it writes those."""
    if not (text.startswith("#### ") and text.endswith("  ")):
        return None
    found = signs.line(text)
    return found if signs.surely_user(found) else None


def _left_open(ahead: deque[str], lines: Iterator[str]) -> bool:
    """Whether no line to come ends the fence at hand, or another one begins first."""
    for known in ahead:
        if (found := fence_line(known)) is not None:
            return not found.bare
    while len(ahead) < MAX_AHEAD and (text := next(lines, None)) is not None:
        ahead.append(text)
        if (found := fence_line(text)) is not None:
            return not found.bare
    return True


# ---- turns ---------------------------------------------------------------------------------------


class _Turns:
    """Joins lines of one kind, and gives the turns that they make."""

    def __init__(self, left_out: Counter[str]) -> None:
        self._left_out = left_out
        self._kind: Kind = "reply"
        self._lines: list[str] = []
        self._fences = Fences()
        self._beside = Beside(keep=True)
        self._command = ""
        """The one whose output may follow."""
        self._model: str | None = None
        self._number = 0

    def take(self, line: _Line) -> Iterator[ImportedTurn]:
        if line.kind == "reply" and self._kind != "reply" and not line.text.strip():
            # A blank line ends what aider wrote, and begins no reply.
            yield from self._ended()
            return
        if line.kind != self._kind:
            yield from self._ended()
        self._kind = line.kind
        self._lines.append(line.text)
        self._fences.take(line.fence)

    def end(self) -> Iterator[ImportedTurn]:
        yield from self._ended()
        if self._beside.count:
            self._left_out["details after the last turn"] += self._beside.count

    def _ended(self) -> Iterator[ImportedTurn]:
        found, kind, unclosed = self._lines, self._kind, self._fences.inside
        self._lines, self._kind, self._fences = [], "reply", Fences()
        first = next((n for n, line in enumerate(found) if line.strip()), 0)
        text = "\n".join(found[first:]).rstrip()
        if not text:
            return
        if kind == "tool":
            self._tool(text)
        elif kind == "user":
            yield from self._person(text)
        else:
            self._command = ""
            yield self._turn("assistant", text, ("partial",) if unclosed else ())

    def _tool(self, text: str) -> None:
        if found := _MODEL.search(text):
            self._model = found[1].rstrip(",")
        kind: DetailKind = "tool_result" if self._command else "note"
        self._beside.add(cut_detail(kind, text, name=self._command))

    def _person(self, text: str) -> Iterator[ImportedTurn]:
        self._command = ""
        if text == BLANK:
            self._left_out["empty messages"] += 1
            return
        command = _COMMAND.fullmatch(text)
        if command is None:
            yield self._turn("user", text)
        elif command[1] in QUESTIONS and command[2]:
            self._beside.add(Detail("note", command[1]))
            yield self._turn("user", command[2])
        else:
            self._command = command[1][:80]
            self._beside.add(cut_detail("tool_call", command[2], name=self._command))

    def _turn(self, role: Role, text: str, flags: tuple[Flag, ...] = ()) -> ImportedTurn:
        self._number += 1
        turn = ImportedTurn(str(self._number), role, text, details=self._beside.take(), flags=flags)
        return replace(turn, model=self._model) if role == "assistant" else turn
