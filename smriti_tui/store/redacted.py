"""Whether a text was taken out of what is read."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlmodel import Session

from smriti_tui.domain.ids import CheckpointId

_JOINED: Final = "SELECT 1 FROM redacted r JOIN event e ON e.event_id = r.event_id WHERE "


def of_checkpoint(tx: Session, checkpoint: CheckpointId) -> bool:
    """Whether the event that saved a checkpoint is one of those: its id is that of what was
    written."""
    sql = f"{_JOINED}e.position = (SELECT position FROM checkpoint WHERE id = :id)"
    return tx.connection().execute(text(sql), {"id": checkpoint}).first() is not None


def of_stream(tx: Session, stream: str) -> bool:
    """Whether an event of a stream is one of those."""
    sql = f"{_JOINED}e.stream = :stream LIMIT 1"
    return tx.connection().execute(text(sql), {"stream": stream}).first() is not None
