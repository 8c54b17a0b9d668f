"""Files that only their owner can read, and that never take another file's place."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import IO

from smriti_tui.domain.errors import Invalid, SmritiError


def private(path: Path | str, mode: str) -> IO[str]:
    """A text file that only its owner can read.

    Raises:
        OSError: it cannot be opened, or with mode `x` is there already.
    """
    return open(path, mode, encoding="utf-8", errors="backslashreplace", opener=_open_private)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_new(name: str, text: str, folder: Path) -> Path:
    """Writes `text` into a new file; `name` is a path as a person writes it, from `folder` on.

    Raises:
        Invalid: field `path`; no name, something stands there already, or it cannot be made.
        SmritiError: it cannot be written whole; nothing is left behind.
    """
    if not name.strip():
        raise Invalid("The file has no name.", "Type one.", field="path")
    try:
        path = folder / Path(name.strip()).expanduser()
        file = private(path, "x")
    except FileExistsError as error:
        raise Invalid(
            f"{name.strip()} exists already and stays as it is.", "Type another name.", field="path"
        ) from error
    except (OSError, RuntimeError, ValueError) as error:
        raise Invalid(f"It cannot be made: {_reason(error)}.", "", field="path") from error
    try:
        with file:
            file.write(text)
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink()
        raise SmritiError(f"{path} cannot be written: {_reason(error)}.") from error
    return path


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
