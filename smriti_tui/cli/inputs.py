"""What comes in: standard input and files as checked UTF-8, JSON without surprises, questions."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from smriti_tui.cli.output import Output
from smriti_tui.domain.errors import Declined, Invalid

STDIN = "-"
_BOM = "\ufeff"


def from_terminal() -> bool:
    """Whether a person sits at standard input."""
    return sys.stdin is not None and sys.stdin.isatty()


def read_stdin() -> str:
    """All of standard input.

    Raises:
        Invalid: it is closed, or not UTF-8 (the byte is named).
    """
    if sys.stdin is None:
        raise Invalid("Standard input is closed.", "Give a file or an argument.", code="usage")
    return decoded(sys.stdin.buffer.read(), "Standard input")


def read_file(path: str) -> str:
    """A file's text, or standard input for `-`.

    Raises:
        Invalid: it cannot be read, or is not UTF-8 (the byte is named).
    """
    if path == STDIN:
        return read_stdin()
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Invalid(
            f"{path} cannot be read: {reason}.", "Check the path.", code="usage"
        ) from error
    return decoded(data, path)


def decoded(data: bytes, what: str) -> str:
    """Raises: Invalid (code `not_utf8`) naming the offset of the first bad byte."""
    try:
        return data.decode().removeprefix(_BOM)
    except UnicodeDecodeError as error:
        fault = Invalid(
            f"{what} is not UTF-8: bad byte at offset {error.start}.",
            "Convert it to UTF-8; nothing was written.",
            code="not_utf8",
        )
        fault.details["offset"] = error.start
        raise fault from error


def parse_json(text: str, what: str) -> object:
    """Strict JSON: no NaN, no key twice, no endless nesting.

    Raises:
        Invalid: naming line and column where they are known.
    """
    try:
        value: object = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _no_json(what, f"{error.msg} ({where})") from error
    except (ValueError, RecursionError) as error:
        raise _no_json(what, _reason(error)) from error
    return value


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    # Python's words for a whole number of thousands of digits are about Python.
    return "a number in it is too long" if "integer string" in str(error) else str(error)


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON number")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} stands twice in one object")
        found[key] = value
    return found


def _no_json(what: str, reason: str) -> Invalid:
    return Invalid(f"{what} is not JSON: {reason}.", "Correct it.", code="not_json")


def confirm(out: Output, question: str, *, yes: bool, kept: str) -> None:
    """Asks before something is destroyed; `kept` says what stays if it is not.

    Raises:
        Declined: the answer was not yes, or nobody is there to ask.
    """
    if yes:
        return
    if not from_terminal():
        raise Declined(f"{question} Nobody is there to ask.", f"Give --yes to do it. {kept}")
    out.ask(f"{question} Type yes to do it: ")
    answer = sys.stdin.readline().strip().lower()
    if answer not in ("y", "yes"):
        raise Declined("Declined.", kept)
