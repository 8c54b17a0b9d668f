"""`smriti checkpoint`: the saved states of a Space."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.checkpoint_acts import blame, delete, note, reach, turns
from smriti_tui.cli.diagnostics import Ended
from smriti_tui.cli.drafting import draft
from smriti_tui.cli.extracting import check_options, extract_from, extract_options
from smriti_tui.cli.inputs import STDIN, from_terminal, parse_json, read_file
from smriti_tui.cli.places import chosen_root, current_folder, repeated, resolve_space
from smriti_tui.cli.reviewing import review
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid, NotFound, SmritiError
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.brief import brief
from smriti_tui.domain.render.documents import checkpoints_document, full_checkpoint_document
from smriti_tui.domain.render.history_text import graph_text
from smriti_tui.domain.render.lists import checkpoint_table
from smriti_tui.domain.render.reviews import shown_document
from smriti_tui.domain.render.saving import omitted_text, saved_document, saved_text
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.domain.checkpoint_input import CheckpointInput
    from smriti_tui.domain.extracted import Extracted
    from smriti_tui.domain.model import Checkpoint, Space
    from smriti_tui.services import Services

EXAMPLE = """echo '{"title": "Choose FTS5"}' | smriti checkpoint create Search -"""


@click.group(cls=options.Group, example="smriti checkpoint list Search")
def checkpoint() -> None:
    """Checkpoints: immutable snapshots of what is settled."""


@checkpoint.command(example=EXAMPLE)
@click.argument("wanted", metavar="[S]", required=False)
@click.argument("file", metavar="[FILE|-]", required=False)
@click.option("--dry-run", is_flag=True, help="Show what would be saved; write nothing.")
@click.option("--session", "session_id", metavar="ID", help="Made from this session.")
@click.option(
    "--last", type=options.number(1), metavar="N", help="Made from its turns up to N alone."
)
@click.option("--branch", metavar="B", help="On this branch (default: main, or the session's).")
@click.option("--expect-head", metavar="ID", help="Refuse when the branch's head is another one.")
@click.option(
    "--carry",
    type=click.Choice(["all", "none"]),
    default="none",
    show_default=True,
    help="The parent's live items that the input leaves out.",
)
@extract_options
@options.project_root_flags
@click.option("--author", metavar="A", help="Who wrote it (default: the input's, else the actor).")
@options.command_id
@click.pass_obj
def create(
    run: Run,
    wanted: str | None,
    file: str | None,
    dry_run: bool,
    session_id: str | None,
    last: int | None,
    branch: str | None,
    expect_head: str | None,
    carry: str,
    extract: bool,
    keep_unverified: bool,
    model: str | None,
    project_root: str | None,
    no_project_root: bool,
    author: str | None,
    command_id: str | None,
) -> None:
    """Save a checkpoint from a JSON object, or from Markdown (a file, or standard input).

    The object has a title and, as needed, objective, summary, decisions, assumptions, tasks,
    open_questions, entities, artifacts, author, project_root. With --extract the input is
    Markdown: lists below headings such as Decisions or Open questions and code blocks are taken
    word for word, the rest by the background model, and each of its items must quote the document.
    With a single argument that is no Space, it is the FILE.
    """
    check_options(extract, keep_unverified, model)
    with run.services() as services:
        space, source = _space_and_file(run, services, wanted, file)
        taken: Extracted | None = None
        saved = services.checkpoints.earlier(space.id, command_id) if extract else None
        session = services.sessions.find(session_id).id if session_id and not saved else None
        if extract and saved is None:
            services.checkpoints.check_place(
                space.id, session=session, branch=branch, expect_head=expect_head
            )
            taken = extract_from(
                run.out, services, space.id, source, model=model, keep=keep_unverified
            )
        if saved is None:
            given = (taken.content, False) if taken else _parsed(source)
            content = _with_flags(*given, project_root, no_project_root, author)
            repeated(services, command_id, "checkpoint.saved")
            saved = services.checkpoints.create(
                space.id,
                content,
                session=session,
                branch=branch,
                expect_head=expect_head,
                last=last,
                carry_all=carry == "all",
                dry_run=dry_run,
                command_id=command_id,
            )
    if warning := omitted_text(saved.omitted, "--carry all takes them along."):
        run.out.warning(warning)
    run.out.result(
        saved_document(saved.checkpoint, saved.omitted, dry_run=dry_run, extracted=taken),
        lambda: saved_text(saved.checkpoint, space.name, dry_run=dry_run),
    )


def _space_and_file(
    run: Run, services: Services, wanted: str | None, file: str | None
) -> tuple[Space, str]:
    """The Space and the input. A single argument is the Space, unless there is none of that name
    and it is `-` or a file."""
    if file is None and wanted == STDIN:
        wanted, file = None, STDIN
    if file is None and wanted is not None and _is_file(wanted):
        try:
            return services.spaces.find(wanted), _source(None)
        except (NotFound, Invalid):
            wanted, file = None, wanted
    return _named_space(run, services, wanted, file), _source(file)


def _named_space(run: Run, services: Services, wanted: str | None, file: str | None) -> Space:
    try:
        return resolve_space(run, services, wanted)
    except NotFound as error:
        if wanted is None or file is not None:
            raise
        raise NotFound(
            f"There is neither a Space nor a file {clean_line(wanted)!r}.",
            "`smriti space list` shows the Spaces.",
        ) from error


def _is_file(path: str) -> bool:
    try:
        place = Path(path)
        return place.exists() and not place.is_dir()  # /dev/stdin and <(…) are no regular files
    except (OSError, ValueError):  # a name that is too long, or holds a NUL
        return False


def _source(file: str | None) -> str:
    if file is None and from_terminal():
        raise Invalid("There is no checkpoint to save.", f"For example: {EXAMPLE}", code="usage")
    return file or STDIN


def _parsed(source: str) -> tuple[CheckpointInput, bool]:
    """The checked JSON input, and whether it names a project root itself."""
    from smriti_tui.domain.checkpoint_input import parse_checkpoint

    text = read_file(source)
    if not text.strip():
        raise Invalid("The input is empty.", f"For example: {EXAMPLE}", code="usage")
    value = parse_json(text, "Standard input" if source == STDIN else source)
    content = parse_checkpoint(value)
    return content, isinstance(value, dict) and "project_root" in value


def _with_flags(
    content: CheckpointInput,
    own: bool,
    project_root: str | None,
    no_project_root: bool,
    author: str | None,
) -> CheckpointInput:
    """The content with the flags' author and project root (CKPT-15). `own`: it names one."""
    default = content.project_root
    if not own and not no_project_root and project_root is None:
        default = str(current_folder())
    root = chosen_root(project_root, no_project_root, default)
    stands = content.git
    if stands is None and root:
        from smriti_tui.services.repository import git_state

        stands = git_state(Path(root))
    return replace(content, project_root=root, git=stands, author=author or content.author)


