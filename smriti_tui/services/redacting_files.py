"""Files beside the log that may hold a text which is taken out of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from smriti_tui.domain.redaction import Sought
from smriti_tui.services.crash import FOLDER as CRASHES
from smriti_tui.services.crash import LOG_NAME
from smriti_tui.services.whole_files import write_whole
from smriti_tui.store.redacting import copy_holds

CHUNK: Final = 1 << 20
CHECKOUTS: Final = "worktrees"
"""Folder of the home that holds other people's files: git worktrees."""
SQLITE: Final = b"SQLite format 3\0"
STAR: Final = b"*"


@dataclass(frozen=True)
class HomeFiles:
    """The files of Smriti's home and the copies of its database."""

    home: Path
    database: Path | None
    """None for one on a server."""
    unsent: Path | None
    """Folder for what was typed while the database was away."""
    written: Sequence[Path] = ()
    """Files in projects that views were written to."""

    def holding(self, wanted: Sought) -> Iterator[Path]:
        """Those that hold a text, but the database's own. What cannot be read holds none."""
        own = self._own()
        for path in sorted({*self._below_home(), *self._copies(), *self.written}):
            # One of its own is never opened here: closing it would drop the locks that this
            # process's connections hold on it.
            if os.path.realpath(path) not in own and _holds(path, wanted):
                yield path

    def clean(self, path: Path, wanted: Sought) -> bool:
        """Takes it out of a file that is this program's to change; False for all others."""
        with suppress(OSError, ValueError):
            if self.unsent is not None and self.unsent in path.parents:
                text = path.read_bytes().decode()
                write_whole(path, wanted.without(text))
                return True
            if path.parent == self.home / CRASHES or path.name.startswith(LOG_NAME):
                _strike_out(path, wanted)
                return True
        return False

    def _own(self) -> set[str]:
        if self.database is None:
            return set()
        real = os.path.realpath(self.database)
        return {f"{real}{end}" for end in ("", "-wal", "-shm", ".lock")}

    def _below_home(self) -> Iterator[Path]:
        for folder, folders, names in os.walk(self.home):
            if Path(folder) == self.home and CHECKOUTS in folders:
                folders.remove(CHECKOUTS)
            yield from (Path(folder, name) for name in names)

    def _copies(self) -> Iterator[Path]:
        """Beside a database that lies elsewhere: that may be anybody's folder."""
        if self.database is None:
            return
        with suppress(OSError):
            for path in self.database.parent.iterdir():
                if path.name.startswith(self.database.name) or _begins(path, SQLITE):
                    yield path


def _begins(path: Path, sign: bytes) -> bool:
    with suppress(OSError):
        if not path.is_symlink() and path.is_file():
            with path.open("rb") as file:
                return file.read(len(sign)) == sign
    return False


def _holds(path: Path, wanted: Sought) -> bool:
    with suppress(OSError):
        if path.is_symlink() or not path.is_file():
            return False
        # In a database a long text is cut into pages.
        if _begins(path, SQLITE) and copy_holds(path, wanted):
            return True
        overlap = max(1 << 16, 8 * wanted.longest)
        with path.open("rb") as file:
            kept = b""
            while part := file.read(CHUNK):
                if wanted.stands_in((kept + part).decode("utf-8", "ignore")):
                    return True
                kept = part[-overlap:]
    return False


def _strike_out(path: Path, wanted: Sought) -> None:
    """Writes stars over it in place: another program may be about to write the next line there."""
    with path.open("r+b") as file:
        text = file.read().decode()
        for first, end in wanted.spans(text):
            file.seek(len(text[:first].encode()))
            file.write(STAR * len(text[first:end].encode()))
        file.flush()
        os.fsync(file.fileno())
