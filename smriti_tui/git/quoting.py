"""Names as git writes them where they would break a line or a list: in double quotes, like C."""

from __future__ import annotations

import re

_ESCAPED = re.compile(r"\\([0-7]{3}|.)")
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def unquoted(text: str) -> str:
    """The name that stands there, quoted or not."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    raw = bytearray()
    place = 1
    while place < len(text) - 1:
        match = _ESCAPED.match(text, place)
        if match is None:
            raw += text[place].encode(errors="surrogateescape")
            place += 1
            continue
        told = match[1]
        if len(told) == 3:
            raw.append(int(told, 8))
        else:
            raw += _LETTERS.get(told, told).encode(errors="surrogateescape")
        place = match.end()
    return raw.decode(errors="surrogateescape")


def quoted(text: str) -> str:
    """For a list of paths in an environment variable: bare where that says the same."""
    if not any(sign in text for sign in ':"\n'):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
