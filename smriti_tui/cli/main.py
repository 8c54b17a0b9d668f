"""The `smriti` command: version control for reasoning done with AI.

Nothing heavier than click is imported here; a command's module is, when the command is called.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

import click

from smriti_tui.cli.diagnostics import guarded
from smriti_tui.cli.options import RootGroup, wants_json
from smriti_tui.cli.run import Run

PROGRAM: Final = "smriti"
COLLECT_AFTER: Final = (100_000, 50, 50)
"""Garbage is looked for after this many new objects: imports make very many that stay, and looking
at them again and again took a tenth of a short command's time."""


@click.command(
    PROGRAM,
    cls=RootGroup,
    invoke_without_command=True,
    context_settings={"max_content_width": 100},
    example=(
        'smriti space create "Search index"\n'
        "smriti session new Search --json\n"
        'smriti chat send --session 3f9a "Which index fits?"'
    ),
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Version control for reasoning done with AI."""
    if ctx.invoked_subcommand is None:
        if ctx.obj.out.wants_json:
            raise click.UsageError("missing command", ctx)
        ctx.obj.out.text(ctx.get_help())


def main() -> int:
    """The installed script: runs the command line of the process and ends the process."""
    gc.set_threshold(*COLLECT_AFTER)
    _fill_descriptors()
    _end_by_signals()
    code = run_command(sys.argv[1:])
    # All is closed and written by now. Taking every module apart first would cost a short command
    # a sixth of its time.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _fill_descriptors() -> None:
    """Gives closed standard descriptors (`2>&-`) to nobody, before a database file gets the number
    and what is meant for the terminal."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _end_by_signals() -> None:
    """Who is told to end, or loses the terminal, ends as by Ctrl-C: what was under way gets its
    end. A signal that the caller ignores (`nohup`) stays ignored."""
    for each in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) == signal.SIG_DFL:
            signal.signal(each, _interrupt)


def _interrupt(*_: object) -> None:
    # A shell starts what runs in its background with Ctrl-C ignored; this is no Ctrl-C.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.raise_signal(signal.SIGINT)


def run_command(arguments: Sequence[str]) -> int:
    """Runs one command line; the exit code is that of the contract."""
    given = list(arguments)
    run = Run()
    run.out.wants_json = wants_json(given)

    def action() -> None:
        _check_encoding(given)
        with cli.make_context(PROGRAM, given, obj=run) as ctx:
            cli.invoke(ctx)

    code = guarded(action, run.out)
    return 0 if run.never_fails else code


def _check_encoding(arguments: Sequence[str]) -> None:
    """Raises a usage error for an argument that is not UTF-8, naming the byte."""
    for number, argument in enumerate(arguments, 1):
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            offset = len(argument[: error.start].encode())
            raise click.UsageError(f"argument {number} is not UTF-8 (byte {offset})") from error


if __name__ == "__main__":
    main()
