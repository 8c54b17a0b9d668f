"""`smriti-mcp`: the agents' operations as tools of an MCP host, over standard input and output or
HTTP on loopback.

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
from contextlib import suppress
from typing import NoReturn

from smriti_tui import __version__
from smriti_tui.mcp.wire import Wire, take_wire

PROGRAM = "smriti-mcp"
FAILED, USAGE = 1, 2
DESCRIPTION = (
    "Smriti as a server of the Model Context Protocol: reads requests from standard input, writes "
    "answers to standard output, and ends when its input ends. An MCP host starts it. With --http "
    "it serves hosts of this machine over HTTP instead."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until the input ends; exit codes as those of `smriti`."""
    found = _parsed(sys.argv[1:] if arguments is None else arguments)
    flags = {"database.url": found.db, "actor": found.actor}
    # A worker that waits for the database must not keep Ctrl-C waiting; the store takes a cut.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if found.http is not None:
        return _serve_http(flags, found.http, found.token_file)
    try:
        wire = take_wire()
    except OSError:
        return _fail("Standard input or output is closed.", "An MCP host opens both.")
    code = _serve(wire, flags)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """Ends the process, all being closed. What the interpreter would still take apart keeps a host
    waiting longer than its patience, and the thread that reads the input would be cut off in the
    middle of it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in the one form of all commands."""

    def error(self, message: str) -> NoReturn:
        what = message.strip().rstrip(".")
        sys.exit(_fail(f"{what[:1].upper()}{what[1:]}.", f"See `{PROGRAM} --help`.", USAGE))


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(PROGRAM, description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--db", metavar="PATH|URL", type=_filled, help="The database.")
    parser.add_argument("--actor", metavar="NAME", type=_filled, help="Who does this.")
    parser.add_argument(
        "--http", metavar="HOST:PORT", nargs="?", const="", type=str.strip,
        help="Serve HTTP on this loopback address (127.0.0.1:8377).",
    )  # fmt: skip
    parser.add_argument(
        "--token-file", metavar="FILE", type=_filled,
        help="With --http: the token that hosts give; else SMRITI_MCP_TOKEN.",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    found = parser.parse_args(arguments)
    if found.token_file is not None and found.http is None:
        parser.error("--token-file goes with --http")
    return found


def _filled(value: str) -> str:
    if not value.strip():
        raise argparse.ArgumentTypeError("it is empty")
    return value


def _serve(wire: Wire, flags: dict[str, object]) -> int:
    try:
        from smriti_tui.mcp.serving import serve, start_log

        start_log()
        serve(wire, flags)
    except Exception as error:  # noqa: BLE001 (the last resort of the server)
        _say("traceback", "".join(traceback.format_exception(error)))
        kind = type(error).__name__
        return _fail(f"The server failed in a way it should not ({kind}).", "Please report it.")
    return 0


def _serve_http(flags: dict[str, object], address: str, token_file: str | None) -> int:
    from smriti_tui.domain.errors import SmritiError

    try:
        from smriti_tui.mcp.http import address_of, serve_http, token_of

        place = address_of(address)
        serve_http(flags, place, token_of(token_file, os.environ))
    except SmritiError as error:
        return _fail(error.message, error.hint, error.exit_code)
    _leave(0)


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
