"""Notes on checkpoints: added, never changed."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import NoteAdded
from smriti_tui.domain.ids import CheckpointId, new_id
from smriti_tui.domain.model import Note, NoteKind
from smriti_tui.services.caller import Caller
from smriti_tui.store import checkpoints


@dataclass(frozen=True)
class NoteService:
    caller: Caller

    def add(
        self,
        checkpoint: CheckpointId,
        text: str,
        kind: NoteKind = "note",
        *,
        command_id: str | None = None,
    ) -> Note:
        """Adds a note, a milestone or a mark that the checkpoint is noise.

        Raises:
            NotFound: no such checkpoint. Invalid: there is no text; a noise mark needs none.
        """
        if not text.strip() and kind != "noise":
            raise Invalid(f"The {kind} has no text.", "Say what is to be noted.", field="text")
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(NoteAdded):
                known = earlier[0].body()
                key, checkpoint = str(known["note"]), CheckpointId(str(known["checkpoint"]))
            else:
                key = new_id()
                space = checkpoints.checkpoint(tx, checkpoint).body.space
                event = NoteAdded(key, checkpoint, text.strip("\n"), kind)
                scope.append(f"space/{space}", event)
        with self.caller.read() as tx:
            return next(each for each in checkpoints.notes(tx, checkpoint) if each.id == key)
