"""Export: what the store holds, as text for people, scripts and git (DESIGN 10.26)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from smriti_tui.domain.values import canonical
from smriti_tui.services.caller import Caller
from smriti_tui.store import readlog
from smriti_tui.store.readlog import Damaged


@dataclass(frozen=True)
class ExportService:
    caller: Caller

    def event_lines(self) -> Iterator[str]:
        """Every event but those of the store itself, one canonical JSON line each."""
        order = 0
        with self.caller.read() as tx:
            for event in readlog.read_all(tx):
                if isinstance(event, Damaged) or event.stream == "store":
                    continue
                order += 1
                line: dict[str, object] = {
                    "event_id": event.event_id,
                    "stream": event.stream,
                    "version": event.version,
                    "type": event.type,
                    "payload": event.body(),
                    "order": order,
                }
                yield canonical(line) + "\n"
