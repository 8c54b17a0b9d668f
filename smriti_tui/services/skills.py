"""Skill packs on disk: shown, installed, never over what somebody else wrote."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from stat import S_ISREG
from typing import Literal

from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.skill_pack import VERSION, Standing, Target, rendered, standing
from smriti_tui.services.whole_files import leads_out, write_whole

Action = Literal["created", "upgraded", "overwritten", "skipped", "planned"]
_MAX_BYTES = 4 * 1024 * 1024
_REFUSED: dict[Standing, str] = {
    "foreign": "was not written by Smriti",
    "edited": "was edited since it was installed",
    "newer": "is of a newer version",
}


@dataclass(frozen=True)
class Installed:
    """What happened to a pack's file."""

    target: Target
    path: Path
    action: Action
    version: str
    previous: str | None
    text: str


def pack_text(host: Target) -> str:
    """The pack of a host, as it would be installed."""
    template = files("smriti_tui").joinpath("skills", "pack.md").read_text(encoding="utf-8")
    return rendered(template, host)


def install(
    host: Target, folder: Path, *, destination: Path | None = None, force: bool = False,
    dry_run: bool = False,
) -> Installed:  # fmt: skip
    """Writes the pack of `host` below `folder`, or to `destination`.

    An older one of ours is replaced; the same version is left as it is.

    Raises:
        Conflict: the file is somebody else's, was edited, or is newer, and `force` is not given,
            or a link takes it out of `folder` (code `skill_file`; `details["why"]` is its
            predicate). Invalid: it cannot be read or written.
    """
    path = destination or folder / host.path
    if destination is None and (target := leads_out(path, folder)):
        raise _refused(path, f"leads out of this project, to {target}", "link", None)
    known, previous = standing(_existing(path))
    text = pack_text(host)
    if known in _REFUSED and not force:
        raise _refused(path, _REFUSED[known], known, previous)
    action: Action = "upgraded" if known == "older" else "overwritten"
    if known == "absent":
        action = "created"
    elif known == "same" and not force:
        action = "skipped"
    if dry_run:
        action = "skipped" if action == "skipped" else "planned"
    elif action != "skipped":
        write_whole(path, text)
    return Installed(host, path, action, VERSION, previous, text)


def _refused(path: Path, why: str, known: str, version: str | None) -> Conflict:
    force = "" if known == "link" else ", or --force to replace it"
    return Conflict(
        f"{path} {why}; it was left alone.",
        f"Give --destination for another place{force}.",
        code="skill_file",
        details={"path": str(path), "standing": known, "version": version, "why": why},
    )


def _existing(path: Path) -> str | None:
    """Raises: Invalid, it is there and cannot be read as text."""
    with suppress(FileNotFoundError):
        try:
            found = path.stat()
            if found.st_size > _MAX_BYTES:
                raise Invalid(f"{path} is too large for a skill pack.", "Name another place.")
            if not S_ISREG(found.st_mode):  # reading a named pipe would wait for its writer
                raise Invalid(f"{path} is there and is no file.", "Name another place.")
            return path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            raise
        except (OSError, UnicodeDecodeError) as error:
            raise Invalid(
                f"{path} is there and cannot be read as text.", "Name another place."
            ) from error
    return None
