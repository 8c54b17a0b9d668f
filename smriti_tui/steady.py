"""Borders that stay where they are, whatever width a terminal gives to a sign.

Terminals disagree on the cells of some signs: to tmux and many others the spacing vowel signs of
Indic scripts take a cell of their own, to Rich and Textual none; emoji of several code points are
drawn as one or as several. The text itself is let alone, so that no letter of it is covered. In the
blank room behind it the cursor is set anew to the column that was meant: what is too long takes
blanks away, and what stands to the right, a border above all, is where it belongs. A row without
that much room is left as it is.
"""

from __future__ import annotations

import re
import unicodedata

from rich.cells import cell_len

# A letter with what combines with it is one sign; so is an emoji with its modifiers.
_MARKS = (
    r"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    r"\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7"
    r"\u0a01-\u0a03\u0a3c-\u0a51\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82"
    r"\u0bbe-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03"
    r"\u0d3b-\u0d4d\u0d57\u0d81-\u0d83\u0dca-\u0df3\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
    r"\u1b00-\u1b04\u1b34-\u1b44\u20d0-\u20f0\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\u200d"
)
_STEP = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[^\[]|[^\x1b]+")
_MARK = re.compile(rf"[{_MARKS}]")
_BLANKS = re.compile(" {2,}")


def steadied(written: str) -> str:
    """`written`, what goes to the terminal in one piece, with the cursor set anew in blank room
    behind signs on whose width terminals disagree."""
    if _MARK.search(written) is None:
        return written
    parts: list[str] = []
    row = _Row()
    for step in _STEP.finditer(written):
        text = step.group()
        if step[2] is not None:
            row = _Row(int(step[2]))
        elif not text.startswith("\x1b"):
            text = row.write(text)
        elif not text.endswith("m"):
            row = _Row()
        parts.append(text)
    return "".join(parts)


class _Row:
    """A row as it is written; without a known column nothing is done."""

    def __init__(self, column: int | None = None) -> None:
        self._column = column
        self._doubt = 0
        """Cells by which the cursor may be too far to the right."""

    def write(self, text: str) -> str:
        if self._column is None:
            return text
        if "\n" in text:
            # Each row of an update begins with a move of its own.
            self._column = None
            return text
        parts: list[str] = []
        at = 0
        for blanks in _BLANKS.finditer(text):
            self._pass(text[at : blanks.start()])
            parts.append(text[at : blanks.end()])
            at = blanks.end()
            self._column += len(blanks.group())
            if self._doubt and len(blanks.group()) >= self._doubt:
                parts.append(f"\x1b[{self._column}G")
                self._doubt = 0
        self._pass(text[at:])
        return "".join((*parts, text[at:]))

    def _pass(self, words: str) -> None:
        assert self._column is not None
        self._column += cell_len(words)
        self._doubt += sum(map(_excess, _MARK.findall(words)))


def _excess(mark: str) -> int:
    """Cells that a terminal may give to a mark beyond those that were counted."""
    if mark == "\u200d" or mark >= "\U0001f3fb":
        return 2
    return 1 if unicodedata.category(mark) == "Mc" else 0
