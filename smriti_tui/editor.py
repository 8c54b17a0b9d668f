"""A text in the person's own editor, and the screen back whatever the editor did.

The text lies in a file of its own, readable by its owner alone, in the program's folder: should the
program be killed meanwhile, it is found there. While the editor has the terminal nothing is drawn,
and answers go on arriving.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import sys
import tempfile
import termios
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from textual.app import App, SuspendNotSupported

from smriti_tui.domain.clean import clean

FOLDER = "editing"
AT_ONCE_S = 0.3
"""An editor that ends sooner and changed nothing has probably opened a window of its own."""
# Character set, lines wrap, no scroll region, no insert mode, plain cursor keys and keypad, no
# mouse, no colours: what an editor that died may have left.
SOBER = (
    "\x1b[!p\x1b(B\x0f\x1b[?7h\x1b[r\x1b[4l\x1b[?1l\x1b>\x1b[?1000l\x1b[?1002l\x1b[?1003l"
    "\x1b[?1006l\x1b[?2004l\x1b[0m"
)


@dataclass(frozen=True)
class Edited:
    """What came back: another text, or None where it stays; `words` where there is more to say."""

    text: str | None
    words: str = ""


@dataclass(frozen=True)
class Ran:
    """How a program that had the terminal ended."""

    code: int
    """A negative number is a signal's."""
    took_s: float


def command(environ: Mapping[str, str]) -> list[str] | None:
    """The person's editor with its options; `vi` where none is named and it exists; else None.

    Raises:
        ValueError: the variable holds an open quotation mark.
    """
    for name in ("VISUAL", "EDITOR"):
        if parts := shlex.split(environ.get(name, "")):
            return parts
    return ["vi"] if shutil.which("vi") else None


async def edit(app: App[Any], text: str, home: Path | None, stem: str) -> Edited:
    """Opens `text` in the editor and waits for its end. Never raises what the person can mend."""
    try:
        argv = command(os.environ)
    except ValueError:
        return Edited(None, "$VISUAL or $EDITOR holds an open quotation mark; nothing was opened.")
    if argv is None:
        return Edited(None, "Set $VISUAL or $EDITOR to your editor, then press the key again.")
    if shutil.which(argv[0]) is None:
        return Edited(None, f"The editor {argv[0]} was not found; $VISUAL or $EDITOR names it.")
    try:
        path = await asyncio.to_thread(_write, text, home, stem)
    except OSError as error:
        return Edited(None, f"No file for the editor: {error.strerror}. Your text is kept.")
    try:
        ran = await run_outside(app, [*argv, str(path)])
    except SuspendNotSupported:
        await asyncio.to_thread(_remove, path)
        return Edited(None, "There is no terminal here that an editor could have.")
    except OSError as error:
        await asyncio.to_thread(_remove, path)
        return Edited(None, f"{argv[0]} did not start: {error.strerror}. Your text is kept.")
    return await asyncio.to_thread(_outcome, text, path, argv[0], ran)


async def run_outside(app: App[Any], argv: Sequence[str], folder: Path | None = None) -> Ran:
    """Gives the terminal to another program until it ends; the loop goes on meanwhile. It starts in
    `folder`, where one is given.

    Raises:
        SuspendNotSupported: this app has no terminal. OSError: the program does not start.
    """
    began = monotonic()
    async with _lent(app):
        process = await asyncio.create_subprocess_exec(*argv, cwd=folder)
        code = await process.wait()
    return Ran(code, monotonic() - began)


@asynccontextmanager
async def _lent(app: App[Any]) -> AsyncIterator[None]:
    """The terminal as the shell had it; afterwards as it was before, whatever became of it."""
    # What is drawn while somebody else has the terminal would wait for ever.
    with app.batch_update(), app.suspend():
        stdin = sys.__stdin__
        fd = stdin.fileno() if stdin is not None and stdin.isatty() else None
        before = termios.tcgetattr(fd) if fd is not None else None
        # ctrl+c belongs to the editor. A function, not SIG_IGN: that one the editor would inherit.
        interrupt = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, interrupt)
            if fd is not None and before is not None:
                _sober(fd, before)


def _sober(fd: int, before: list[Any]) -> None:
    """An editor that was killed leaves the terminal as it had it."""
    # It may have left this program in the background, which would be stopped by the next line.
    ignored = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    with contextlib.suppress(termios.error, OSError):
        if os.tcgetpgrp(fd) != os.getpgrp():
            os.tcsetpgrp(fd, os.getpgrp())
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
    signal.signal(signal.SIGTTOU, ignored)
    if sys.__stderr__ is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.__stderr__.write(SOBER)
            sys.__stderr__.flush()


# ---- the file ----------------------------------------------------------------------------------


def _write(text: str, home: Path | None, stem: str) -> Path:
    if home is None:
        folder = Path(tempfile.mkdtemp(prefix="smriti-"))
    else:
        folder = home / FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    handle, name = tempfile.mkstemp(prefix=f"{stem}-{os.getpid()}-", suffix=".md", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return Path(name)


def _outcome(before: str, path: Path, editor: str, ran: Ran) -> Edited:
    """What the editor left, and what of it is taken."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        gone = "is gone" if isinstance(error, FileNotFoundError) else "cannot be read"
        return Edited(None, f"The file {gone} that {editor} had; your text is as it was.")
    try:
        after = clean(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        words = "What the editor wrote is no UTF-8 text. Your text is as it was; its file is kept:"
        return Edited(None, f"{words} {path}")
    if not before.endswith("\n"):
        after = after.removesuffix("\n")  # Many editors end every file with a line feed.
    same = after == before
    if ran.code != 0 and not same:
        words = f"{editor} ended with {ran.code}: your text is as it was; what it wrote is kept:"
        return Edited(None, f"{words} {path}")
    if same and ran.code == 0 and ran.took_s < AT_ONCE_S:
        words = f"{editor} ended at once. If it opened a window, give it its option to wait, as in"
        return Edited(None, f'{words} EDITOR="code --wait". The file is kept: {path}')
    _remove(path)
    if same:
        failed = f"{editor} ended with {ran.code}; nothing was changed." if ran.code else ""
        return Edited(None, failed)
    return Edited(after)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
        if path.parent.name != FOLDER:
            path.parent.rmdir()


def left_behind(home: Path) -> list[Path]:
    """Files of editors whose program was killed meanwhile, oldest first. Each is named once: then
    it has another name."""
    found: list[tuple[float, Path]] = []
    with contextlib.suppress(OSError):
        for path in (home / FOLDER).glob("*-*-????????.md"):
            pid = path.stem.split("-")[-2]
            if pid.isdigit() and not _lives(int(pid)):
                told = path.with_suffix(".left.md")
                path.rename(told)
                found.append((told.stat().st_mtime, told))
    return [path for _, path in sorted(found)]


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
