"""Reading a text in the person's own pager, with the screen back afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import SuspendNotSupported

from smriti_tui.domain.clean import clean
from smriti_tui.editor import run_outside

if TYPE_CHECKING:
    from textual.app import App

AT_ONCE_S = 0.3
"""A pager that ends sooner has probably shown nothing."""
LOG_NAME = "smriti-tui.log"
LOG_BYTES = 400_000
"""As much of the log's end is shown."""


def pager(environ: Mapping[str, str]) -> list[str] | None:
    """The person's pager with its options, else their editor, else `less` or `more`.

    Raises:
        ValueError: the variable holds an open quotation mark.
    """
    for name in ("PAGER", "VISUAL", "EDITOR"):
        if parts := shlex.split(environ.get(name, "")):
            return _staying(parts)
    return next((_staying([name]) for name in ("less", "more") if shutil.which(name)), None)


def _staying(argv: list[str]) -> list[str]:
    """`less` may be set up to quit by itself after a short text, which nobody would see."""
    return [argv[0], "-+F", "-+X", *argv[1:]] if Path(argv[0]).name == "less" else argv


def page(app: App[Any], text: str, name: str, *, at_end: bool = False) -> None:
    """Opens `text` in the pager; the app draws nothing until it ends. `name` is its file's."""
    app.run_worker(_page(app, text, name, at_end), group="pager", exit_on_error=False)


def page_log(app: App[Any]) -> None:
    """Opens the program's own log at its end."""
    opened = getattr(app, "opened", None)
    home = None if opened is None or opened.demo else opened.config.home

    async def show() -> None:
        text = "" if home is None else await asyncio.to_thread(_end_of, home / LOG_NAME)
        if text:
            await _page(app, text, LOG_NAME, True)
        else:
            app.notify("There is no log: no fault of the program was noted.", markup=False)

    app.run_worker(show(), group="pager", exit_on_error=False)


def _end_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - LOG_BYTES, 0))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


async def _page(app: App[Any], text: str, name: str, at_end: bool) -> None:
    try:
        argv = pager(os.environ)
    except ValueError:
        _say(app, "$PAGER or $EDITOR holds an open quotation mark; nothing was opened.")
        return
    if argv is None or shutil.which(argv[0]) is None:
        missing = "No pager was found" if argv is None else f"{argv[0]} was not found"
        _say(app, f"{missing}; set $PAGER, then press the key again.")
        return
    if at_end and Path(argv[0]).name == "less":
        argv.append("+G")
    cleaned = f"{clean(text)}\n"
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="smriti-"))
    path = folder / name
    try:
        await asyncio.to_thread(_write, path, cleaned)
        await _shown(app, argv, path, cleaned)
    except SuspendNotSupported:
        _say(app, "There is no terminal here that a pager could have.")
    except OSError as error:
        _say(app, f"{argv[0]} did not start: {error.strerror}.")
    finally:
        await asyncio.to_thread(_remove, folder)


async def _shown(app: App[Any], argv: Sequence[str], path: Path, text: str) -> None:
    ran = await run_outside(app, [*argv, str(path)])
    if ran.code != 0:
        _say(app, f"{argv[0]} ended with {ran.code}.")
    elif await asyncio.to_thread(_read, path) not in (text, ""):
        _say(app, "That was a copy to read: what you changed in it is not kept.")
    elif ran.took_s < AT_ONCE_S:
        _say(app, f"{argv[0]} ended at once; $PAGER names another one.")


def _write(path: Path, text: str) -> None:
    from smriti_tui.services.private_files import private

    with private(path, "x") as file:
        file.write(text)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):
        shutil.rmtree(folder)


def _say(app: App[Any], words: str) -> None:
    app.notify(words, markup=False)
