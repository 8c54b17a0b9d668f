"""Moments of the log, named by event, time or checkpoint (`cli.md`: `--at`)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NoReturn
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlmodel import Session as Tx
from sqlmodel import col, func, select

from smriti_tui.domain.errors import Invalid, NotFound
from smriti_tui.domain.values import utc_text
from smriti_tui.store import find
from smriti_tui.store.rows import CheckpointRow, EventRow

_EVENT_ID = re.compile(r"[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")
_HEX = re.compile(r"[0-9a-fA-F]{4,64}")
_DIGITS = 19


@dataclass(frozen=True)
class Moment:
    """The state after one event."""

    position: int
    recorded_at: str


def moment(tx: Tx, wanted: str) -> Moment:
    """The moment of an event (its position or id), of a time (the last event, by position, that was
    recorded up to it), or of a checkpoint (the event that saved it).

    Digits alone are a position, else the beginning of a checkpoint's id. A time without a zone is
    UTC.

    Raises:
        NotFound: no such event or checkpoint, or nothing was recorded up to that time.
        Invalid: it is none of these. Ambiguous: several checkpoints begin so.
    """
    wanted = wanted.strip()
    if wanted.isascii() and wanted.isdigit():
        # Longer than any position: no database can hold the number.
        number = int(wanted) if len(wanted.lstrip("0")) < _DIGITS else -1
        found = _found(tx, col(EventRow.position) == number)
        # A checkpoint's id may begin with digits alone: one of 27 does, in the 7 that are shown.
        if found is None and _HEX.fullmatch(wanted):
            with suppress(NotFound):
                return _of_checkpoint(tx, wanted)
        return found or _missing(tx, f"event {wanted}")
    if _EVENT_ID.fullmatch(wanted):
        return _event(tx, col(EventRow.event_id) == str(UUID(wanted)), f"event {wanted}")
    if _HEX.fullmatch(wanted):
        return _of_checkpoint(tx, wanted)
    return _time(tx, wanted)


def _of_checkpoint(tx: Tx, wanted: str) -> Moment:
    checkpoint = find.checkpoint_id(tx, wanted, deleted=True)
    saved = select(CheckpointRow.position).where(col(CheckpointRow.id) == checkpoint)
    return _event(tx, col(EventRow.position) == saved.scalar_subquery(), wanted)


def _event(tx: Tx, which: ColumnElement[bool], name: str) -> Moment:
    return _found(tx, which) or _missing(tx, name)


def _found(tx: Tx, which: ColumnElement[bool]) -> Moment | None:
    row = tx.execute(select(EventRow.position, EventRow.recorded_at).where(which)).first()
    return Moment(int(row[0]), str(row[1])) if row is not None else None


def _missing(tx: Tx, name: str) -> NoReturn:
    newest = tx.execute(select(func.max(EventRow.position))).scalar() or 0
    raise NotFound(f"There is no {name}.", f"The newest event is {newest}.")


def _time(tx: Tx, wanted: str) -> Moment:
    try:
        given = datetime.fromisoformat(wanted)
        until = utc_text(given.replace(tzinfo=given.tzinfo or UTC).astimezone(UTC))
    except (ValueError, OverflowError) as error:
        raise Invalid(
            f"{wanted!r} is no event, time or checkpoint.",
            "Give a position, a time such as 2026-03-02T14:05:00Z, or a checkpoint's id.",
            field="at",
            code="usage",
        ) from error
    query = (
        select(EventRow.position, EventRow.recorded_at)
        .where(col(EventRow.recorded_at) <= until)
        .order_by(col(EventRow.position).desc())
        .limit(1)
    )
    row = tx.execute(query).first()
    if row is None:
        raise NotFound(f"Nothing was recorded up to {until}.", "Give a later time.")
    return Moment(int(row[0]), str(row[1]))
