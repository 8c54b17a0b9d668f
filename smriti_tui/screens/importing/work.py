"""A look at files, or an import, that goes on in a thread while the screen shows how far it is."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.import_report import LeftOut, Report, Seen, SeenSpace, Taken

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.importing import Options


@dataclass
class Progress:
    """What was read and found until now; written by the thread, read by the screen."""

    read: int = 0
    seen: list[Seen] = field(default_factory=list)
    spaces: list[SeenSpace] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def add(self, size: int) -> None:
        self.read += size

    @property
    def turns(self) -> int:
        return sum(each.turns for each in tuple(self.taken))


def look(
    services: Services,
    space: SpaceId,
    paths: Sequence[Path],
    options: Options,
    progress: Progress,
) -> None:
    """Finds the conversations of files; nothing is written. Raises: SmritiError, Cancelled."""
    from smriti_tui.domain.import_report import Watch

    watch = Watch(progress.stop.is_set, progress.add)
    for found in services.importing.preview(space, paths, options, watch):
        if isinstance(found, Seen):
            progress.seen.append(found)
        elif isinstance(found, SeenSpace):
            progress.spaces.append(found)
        else:
            progress.left.append(found)


def take(
    services: Services,
    space: SpaceId,
    paths: Sequence[Path],
    options: Options,
    progress: Progress,
) -> Report:
    """Imports the chosen ones. Raises: SmritiError."""
    from smriti_tui.domain.import_report import Watch

    watch = Watch(progress.stop.is_set, progress.add)
    return services.importing.run(space, paths, options, watch, progress.taken.append)
