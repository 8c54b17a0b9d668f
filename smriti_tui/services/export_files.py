"""Exports on disk: whole files or none, and folders that hold what is ours alone."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

from smriti_tui.domain.errors import Conflict, Invalid, NotFound, SmritiError
from smriti_tui.domain.render.export_records import BUNDLE_FORMAT

MARKERS = ("space.json", "bundle.json")
"""The files that tell a bundle; one of them is in each."""

_OURS = re.compile(
    r"(?:(?:[0-9a-f]{12}-[^/]+|fresh|streams|deleted)/)?"
    r"(?:STATE\.md|space\.json|bundle\.json|checkpoints/[0-9a-f]{12}-[^/]+\.md"
    r"|sessions/[0-9a-f]{12}\.jsonl|events/(?:[a-z0-9_.~-]+/)*[a-z0-9_.~-]+\.jsonl)"
)


@dataclass(frozen=True)
class BundleOwner:
    """Whose bundle it is: `space`, `session` or `everything`."""

    kind: str
    id: str


@dataclass(frozen=True)
class Replaced:
    """What writing a bundle did."""

    files: int
    removed: tuple[str, ...]
    """Files of an earlier bundle that are no more."""


def new_file(path: Path, mode: Literal["w", "a"] = "w") -> TextIO:
    """An open UTF-8 file with LF line ends; its folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open(mode, encoding="utf-8", newline="\n")


def write_file(path: Path, texts: Iterable[str]) -> None:
    """Writes beside `path`, then puts the whole file in its place.

    A device or pipe is written as it is. Raises: as `ExportService.to_file`.
    """
    with _told(path):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            hint = "Name a file, or choose the format bundle."
            raise Invalid(f"{path} is a folder.", hint, field="dest")
        if not target.parent.is_dir():
            raise NotFound(f"There is no folder {path.parent}.", "Make it first.")
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8", newline="\n") as device:
                device.writelines(texts)
            return
        _replace_file(target, texts)


def _replace_file(target: Path, texts: Iterable[str]) -> None:
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        with new_file(beside) as file:
            file.writelines(texts)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def put_folder(folder: Path, owner: BundleOwner, build: Callable[[Path], None]) -> Replaced:
    """Lets `build` fill a new folder beside `folder`, then puts its files in place.

    Raises: as `ExportService.to_folder`.
    """
    with _told(folder):
        target = Path(os.path.realpath(folder))
        _check_target(folder, target, owner)
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.tmp")
        beside.mkdir()
        try:
            build(beside)
            return _put(beside, target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def _put(built: Path, target: Path) -> Replaced:
    fresh = set(_files(built))
    if not target.exists():
        built.replace(target)
        return Replaced(len(fresh), ())
    for name in sorted(fresh):
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        (built / name).replace(place)
    stale = tuple(
        sorted(name for name in _files(target) if name not in fresh and _OURS.fullmatch(name))
    )
    for name in stale:
        (target / name).unlink()
        _drop_empty(target, (target / name).parent)
    return Replaced(len(fresh), stale)


def _drop_empty(root: Path, folder: Path) -> None:
    with contextlib.suppress(OSError):
        while folder != root:
            folder.rmdir()
            folder = folder.parent


def _files(root: Path) -> Iterator[str]:
    """Names of all files below `root`, without following links or looking into hidden folders."""
    for parent, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            yield (Path(parent) / name).relative_to(root).as_posix()


def _check_target(shown: Path, target: Path, owner: BundleOwner) -> None:
    """Refuses all but a new folder, an empty one, and an earlier bundle of the same owner."""
    if not target.exists():
        return
    if not target.is_dir():
        raise Invalid(f"{shown} is a file.", "A bundle needs a folder.", field="dest")
    with _told(shown):
        entries = [entry for entry in target.iterdir() if not entry.name.startswith(".")]
    if not entries:
        return
    found = _owner_of(target)
    if found is None:
        raise Conflict(
            f"{shown} holds other things than a bundle.",
            "Name a new or empty folder.",
            code="not_a_bundle",
        )
    if found != owner:
        raise Conflict(
            f"{shown} holds the bundle of something else ({found.kind} {found.id[:7]}).",
            "Name another folder.",
            code="other_bundle",
            details={"kind": found.kind, "id": found.id},
        )
    _check_links(shown, target)


def _check_links(shown: Path, target: Path) -> None:
    """A link below a bundle would carry files out of it."""
    for parent, folders, _ in os.walk(target):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in folders:
            if (Path(parent) / name).is_symlink():
                raise Conflict(
                    f"{shown} holds a link to another folder ({name}).",
                    "Remove it, or name another folder.",
                    code="link_in_bundle",
                )


def _owner_of(folder: Path) -> BundleOwner | None:
    for name in MARKERS:
        try:
            head = json.loads((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        owner = head.get("owner") if isinstance(head, dict) else None
        if isinstance(owner, dict) and head.get("format") == BUNDLE_FORMAT:
            return BundleOwner(str(owner.get("kind")), str(owner.get("id")))
    return None


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raises: SmritiError (code `not_written`) for what the file system says."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SmritiError(
            f"{path} cannot be written: {error.strerror or error}.",
            "Look at the place, its rights and its free room.",
            code="not_written",
        ) from error
