"""What is left behind for whoever mends a fault of the program: no key in it, nothing that drives a
terminal, and nobody else can read it."""

from __future__ import annotations

import logging
import os
import platform
import re
import tempfile
import traceback
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from smriti_tui.domain.clean import clean
from smriti_tui.providers.keys import Scrubber
from smriti_tui.services.private_files import private

LOG_NAME = "smriti-tui.log"
LOG_BYTES = 1_000_000
FOLDER = "crash"
KEPT = 20
"""Reports that stay; older ones go."""
PROGRAMS = ("smriti-tui", "textual", "rich", "sqlalchemy")
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH", re.IGNORECASE)


def scrubber(*tables: Mapping[str, str]) -> Scrubber:
    """Removes what the named variables hold whose names speak of keys, and what looks like one."""
    made = Scrubber()
    for table in tables:
        for name, value in table.items():
            if _SECRET_NAME.search(name):
                made.learn(value.strip())
    return made


def report_text(error: BaseException, scrub: Scrubber) -> str:
    """The fault with its traceback, without the values of its variables."""
    trace = "".join(traceback.format_exception(error))
    lines = [f"{name} {found}" for name in PROGRAMS if (found := _version(name))]
    about = f"Python {platform.python_version()} on {platform.platform()}"
    return clean(scrub.scrub("\n".join((*lines, about, "", trace))))


def write_report(
    error: BaseException, home: Path, *tables: Mapping[str, str], now: datetime | None = None
) -> Path | None:
    """Writes a report below `home` (the system's temporary folder where there is no such folder)
    for its owner alone; None where nothing can be written."""
    text = report_text(error, scrubber(*tables))
    moment = (now or datetime.now(UTC)).strftime("%Y-%m-%d-%H%M%S")
    for base in (home, Path(tempfile.gettempdir())):
        if not base.is_dir():
            continue
        folder = base / FOLDER if base == home else base
        path = folder / f"smriti-crash-{moment}-{os.getpid()}.txt"
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            with private(path, "x") as file:
                file.write(text)
        except OSError:
            continue
        if base == home:
            _forget_old(folder)
        return path
    return None


def _forget_old(folder: Path) -> None:
    found = sorted(folder.glob("smriti-crash-*.txt"))
    for path in found[:-KEPT]:
        path.unlink(missing_ok=True)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


class LogFile(RotatingFileHandler):
    """The program's own log: cleaned, without keys, for its owner alone."""

    def __init__(self, home: Path, secrets: Iterable[Mapping[str, str]] = ()) -> None:
        self._scrub = scrubber(*secrets)
        super().__init__(
            home / LOG_NAME, maxBytes=LOG_BYTES, backupCount=1, delay=True, encoding="utf-8"
        )
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """As usual; before the first write made the folder there is nowhere to note anything."""
        if Path(self.baseFilename).parent.is_dir():
            super().emit(record)

    def _open(self) -> Any:
        return private(self.baseFilename, self.mode)

    def format(self, record: logging.LogRecord) -> str:
        """As usual, then cleaned."""
        return clean(self._scrub.scrub(super().format(record)))
