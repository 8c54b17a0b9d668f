"""Pieces of Markdown that hold text of others without letting it out of its place."""

from __future__ import annotations

import re

from smriti_tui.domain.clean import clean


def fence(content: str, info: str = "") -> str:
    """`content` in a code fence that is longer than every run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`{3,}", content)), default=2)
    marks = "`" * (longest + 1)
    body = content if content.endswith("\n") or not content else f"{content}\n"
    return f"{marks}{info}\n{body}{marks}"


def bullet(text: str) -> str:
    """One list entry; further lines of the text stay inside it."""
    return "- " + indented(text)


def indented(text: str) -> str:
    """The text with its further lines moved in by two."""
    return clean(text).strip("\n").replace("\n", "\n  ")
