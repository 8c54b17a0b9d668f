"""Which lines a patch changes, by file."""

from __future__ import annotations

import re

from smriti_tui.git.quoting import unquoted

Lines = tuple[int, int]
"""First and last line of the older file; for what was put in, the line before it, 0 at the top."""

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def hunks(patch: bytes) -> dict[str, list[Lines]]:
    """Of a patch without context (`-U0`) and with the prefixes `a/` and `b/`. A file of bytes has
    no lines."""
    found: dict[str, list[Lines]] = {}
    path = ""
    skip = 0
    for line in patch.decode(errors="surrogateescape").split("\n"):
        if skip and line[:1] in ("-", "+"):
            skip -= 1
        elif match := _HUNK.match(line):
            first, count = int(match[1]), int(match[2] or 1)
            skip = count + int(match[4] or 1)
            found.setdefault(path, []).append((first, first + max(count, 1) - 1))
        elif line.startswith(("--- ", "+++ ")):
            path = _path(line[4:]) or path
    return found


def _path(text: str) -> str:
    """The name after its prefix; "" where there is no file on that side."""
    text = unquoted(text.removesuffix("\t"))
    return "" if text == "/dev/null" else text[2:]
