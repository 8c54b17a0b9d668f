"""The two documents of an export: STATE for people, one JSON object for programs."""

from __future__ import annotations

from collections.abc import Iterator

from smriti_tui.domain.model import Session, Space
from smriti_tui.domain.render import export_state
from smriti_tui.domain.render.export_markup import heading
from smriti_tui.domain.render.export_records import (
    DOCUMENT_FORMAT,
    Streamed,
    checkpoint_record,
    session_record,
    space_record,
    turn_record,
)
from smriti_tui.services.export_reading import Reading


def state_text(reading: Reading, *, turns: bool) -> Iterator[str]:
    """The STATE document, in pieces; nothing at all for an empty store."""
    gap = ""
    for part in _parts(reading, turns):
        first = True
        for piece in part:
            yield gap + piece if first else piece
            first, gap = False, "\n"


def _parts(reading: Reading, turns: bool) -> Iterator[Iterator[str]]:
    chosen = reading.selection
    if chosen.checkpoint is not None:
        checkpoint, notes = reading.checkpoint(chosen.checkpoint)
        yield iter([export_state.checkpoint_text(checkpoint, notes, level=1)])
        return
    if chosen.session is not None:
        owner = chosen.space.id if chosen.space else None
        for session in reading.sessions(owner):
            yield _session(reading, session, 1, turns)
        return
    for space in reading.spaces():
        yield _space(reading, space, turns)
    yield fresh_text(reading, turns=turns)
    if streams := reading.open_streams():
        yield iter([export_state.streams_text([(info.name, info.version) for info in streams])])


def _space(reading: Reading, space: Space, turns: bool) -> Iterator[str]:
    yield export_state.space_text(space, reading.branches(space))
    head = reading.head(space)
    if head is not None:
        checkpoint, notes = reading.checkpoint(head)
        yield "\n"
        yield export_state.checkpoint_text(checkpoint, notes, prefix="Head: ")
    others = [row for row in reading.summaries(space) if row.id != head]
    if others:
        yield "\n" + heading(2, "Other checkpoints") + "\n"
        yield export_state.summaries_text(others)
    if found := reading.sessions(space.id):
        yield "\n" + heading(2, "Sessions")
        for session in found:
            yield "\n"
            yield from _session(reading, session, 3, turns)


def fresh_text(reading: Reading, *, turns: bool) -> Iterator[str]:
    """The sessions that lie in no Space; nothing when there are none."""
    found = reading.sessions(None)
    if found:
        yield heading(1, "Sessions in no Space")
    for session in found:
        yield "\n"
        yield from _session(reading, session, 2, turns)


def _session(reading: Reading, session: Session, level: int, turns: bool) -> Iterator[str]:
    yield export_state.session_text(session, reading.lines(session), level)
    if turns:
        for turn in reading.turns(session):
            yield export_state.turn_text(turn, level + 1)


def document(reading: Reading) -> Streamed:
    """State and events as one JSON object."""
    streams = [{"name": info.name, "version": info.version} for info in reading.open_streams()]
    state = {
        "spaces": (_space_record(reading, space) for space in reading.spaces()),
        "fresh": (_session_record(reading, session) for session in reading.sessions(None)),
        "streams": streams,
    }
    return Streamed(
        {
            "format": DOCUMENT_FORMAT,
            "selection": reading.selection.record(),
            "state": Streamed(state),
            "events": reading.event_records(),
        }
    )


def _space_record(reading: Reading, space: Space) -> Streamed:
    return Streamed(
        {
            **space_record(space, reading.branches(space)),
            "checkpoints": (
                checkpoint_record(checkpoint, notes)
                for checkpoint, notes in reading.checkpoints(space)
            ),
            "sessions": (
                _session_record(reading, session) for session in reading.sessions(space.id)
            ),
        }
    )


def _session_record(reading: Reading, session: Session) -> Streamed:
    """`turns` is null where they were not asked for."""
    turns = (turn_record(turn) for turn in reading.turns(session))
    given = turns if reading.selection.turns else None
    return Streamed({**session_record(session, reading.lines(session)), "turns": given})
