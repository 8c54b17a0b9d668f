"""Values on one line of a Markdown file: as they are where that is plain, else as JSON."""

from __future__ import annotations

import json
from typing import NoReturn

from smriti_tui.domain.clean import clean, clean_line


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def json_file(value: object, indent: int | None = 2) -> str:
    """JSON for a file that people read and compare: what could drive a terminal, or changes the
    direction of its line, is escaped, everything else stands as it is."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    if clean(text) == text:
        return text
    return "".join(sign if clean(sign) == sign else _escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    return json.dumps(sign)[1:-1] if sign != "\x7f" else "\\u007f"


def line_of(value: object) -> str:
    """A value on one line; `value_of` gives it back."""
    if isinstance(value, str) and _is_plain(value):
        return value
    return json_file(value, indent=None)


def _is_plain(text: str) -> bool:
    if not text or text != text.strip() or clean_line(text) != text or text.startswith('"'):
        return False
    try:
        _DECODER.decode(text)
    except ValueError:
        return True
    return False


def value_of(line: str) -> object:
    """The value of a line that `line_of` wrote, or that somebody typed."""
    try:
        return _DECODER.decode(line.strip())
    except (ValueError, RecursionError):
        return line.strip()


def named(key: str, value: object) -> str:
    """`KEY: VALUE`; a key that would be misread stands as JSON."""
    plain = _is_plain(key) and ":" not in key and "\\" not in key
    return f"{key if plain else json_file(key, indent=None)}: {line_of(value)}"


def name_and_value(line: str) -> tuple[str, object] | None:
    """What `named` wrote; None for a line of another form."""
    if line.startswith('"'):
        try:
            key, end = _DECODER.raw_decode(line)
        except ValueError:
            return None
        rest = line[end:]
        return (key, value_of(rest[1:])) if isinstance(key, str) and rest[:1] == ":" else None
    key, colon, rest = line.partition(":")
    return (key.strip(), value_of(rest)) if colon and key.strip() else None
