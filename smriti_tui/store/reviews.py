"""Reviews and what became of their findings: rows in, domain values out."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text
from sqlmodel import Session as Tx
from sqlmodel import col, select

from smriti_tui.domain.errors import Ambiguous, Invalid, NotFound
from smriti_tui.domain.events import RequestEnded
from smriti_tui.domain.findings import Change, Finding, SettledFinding
from smriti_tui.domain.ids import MIN_PREFIX, CheckpointId, RequestId, SpaceId, short
from smriti_tui.domain.reviewed import Review
from smriti_tui.store.decoding import decoded
from smriti_tui.store.envelope import SELECT
from smriti_tui.store.readlog import events
from smriti_tui.store.rows import CheckpointRow, FindingRow, RequestRow, ReviewRow

MOST_BETWEEN = 200
"""Events of a stream among which the end of a request is looked for."""


def of_checkpoint(tx: Tx, checkpoint: CheckpointId) -> list[Review]:
    """All reviews of a checkpoint, the newest last."""
    return _reviews(tx, col(ReviewRow.checkpoint) == checkpoint)


def with_open(tx: Tx, space: SpaceId) -> list[CheckpointId]:
    """The checkpoints of a Space that are still there and have a finding that nobody settled, in
    whichever of their reviews."""
    rows = tx.execute(
        select(FindingRow.checkpoint)
        .join(CheckpointRow, col(CheckpointRow.id) == col(FindingRow.checkpoint))
        .where(
            col(FindingRow.space) == space,
            text("finding.outcome = 'open'"),  # word for word the condition of an index
            col(CheckpointRow.deleted).is_(False),
        )
        .distinct()
    )
    return [CheckpointId(row[0]) for row in rows]


def review(tx: Tx, review_id: str) -> Review:
    """Raises: NotFound."""
    for found in _reviews(tx, col(ReviewRow.id) == review_id):
        return found
    raise NotFound(f"There is no review {short(review_id)}.")


def findings(tx: Tx, review_id: str) -> list[SettledFinding]:
    """The findings of a review in their order."""
    query = select(FindingRow).where(col(FindingRow.review) == review_id)
    return [_settled(row) for row in tx.exec(query.order_by(col(FindingRow.rank)))]


def spent(tx: Tx, request: RequestId) -> RequestEnded | None:
    """How a request ended; None while it runs. Its end stands soon after it."""
    row = tx.get(RequestRow, request)
    if row is None:
        return None
    values: dict[str, object] = {
        "stream": row.stream,
        "after": row.version,
        "until": row.version + MOST_BETWEEN,
        "type": RequestEnded.TYPE,
    }
    query = (
        f"{SELECT} WHERE stream = :stream AND version > :after AND version <= :until "
        "AND type = :type ORDER BY version"
    )
    ends = (stored.event() for stored in events(tx, query, values))
    return next((e for e in ends if isinstance(e, RequestEnded) and e.request == request), None)


def finding(tx: Tx, finding_id: str) -> tuple[SettledFinding, CheckpointId]:
    """A finding and the checkpoint that it is about. Raises: NotFound."""
    row = tx.get(FindingRow, finding_id)
    if row is None:
        raise NotFound(
            f"There is no finding {short(finding_id)}.", "Look at the review of its checkpoint."
        )
    return _settled(row), CheckpointId(row.checkpoint)


def find_finding(tx: Tx, checkpoint: CheckpointId, wanted: str) -> str:
    """The id of a finding of a checkpoint that begins so, dashes ignored.

    Raises:
        NotFound. Ambiguous: several begin so. Invalid: too short to tell.
    """
    prefix = wanted.strip().lower().replace("-", "")
    if len(prefix) < MIN_PREFIX:
        raise Invalid(f"The id {wanted!r} is too short.", f"Give at least {MIN_PREFIX} characters.")
    found = [
        each.finding.id
        for one in of_checkpoint(tx, checkpoint)
        for each in findings(tx, one.id)
        if each.finding.id.replace("-", "").startswith(prefix)
    ]
    if len(found) > 1:
        raise Ambiguous(
            f"{len(found)} findings begin with {wanted!r}.",
            "Give more of the id.",
            details={"candidates": found},
        )
    if not found:
        raise NotFound(
            f"The reviews of {short(checkpoint)} have no finding {wanted!r}.",
            f"`smriti checkpoint review {short(checkpoint)} --last` lists them.",
        )
    return found[0]


def _reviews(tx: Tx, *rules: Any) -> list[Review]:
    rows = tx.exec(select(ReviewRow).where(*rules).order_by(col(ReviewRow.position)))
    return [
        Review(
            id=row.id,
            checkpoint=CheckpointId(row.checkpoint),
            actor=row.actor,
            recorded_at=row.recorded_at,
            position=row.position,
            request=RequestId(row.request) if row.request else None,
            model=row.model,
        )
        for row in rows
    ]


def _settled(row: FindingRow) -> SettledFinding:
    where = f"finding {short(row.id)}"
    return SettledFinding(
        review=row.review,
        finding=decoded(Finding, row.content, where),
        outcome=row.outcome,  # type: ignore[arg-type]
        change=decoded(Change, row.change, where) if row.change else None,
        reason=row.reason,
        settled_by=row.settled_by,
        settled_at=row.settled_at,
    )
