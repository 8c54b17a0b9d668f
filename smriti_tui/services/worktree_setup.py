"""What a person allowed to be done in each new worktree of a Space: files copied, a command run.

It is kept beside the database, not in it: what runs on this machine is nobody else's to say.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import SpaceId
from smriti_tui.services.private_files import private

FILE_NAME = "worktree-setup.json"
LIMIT_S = 600.0
MOST_BYTES = 64 * 1024 * 1024
"""Of one file that is copied."""
LAST_BYTES, LAST_LINES = 2000, 3
"""Of what a command that failed has printed."""
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Setup:
    """Files by their path below the project root, and a shell command, "" for none."""

    copy: tuple[str, ...] = ()
    run: str = ""

    def __bool__(self) -> bool:
        return bool(self.copy or self.run)


@dataclass(frozen=True)
class WorktreeSetup:
    home: Path

    def of(self, space: SpaceId) -> Setup:
        """What is allowed for a Space; nothing where the file cannot be read."""
        entry = self._all().get(space)
        if not isinstance(entry, dict):
            return Setup()
        copy, run = entry.get("copy"), entry.get("run")
        names = tuple(each for each in copy if isinstance(each, str)) if copy else ()
        return Setup(names, run if isinstance(run, str) else "")

    def allow(self, space: SpaceId, setup: Setup) -> None:
        """From now on this, in the place of what was allowed before; an empty one takes it back.

        Raises:
            Invalid: a path that is absolute or leads out of the project root, or the file cannot be
                written.
        """
        for name in setup.copy:
            if Path(name).is_absolute() or ".." in Path(name).parts or not name.strip():
                raise Invalid(
                    f"{clean_line(name)!r} is no path below the project root.",
                    "Name files as they lie in the project.",
                    field="copy",
                )
        known = {key: value for key, value in self._all().items() if key != space}
        if setup:
            known[space] = asdict(setup)
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            part = self._path.with_suffix(".part")
            with private(part, "w") as file:
                file.write(json.dumps(known, indent=2, ensure_ascii=False) + "\n")
            part.replace(self._path)
        except OSError as error:
            raise Invalid(f"{self._path} cannot be written: {error.strerror or error}.") from error

    def perform(self, space: SpaceId, root: Path, tree: Path, tell: Tell) -> None:
        """Does what is allowed in a new worktree. What goes wrong is told and undoes nothing."""
        setup = self.of(space)
        for name in setup.copy:
            if why := _copied(root, tree, name):
                tell(f"{clean_line(name)} was not copied: {why}")
        if setup.run:
            tell(f"running {clean_line(setup.run)}")
            if why := _ran(setup.run, tree):
                tell(f"the set-up command {why}")

    @property
    def _path(self) -> Path:
        return self.home / FILE_NAME

    def _all(self) -> Mapping[str, object]:
        try:
            value = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}


def _copied(root: Path, tree: Path, name: str) -> str:
    """Copies a file; why not, where it does not. Links are followed only inside the root."""
    source, target = (root / name).resolve(), tree / name
    if not source.is_relative_to(root.resolve()) or not target.parent.resolve().is_relative_to(
        tree.resolve()
    ):
        return "it leads out of the project"
    if not source.is_file():
        return "there is no such file"
    if target.exists() or target.is_symlink():
        return "the worktree has one of its own"
    try:
        if source.stat().st_size > MOST_BYTES:
            return "it is too large"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _ran(command: str, tree: Path) -> str:
    """Runs a command in a shell, with everything it starts; what became of it unless all is well,
    with the last lines that it printed. Nothing of them goes to a terminal by itself."""
    with tempfile.TemporaryFile() as printed:
        with subprocess.Popen(
            ["/bin/sh", "-c", command], cwd=tree, stdin=subprocess.DEVNULL, stdout=printed,
            stderr=subprocess.STDOUT, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                code = process.wait(timeout=LIMIT_S)
                words = f"failed with exit code {code}" if code else ""
            except subprocess.TimeoutExpired:
                words = f"took longer than {LIMIT_S:.0f} s and was ended"
            finally:
                with suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)
        return f"{words}: {_last_lines(printed)}".rstrip(": ") if words else ""


def _last_lines(printed: IO[bytes]) -> str:
    size = printed.seek(0, os.SEEK_END)
    printed.seek(max(size - LAST_BYTES, 0))
    lines = printed.read().decode(errors="replace").strip().splitlines()
    return " / ".join(clean_line(line) for line in lines[-LAST_LINES:])
