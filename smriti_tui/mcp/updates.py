"""Notices that a resource has changed, whoever changed it: the log is followed across processes.

Nothing is followed until a host asks for notices. Hosts of the older protocol subscribe by session,
those of the newer one hold a stream open; both are served from one feed.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
)
from mcp.shared.exceptions import MCPError
from mcp.types import (
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import kind_and_owner
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.uris import checkpoint_uri, state_uri
from smriti_tui.mcp.waiting import in_thread

if TYPE_CHECKING:
    from smriti_tui.services.logs import Damaged, Feed, StoredEvent

LOG = logging.getLogger(__name__)
SPACE_STREAMS = ("space", "claims", "worktrees")
LISTED = frozenset({"space.created", "space.changed", "space.deleted"})


class Updates:
    """What changed, told to who asked. Its methods are called on the server's loop."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self.bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self.bus)
        self._guard = threading.Lock()
        self._feed: Feed | None = None
        self._subscribers: dict[int, _Subscriber] = {}

    def close(self) -> None:
        if self._feed is not None:
            self._feed.stop()

    # ---- what hosts ask for --------------------------------------------------------------------

    async def subscribe(self, context: Any, params: SubscribeRequestParams) -> EmptyResult:
        """Raises: MCPError: there is no such resource."""
        uri = str(params.uri)
        try:
            known = await in_thread(_whole, self._opening, uri)
            await self._follow()
        except SmritiError as error:
            raise _refusal(error, uri=uri) from error
        self._subscriber(context.session).wanted[known] = uri
        return EmptyResult()

    async def unsubscribe(self, context: Any, params: UnsubscribeRequestParams) -> EmptyResult:
        subscriber = self._subscriber(context.session)
        uri = str(params.uri)
        subscriber.wanted = {
            known: said for known, said in subscriber.wanted.items() if said != uri
        }
        return EmptyResult()

    async def listen(
        self, context: Any, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """The stream of the newer protocol, until the host ends it. Raises: MCPError."""
        try:
            await self._follow()
        except SmritiError as error:
            raise _refusal(error) from error
        return await self._listening(context, params)

    def _subscriber(self, session: Any) -> _Subscriber:
        # A session object lives as long as a request; what it speaks through, as the connection.
        connection = session._connection
        known = self._subscribers.get(id(connection))
        if known is None:
            known = self._subscribers[id(connection)] = _Subscriber(connection)
            connection.exit_stack.callback(self._forget, connection, self.bus.subscribe(known.take))
        return known

    def _forget(self, connection: Any, unsubscribe: Callable[[], None]) -> None:
        unsubscribe()
        self._subscribers.pop(id(connection), None)

    # ---- the feed ------------------------------------------------------------------------------

    async def _follow(self) -> None:
        """Follows the log from now on, so that nothing is missed after the answer."""
        loop = asyncio.get_running_loop()
        await in_thread(self._begin, loop)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        services = self._opening.services()
        with self._guard:
            if self._feed is None:
                self._feed = services.log.subscribe()
                threading.Thread(
                    target=self._run, args=(self._feed, loop), name="updates", daemon=True
                ).start()

    def _run(self, feed: Feed, loop: asyncio.AbstractEventLoop) -> None:
        for batch in feed.batches():
            changed = list(dict.fromkeys(_changes(batch)))
            if loop.is_closed():
                return
            asyncio.run_coroutine_threadsafe(self._tell(changed), loop)

    async def _tell(self, changed: Iterable[ServerEvent]) -> None:
        for event in changed:
            await self.bus.publish(event)


@dataclass
class _Subscriber:
    """A connection of the older protocol."""

    connection: Any
    wanted: dict[str, str] = field(default_factory=dict)
    """Resources by their whole ids, and how the host said them."""
    sending: set[asyncio.Task[None]] = field(default_factory=set)

    def take(self, event: ServerEvent) -> None:
        if isinstance(event, ResourceUpdated) and event.uri in self.wanted:
            notice = self.connection.send_resource_updated(self.wanted[event.uri])
            task = asyncio.get_running_loop().create_task(notice)
            self.sending.add(task)
            task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[None]) -> None:
        self.sending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.debug("a notice was not sent", exc_info=error)


def _refusal(error: SmritiError, **where: str) -> MCPError:
    from smriti_tui.mcp.resources import refusal

    return refusal(error, **where)


def _whole(opening: Opening, uri: str) -> str:
    """Raises: SmritiError: there is no such resource."""
    from smriti_tui.mcp.resources import canonical

    return canonical(opening, uri)


def _changes(batch: Iterable[StoredEvent | Damaged]) -> Iterator[ServerEvent]:
    """What the events of a batch have changed."""
    for event in batch:
        kind, space = kind_and_owner(getattr(event, "stream", ""))
        if kind not in SPACE_STREAMS:
            continue
        yield ResourceUpdated(state_uri(space))
        name = getattr(event, "type", "")
        if name in LISTED:
            yield ResourcesListChanged()
        yield from map(ResourceUpdated, map(checkpoint_uri, _checkpoints(event, name)))


def _checkpoints(event: Any, name: str) -> Iterator[str]:
    """The checkpoints that an event is about."""
    try:
        body = event.body()
    except (AttributeError, ValueError):
        return
    found = body.get("id") if name.startswith("checkpoint.") else body.get("checkpoint")
    if isinstance(found, str):
        yield found
