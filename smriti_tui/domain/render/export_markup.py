"""Markdown that stored text can never break: one line escaped, everything else in a fence.

Stored text comes from people, models and files. As one line it is escaped, so that it reads as it
was stored; a text of several lines stands word for word in a fence that is longer than any run of
backticks inside. Control characters are made visible either way.
"""

from __future__ import annotations

import re

from smriti_tui.domain.clean import clean, clean_line

_SPECIAL = re.compile(r"[\\`*\[\]<>|&~$]|(?<![^\W_])_|_(?![^\W_])")
_BLOCK_START = re.compile(r"^(\d{1,9})(?=[.)])|^(?=[#+\-=:])")
_CLOSING_SIGNS = re.compile(r"#+$")
_TICKS = re.compile(r"`+")
_NO_INFO = re.compile(r"[^\w+.-]")


def inline(text: str) -> str:
    """`text` on one line, to stand after other words of a line."""
    return _SPECIAL.sub(r"\\\g<0>", clean_line(text).strip())


def heading(level: int, text: str) -> str:
    """A heading whose words, already safe, cannot end in a closing run of `#`."""
    safe = _CLOSING_SIGNS.sub(lambda run: run[0].replace("#", "\\#"), text)
    return f"{'#' * level} {safe}\n"


def code(text: str) -> str:
    """A code span that holds any text, on one line."""
    line = clean_line(text)
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}" if line.strip() else "(none)"


def fence(text: str, info: str = "text", indent: str = "") -> str:
    """`text` word for word between fences; `indent` puts it into a list item."""
    shown = clean(text)
    ticks = "`" * max(3, _longest_run(shown) + 1)
    lines = [f"{ticks}{_NO_INFO.sub('', info)}", *shown.split("\n"), ticks]
    return "".join(f"{indent}{line}\n" if line else "\n" for line in lines)


def block(text: str, info: str = "markdown") -> str:
    """A text of any length: one line as a paragraph, all else in a fence."""
    if not is_line(text):
        return fence(text, info)
    return _first_words(text) + "\n"


def bullet(text: str) -> str:
    """A list item that is the text alone."""
    return f"- {_first_words(text)}\n" if is_line(text) else f"-\n{fence(text, indent='  ')}\n"


def _first_words(text: str) -> str:
    """`text` on one line of its own: no sign at its start opens a block."""
    return _BLOCK_START.sub(r"\1\\", inline(text))


def list_item(mark: str, text: str, indent: str = "") -> str:
    """`- mark text`; a text of several lines stands in a fence below its mark."""
    if is_line(text):
        return f"{indent}- {mark} {inline(text)}\n"
    return f"{indent}- {mark}\n\n{fence(text, indent=indent + '  ')}\n"


def is_line(text: str) -> bool:
    """Whether nothing of `text` is lost when it stands on one line."""
    shown = clean(text)
    return bool(shown) and shown == shown.strip() and "\n" not in shown and "\t" not in shown


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
