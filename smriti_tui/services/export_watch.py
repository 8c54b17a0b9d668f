"""An export that somebody watches: how far it is, and a way to stop it. Nothing is left behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from smriti_tui.domain.errors import Declined
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.model import Checkpoint, Note, Session, Turn
from smriti_tui.services.export_reading import Reading, Selection
from smriti_tui.store.engine import Tx


class Watch:
    """Counts what was written. Safe from several threads."""

    def __init__(self) -> None:
        self.count = 0
        """Turns, events and checkpoints so far."""
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Ends the export at the next of them."""
        self._stopped.set()

    def step(self) -> None:
        """One more is written.

        Raises:
            Declined: the export was stopped (code `stopped`).
        """
        if self._stopped.is_set():
            raise Declined("The export was stopped.", "Nothing was written.", code="stopped")
        self.count += 1


class WatchedReading(Reading):
    """A reading that tells its watch of every turn, event and checkpoint."""

    def __init__(self, tx: Tx, selection: Selection, watch: Watch) -> None:
        super().__init__(tx, selection)
        self._watch = watch

    def checkpoint(self, wanted: CheckpointId) -> tuple[Checkpoint, list[Note]]:
        self._watch.step()
        return super().checkpoint(wanted)

    def turns(self, session: Session) -> Iterator[Turn]:
        for turn in super().turns(session):
            self._watch.step()
            yield turn

    def event_records(self) -> Iterator[dict[str, object]]:
        for record in super().event_records():
            self._watch.step()
            yield record
