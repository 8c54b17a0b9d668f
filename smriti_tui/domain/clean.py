"""The one function that makes text of unknown origin safe to show in a terminal.

Text from models, people, files, agents, git and the environment may hold escape sequences, other
control characters, lone surrogates and bidirectional overrides. Shown text never drives the
terminal: each such character is replaced by a visible sign. Storage and export keep what came
(DESIGN 3.10).
"""

from __future__ import annotations

import re

# Ranges, not one sign after the other: this is compiled at every start.
_INVISIBLE = r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
_UNSAFE = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_INVISIBLE}\ud800-\udfff]")

# A joiner joins emoji. Between letters it only picks a shape, and programs disagree on the cells of
# what follows it.
_PICTURES = r"\u2190-\u2bff\U0001f000-\U0001faff"
_LONE_JOINER = re.compile(rf"(?<![{_PICTURES}\ufe0f])\u200d|\u200d(?![{_PICTURES}])")


def _sign(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if code < 0xA0 or 0xD800 <= code < 0xE000:
        return "\ufffd"
    return f"<U+{code:04X}>"


def clean(text: str) -> str:
    """`text` with every character that could drive or mislead a terminal made visible.

    Line feeds and tabs stay; a carriage return before a line feed is dropped, a lone one becomes a
    line feed. A joiner that joins no emoji is left out. Never raises.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\u200d" in text:
        text = _LONE_JOINER.sub("", text)
    return _UNSAFE.sub(_sign, text)


def clean_line(text: str) -> str:
    """As `clean`, on one line: line breaks and tabs become a space."""
    return " ".join(clean(text).replace("\t", " ").split("\n"))
