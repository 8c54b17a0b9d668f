"""The one function that makes text of unknown origin safe to show in a terminal.

Text from models, people, files, agents, git and the environment may hold escape sequences, other
control characters, lone surrogates and bidirectional overrides. Shown text never drives the
terminal: each such character is replaced by a visible sign. Storage and export keep what came
(DESIGN 3.10).
"""

from __future__ import annotations

import re

_KEEP = {0x09, 0x0A}
_BIDI = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_INVISIBLE = {0x2028, 0x2029, 0xFEFF}


def _sign(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if code in _BIDI or code in _INVISIBLE:
        return f"<U+{code:04X}>"
    return "\ufffd"


_TABLE: dict[int, str] = {
    code: _sign(code)
    for code in (
        *(c for c in range(0x20) if c not in _KEEP),
        *range(0x7F, 0xA0),
        *_BIDI,
        *_INVISIBLE,
        *range(0xD800, 0xE000),
    )
}
_UNSAFE = re.compile("[" + "".join(f"\\u{code:04x}" for code in sorted(_TABLE)) + "]")


def clean(text: str) -> str:
    """`text` with every character that could drive or mislead a terminal made visible.

    Line feeds and tabs stay; a carriage return before a line feed is dropped, a lone one becomes a
    line feed. Never raises.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _UNSAFE.search(text) is None:
        return text
    return text.translate(_TABLE)


def clean_line(text: str) -> str:
    """As `clean`, on one line: line breaks and tabs become a space."""
    return " ".join(clean(text).replace("\t", " ").split("\n"))
