"""`smriti-tui` with arguments: the app on a Space, the demo, or an export without a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import guarded
from smriti_tui.cli.export import Format, Wanted, export_options, perform
from smriti_tui.cli.options import wants_json
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid

PROGRAM = "smriti-tui"


@click.command(
    PROGRAM,
    cls=options.Command,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    example=(
        "smriti-tui search-index\n"
        "smriti-tui --demo\n"
        "smriti-tui --export STATE.md --space search-index"
    ),
)
@click.argument("name", required=False, metavar="[S]")
@click.option("--demo", is_flag=True, help="A demo Space in a throw-away database, offline.")
@click.option(
    "--export",
    "dest",
    is_flag=False,
    flag_value="-",
    metavar="[DEST]",
    help="No terminal: write the state to a file, a folder (bundle) or - (default).",
)
@export_options
@click.pass_context
def launch(
    ctx: click.Context,
    name: str | None,
    demo: bool,
    dest: str | None,
    space: str | None,
    everything: bool,
    format_name: Format | None,
    checkpoint: str | None,
    session: str | None,
    branch: str | None,
    no_turns: bool,
) -> None:
    """Open the workspace, on Space S if it is named."""
    given = Wanted(
        "-", space, everything, format_name, checkpoint, session, branch, turns=not no_turns
    )
    run: Run = ctx.obj
    if dest is None:
        if given != Wanted(space=space):
            raise click.UsageError("what to export is named, but not --export", ctx)
        ctx.exit(_open(run, _one_space(ctx, name, space), demo))
    if demo:
        raise click.UsageError("--demo and --export exclude each other", ctx)
    perform(
        run,
        Wanted(
            dest,
            _one_space(ctx, name, space),
            everything,
            format_name,
            checkpoint,
            session,
            branch,
            turns=not no_turns,
        ),
    )


def _one_space(ctx: click.Context, name: str | None, space: str | None) -> str | None:
    if name is not None and space is not None and name != space:
        raise click.UsageError("two Spaces are named", ctx)
    return space if name is None else name


def _open(run: Run, space: str | None, demo: bool) -> int:
    if demo and space is not None:
        raise Invalid("The demo has a Space of its own.", "Leave the name out.", code="usage")
    check_terminal()
    # Textual takes a second to import; no export and no --help pays for it.
    from smriti_tui.app import run as run_app

    database, actor = run.flags.get("database.url"), run.flags.get("actor")
    return run_app(
        space,
        demo=demo,
        database=None if database is None else str(database),
        actor=None if actor is None else str(actor),
    )


def check_terminal() -> None:
    """Raises: Invalid (code `no_terminal`) where a full-screen program cannot run."""
    streams = (sys.stdin, sys.stdout)
    there = all(stream is not None and stream.isatty() for stream in streams)
    if not there or os.environ.get("TERM", "") == "dumb":
        raise Invalid(
            "smriti-tui needs a terminal.",
            "For scripts there are `smriti-tui --export` and the `smriti` command.",
            code="no_terminal",
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line of `smriti-tui`; the exit code is that of the contract."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    run = Run()
    run.out.wants_json = wants_json(given)

    def action() -> None:
        if any("\udc80" <= sign <= "\udcff" for argument in given for sign in argument):
            raise click.UsageError("an argument is not UTF-8")
        with launch.make_context(PROGRAM, given, obj=run) as ctx:
            launch.invoke(ctx)

    return guarded(action, run.out)


if __name__ == "__main__":
    sys.exit(main())
