"""What the screen reads of the log, in a thread: the streams, some events, a folded view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import kind_and_owner
from smriti_tui.domain.render.views import folded_text
from smriti_tui.domain.views import VIEWS
from smriti_tui.services.projecting import projected
from smriti_tui.widgets.row_filter import folded, holds

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.logs import Damaged, EventFilter, StoredEvent, StreamInfo
    from smriti_tui.services.views import Folded

PAGE: Final = 200
"""Events that are read at first, and once more each time the cursor reaches the oldest."""
MOST: Final = 5_000
"""Events that are read at most, and where words are looked for at once."""
MOST_STREAMS: Final = 300
"""The newest of the product's own streams; open ones are all there."""
MOST_ROWS: Final = 200
"""Rows of each list in a folded view."""


@dataclass(frozen=True)
class Wanted:
    """Which events: of a stream (None: all), by type and actor, with words in them."""

    stream: str | None = None
    types: tuple[str, ...] = ()
    actor: str | None = None
    words: tuple[str, ...] = ()
    limit: int = PAGE

    def filter(self, services: Services) -> EventFilter:
        return services.log.filtered(types=self.types, actor=self.actor, newest=True)

    @property
    def most(self) -> int:
        """Events to read: words are looked for further back than what is shown at first."""
        return MOST if self.words else self.limit

    @property
    def told(self) -> str:
        """The filter as one types it."""
        kinds = [f"type:{name}" for name in self.types]
        by = [f"by:{self.actor}"] if self.actor else []
        return " ".join((*kinds, *by, *self.words))


@dataclass(frozen=True)
class Read:
    """What was found for it."""

    wanted: Wanted
    streams: tuple[StreamInfo, ...]
    streams_left_out: int
    names: Mapping[str, str]
    """Names of the Spaces by id."""
    events: tuple[StoredEvent | Damaged, ...]
    """The newest of those that fit: rows are made of few at a time."""
    fitting: int
    """Events that hold the words, shown or not."""
    looked_at: int
    """Events that were read."""
    more: bool
    """Whether older ones are read when the cursor reaches the oldest."""
    ends: bool
    """Whether as many were read as are ever read here, so that older ones may be missing."""
    view: str | None
    """What the stream folds into, in words; None where no view folds it."""
    items: tuple[Mapping[str, Any], ...] | None
    """Of the tracker."""
    now: str


def typed(text: str, stream: str | None, limit: int = PAGE) -> Wanted:
    """A filter as a person types it: `type:NAME`, `by:ACTOR`, and words."""
    parts = text.split()
    types = tuple(part[5:] for part in parts if part.startswith("type:") and part[5:])
    actors = [part[3:] for part in parts if part.startswith("by:") and part[3:]]
    words = tuple(part for part in parts if not part.startswith(("type:", "by:")))
    return Wanted(stream, types, actors[-1] if actors else None, words, limit)


class Reader:
    """Reads for one screen. What a view was folded from stays, so that a later read only adds what
    came since. For one thread at a time."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._folded: dict[str, Folded] = {}

    def read(self, wanted: Wanted) -> Read:
        """Raises: SmritiError."""
        services = self._services
        streams, left_out = shown_streams(services.log.streams())
        found = tuple(services.log.read(wanted.stream, 0, wanted.most, wanted.filter(services)))
        needles = [word for each in wanted.words for word in folded(each).split()]
        fitting = (event for event in found if not needles or holds(_haystack(event), needles))
        held = tuple(fitting)
        now = services.caller.store.now()
        views = _views_of(wanted.stream)
        shown = [self._fold(name) for name in views]
        tracker = self._folded.get("tracker") if "tracker" in views else None
        return Read(
            wanted,
            streams,
            left_out,
            {space.id: space.name for space in services.spaces.all()},
            held[-wanted.limit :],
            len(held),
            len(found),
            len(held) > wanted.limit or len(found) == wanted.most < MOST,
            len(found) == wanted.most >= MOST,
            self._words(wanted.stream, shown, now),
            None if tracker is None else tuple(tracker.state.items.values()),
            now,
        )

    def _words(self, stream: str | None, shown: Sequence[Folded], now: str) -> str | None:
        kind, owner = kind_and_owner(stream or "")
        if kind == "space":
            with suppress(NotFound):
                return projected(self._services, f"space:{owner}", now).text()
        return "\n\n".join(folded_text(each, now, MOST_ROWS) for each in shown) or None

    def _fold(self, name: str) -> Folded:
        known = self._folded.get(name)
        if known is None:
            known = self._folded[name] = self._services.views.project(name)
        else:
            self._services.views.fold_on(known)
        return known


def shown_streams(found: Sequence[StreamInfo]) -> tuple[tuple[StreamInfo, ...], int]:
    """The team's own streams by name, then the product's, the newest first; and how many of these
    are left out."""
    own = [info for info in found if "/" not in info.name]
    rest = sorted((info for info in found if "/" in info.name), key=lambda each: -each.position)
    return (*own, *rest[:MOST_STREAMS]), max(len(rest) - MOST_STREAMS, 0)


def _views_of(stream: str | None) -> list[str]:
    """The views that a stream is folded into, that of its own name first."""
    found = [name for name, view in VIEWS.items() if stream in view.streams]
    return sorted(found, key=lambda name: name != stream)


def _haystack(event: StoredEvent | Damaged) -> str:
    kind, owner = kind_and_owner(event.stream)
    parts = (kind, owner, getattr(event, "type", ""), getattr(event, "actor", ""))
    return folded(" ".join((*parts, getattr(event, "payload", ""))))
