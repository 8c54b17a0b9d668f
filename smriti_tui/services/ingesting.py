"""Exports come back into a store: every event as it was, all of them or none."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from smriti_tui.domain.checkpoint_input import checkpoint_id
from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.events import CheckpointSaved, SessionAttached, SessionOpened
from smriti_tui.domain.values import sha256
from smriti_tui.services.caller import Caller
from smriti_tui.services.exporting import ExportService
from smriti_tui.services.ingest_reading import Found, parse_export, read_export
from smriti_tui.store import readlog
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent


class _Undone(Exception):
    """Takes back what a dry run wrote."""


@dataclass(frozen=True)
class Ingested:
    """What became of an export."""

    events: int
    """In the export."""
    taken: int
    streams: Mapping[str, int]
    """Events that were taken, by stream."""
    edited: Sequence[str]
    """Renderings in a bundle that are not what its events say: edits in them are not taken."""
    redacted: int = 0
    """Of the taken, those that a text was taken out of before they were exported."""


@dataclass(frozen=True)
class IngestService:
    caller: Caller
    exporting: ExportService

    def folder_or_file(self, path: Path, *, dry_run: bool = False) -> Ingested:
        """Takes in a bundle's folder, or a file of JSON or JSON lines.

        What is here already stays as it is; again changes nothing.

        Raises:
            NotFound, Invalid: as `read_export`; a session whose Space is neither here nor there.
            Conflict: a stream grew apart, or an event's id is here with other content. StoreError.
        """
        found = read_export(path)
        done = self._take(found, dry_run)
        if found.selection is None or dry_run:
            return done
        edited = self._edited(path, found.selection, len(found.events))
        return replace(done, edited=edited)

    def text(self, text: str, *, dry_run: bool = False) -> Ingested:
        """Takes in a JSON document or JSON lines. Raises: as `folder_or_file`."""
        return self._take(parse_export(text, "Standard input"), dry_run)

    def _take(self, found: Found, dry_run: bool) -> Ingested:
        check_checkpoints(found.events)
        with self.caller.read() as tx:
            check_spaces(tx, found.events)
        taken: list[StoredEvent] = []
        if dry_run and not self.caller.store.exists():
            taken = found.events
        elif found.events:
            with suppress(_Undone), self.caller.write() as scope:
                adopted = (scope.adopt(event) for event in found.events)
                taken = [event for event in adopted if event is not None]
                if dry_run:
                    raise _Undone
        counts = Counter(event.stream for event in taken)
        redacted = sum(sha256(each.payload) != each.payload_sha256 for each in taken)
        streams = dict(sorted(counts.items()))
        return Ingested(len(found.events), len(taken), streams, (), redacted)

    def _edited(self, folder: Path, selection: Mapping[str, Any], events: int) -> list[str]:
        """Files of a bundle that a bundle of the same events would hold otherwise. Where the store
        has more than the bundle, or none can be written, nothing can be said: the events are taken
        already."""
        with suppress(SmritiError, OSError):
            return self._compared(folder, selection, events)
        return []

    def _compared(self, folder: Path, selection: Mapping[str, Any], events: int) -> list[str]:
        chosen = self.exporting.select(
            space=_text(selection, "space"),
            everything=selection.get("all") is True,
            session=_text(selection, "session"),
            turns=selection.get("turns") is not False,
        )
        with tempfile.TemporaryDirectory() as name:
            wanted = Path(name) / "bundle"
            self.exporting.to_folder(chosen, wanted)
            lines = sum(
                path.read_bytes().count(b"\n") for path in wanted.rglob("events/**/*.jsonl")
            )
            if lines != events:
                return []
            return sorted(_differing(folder, wanted))


def _text(selection: Mapping[str, Any], name: str) -> str | None:
    found = selection.get(name)
    return found if isinstance(found, str) else None


def _differing(folder: Path, wanted: Path) -> Iterator[str]:
    for path in wanted.rglob("*"):
        name = path.relative_to(wanted)
        if path.is_file() and "events" not in name.parts:
            there = folder / name
            if not there.is_file() or there.read_bytes() != path.read_bytes():
                yield name.as_posix()


def check_checkpoints(events: Sequence[StoredEvent]) -> None:
    """The id of a checkpoint is the hash of its content (DESIGN 10.15), unless a text was taken out
    of it. Raises: Invalid."""
    for event in events:
        whole = sha256(event.payload) == event.payload_sha256
        typed = event.event() if whole and event.type == CheckpointSaved.TYPE else None
        if isinstance(typed, CheckpointSaved) and checkpoint_id(typed.body) != typed.id:
            raise Invalid(
                f"Checkpoint {typed.id[:7]} is not what its id says: its content was changed.",
                "Nothing was taken in.",
                code="changed",
            )


def check_spaces(tx: Tx, events: Sequence[StoredEvent]) -> None:
    """The Space of every session is here or comes too. Raises: Invalid."""
    coming = {event.owner_id for event in events if event.type == "space.created"}
    for event in events:
        if not event.stream.startswith("session/"):
            continue
        typed = event.event()
        owner = typed.space if isinstance(typed, SessionOpened | SessionAttached) else None
        here = owner in coming or readlog.event_at(tx, f"space/{owner}", 1) is not None
        if owner is not None and not here:
            raise Invalid(
                f"{event.stream} lies in the Space {owner}, which is neither here nor in it.",
                "Take in an export of that Space; nothing was taken in.",
                code="space_missing",
            )