@checkpoint.command("list", example="smriti checkpoint list Search --branch main --limit 10")
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--branch", metavar="B", help="Only this branch.")
@click.option("--author", metavar="A", help="Only this author's.")
@click.option("--limit", type=options.number(1), metavar="N", help="At most N.")
@click.option("--graph", is_flag=True, help="Draw the lines; of a branch with all it comes from.")
@click.pass_obj
def list_(
    run: Run,
    wanted: str | None,
    branch: str | None,
    author: str | None,
    limit: int | None,
    graph: bool,
) -> None:
    """List the checkpoints of a Space, newest first."""
    if graph and author is not None:
        raise Invalid("A graph shows whole lines.", "Leave --author out.", code="usage")
    with run.services() as services:
        space = resolve_space(run, services, wanted)
        if graph:
            tree = services.history.rows(space.id, branch=branch, limit=limit)
            run.out.result(checkpoints_document(space, tree), lambda: graph_text(tree, run.now()))
            return
        rows = services.checkpoints.of_space(space.id, branch=branch, author=author, limit=limit)
    run.out.result(checkpoints_document(space, rows), lambda: checkpoint_table(rows, run.now()))


@checkpoint.command(example="smriti checkpoint show 4c1e9a0")
@click.argument("checkpoint_id", metavar="ID")
@click.pass_obj
def show(run: Run, checkpoint_id: str) -> None:
    """Print everything a checkpoint holds, with its notes and how its review stands."""
    show_checkpoint(run, checkpoint_id)


def show_checkpoint(run: Run, checkpoint_id: str) -> None:
    """The brief of a checkpoint, and its document."""
    with run.services() as services:
        found = services.checkpoints.find(checkpoint_id)
        notes = services.checkpoints.notes(found.id)
        reviewed = services.reviewing.latest(found.id)
        space = services.spaces.get(found.body.space)
    document = shown_document(full_checkpoint_document(found, space.name, notes), reviewed)
    run.out.result(document, lambda: brief(found, space.name, notes, reviewed))


@checkpoint.command(example="smriti checkpoint verify")
@click.argument("checkpoint_id", metavar="[ID]", required=False)
@click.pass_obj
def verify(run: Run, checkpoint_id: str | None) -> None:
    """Prove that ids, parents and quotes hold, of one or of all; exit 1 at the first that does not.

    A quote holds where the words stand in the turn or lines that it cites. What was kept though it
    was not found is no fault.
    """
    with run.services() as services:
        one: Checkpoint | None = None
        if checkpoint_id is not None:
            one = services.checkpoints.find(checkpoint_id)
        checks = services.checkpoints.verify(one=one.id if one else None)
    bad = next((check for check in checks if check.faults), None)
    if bad is not None:
        difference = {"id": bad.id, "title": bad.title, "faults": list(bad.faults)}
        raise Ended(
            SmritiError(
                f"Checkpoint {short(bad.id)} does not hold: {'; '.join(bad.faults)}.",
                f"See `smriti checkpoint review {short(bad.id)} --rules`, `smriti log verify`.",
                code="difference",
                details=difference,
            ),
            {"ok": False, "checked": len(checks), "difference": difference, "redacted": []},
        )
    redacted = [check.id for check in checks if check.redacted]
    document = {"ok": True, "checked": len(checks), "difference": None, "redacted": redacted}
    told = f"{counted(len(checks), 'checkpoint')} verified: all hold."
    if redacted:
        names = ", ".join(map(short, redacted))
        told += f"\nRedacted, so that the id is that of what was saved: {names}."
    run.out.result(document, told)


for _command in (draft, note, delete, turns, blame, reach, review):
    checkpoint.add_command(_command)
