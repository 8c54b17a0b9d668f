"""A copy of a database's file: whole or not there, for its owner alone, made while others write."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from smriti_tui.domain.errors import Conflict
from smriti_tui.store.engine import BUSY_MS, driver, private_file, unchanging
from smriti_tui.store.faults import store_error


def copy_file(source: Path, target: Path) -> None:
    """Writes one consistent state into a new file.

    It is made beside the target and takes its name when it is whole and on the disk. It is written
    anew, not page by page: pages that were given up still hold what was deleted, or taken out.

    Raises:
        Conflict: something stands at the target; it stays. StoreError: nothing is left behind.
    """
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _forget_broken_off(target)
        private_file(part)
        _vacuum_into(source, part)
        _take_name(part, target)
    except driver().Error as error:
        raise store_error(error, str(target)) from error
    except OSError as error:
        raise store_error(OSError(f"unable to open: {error.strerror}"), str(target)) from error
    finally:
        for path in (part, part.with_name(f"{part.name}-journal")):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def taken(target: Path) -> Conflict:
    """The error where something stands already."""
    return Conflict(f"{target} exists already.", "Choose another name.", code="exists")


def _vacuum_into(source: Path, part: Path) -> None:
    how = "immutable=1" if unchanging(source) else "mode=rw"
    opened = driver().connect(
        f"{source.as_uri()}?{how}", uri=True, isolation_level=None, timeout=BUSY_MS / 1000
    )
    with contextlib.closing(opened) as connection:
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("VACUUM INTO ?", (str(part),))
    _to_disk(part)


def _take_name(part: Path, target: Path) -> None:
    """Two that copy to one name: the second finds it taken."""
    try:
        os.link(part, target)
    except FileExistsError as error:
        raise taken(target) from error
    except OSError:
        # A file system without links: the name is taken first, and held by an empty file meanwhile.
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        except FileExistsError as error:
            raise taken(target) from error
        part.replace(target)
    _to_disk(target.parent)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _forget_broken_off(target: Path) -> None:
    """What a copy left that was killed."""
    for path in target.parent.glob(f".{target.name}.*.part*"):
        pid = path.name.removeprefix(f".{target.name}.").partition(".")[0]
        if pid.isdigit() and not _runs(int(pid)):
            path.unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
