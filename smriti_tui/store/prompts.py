"""The questions of a session as they were typed, newest first."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmodel import Session as Tx
from sqlmodel import col, select

from smriti_tui.domain.ids import SessionId
from smriti_tui.store.rows import TurnRow


def questions(tx: Tx, session: SessionId, limit: int) -> Iterator[str]:
    """Read as they are wanted, at most `limit`; copies of a fork too."""
    query = (
        select(TurnRow.text)
        .where(col(TurnRow.session) == session, col(TurnRow.role) == "user")
        .order_by(col(TurnRow.sequence_number).desc())
        .limit(limit)
    )
    for row in tx.execute(query.execution_options(yield_per=50)):
        yield str(row[0])
