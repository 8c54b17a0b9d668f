"""What is committed, by this process or others, on its way to the desk."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import StoreError
from smriti_tui.domain.ids import kind_and_owner
from smriti_tui.messages import FeedMoved, Noticed, Reached, Unwatched, Waiting

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from smriti_tui.services import Services
    from smriti_tui.services.logs import Damaged, StoredEvent
    from smriti_tui.services.noticing import Notice

IDLE_S, ACTIVE_S = 0.3, 0.1
"""How often the database is asked: what others write is to show within half a second."""
GROUP = "feed"
KEPT_NEWS = 20


CHANGED = {"space.changed": ("name", "archived"), "session.changed": ("title", "archived")}
"""What is told of a change, by the type of its event."""
TOLD = frozenset({"checkpoint.saved", "space.deleted", "session.deleted", *CHANGED})


@dataclass(frozen=True)
class News:
    """What somebody did in another process."""

    type: str
    """Of the event."""
    owner: str
    """The Space or session that it is about."""
    actor: str
    door: str
    facts: Mapping[str, object] = field(default_factory=dict)
    """What matters of the event: never a checkpoint's texts."""


@dataclass(frozen=True)
class Moved:
    """What was committed since the last look."""

    spaces: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    """Spaces and sessions that were deleted, by whomever."""
    last_at: str = ""
    news: tuple[News, ...] = ()
    writable: bool = True
    """Whether the database may be written, as far as the system tells."""
    agents: frozenset[str] = frozenset()
    """Spaces whose claims or worktrees changed."""


@dataclass
class _Pending:
    spaces: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    last_at: str = ""
    news: list[News] = field(default_factory=list)
    writable: bool = True
    agents: set[str] = field(default_factory=set)


class FeedWatch:
    """One thread that follows the log; the loop takes what came whenever it gets to it."""

    def __init__(self, node: DOMNode, services: Services) -> None:
        self._node = node
        self._log = services.log
        self._feed = services.log.subscribe()
        self._forget_waits = services.log.on_wait(self._waits)
        self._caller = services.caller
        services.caller.noticed.tell(self._noticed)
        self._own = services.caller.own
        self._guard = threading.Lock()
        self._pending = _Pending()

    def begin(self) -> None:
        """Starts the thread."""
        self._node.run_worker(self._follow, group=GROUP, thread=True, exit_on_error=False)

    def stop(self) -> None:
        """Ends the thread within one look."""
        self._feed.stop()
        self._forget_waits()
        self._caller.noticed.tell(None)

    @property
    def exists(self) -> bool:
        """Whether there is a database yet."""
        return self._caller.store.exists()

    def journal_words(self) -> str | None:
        """See `DatabaseService`; called in a thread."""
        from smriti_tui.services.database import DatabaseService

        return DatabaseService(self._caller).journal_words()

    def rest(self, idle: bool) -> None:
        """Looks less often while nobody is there."""
        self._feed.interval_s = IDLE_S if idle else ACTIVE_S

    def take(self) -> Moved:
        """What came since the last call."""
        with self._guard:
            taken, self._pending = self._pending, _Pending()
        return Moved(
            frozenset(taken.spaces),
            frozenset(taken.sessions),
            frozenset(taken.gone),
            taken.last_at,
            tuple(taken.news),
            taken.writable,
            frozenset(taken.agents),
        )

    def _follow(self) -> None:
        self._feed.watch(self._unwatched)
        for batch in self._feed.batches(self._unreachable, self._replaced):
            writable = self._log.writable()
            with self._guard:
                self._sort(batch)
                self._pending.writable = writable
            self._node.post_message(FeedMoved())

    def _waits(self, on: bool) -> None:
        self._node.post_message(Waiting(on))

    def _noticed(self, notice: Notice) -> None:
        self._node.post_message(Noticed(notice.words))

    def _unwatched(self, reason: str) -> None:
        self._node.post_message(Unwatched(reason))

    def _unreachable(self, error: StoreError | None) -> None:
        self._node.post_message(Reached(error))

    def _replaced(self) -> None:
        self._node.post_message(Reached(None, replaced=True))

    def _sort(self, batch: Sequence[StoredEvent | Damaged]) -> None:
        # In the thread: the store's modules are no part of what the screen loads.
        from smriti_tui.services.logs import StoredEvent

        pending = self._pending
        for event in batch:
            kind, owner = kind_and_owner(event.stream)
            if kind == "space":
                pending.spaces.add(owner)
            elif kind == "session":
                pending.sessions.add(owner)
            elif kind in ("claims", "worktrees"):
                pending.agents.add(owner)
            if isinstance(event, StoredEvent):
                pending.last_at = event.recorded_at or pending.last_at
                if event.type in ("space.deleted", "session.deleted"):
                    pending.gone.add(owner)
                if event.type in TOLD and event.correlation_id not in self._own:
                    told = News(event.type, owner, event.actor, event.door, _facts(event))
                    pending.news.append(told)
                    del pending.news[:-KEPT_NEWS]


def _facts(event: StoredEvent) -> dict[str, object]:
    body = event.body()  # What cannot be read comes as `Damaged` and is no news.
    if event.type != "checkpoint.saved":
        return {name: body.get(name) for name in CHANGED.get(event.type, ())}
    inner = body.get("body")
    title = inner.get("title") if isinstance(inner, dict) else None
    return {"id": body.get("id"), "branch": body.get("branch"), "title": title}
