"""`smriti doctor`: whether this installation works, and what is at risk."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from smriti_tui import __version__
from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Ended
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.render.tables import table
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.services.database import DatabaseFacts, Sqlite

MIN_PYTHON = (3, 11)
MIN_TRIAL = (2, 38)
"""git from which a merge can be tried out without a working tree."""
ADVICE = "keep it on a disk of this machine, or use PostgreSQL for a team"
State = Literal["ok", "risk", "broken"]


@dataclass(frozen=True)
class Check:
    """One line of the report."""

    name: str
    state: State
    message: str


@click.command(cls=options.Command, example="smriti doctor")
@click.pass_obj
def doctor(run: Run) -> None:
    """Check Python, SQLite, the database, the models and the settings.

    Exit 1 when something is broken; a risk is only told.
    """
    config = run.config(tolerant=True)
    checks = [*_program(), *_settings(config)]
    try:
        with run.services() as services:
            from smriti_tui.services.database import DatabaseService

            service = DatabaseService(services.caller)
            found = service.facts()
            if found.path is not None:
                checks.append(_sqlite(service.sqlite()))
            checks += _database(found)
    except SmritiError as error:
        checks.append(Check("database", "broken", str(error)))
    checks += [*_models(config), _git()]
    _report(run, checks)


def _report(run: Run, checks: list[Check]) -> None:
    broken = [check for check in checks if check.state == "broken"]
    document = {
        "ok": not broken,
        "version": __version__,
        "checks": [asdict(check) for check in checks],
    }
    rows = [(check.name, check.state, check.message) for check in checks]
    text = table(("check", "state", "what"), rows)
    if not broken:
        run.out.result(document, text)
        return
    if not run.out.wants_json:
        run.out.text(text)
    message = f"{counted(len(broken), 'check')} failed: {', '.join(c.name for c in broken)}."
    raise Ended(SmritiError(message, "See the list above.", code="unhealthy"), document)


def _program() -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    right = sys.version_info[:2] >= MIN_PYTHON
    yield Check("python", "ok" if right else "broken", f"{version} at {sys.executable}")
    on_path = shutil.which("smriti")
    running = Path(sys.argv[0])
    if on_path is None:
        yield Check("program", "risk", "no `smriti` is on PATH; agents and hooks look for it there")
    elif running.name == "smriti" and not _same(Path(on_path), running):
        yield Check("program", "risk", f"PATH leads to {on_path}, but {running} is running")
    else:
        yield Check("program", "ok", f"smriti {__version__} at {on_path}")


def _same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:
        return False


def _sqlite(found: Sqlite) -> Check:
    text = f"{found.version} ({found.module})"
    if found.sound:
        return Check("sqlite", "ok", text)
    return Check(
        "sqlite",
        "risk",
        f"{text} has the WAL-reset fault; Smriti's lock keeps its own writes clear of it, "
        "other programs that write the file are not",
    )


def _database(found: DatabaseFacts) -> Iterator[Check]:
    if found.fault is not None:
        yield Check("database", "broken", str(found.fault))
        return
    if found.path is None:
        yield from _server(found)
        return
    if not found.exists:
        yield _missing(found.path)
        return
    text = f"{found.path}, SQLite file, schema {found.schema}, {found.size_bytes:,} bytes, readable"
    yield Check("database", "ok", text)
    mode = f"mode {found.mode or 0:04o}, folder {found.folder_mode or 0:04o}"
    if found.private:
        yield Check("permissions", "ok", mode)
    else:
        yield Check("permissions", "risk", f"{mode}: others can read it; chmod 600 {found.path}")
    if found.pending:
        text = "bytes of what was taken out may still lie in its files; `smriti redact --finish`"
        yield Check("redaction", "risk", text)
    yield _disk(found)
    if not os.access(found.path, os.W_OK):
        yield Check("writable", "risk", f"{found.path} is read-only for this user")


def _disk(found: DatabaseFacts) -> Check:
    kind = found.file_system or "unknown file system"
    if found.on_network:
        text = f"{kind}: other machines may write it, and its locks cannot be relied on; {ADVICE}"
        return Check("disk", "risk", text)
    if found.journal not in ("wal", None):
        text = f"{kind} has no shared memory: journal {found.journal}, writers wait; {ADVICE}"
        return Check("disk", "risk", text)
    return Check("disk", "ok", f"{kind}, journal {found.journal}")


def _server(found: DatabaseFacts) -> Iterator[Check]:
    if not found.exists:
        yield Check("database", "ok", f"{found.name} is empty; the first write makes the tables")
        return
    text = f"{found.name}, {found.server}, schema {found.schema}, {found.size_bytes:,} bytes"
    yield Check("database", "ok", f"{text}, readable")
    if found.sealed:
        yield Check("connection", "ok", "encrypted, or on this machine")
    else:
        text = "not encrypted: who is between can read along; add ?sslmode=verify-full to the URL"
        yield Check("connection", "risk", text)


def _missing(path: Path) -> Check:
    place = path.parent
    while not place.exists() and place != place.parent:
        place = place.parent
    if place.is_dir() and os.access(place, os.W_OK):
        return Check("database", "ok", f"{path} is not there yet; the first write makes it")
    return Check("database", "broken", f"{path} cannot be made: {place} is not writable")


def _models(config: Config) -> Iterator[Check]:
    for name, chosen in (("chat", config.chat_model), ("background", config.background_model)):
        if chosen is None:
            yield Check(f"{name} model", "risk", f"none is set (SMRITI_{name.upper()}_MODEL)")
            continue
        try:
            model = config.resolve_model(for_="chat" if name == "chat" else "background")
        except SmritiError as error:
            yield Check(f"{name} model", "broken", str(error))
            continue
        if model.is_demo:
            yield Check(f"{name} model", "risk", f"{model.model} is a demo: it thinks nothing up")
        else:
            yield Check(f"{name} model", "ok", f"{model.model}, key and place are set")


def _git() -> Check:
    found = shutil.which("git")
    if found is None:
        return Check("git", "risk", "there is no git: no worktrees, no drift, no conflict signals")
    from smriti_tui.services.repository import git_version

    version = git_version()
    if version is None:
        return Check("git", "risk", f"{found} does not run")
    words = ".".join(map(str, version))
    if version < MIN_TRIAL:
        return Check("git", "risk", f"{words} at {found} cannot try merges out; 2.38 can")
    return Check("git", "ok", f"{words} at {found}")


def _settings(config: Config) -> Iterator[Check]:
    for fault in config.problems:
        yield Check("settings", "broken", str(fault))
    for warning in config.warnings:
        yield Check("settings", "risk", warning)
    if not config.problems and not config.warnings:
        there = "" if config.config_file.exists() else " (not there: defaults)"
        yield Check("settings", "ok", f"{config.config_file}{there}")
