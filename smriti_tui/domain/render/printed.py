"""Results as they are printed: the same bytes from the command line and from an MCP tool.

Shown text never drives the terminal (DESIGN 3.10). In JSON the characters that could are written as
escapes, which changes no value.
"""

from __future__ import annotations

import json

from smriti_tui.domain.clean import clean


def printed(text: str) -> str:
    """Cleaned text with one line feed at its end; an empty text prints nothing."""
    return clean(text).rstrip("\n") + "\n" if text else ""


def json_text(value: object, indent: int | None = None) -> str:
    """JSON of a value, on one line without blanks or over several lines."""
    separators = None if indent else (",", ":")
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent, separators=separators))


def escaped(text: str) -> str:
    """JSON text that drives no terminal: what the cleaner would replace (DEL, C1 controls,
    bidirectional marks, line separators, lone surrogates) is written as an escape. Changes no
    value."""
    if clean(text) == text:
        return text
    unsafe = {ord(sign) for sign in set(text) if clean(sign) != sign}
    return text.translate({code: f"\\u{code:04x}" for code in unsafe})
