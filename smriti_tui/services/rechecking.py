"""The rules of a review on what the store holds: stored quotes looked up, the chain walked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from smriti_tui.domain.checkpoint_input import CheckpointInput, body_of
from smriti_tui.domain.document import Document
from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import Checkpoint, CheckpointBody, Source, Turn
from smriti_tui.domain.recheck import Rechecker, words
from smriti_tui.domain.review_rules import LookBody, RuleReport, report, walk
from smriti_tui.store import checkpoints, documents, redacted, sessions
from smriti_tui.store.engine import Tx


@dataclass(frozen=True)
class StoredSources:
    """What the evidence of a Space names, as the store holds it: of deleted sessions too."""

    tx: Tx
    space: SpaceId

    def turn(self, session: str, number: int) -> Turn | None:
        found = sessions.turns_between(self.tx, SessionId(session), number, number)
        return found[0] if found else None

    def turns(self, session: str) -> Sequence[Turn]:
        return sessions.turns_between(self.tx, SessionId(session), 1, _LAST)

    def document(self, sha256: str) -> Document | None:
        return documents.document(self.tx, self.space, sha256)


_LAST = 1 << 53


def rechecker(tx: Tx, space: SpaceId) -> Rechecker:
    """Looks quotes up in the store; it is to be used within the transaction."""
    return Rechecker(StoredSources(tx, space))


def report_of(tx: Tx, found: Checkpoint) -> RuleReport:
    """All rules over a stored checkpoint."""
    look = _look(tx)
    body = found.body
    quotes = rechecker(tx, body.space).quotes(body, found.source)
    before = look(body.parents[0]) if body.parents else None
    told = report(body, quotes, walk(found.id, body, look, _redacted(tx)), before)
    return replace(told, source=found.source)


def unsaved_report(
    tx: Tx,
    space: SpaceId,
    content: CheckpointInput,
    head: CheckpointId | None,
    session: SessionId | None,
) -> RuleReport:
    """All rules over what would be saved on `head` now. Raises: NotFound (no such head)."""
    look = _look(tx)
    before = look(head) if head is not None else None
    if head is not None and before is None:
        raise NotFound("The checkpoint that it is written on is not there.")
    parents = (head,) if head is not None else ()
    body = body_of(content, before, space=space, parents=parents)
    if session is not None:
        body = replace(body, source=Source(session, 1, None, None))
    quotes = rechecker(tx, space).quotes(body, body.source)
    return report(body, quotes, walk(None, body, look, _redacted(tx)), before)


def unfound_words(checker: Rechecker, found: Checkpoint) -> list[str]:
    """What `verify` has to say of the quotes of a checkpoint: those that were found when it was
    saved and do not stand there. What was saved as not found is no fault."""
    return [
        f"{each.label} {words(each)}"
        for each in checker.quotes(found.body, found.source)
        if each.state in ("gone", "moved", "weaker") and each.evidence.check != "not_found"
    ]


def _redacted(tx: Tx) -> Callable[[CheckpointId], bool]:
    return lambda checkpoint: redacted.of_checkpoint(tx, checkpoint)


def _look(tx: Tx) -> LookBody:
    known: dict[CheckpointId, CheckpointBody | None] = {}

    def look(checkpoint: CheckpointId) -> CheckpointBody | None:
        if checkpoint not in known:
            known[checkpoint] = checkpoints.content(tx, checkpoint)
        return known[checkpoint]

    return look
