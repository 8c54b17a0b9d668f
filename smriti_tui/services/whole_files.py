"""Files in a person's project that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from smriti_tui.domain.errors import Invalid


def leads_out(path: Path, folder: Path) -> Path | None:
    """Where `path` really lies if links take it out of `folder`, else None.

    A repository of somebody else may hold such links; what is written into a project stays there.
    """
    try:
        target = path.resolve()
        return None if target.is_relative_to(folder.resolve()) else target
    except (OSError, RuntimeError):  # links in a circle: writing says so
        return None


def write_whole(path: Path, text: str) -> None:
    """Puts `text` in the place of the file, with its folders; its mode stays, and a link stays one.

    Raises:
        Invalid: it cannot be written (code `not_writable`); what was there is still there.
    """
    name = ""
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        if name:
            with suppress(OSError):
                Path(name).unlink(missing_ok=True)
        raise Invalid(
            f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.",
            "Look at its folder's rights.",
            code="not_writable",
        ) from error
