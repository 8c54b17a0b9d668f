"""`smriti log`: the append-only log under everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import STDIN, parse_json, read_stdin
from smriti_tui.cli.log_merge import merge
from smriti_tui.cli.log_proof import anchor, rebuild, verify
from smriti_tui.cli.log_views import export, ingest, project, snapshot
from smriti_tui.cli.places import repeated
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.log_events import appended_document, appended_text, event_document
from smriti_tui.domain.render.tables import table
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.logs import Damaged, NewEvent, StoredEvent, StreamInfo

_LINE_KEYS = ("type", "payload", "event_id", "causation_id")
after_option = click.option(
    "--after", type=options.number(0), metavar="N", help="Only what comes after N."
)


class Version(click.ParamType[Any]):
    """What an append expects of its stream: a version, or that there is one."""

    name = "version"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | Literal["exists"]:
        """A number from 0 on, or `exists`."""
        if value == "exists":
            return "exists"
        return options.number(0).convert(value, param, ctx)


@click.group(cls=options.Group, example="smriti log read --all --after 120")
def log() -> None:
    """The event log: every change, in order, for good."""


# ---- append ------------------------------------------------------------------------------------


@log.command(example="""smriti log append tracker task.done '{"id": "T3"}'""")
@click.argument("stream")
@click.argument("type_name", metavar="[TYPE]", required=False)
@click.argument("payload", metavar="[JSON|-]", required=False)
@click.option(
    "--expect-version",
    type=Version(),
    metavar="N|exists",
    help="0: empty; exists: not empty.",
)
@click.option("--event-id", metavar="UUID", help="The event's own id; repeating it is safe.")
@click.option("--batch", is_flag=True, help="Read one event per line; all are stored, or none.")
@options.command_id
@click.pass_obj
def append(
    run: Run,
    stream: str,
    type_name: str | None,
    payload: str | None,
    expect_version: int | Literal["exists"] | None,
    event_id: str | None,
    batch: bool,
    command_id: str | None,
) -> None:
    """Append to an open stream; the product's own streams are refused.

    With --batch each line of standard input is {"type": ..., "payload": ...}, with an event_id if
    you like; when TYPE is given, each line is a payload.
    """
    if batch:
        events = _batch(type_name, payload, event_id)
    else:
        events = [_single(type_name, payload, event_id)]
    with run.services() as services:
        repeated(services, command_id, events[0].type)
        stored = services.log.append(
            stream, events, expected_version=expect_version, command_id=command_id
        )
    run.out.result(appended_document(stream, stored), appended_text(stream, stored))


def _single(type_name: str | None, payload: str | None, event_id: str | None) -> NewEvent:
    from smriti_tui.services.logs import NewEvent

    if type_name is None:
        raise Invalid("The event has no type.", "Give STREAM TYPE [JSON].", code="usage")
    if payload == STDIN:
        payload = read_stdin()
        if not payload.strip():  # what should have written it failed
            raise Invalid("Standard input is empty.", "Write {} for an event without a payload.")
    return NewEvent(type_name, _payload(payload, "The payload"), event_id)


def _payload(text: str | None, what: str) -> dict[str, object]:
    """An object; nothing at all is the empty one."""
    if text is None or not text.strip():
        return {}
    return _object(parse_json(text, what), what)


def _object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Invalid(
            f"{what} is not a JSON object.", "Give an object such as {}.", field="payload"
        )
    return value


def _batch(type_name: str | None, payload: str | None, event_id: str | None) -> list[NewEvent]:
    type_name = None if type_name == STDIN else type_name
    if event_id is not None or payload not in (None, STDIN):
        raise Invalid(
            "With --batch, events and their ids come from standard input.",
            "Leave JSON and --event-id out.",
            code="usage",
        )
    lines = read_stdin().split("\n")
    events = [
        _line_event(type_name, text, f"Line {number}")
        for number, text in enumerate(lines, 1)
        if text.strip()
    ]
    if not events:
        raise Invalid("Standard input holds no event.", "Give one JSON object per line.")
    return events


def _line_event(type_name: str | None, text: str, what: str) -> NewEvent:
    from smriti_tui.services.logs import NewEvent

    found = _object(parse_json(text, what), what)
    if type_name is not None:
        return NewEvent(type_name, found)
    for key in found:
        if key not in _LINE_KEYS:
            raise Invalid(
                f"{what} has the unknown key {key!r}.", f"Known: {', '.join(_LINE_KEYS)}."
            )
    words = {key: found.get(key) for key in ("type", "event_id", "causation_id")}
    for key, word in words.items():
        if not isinstance(word, str) and (key == "type" or word is not None):
            raise Invalid(f"{what}: `{key}` must be a text.", "Correct it.", field=key)
    kind, own_id, cause = (None if word is None else str(word) for word in words.values())
    payload = found.get("payload")
    body = _object({} if payload is None else payload, f"{what}: `payload`")
    return NewEvent(kind or "", body, own_id, cause)


# ---- read --------------------------------------------------------------------------------------


@log.command(example="smriti log read tracker --type item_created --since 7d --last 10")
@click.argument("stream", required=False)
@click.option("--all", "everything", is_flag=True, help="All streams, by position.")
@after_option
@click.option("--type", "types", multiple=True, metavar="TYPE", help="Only of this type; again.")
@click.option("--by", metavar="ACTOR", help="Only what this actor wrote.")
@click.option("--since", metavar="DATE", help="From then on: 2026-03-02, 36h, 7d, 2w.")
@click.option("--until", metavar="DATE", help="Up to then.")
@click.option("--limit", type=options.number(1), metavar="N", help="At most N, the oldest.")
@click.option("--last", type=options.number(1), metavar="N", help="At most N, the newest.")
@click.pass_obj
def read(
    run: Run,
    stream: str | None,
    everything: bool,
    after: int | None,
    types: tuple[str, ...],
    by: str | None,
    since: str | None,
    until: str | None,
    limit: int | None,
    last: int | None,
) -> None:
    """Print events as JSON lines: of a stream after a version, or of all after a position.

    They come in the order of the log, the oldest first, with --last too.
    """
    if (stream is None) != everything:
        raise Invalid("Name a stream or give --all.", "One of them, not both.", code="usage")
    if None not in (limit, last):
        raise Invalid("--limit and --last exclude each other.", "Give one.", code="usage")
    with run.services() as services:
        wanted = services.log.filtered(
            types=types, actor=by, since=since, until=until, newest=last is not None
        )
        damaged = _print(run, services.log.read(stream, after or 0, limit or last, wanted))
    if damaged:
        raise SmritiError(
            f"{counted(damaged, 'event')} cannot be read.",
            "Run `smriti log verify`.",
            code="log_damaged",
        )


def _print(run: Run, events: Iterable[StoredEvent | Damaged]) -> int:
    """Prints events as lines; a damaged one too, and says how many of those there were."""
    damaged = 0
    for event in events:
        document = event_document(event)
        damaged += document["damaged"] is not None
        run.out.line(document)
    return damaged


@log.command(example="smriti log tail tracker")
@click.argument("stream", required=False)
@after_option
@click.pass_obj
def tail(run: Run, stream: str | None, after: int | None) -> None:
    """Follow the log: one JSON line per event as it commits, until interrupted.

    Without --after it begins with what comes from now on; N is a version of the stream, or a
    position where no stream is named.
    """
    with run.services() as services:
        start = services.log.last_position()
        if after is not None:
            _catch_up(run, services, stream, after, start)
            run.out.note(f"caught up with event {start}; what comes now is new")
        feed = services.log.subscribe(start)
        for batch in feed.batches(_told(run)):
            for event in batch:
                if stream is None or event.stream == stream:
                    run.out.line(event_document(event))


def _catch_up(run: Run, services: Services, stream: str | None, after: int, upto: int) -> None:
    """What is there already, up to a position; the feed goes on from there."""
    for event in services.log.read(stream, after):
        if event.position > upto:
            return
        run.out.line(event_document(event))


def _told(run: Run) -> Callable[[SmritiError | None], None]:
    def tell(error: SmritiError | None) -> None:
        run.out.warning("the database is back" if error is None else str(error))

    return tell


@log.command(example="smriti log streams")
@click.pass_obj
def streams(run: Run) -> None:
    """List all streams with their versions."""
    with run.services() as services:
        found = services.log.streams()
    run.out.result({"streams": [_stream(each) for each in found]}, lambda: _table(found, run.now()))


def _stream(info: StreamInfo) -> dict[str, object]:
    return {
        "stream": info.name,
        "version": info.version,
        "position": info.position,
        "recorded_at": info.recorded_at,
    }


def _table(found: Sequence[StreamInfo], now: str) -> str:
    rows = [
        (each.name, str(each.version), str(each.position), age(each.recorded_at, now))
        for each in found
    ]
    if not rows:
        return "No streams."
    return table(("stream", "version", "position", "changed"), rows, right=(1, 2))


for _command in (project, snapshot, export, ingest, verify, rebuild, anchor, merge):
    log.add_command(_command)
