"""Typed text while the database is away: one small file for each thing and process, for its owner
alone (DESIGN 10.22). It goes as soon as the database has the text."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from smriti_tui.domain.values import sha256
from smriti_tui.services.private_files import private


@dataclass(frozen=True)
class AwayText:
    """What a file holds."""

    path: Path
    process: str
    text: str


@dataclass(frozen=True)
class AwayTexts:
    """The files of one database; without a folder there are none."""

    folder: Path | None
    database: str

    def keep(self, thing: str, process: str, text: str) -> bool:
        """Keeps the newest text, in place of the one before; False where no file can be written."""
        if self.folder is None:
            return False
        path = self._path(thing, str(os.getpid()))
        if path is None:
            return False
        draft = path.with_suffix(".tmp")
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            with private(draft, "w") as file:
                json.dump({"thing": thing, "process": process, "text": text}, file)
            draft.replace(path)
        except OSError:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            return False
        return True

    def forget(self, thing: str) -> None:
        """The database has this process's text."""
        if (path := self._path(thing, str(os.getpid()))) is not None:
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def found(self, thing: str) -> list[AwayText]:
        """All texts of a thing; a file that cannot be read is set aside by another name."""
        pattern = self._path(thing, "*")
        if pattern is None or self.folder is None:
            return []
        texts = [_read(path) for path in sorted(self.folder.glob(pattern.name))]
        return [text for text in texts if text is not None]

    def _path(self, thing: str, process: str) -> Path | None:
        if self.folder is None:
            return None
        return self.folder / f"{sha256(f'{self.database} {thing}')[:24]}-{process}.json"


def _read(path: Path) -> AwayText | None:
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return AwayText(path, str(held["process"]), str(held["text"]))
    except OSError:
        return None
    except (ValueError, KeyError, TypeError, RecursionError):
        with suppress(OSError):
            path.rename(path.with_suffix(".damaged"))
        return None
