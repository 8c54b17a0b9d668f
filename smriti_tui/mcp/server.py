"""`smriti-mcp`: the agents' operations as tools of an MCP host, over standard input and output.

Nothing but the standard library is imported before the command line is read and the protocol's
channel is taken (`wire`).
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from smriti_tui import __version__
from smriti_tui.mcp.wire import Wire, take_wire

PROGRAM = "smriti-mcp"
FAILED, USAGE = 1, 2
DESCRIPTION = (
    "Smriti as a server of the Model Context Protocol: reads requests from standard input, writes "
    "answers to standard output, and ends when its input ends. An MCP host starts it."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until the input ends; exit codes as those of `smriti`."""
    flags = _flags(sys.argv[1:] if arguments is None else arguments)
    # A worker that waits for the database must not keep Ctrl-C waiting; the store takes a cut.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        wire = take_wire()
    except OSError:
        return _fail("Standard input or output is closed.", "An MCP host opens both.")
    code = _serve(wire, flags)
    if code:
        # The thread that reads the input would be cut off in the middle of it.
        os._exit(code)
    return code


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in the one form of all commands."""

    def error(self, message: str) -> NoReturn:
        what = message.strip().rstrip(".")
        sys.exit(_fail(f"{what[:1].upper()}{what[1:]}.", f"See `{PROGRAM} --help`.", USAGE))


def _flags(arguments: Sequence[str]) -> dict[str, object]:
    parser = _Parser(PROGRAM, description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--db", metavar="PATH|URL", type=_filled, help="The database.")
    parser.add_argument("--actor", metavar="NAME", type=_filled, help="Who does this.")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    found = parser.parse_args(arguments)
    return {"database.url": found.db, "actor": found.actor}


def _filled(value: str) -> str:
    if not value.strip():
        raise argparse.ArgumentTypeError("it is empty")
    return value


def _serve(wire: Wire, flags: dict[str, object]) -> int:
    from smriti_tui.domain.errors import SmritiError

    try:
        from smriti_tui.bootstrap import open_services
        from smriti_tui.config.settings import load_config
        from smriti_tui.mcp.serving import serve, start_log

        config = load_config(flags)
        start_log(config.log_level)
        for warning in config.warnings:
            _say("warning", warning)
        with open_services(config, "mcp") as services:
            serve(wire, services)
    except SmritiError as error:
        return _fail(error.message, error.hint, error.exit_code)
    except Exception as error:  # noqa: BLE001 (the last resort of the server)
        _say("traceback", "".join(traceback.format_exception(error)))
        kind = type(error).__name__
        return _fail(f"The server failed in a way it should not ({kind}).", "Please report it.")
    return 0


def _fail(message: str, hint: str, code: int = FAILED) -> int:
    _say("error", f"{message} {hint}".strip())
    return code


def _say(word: str, text: str) -> None:
    """Talks to who reads the host's log."""
    from smriti_tui.domain.clean import clean

    if sys.stderr is not None:
        sys.stderr.write(f"{word}: {clean(text).rstrip()}\n")
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
