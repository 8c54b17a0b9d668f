"""The event lines of an export: a bundle's folder, a JSON document, JSON lines. All is checked."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smriti_tui.domain.errors import Invalid, NotFound, SmritiError
from smriti_tui.domain.events import EventRedacted
from smriti_tui.domain.ids import family, is_stream, is_uuid
from smriti_tui.domain.render.export_records import BUNDLE_FORMAT, DOCUMENT_FORMAT
from smriti_tui.domain.values import canonical, check_size, sha256
from smriti_tui.services.export_files import MARKERS
from smriti_tui.store.envelope import COLUMNS, StoredEvent, expected_chain

KEYS = {*COLUMNS, "order"} - {"position"}
HINT = "Nothing was taken in."
MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line that are looked at: the largest payload has 16 MiB."""


@dataclass(frozen=True)
class Found:
    """What an export holds: its events in order."""

    events: list[StoredEvent]
    selection: dict[str, Any] | None = None
    """Of a bundle: what it was made of."""


def read_export(path: Path) -> Found:
    """All events of an export, each checked by itself and as a link of its stream.

    Raises:
        NotFound: there is nothing at the path. Invalid: it is no export, or a line is not as it was
            written; file and line are named.
    """
    if not path.exists():
        raise NotFound(f"There is no {path}.", "Name a bundle's folder, or a JSON export.")
    try:
        if path.is_dir():
            return Found(_ordered(_folder_lines(path)), _bundle(path))
        with path.open("rb") as file:
            return parse_export(file.read().decode(), path.name)
    except UnicodeDecodeError as error:
        raise Invalid(f"{path} is not UTF-8 (byte {error.start}).", HINT) from error
    except OSError as error:
        raise SmritiError(f"{path} cannot be read: {error.strerror or error}.", HINT) from error


def parse_export(text: str, name: str) -> Found:
    """The events of a JSON document or of JSON lines. Raises: Invalid, as `read_export`."""
    whole = _one_object(text)
    if whole is None or "event_id" in whole:
        return Found(_ordered(_lines(text.split("\n"), name)))
    if whole.get("format") != DOCUMENT_FORMAT:
        raise Invalid(f"{name} is no export of the format {DOCUMENT_FORMAT}.", HINT)
    events = whole.get("events")
    if not isinstance(events, list):
        raise Invalid(f"{name} has no list of events.", HINT, field="events")
    return Found(_ordered((f"{name}, event {n}", each) for n, each in enumerate(events, 1)))


def _one_object(text: str) -> dict[str, Any] | None:
    """The one object that a document, or a single line, is; None for what is something else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _folder_lines(folder: Path) -> Iterator[tuple[str, object]]:
    """The lines of all event files below a bundle; links are not followed."""
    root = folder.resolve()
    for parent, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        below = Path(parent).relative_to(root)
        if "events" not in below.parts:
            continue
        for name in sorted(names):
            path = Path(parent) / name
            shown = (below / name).as_posix()
            if path.is_symlink() or not path.is_file():
                raise Invalid(f"{shown} is no file of its own.", HINT)
            if name.endswith(".jsonl"):
                yield from _lines(path.read_bytes().decode().split("\n"), shown)


def _bundle(folder: Path) -> dict[str, Any]:
    for name in MARKERS:
        if not (path := folder / name).is_file():
            continue
        head = _json(path.read_bytes().decode(), name)
        if head.get("format") != BUNDLE_FORMAT or not isinstance(head.get("selection"), dict):
            raise Invalid(f"{name} is of another format than {BUNDLE_FORMAT}.", HINT)
        return dict(head["selection"])
    raise Invalid(f"{folder} is no bundle: it has no {MARKERS[0]}.", HINT, code="not_a_bundle")


def _lines(lines: list[str], name: str) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{name}, line {number}"
            if len(line) > MAX_LINE:
                raise Invalid(f"{where} is longer than any event.", HINT)
            yield where, _json(line, where)


def _json(text: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise Invalid(f"{where} is nested too deeply.", HINT) from error
    except ValueError as error:
        raise Invalid(f"{where} is no JSON: {error}.", HINT) from error
    if not isinstance(found, dict):
        raise Invalid(f"{where} is no JSON object.", HINT)
    return found


# ---- checks --------------------------------------------------------------------------------------


def _ordered(lines: Iterator[tuple[str, object]]) -> list[StoredEvent]:
    found: dict[int, tuple[str, StoredEvent]] = {}
    for where, record in lines:
        order, event = _event(where, record)
        if order in found:
            raise Invalid(f"{where} has the order of {found[order][0]} ({order}).", HINT)
        found[order] = (where, event)
    _check_payloads(found)
    heads: dict[str, tuple[int, str]] = {}
    links: dict[tuple[str, int], list[str]] = {}
    for _, (where, event) in sorted(found.items()):
        version, chain = heads.get(event.stream, (0, ""))
        if event.is_tail and version == 0:
            before = (family(event.stream), event.version - 1)
            version, chain = before[1], _link(links.get(before, [""]), event)
        if event.version != version + 1:
            raise Invalid(
                f"{where}: version {version + 1} of {event.stream} is missing or out of order.",
                "An export of a part cannot be taken in; nothing was.",
                code="not_whole",
            )
        if expected_chain(chain, event) != event.chain_sha256:
            raise Invalid(f"{where} was changed: its chain hash is another.", HINT, code="changed")
        heads[event.stream] = (event.version, event.chain_sha256)
        links.setdefault((family(event.stream), event.version), []).append(event.chain_sha256)
    return [event for _, (_, event) in sorted(found.items())]


def _check_payloads(found: dict[int, tuple[str, StoredEvent]]) -> None:
    """Each is what was written, or what a redaction left of it, as an event of its stream says."""
    left: set[tuple[str, str]] = set()
    for _, event in found.values():
        if event.type == EventRedacted.TYPE and sha256(event.payload) == event.payload_sha256:
            with suppress(ValueError, Invalid):
                said = event.event()
                if isinstance(said, EventRedacted):
                    left |= {(each.event_id, each.sha256) for each in said.events}
    for where, event in found.values():
        now = sha256(event.payload)
        if now != event.payload_sha256 and (event.event_id, now) not in left:
            what = f"{where} was changed: its payload has another hash."
            raise Invalid(what, HINT, code="changed")


def _link(chains: list[str], event: StoredEvent) -> str:
    """Which of the events with the version before it a tail begins after."""
    return next((each for each in chains if expected_chain(each, event) == event.chain_sha256), "")


def _event(where: str, record: object) -> tuple[int, StoredEvent]:
    if not isinstance(record, dict) or set(record) != KEYS:
        raise Invalid(f"{where} is no event line: its keys are others.", HINT)
    for name in ("order", "version", "schema_version"):
        value = record[name]
        if type(value) is not int or not 0 < value < 2**63:
            raise Invalid(f"{where}: `{name}` is no number from 1 on.", HINT, field=name)
    payload = record["payload"]
    if not isinstance(payload, dict):
        raise Invalid(f"{where}: the payload is no object.", HINT, field="payload")
    text = canonical(payload)
    check_size(text)
    order = int(record["order"])
    values = {**record, "position": 0, "payload": text}
    del values["order"]
    event = StoredEvent(**values)
    if (fault := event.fault()) is not None:
        raise Invalid(f"{where}: {fault}.", HINT)
    if not is_stream(event.stream):
        raise Invalid(f"{where}: {event.stream!r} is no stream of an export.", HINT, field="stream")
    if not is_uuid(event.event_id):
        raise Invalid(f"{where}: the event's id is no UUID.", HINT, field="event_id")
    return order, event
