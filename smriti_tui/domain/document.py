"""A document that a checkpoint is taken from: its lines as they are, and its limits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.values import repair_text, sha256

MAX_CHARACTERS = 200_000
_BOM = "\ufeff"
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Document:
    """Text with numbered lines, the first is 1. A line ends with LF, CR LF or CR, and nothing
    else."""

    text: str

    @cached_property
    def sha256(self) -> str:
        """Of the text as it was given: the same as that of its UTF-8 file without a BOM."""
        return sha256(self.text)

    @cached_property
    def _ends(self) -> tuple[tuple[int, int], ...]:
        """Where each line's words end, and where the next line begins."""
        found = [match.span() for match in _LINE_END.finditer(self.text)]
        if not found or found[-1][1] < len(self.text):
            found.append((len(self.text), len(self.text)))
        return tuple(found)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Without their ends."""
        starts = [0, *(after for _, after in self._ends)]
        return tuple(
            self.text[start:end] for start, (end, _) in zip(starts, self._ends, strict=False)
        )

    def part(self, first: int, last: int) -> str:
        """Lines `first` to `last` letter by letter, with the ends between them and after."""
        start = self._ends[first - 2][1] if first > 1 else 0
        return self.text[start : self._ends[last - 1][1]] if last >= first else ""


def read_document(text: str) -> Document:
    """The document of a text. A BOM at its beginning and NULs go; nothing else changes.

    Raises:
        Invalid: it is blank, or holds more than `MAX_CHARACTERS` between white space at both ends
            (code `too_large`).
    """
    fixed = repair_text(text.removeprefix(_BOM))[0]
    size = len(fixed.strip())
    if not size:
        raise Invalid("The document is empty.", "Give Markdown with words in it.", code="usage")
    if size > MAX_CHARACTERS:
        raise Invalid(
            f"The document has {size:,} characters; at most {MAX_CHARACTERS:,} can be extracted.",
            "Split it, and extract each part.",
            code="too_large",
        )
    return Document(fixed)
