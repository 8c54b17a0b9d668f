"""`smriti redact`: a text that was recorded by mistake is taken out everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import confirm, read_file
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid, StoreBusy
from smriti_tui.domain.likely_secrets import kind_of, secrets_in
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.redacting import Done, Looked, RedactService

SHOWN = 20


@click.command(cls=options.Command, example="smriti redact --session 3f9a --turn 4 --dry-run")
@click.option("--session", metavar="ID", help="Of this session, with --turn.")
@click.option("--turn", type=options.number(1), metavar="N", help="The text of a turn.")
@click.option("--checkpoint", metavar="ID", help="Of this checkpoint, with --item.")
@click.option("--item", metavar="D1", help="The text of an item, by its label or uid.")
@click.option(
    "--event", type=options.number(1), metavar="POSITION", help="The long texts of an event."
)
@click.option("--text", metavar="FILE|-", help="The text itself, out of a file or standard input.")
@click.option("--finish", is_flag=True, help="Only rewrite the files of a redaction before.")
@click.option("--dry-run", is_flag=True, help="Say where it stands; change nothing.")
@options.yes
@click.pass_obj
def redact(
    run: Run,
    session: str | None,
    turn: int | None,
    checkpoint: str | None,
    item: str | None,
    event: int | None,
    text: str | None,
    finish: bool,
    dry_run: bool,
    yes: bool,
) -> None:
    """Take a secret out of everything that was recorded; it cannot be undone.

    The same text is looked for in every event, in unsent texts and in the files of this home, and
    replaced by [redacted] in one act; tables and search are made anew, and the database's files
    rewritten. The events keep their hashes, so the log still verifies, and an event says what was
    changed. --text takes a secret out that is a part of more.
    """
    from smriti_tui.services.redacting import RedactService

    run.only_now("redact")
    with run.services() as services:
        service = RedactService(services.caller, run.config().home)
        if finish:
            _finished(run, service.finish())
            return
        texts = _texts(services, service, (session, turn), (checkpoint, item), event, text)
        looked = service.look(texts)
        if looked.nothing or dry_run:
            document = {"dry_run": dry_run, **_where(looked)}
            run.out.result(document, "\n".join(_found(looked, texts)))
            if not dry_run and service.is_pending() and not service.finish():
                raise _busy()
            return
        run.out.note("\n".join(_found(looked, texts)))
        confirm(run.out, "Take it out for good?", yes=yes, kept="Nothing was changed.")
        done = service.take_out(texts)
    for path in done.left:
        run.out.warning(f"{clean_line(str(path))} still holds it: delete or change that file")
    document = {"dry_run": False, **_where(done.looked), "wiped": done.wiped}
    document |= {"left": [str(path) for path in done.left], "side_rows": done.sides}
    run.out.result(document, _told(done, services.caller.store.on_server))
    if not done.wiped:
        raise _busy()


def _texts(
    services: Services,
    service: RedactService,
    of_turn: tuple[str | None, int | None],
    of_item: tuple[str | None, str | None],
    event: int | None,
    text: str | None,
) -> list[str]:
    ways = [of_turn != (None, None), of_item != (None, None), event is not None, text is not None]
    if sum(ways) != 1 or (None in of_turn and ways[0]) or (None in of_item and ways[1]):
        raise Invalid(
            "Say what is to be taken out, in one way.",
            "Give --session and --turn, --checkpoint and --item, --event, or --text.",
            code="usage",
        )
    if of_turn[0] is not None and of_turn[1] is not None:
        return service.of_turn(services.sessions.find(of_turn[0]).id, of_turn[1])
    if of_item[0] is not None and of_item[1] is not None:
        return service.of_item(services.checkpoints.find(of_item[0]).id, of_item[1])
    if event is not None:
        return service.of_event(event)
    return [read_file(text or "").strip("\r\n")]


def _finished(run: Run, wiped: bool) -> None:
    run.out.result({"wiped": wiped}, "The database's files were rewritten." if wiped else "")
    if not wiped:
        raise _busy()


def _busy() -> StoreBusy:
    return StoreBusy(
        "Bytes of what was taken out may still lie in the database's files: another program has "
        "them open, or there is no room to write them anew.",
        "Close it or make room, then run `smriti redact --finish`.",
    )


def _where(looked: Looked) -> dict[str, object]:
    return {
        "events": [
            {
                "position": each.event.position,
                "stream": each.event.stream,
                "version": each.event.version,
                "type": each.event.type,
            }
            for each in looked.events
        ],
        "side_tables": list(looked.sides),
        "files": [str(path) for path in looked.files],
        "fixed": list(looked.fixed),
    }


def _found(looked: Looked, texts: Sequence[str]) -> Iterator[str]:
    if looked.nothing:
        yield "It stands nowhere: nothing is to be taken out."
    else:
        kinds = Counter(each.event.type for each in looked.events)
        told = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items()))
        yield f"It stands in {counted(len(looked.events), 'event')}{told and f' ({told})'}."
        for each in looked.events[:SHOWN]:
            where = f"{each.event.stream} version {each.event.version}"
            yield f"- event {each.event.position}: {each.event.type}, {where}"
        if len(looked.events) > SHOWN:
            yield f"- and {len(looked.events) - SHOWN} more (--json lists all)"
    for text in texts:
        if [text.strip()] != list(secrets_in(text)) and (kind := kind_of(text)) is not None:
            yield f"In it stands what looks like {kind}: that is looked for by itself too."
    if looked.sides:
        yield f"And in what is not in the log: {', '.join(looked.sides)}."
    for path in looked.files:
        yield f"And in the file {clean_line(str(path))}."
    if looked.fixed:
        places = ", ".join(map(str, looked.fixed[:SHOWN]))
        yield f"In the actor or name of these events it stays, they cannot be changed: {places}."


def _told(done: Done, on_server: bool) -> str:
    events = counted(len(done.looked.events), "event")
    files = "the database's files hold no byte of it" if done.wiped else "its files wait"
    if on_server and done.wiped:
        files = (
            "the server's tables hold no byte of it; its write-ahead log, replicas and backups "
            "may, until it gives them up"
        )
    if done.looked.fixed:
        files = "it still stands where it is an actor or a name, as said above"
    return f"Taken out of {events}; {files}."
