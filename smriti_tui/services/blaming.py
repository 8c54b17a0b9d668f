"""Where a state's items and turns come from."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.blame import Trace, blame
from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.items import KINDS, LETTERS, item_list
from smriti_tui.domain.model import Checkpoint, Turn
from smriti_tui.services.caller import Caller
from smriti_tui.store import checkpoints, sessions


@dataclass(frozen=True)
class BlameService:
    caller: Caller

    def item(self, checkpoint: CheckpointId, wanted: str) -> list[Trace]:
        """What happened to an item, newest first; `wanted` is a label such as D1, a uid, or the
        beginning of one.

        Raises:
            NotFound: no such checkpoint, or it holds no such item.
        """
        with self.caller.read() as tx:
            found = checkpoints.checkpoint(tx, checkpoint)
            uid = _uid(found, wanted)
            return blame(found, uid, lambda parent: checkpoints.find_checkpoint(tx, parent))

    def turns(self, checkpoint: CheckpointId) -> list[Turn]:
        """The turns that a checkpoint was made from, of its line alone; none where it names none or
        the session is gone. Raises: NotFound."""
        with self.caller.read() as tx:
            source = checkpoints.checkpoint(tx, checkpoint).source
            if source is None or source.first is None or source.last is None:
                return []
            found = sessions.turns_between(tx, source.session, source.first, source.last)
            return [turn for turn in found if turn.line == source.line]


def _uid(checkpoint: Checkpoint, wanted: str) -> str:
    for kind in KINDS:
        for number, item in enumerate(item_list(checkpoint.body, kind), 1):
            label = f"{LETTERS[kind]}{number}"
            if wanted.upper() == label or (len(wanted) >= 4 and item.uid.startswith(wanted)):
                return item.uid
    raise NotFound(
        f"Checkpoint {short(checkpoint.id)} has no item {wanted!r}.",
        "Its items are named D1, A1, T1, Q1 and so on.",
    )
