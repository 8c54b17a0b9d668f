"""Files below a Space's project root: their names for a list, and one of them for a message.

Nothing outside the root is read: `..`, absolute paths and links that leave it are refused.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from time import monotonic

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.mentions import cut_at_line
from smriti_tui.git.listing import listed

MOST_BYTES = 64 * 1024
"""What is sent of one file; a longer one is cut at the end of a line."""
MOST_FILES = 5_000
"""How many names are listed; a path that is not listed can be typed all the same."""
WALK_S = 1.0
WALK_ENTRIES = 50_000
PRUNED = frozenset(
    {"node_modules", "__pycache__", "venv", "dist", "build", "target", "vendor", "site-packages"}
)
"""Folders that hold what others made; where git knows the folder, it decides."""


@dataclass(frozen=True)
class FileNames:
    """Paths relative to the root, with `/`; `more`: not all of them."""

    names: tuple[str, ...]
    more: bool = False


@dataclass(frozen=True)
class FileText:
    """A file as it is sent; `sent` holds the file's bytes up to the cut."""

    path: str
    text: str
    sent: bytes
    size_bytes: int


def file_names(root: Path) -> FileNames:
    """The files of a project; git's own, git-ignored and hidden things left out. Never raises."""
    found = listed(root, MOST_FILES)
    names, more = found if found is not None else _walk(root)
    whole = (name for name in names if "node_modules/" not in name and name.isprintable())
    return FileNames(tuple(sorted(whole)), more)


def _walk(root: Path) -> tuple[list[str], bool]:
    """Without git: breadth first, so that what lies near the root comes before it is too much."""
    found: list[str] = []
    folders = deque([("", root)])
    seen, until = 0, monotonic() + WALK_S
    while folders:
        prefix, folder = folders.popleft()
        try:
            entries = os.scandir(folder)
        except OSError:
            continue
        with entries:
            for entry in entries:
                seen += 1
                if seen > WALK_ENTRIES or len(found) >= MOST_FILES or monotonic() > until:
                    return found, True
                _take(entry, prefix, folders, found)
    return found, False


def _take(
    entry: os.DirEntry[str], prefix: str, folders: deque[tuple[str, Path]], found: list[str]
) -> None:
    if entry.name.startswith("."):
        return
    try:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in PRUNED:
                folders.append((f"{prefix}{entry.name}/", Path(entry.path)))
        elif entry.is_file(follow_symlinks=False):
            found.append(prefix + entry.name)
    except OSError:
        return


def read_file(root: Path, name: str) -> FileText | None:
    """The file that a mention names; None where the name is none of a file below `root`.

    Raises:
        Invalid: it is there and cannot be sent: it leaves the root, is binary or unreadable.
    """
    wanted = PurePosixPath(name)
    if wanted.is_absolute() or ".." in wanted.parts or "\0" in name or not wanted.parts:
        return None
    try:
        base = root.resolve(strict=True)
        real = (base / wanted).resolve(strict=True)
        found = real.stat()
    except (OSError, RuntimeError, ValueError):
        return None
    if stat.S_ISDIR(found.st_mode):
        return None
    if not real.is_relative_to(base):
        raise _refused(name, "it lies outside the project, behind a link")
    if not stat.S_ISREG(found.st_mode):
        raise _refused(name, "it is no ordinary file")
    return _text(name, wanted.as_posix(), *_bytes(name, real))


def _bytes(name: str, real: Path) -> tuple[bytes, int]:
    """As much as can be sent, and the size of the whole."""
    try:
        # Between look and read it may have become something that waits for a writer.
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            return file.read(MOST_BYTES + 1), os.fstat(handle).st_size
    except OSError as error:
        raise _refused(name, f"it cannot be read: {error.strerror or 'unknown'}") from error


def _text(name: str, path: str, raw: bytes, size: int) -> FileText:
    if b"\0" in raw:
        raise _refused(name, "it is binary")
    sent = raw[:MOST_BYTES]
    try:
        text = sent.decode()
    except UnicodeDecodeError as error:
        # A character that the limit splits is no fault of the file.
        if len(raw) <= MOST_BYTES or error.start < MOST_BYTES - 3:
            raise _refused(name, "it is no UTF-8 text") from error
        text = sent[: error.start].decode()
    if len(raw) > MOST_BYTES:
        text = cut_at_line(text)
    sent = text.encode()
    return FileText(path, text.removeprefix("\ufeff"), sent, max(size, len(sent)))


def _refused(name: str, why: str) -> Invalid:
    return Invalid(
        f"The file @{name} cannot be sent: {why}.",
        "Take the @ away to send its name as a word.",
        field="message",
        code="mention",
    )
