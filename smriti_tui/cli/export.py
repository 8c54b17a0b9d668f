"""`smriti export` and `smriti-tui --export`: the state out, for people, scripts and git."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from smriti_tui.cli import options
from smriti_tui.cli.output import Output
from smriti_tui.cli.places import resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.export_reading import Selection

F = TypeVar("F", bound=Callable[..., Any])
Format = Literal["md", "json", "jsonl", "bundle"]
STDOUT = "-"
CHUNK = 64 * 1024
"""Characters that are written to standard output at a time."""


@dataclass(frozen=True)
class Wanted:
    """The options of one export as they were given."""

    dest: str = STDOUT
    space: str | None = None
    everything: bool = False
    format_name: Format | None = None
    checkpoint: str | None = None
    session: str | None = None
    branch: str | None = None
    turns: bool = True


def export_options(function: F) -> F:
    """What to export and how; the same for both programs."""
    for option in (
        click.option("--no-turns", is_flag=True, help="Leave all sessions' turns out."),
        click.option("--branch", metavar="B", help="Only this branch of the Space."),
        click.option("--session", metavar="ID", help="Only this session."),
        click.option("--checkpoint", metavar="ID", help="Only this checkpoint."),
        click.option(
            "--format",
            "format_name",
            type=click.Choice(["md", "json", "jsonl", "bundle"]),
            help="How: a document, one JSON object, event lines, a folder for git (default md).",
        ),
        click.option("--all", "everything", is_flag=True, help="All Spaces, sessions and streams."),
        click.option("--space", metavar="S", help="The Space (default: the attached one)."),
    ):
        function = option(function)
    return function


@click.command(
    "export",
    cls=options.Command,
    example=(
        "smriti export STATE.md --space search-index\n"
        "smriti export ./state --space search-index --format bundle\n"
        "smriti export --all --format jsonl | wc -l"
    ),
)
@click.argument("dest", default=STDOUT, metavar="[DEST]")
@export_options
@click.pass_obj
def export(
    run: Run,
    dest: str,
    space: str | None,
    everything: bool,
    format_name: Format | None,
    checkpoint: str | None,
    session: str | None,
    branch: str | None,
    no_turns: bool,
) -> None:
    """Write state and log out, byte for byte the same for the same state.

    DEST is a file, a folder (for a bundle) or `-` for standard output.
    """
    perform(
        run,
        Wanted(
            dest, space, everything, format_name, checkpoint, session, branch, turns=not no_turns
        ),
    )


def perform(run: Run, wanted: Wanted) -> None:
    """Exports to standard output, a file or a folder.

    Raises: as `ExportService`; Invalid for options that do not fit together.
    """
    format_name = _format(run, wanted)
    with run.services() as services:
        selection = _select(run, services, wanted)
        exporting = services.exporting
        if wanted.dest == STDOUT:
            print_exactly(run.out, exporting.text(selection, format_name))
            return
        target = Path(wanted.dest).expanduser()
        files = 1
        removed: tuple[str, ...] = ()
        if format_name == "bundle":
            replaced = exporting.to_folder(selection, target)
            files, removed = replaced.files, replaced.removed
        else:
            exporting.to_file(selection, format_name, target)
    document = {
        "path": str(target),
        "format": format_name,
        "files": files,
        "removed": list(removed),
    }
    gone = f", {counted(len(removed), 'old file')} removed" if removed else ""
    run.out.note(f"{target}: {counted(files, 'file')} written{gone}.")
    if run.out.wants_json:
        run.out.document(document)


def _format(run: Run, wanted: Wanted) -> Format:
    chosen = wanted.format_name
    if not wanted.dest.strip():
        raise Invalid("DEST is empty.", "Name a file, a folder or -.", code="usage")
    if wanted.dest != STDOUT:
        return chosen or "md"
    if chosen == "bundle":
        raise Invalid("A bundle needs a folder.", "Name one as DEST.", code="usage")
    if run.out.wants_json and chosen == "md":
        raise Invalid(
            "--json and --format md exclude each other on standard output.",
            "Name a file, or take --format json.",
            code="usage",
        )
    return chosen or ("json" if run.out.wants_json else "md")


def _select(run: Run, services: Services, wanted: Wanted) -> Selection:
    """A checkpoint or session needs no Space; without them the attached one counts."""
    space = wanted.space
    narrow = wanted.checkpoint is not None or wanted.session is not None
    if not wanted.everything and (space is not None or not narrow):
        space = resolve_space(run, services, space).id
    return services.exporting.select(
        space=space,
        everything=wanted.everything,
        checkpoint=wanted.checkpoint,
        session=wanted.session,
        branch=wanted.branch,
        turns=wanted.turns,
    )


def print_exactly(out: Output, texts: Iterable[str]) -> None:
    """The bytes of the export. On a terminal, what could drive it is written as JSON escapes;
    Markdown holds nothing of the kind."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    for chunk in _chunks(texts):
        out.exact(_escaped(chunk) if terminal else chunk)


def _chunks(texts: Iterable[str]) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for text in texts:
        held.append(text)
        size += len(text)
        if size >= CHUNK:
            yield "".join(held)
            held, size = [], 0
    if held:
        yield "".join(held)


def _escaped(chunk: str) -> str:
    if clean(chunk) == chunk:
        return chunk
    unsafe = {ord(sign) for sign in set(chunk) if clean(sign) != sign}
    return chunk.translate({code: f"\\u{code:04x}" for code in unsafe})
