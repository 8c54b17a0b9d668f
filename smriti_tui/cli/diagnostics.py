"""Where every failure ends: one line on standard error, the exit code, with `--json` the error
object. Nobody else catches everything; no traceback is ever shown."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from smriti_tui.cli.output import Document, Output, ReaderGone
from smriti_tui.domain.errors import Invalid, SmritiError, Unexpected

INTERRUPTED = 130
_SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL")
_MIN_SECRET = 6
"""Shorter values are no keys, and replacing them would garble the traceback."""


class Ended(Exception):
    """A command that has a result to show and failed all the same: a broken-off answer, a log that
    does not verify. With `--json` both stand in one document."""

    def __init__(self, error: SmritiError, document: Document) -> None:
        super().__init__(error.message)
        self.error = error
        self.document = document


class Interrupted(Exception):
    """Ctrl-C, with what became of the work."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def guarded(action: Callable[[], None], out: Output) -> int:
    """Runs a command line to its end and gives the exit code."""
    try:
        return _caught(action, out)
    except ReaderGone:
        _silence()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


def _caught(action: Callable[[], None], out: Output) -> int:
    try:
        action()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        return _report(_usage(error), out)
    except SmritiError as error:
        return _report(error, out)
    except Ended as ended:
        return _report(ended.error, out, ended.document)
    except (Interrupted, KeyboardInterrupt, click.Abort) as stopped:
        what = stopped.what if isinstance(stopped, Interrupted) else "Interrupted."
        _report(SmritiError(what, code="interrupted"), out)
        return INTERRUPTED
    except ReaderGone:
        raise
    except Exception as error:  # noqa: BLE001 (the last resort of the command line)
        return _report(_unexpected(error), out)
    return 0


def _report(error: SmritiError, out: Output, document: Document | None = None) -> int:
    if out.wants_json:
        from smriti_tui.domain.render.documents import error_document

        failed: Mapping[str, object] = {**(document or {}), "error": error_document(error)}
        # What cannot be printed is told all the same, on standard error and by the exit code.
        with contextlib.suppress(ReaderGone, SmritiError):
            if document is None:
                out.line(failed)
            else:
                out.document(failed)
    out.error(str(error))
    return error.exit_code


def _usage(error: click.ClickException) -> SmritiError:
    """A fault of the command line in our own words and form."""
    message = error.format_message().strip().rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context is not None else "smriti"
    return Invalid(f"{message[:1].upper()}{message[1:]}.", f"See `{path} -h`.", code="usage")


def _unexpected(error: Exception) -> SmritiError:
    """A fault of the program: the traceback goes to a file of its own."""
    kind = type(error).__name__
    path = _write_traceback(error)
    if path is None:
        hint = "Its traceback could not be written to the logs folder."
    else:
        hint = f"Details are in {path}."
    return Unexpected(
        f"Smriti failed in a way it should not ({kind}).",
        hint,
        details={"kind": kind, "log": None if path is None else str(path)},
    )


def _write_traceback(error: Exception) -> Path | None:
    from datetime import UTC, datetime

    text = "".join(traceback.format_exception(error))
    for secret in _secrets():
        text = text.replace(secret, "***")
    folder = _home() / "logs"
    path = folder / f"smriti-{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.log"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600), "wb") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError:
        return None
    return path


def _variables() -> dict[str, str]:
    """The environment over the env file. Nothing here raises: the settings may be the fault."""
    from smriti_tui.config.light import env_file_path, read_env_file

    values = dict(read_env_file(env_file_path(os.environ)).values)
    return {**values, **{name: value for name, value in os.environ.items() if value.strip()}}


def _home() -> Path:
    from smriti_tui.config.light import expand, user_home

    named = _variables().get("SMRITI_HOME", "").strip()
    return expand(named, os.environ) if named else user_home(os.environ) / ".smriti"


def _secrets() -> list[str]:
    """Values of variables that may be keys, longest first."""
    found = {
        value.strip()
        for name, value in _variables().items()
        if any(word in name.upper() for word in _SECRET_WORDS)
    }
    return sorted((value for value in found if len(value) >= _MIN_SECRET), key=len, reverse=True)


def _silence() -> None:
    """Nobody reads any more: what is still buffered goes nowhere, also at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
