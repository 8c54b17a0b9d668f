"""Where a state's items and turns come from."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.blame import Trace, blame
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.items import find_uid
from smriti_tui.domain.model import Turn
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
            uid = find_uid(found.id, found.body, wanted)
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
