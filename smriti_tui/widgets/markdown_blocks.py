"""Cuts Markdown into top-level blocks, line by line, so that a block is rendered once and never
again.

Link reference definitions are not read as such (they would be words that nobody sees), so no block
depends on a later one and the text cut here and rendered piece by piece reads as the whole would.
The one difference: an HTML block ends at a blank line or a fence; HTML is shown literally in any
case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")


@dataclass(frozen=True, slots=True)
class Block:
    """A finished top-level block: its lines, each ended by a line break, and whether a blank line
    stands before."""

    text: str
    spaced: bool


class BlockCutter:
    """Takes complete lines and tells when the block so far is finished."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._fence: Final[list[str]] = []
        self._listed = False
        self._blank = False
        self._spaced = False

    @property
    def in_fence(self) -> bool:
        """Whether the open block is a fence (its lines are literal)."""
        return bool(self._fence)

    @property
    def spaced(self) -> bool:
        """Whether a blank line stands before the open block, or before the one that comes next."""
        return self._spaced if self._lines else self._blank

    @property
    def empty(self) -> bool:
        """Whether no line of a next block has come yet."""
        return not self._lines

    def add(self, line: str) -> tuple[Block | None, Block | None]:
        """The blocks that `line` (without its line break) finishes: the one before it, the one it
        ends."""
        if self._fence:
            self._lines.append(line)
            return None, self._take() if self._closes(line) else None
        if not line.strip(" \t"):
            self._blank = True
            if self._lines:
                self._lines.append(line)
            return None, None
        fence = self._opening(line)
        before = self._take() if self._lines and (fence or self._splits(line)) else None
        if not self._lines:
            self._spaced, self._listed = self._blank, False
        self._fence[:] = [fence] if fence else []
        self._listed = self._listed or _ITEM.match(line) is not None
        self._blank = False
        self._lines.append(line)
        return before, None

    def close(self) -> Block | None:
        """The block that was open at the end of the text, if any."""
        self._fence.clear()
        return self._take() if self._lines else None

    def _take(self) -> Block:
        block = Block("\n".join(self._lines) + "\n", self._spaced)
        self._lines.clear()
        self._fence.clear()
        return block

    def _splits(self, line: str) -> bool:
        if not self._blank or line[0] in " \t":
            return False
        return not (self._listed and _ITEM.match(line))

    def _opening(self, line: str) -> str:
        """The marker of the fence that `line` opens at the top level, else nothing."""
        found = _FENCE.match(line)
        if found is None or (self._lines and self._listed and found[1]):
            return ""
        return "" if found[2][0] == "`" and "`" in found[3] else found[2]

    def _closes(self, line: str) -> bool:
        found = _FENCE.match(line)
        marker = self._fence[0]
        return (
            found is not None
            and not found[3].strip(" \t")
            and found[2][0] == marker[0]
            and len(found[2]) >= len(marker)
        )


def cut_blocks(text: str) -> list[Block]:
    """The top-level blocks of clean text, in order."""
    cutter = BlockCutter()
    blocks: list[Block] = []
    for line in text.removesuffix("\n").split("\n"):
        blocks.extend(block for block in cutter.add(line) if block is not None)
    last = cutter.close()
    if last is not None:
        blocks.append(last)
    return blocks
