"""`smriti import`: conversations of other tools become sessions."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, cast

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Ended
from smriti_tui.cli.inputs import STDIN
from smriti_tui.cli.places import resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Cancelled
from smriti_tui.domain.import_report import LeftOut, Seen, SeenSpace
from smriti_tui.domain.imported import Tool
from smriti_tui.domain.render.import_text import (
    preview_document,
    preview_text,
    report_document,
    report_text,
    warnings_of,
)

if TYPE_CHECKING:
    from smriti_tui.domain.ids import SpaceId
    from smriti_tui.services import Services

FORMATS: Final = (
    "auto", "chatgpt", "claude", "claude-code", "codex", "llm", "elia", "aider", "smriti", "text",
)  # fmt: skip
PROGRESS_S: Final = 1.0
MOST_WARNINGS: Final = 50


@click.command(
    "import", cls=options.Command, example="smriti import ~/Downloads/export.zip --dry-run"
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--space", metavar="S", help="The Space that the sessions belong to.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="auto", show_default=True,
    help="What the files are; auto tells it by their shape.",
)  # fmt: skip
@click.option("--only", "only", metavar="ID", multiple=True, help="Only this conversation.")
@click.option("--branches", is_flag=True, help="Also lines that were left there, as forks.")
@click.option("--deleted", is_flag=True, help="Also what was imported and deleted here before.")
@click.option("--dry-run", is_flag=True, help="Say what would be imported; write nothing.")
@click.pass_obj
def import_(
    run: Run,
    paths: tuple[str, ...],
    space: str | None,
    form: str,
    only: tuple[str, ...],
    branches: bool,
    deleted: bool,
    dry_run: bool,
) -> None:
    """Import chat histories of other tools, each conversation as a session.

    \b
    chatgpt      the export: zip, folder, conversations.json, one conversation
    claude       the export of Claude.ai: zip, folder, conversations.json
    claude-code  sessions below ~/.claude/projects: a file, a project, all
    codex        rollouts below ~/.codex/sessions, old and new, .zst too
    llm          logs.db
    elia         elia.sqlite
    aider        .aider.chat.history.md
    smriti       the database or API dump of the original Smriti; without --space its Spaces
    text         text with labels such as "Human:" and "Assistant:"

    Only what was visible becomes turns; tools, thoughts and files stay beside them, folded. Again
    it adds only what is new. Ctrl-C stops it; what was imported until then stays.
    """
    run.only_now("import")
    with run.services() as services, _files(paths) as (named, stopped):
        from smriti_tui.domain.import_report import Watch
        from smriti_tui.services.importing import Options

        home = _space(run, services, space, form)
        ids = frozenset(only) if only else None
        tool = None if form == "auto" else cast(Tool, form)
        wanted = Options(tool, ids, branches, deleted)
        watch = Watch(stopped, _progress(run))
        if dry_run:
            found = list(services.importing.preview(home, named, wanted, watch))
            seen = [each for each in found if isinstance(each, Seen)]
            parts = (
                seen,
                [each for each in found if isinstance(each, SeenSpace)],
                [each for each in found if isinstance(each, LeftOut)],
            )
            run.out.result(preview_document(*parts), lambda: preview_text(*parts))
            return
        report = services.importing.run(home, named, wanted, watch)
    for warning in warnings_of(report, MOST_WARNINGS):
        run.out.warning(warning)
    document = report_document(report, home)
    if report.cancelled:
        error = Cancelled(
            f"Stopped. {report_text(report)}", "Import once more to go on with the rest."
        )
        raise Ended(error, document)
    run.out.result(document, lambda: report_text(report))


def _space(run: Run, services: Services, space: str | None, form: str) -> SpaceId | None:
    """The Space that is named or attached; None where the original Smriti's come by themselves."""
    if space is None and form == "smriti":
        return None
    return resolve_space(run, services, space).id


def _progress(run: Run) -> Callable[[int], None]:
    """Tells once a second how much was read."""
    done, told = 0, time.monotonic()

    def read(size: int) -> None:
        nonlocal done, told
        done += size
        if time.monotonic() - told >= PROGRESS_S:
            told = time.monotonic()
            run.out.note(f"{done / 1e6:,.0f} MB read")

    return read


@contextmanager
def _files(paths: tuple[str, ...]) -> Iterator[tuple[list[Path], Callable[[], bool]]]:
    """The paths, standard input as a file of its own; and whether Ctrl-C was pressed."""
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    before = signal.signal(signal.SIGINT, press)
    try:
        with tempfile.TemporaryDirectory(prefix="smriti-import-") as folder:
            named = [Path(path).expanduser() for path in paths if path != STDIN]
            if STDIN in paths:
                target = Path(folder) / "standard input"
                with target.open("wb") as file:
                    shutil.copyfileobj(sys.stdin.buffer, file)
                named.append(target)
            yield named, lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
