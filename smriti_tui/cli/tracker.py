"""`smriti tracker`: the items of work that people and agents keep in the stream `tracker`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import parse_json
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.render.tables import pairs
from smriti_tui.domain.render.views import item_line, item_rows, lane_of, tracker_text
from smriti_tui.domain.views import tracker as view

LANE = click.option("--lane", metavar="LANE", help=f"One of {', '.join(view.LANES)}, or your own.")
TAG = click.option("--tag", "tags", multiple=True, metavar="TAG", help="May be given repeatedly.")
FIELD = click.option(
    "--field", "fields", multiple=True, metavar="NAME=JSON", help="A field of your own."
)


@click.group(cls=options.Group, example="smriti tracker add 'Measure the rebuild' --lane ranked")
def tracker() -> None:
    """Items of work with lanes, kept in the log; `smriti log export tracker` writes them out."""


@tracker.command("list", example="smriti tracker list --lane ranked")
@LANE
@click.option("--open", "only_open", is_flag=True, help="Only what is not done or put away.")
@click.pass_obj
def list_(run: Run, lane: str | None, only_open: bool) -> None:
    """List the items by lane."""
    with run.services() as services:
        found = [
            item
            for item in services.tracking.items()
            if lane in (None, lane_of(item)) and not (only_open and view.is_closed(item))
        ]
    run.out.result({"items": found}, lambda: tracker_text(found))


@tracker.command(example="smriti tracker show T1")
@click.argument("key", metavar="ID")
@click.pass_obj
def show(run: Run, key: str) -> None:
    """Show one item with all its fields."""
    with run.services() as services:
        item = services.tracking.get(key)
    run.out.result(item, lambda: pairs(item_rows(item)))


@tracker.command(example="smriti tracker add 'Measure the rebuild' --priority P0 --tag perf")
@click.argument("title")
@click.option("--id", "key", metavar="ID", help="Its id; else one is made.")
@click.option("--priority", default="P1", show_default=True)
@click.option("--lane", default=view.LANES[0], show_default=True)
@click.option("--status", default="todo", show_default=True)
@TAG
@click.option("--notes", default="", metavar="TEXT")
@click.option("--pr-link", metavar="URL")
@FIELD
@options.command_id
@click.pass_obj
def add(
    run: Run,
    title: str,
    key: str | None,
    priority: str,
    lane: str,
    status: str,
    tags: tuple[str, ...],
    notes: str,
    pr_link: str | None,
    fields: tuple[str, ...],
    command_id: str | None,
) -> None:
    """Add an item."""
    with run.services() as services:
        item = services.tracking.create(
            title, key=key, priority=priority, lane=lane, status=status, tags=tags, notes=notes,
            pr_link=pr_link, extra=_fields(fields), command_id=command_id,
        )  # fmt: skip
    run.out.result(item, lambda: item_line(item))


@tracker.command("set", example="smriti tracker set T1 --status done --note 'Measured: 40 s'")
@click.argument("key", metavar="ID")
@click.option("--title")
@click.option("--priority")
@LANE
@click.option("--status")
@TAG
@click.option("--notes", metavar="TEXT", help="In the place of its notes.")
@click.option("--note", metavar="TEXT", help="A line below its notes.")
@click.option("--pr-link", metavar="URL")
@FIELD
@click.option("--reopen", is_flag=True, help="Allow a closed item to be open again.")
@options.command_id
@click.pass_obj
def set_(
    run: Run,
    /,
    key: str,
    tags: tuple[str, ...],
    note: str | None,
    fields: tuple[str, ...],
    reopen: bool,
    command_id: str | None,
    **given: str | None,
) -> None:
    """Give fields of an item other values. What is closed stays so without --reopen."""
    changed: dict[str, object] = {n: value for n, value in given.items() if value is not None}
    changed.update(_fields(fields))
    if tags:
        changed["tags"] = list(tags)
    if not changed and note is None:
        raise Invalid("There is nothing to set.", "Name a field, such as --status.", code="usage")
    with run.services() as services:
        item = services.tracking.change(
            key, changed, note=note, reopen=reopen, command_id=command_id
        )
    run.out.result(item, lambda: item_line(item))


@tracker.command(example="smriti tracker archive T1")
@click.argument("key", metavar="ID")
@options.command_id
@click.pass_obj
def archive(run: Run, key: str, command_id: str | None) -> None:
    """Put an item away; it stays in the log, and in its lane."""
    with run.services() as services:
        item = services.tracking.archive(key, command_id=command_id)
    run.out.result(item, lambda: item_line(item))


def _fields(given: Sequence[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name.strip():
            raise Invalid(f"{each!r} is no NAME=JSON.", 'Such as points=3 or who="ada".')
        found[name.strip()] = parse_json(value, f"The field {name.strip()}")
    return found
