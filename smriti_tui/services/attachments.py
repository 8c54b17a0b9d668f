"""Which Space a folder is bound to: `.smriti.json` in it or in one above it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = ".smriti.json"
_MAX_BYTES = 1024 * 1024
"""A larger file is no attachment of ours."""


@dataclass(frozen=True)
class Attachment:
    """A binding that can be read. One of name and id may be missing in a file written by hand."""

    path: Path
    space: str | None
    space_id: str | None

    @property
    def wanted(self) -> str:
        """What finds the Space; the id wins, since names change and need not be unique."""
        return self.space_id or self.space or ""


@dataclass(frozen=True)
class Unreadable:
    """A file that is there and binds nothing; `why` for the person who wonders."""

    path: Path
    why: str


def find_attachment(folder: Path) -> Attachment | Unreadable | None:
    """The nearest `.smriti.json` of `folder` or a folder above it.

    Never raises: a malformed file means "not attached" (ATTACH-04), and hides those above it.
    """
    for place in (folder, *folder.parents):
        path = place / FILE_NAME
        try:
            there = path.is_file()
        except OSError:
            there = False
        if there:
            return _read(path)
    return None


def _read(path: Path) -> Attachment | Unreadable:
    try:
        if path.stat().st_size > _MAX_BYTES:
            return Unreadable(path, "it is too large")
        value = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        return Unreadable(path, error.strerror or "it cannot be read")
    except (ValueError, RecursionError):
        return Unreadable(path, "it is not JSON")
    if not isinstance(value, dict):
        return Unreadable(path, "it is not a JSON object")
    name, key = _text(value.get("space")), _text(value.get("space_id"))
    if name is None and key is None:
        return Unreadable(path, "it names no Space")
    return Attachment(path, name, key)


def _text(value: object) -> str | None:
    """The name, or None; half a surrogate pair (`\\ud800`) is in no name of a Space."""
    if not isinstance(value, str) or any("\ud800" <= each <= "\udfff" for each in value):
        return None
    return value.strip() or None
