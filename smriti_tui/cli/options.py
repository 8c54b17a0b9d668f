"""Commands and groups that take the options of every command, before or after the subcommand."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from smriti_tui import __version__
from smriti_tui.cli.commands import COMMANDS
from smriti_tui.cli.run import Run

F = TypeVar("F", bound=Callable[..., Any])
LARGEST = 2**63 - 1


class Shared(click.Option):
    """An option of every command: kept in the `Run`, never an argument of the function."""


def shared_options() -> list[click.Parameter]:
    """New each time: a parameter belongs to one command."""
    return [
        Shared(
            ["--db"],
            metavar="PATH|URL",
            help="The database.",
            expose_value=False,
            callback=_flag("database.url"),
        ),
        Shared(
            ["--actor"],
            metavar="NAME",
            help="Who does this.",
            expose_value=False,
            callback=_flag("actor"),
        ),
        Shared(
            ["--at"],
            metavar="EVENT|TIME|CHECKPOINT",
            help="Read what was then.",
            expose_value=False,
            callback=_moment,
        ),
        _switch("--json", "wants_json", "Print JSON."),
        _switch("--quiet", "quiet", "No notes, progress or warnings."),
        _switch("--no-color", "no_color", "No colours."),
        Shared(
            ["-h", "--help"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            help="Show this help.",
            callback=_help,
        ),
        Shared(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            help="Print the version.",
            callback=_version,
        ),
    ]


def _flag(key: str) -> Callable[[click.Context, click.Parameter, str | None], None]:
    def keep(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None:
            if not value.strip():
                raise click.BadParameter("it is empty", ctx, param)
            ctx.ensure_object(Run).flags[key] = value

    return keep


def _moment(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        if not value.strip():
            raise click.BadParameter("it is empty", ctx, param)
        ctx.ensure_object(Run).at = value


def _switch(name: str, attribute: str, text: str) -> Shared:
    def keep(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value:
            setattr(ctx.ensure_object(Run).out, attribute, True)

    return Shared([name], is_flag=True, help=text, expose_value=False, callback=keep)


def _help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.ensure_object(Run).out.text(ctx.get_help())
        ctx.exit()


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        out = ctx.ensure_object(Run).out
        out.result({"version": __version__}, f"smriti {__version__}")
        ctx.exit()


class Command(click.Command):
    """A command with the shared options and an example in its help."""

    def __init__(self, *args: Any, example: str = "", **kwargs: Any) -> None:
        kwargs.setdefault("add_help_option", False)  # ours is one of the shared options
        super().__init__(*args, **kwargs)
        self.example = example
        self.params += shared_options()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_example(self.example, formatter)


class Group(click.Group):
    """A group with the shared options. Its commands are `Command`s."""

    command_class = Command

    def __init__(self, *args: Any, example: str = "", **kwargs: Any) -> None:
        kwargs.setdefault("no_args_is_help", False)
        kwargs.setdefault("add_help_option", False)  # ours is one of the shared options
        super().__init__(*args, **kwargs)
        self.example = example
        self.params += shared_options()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_options(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_example(self.example, formatter)


class RootGroup(Group):
    """The commands of the static table, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for entry in COMMANDS:
            if entry.name == cmd_name:
                module = importlib.import_module(f"smriti_tui.cli.{entry.module}")
                found: click.Command = getattr(module, entry.attribute)
                return found
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.help) for entry in COMMANDS])


def _write_options(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    own: list[tuple[str, str]] = []
    shared: list[tuple[str, str]] = []
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is not None and not isinstance(param, click.Argument):
            (shared if isinstance(param, Shared) else own).append(record)
    for title, records in (("Options", own), ("Options of every command", shared)):
        if records:
            with formatter.section(title):
                formatter.write_dl(records)


def _write_example(example: str, formatter: click.HelpFormatter) -> None:
    if example:
        with formatter.section("Example"):
            for line in example.splitlines():
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def number(least: int) -> click.IntRange:
    """A count or position that a database can hold."""
    return click.IntRange(min=least, max=LARGEST)


def command_id(function: F) -> F:
    """`--command-id`, for commands that write."""
    return click.option(
        "--command-id",
        metavar="UUID",
        help="Repeating a command with the same id writes nothing and gives the first result.",
    )(function)


def yes(function: F) -> F:
    """`--yes`, for commands that destroy."""
    return click.option("-y", "--yes", is_flag=True, help="Do not ask.")(function)


def project_root_flags(function: F) -> F:
    """`--project-root` and `--no-project-root`."""
    for option in (
        click.option("--no-project-root", is_flag=True, help="Record no folder."),
        click.option(
            "--project-root", metavar="P", help="The project's folder (default: this one)."
        ),
    ):
        function = option(function)
    return function


def session(function: F) -> F:
    """`--session ID`, required."""
    option = click.option(
        "--session", "session_id", metavar="ID", required=True, help="The session."
    )
    return option(function)


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether `--json` stands on a command line, known before it is parsed: errors of parsing need
    it."""
    for argument in arguments:
        if argument == "--":
            return False
        if argument == "--json":
            return True
    return False
