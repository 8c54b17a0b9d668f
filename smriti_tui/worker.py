"""The hop into a thread and back onto the event loop, with its errors typed; and one call at a time
to a model."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import TypeVar

from textual.dom import DOMNode
from textual.message import Message
from textual.worker import Worker, WorkerError

from smriti_tui.domain.errors import SmritiError, Unexpected
from smriti_tui.messages import Failed

T = TypeVar("T")
LOGGER = "smriti_tui.app"


def hop(
    node: DOMNode,
    work: Callable[[], T],
    then: Callable[[T], Awaitable[None] | None],
    failed: Callable[[SmritiError], None],
    *,
    group: str,
) -> Worker[None]:
    """Runs `work` in a thread; `then(value)` or `failed(error)` follows on the event loop.

    Nothing is cancelled when a second one of the group starts: a thread cannot be stopped, and its
    answer may come after a newer one. So `then` must know what was asked for and drop what is no
    longer wanted. After the node is gone neither is called.
    """

    def run() -> None:
        try:
            value = work()
        # The one envelope around a thread's work.
        except Exception as error:  # noqa: BLE001
            node.call_later(failed, as_typed(error))
        else:
            node.call_later(then, value)

    return node.run_worker(run, group=group, thread=True, exit_on_error=False)


def in_thread(
    node: DOMNode,
    work: Callable[[], T],
    done: Callable[[T], Message],
    *,
    group: str,
    what: str = "",
    failed: Callable[[Failed], Message] | None = None,
) -> Worker[None]:
    """As `hop`, but the value comes as the message `done(value)`, an error as `Failed`.

    `what` names the work in the person's words; `failed` wraps the failure, so that it carries what
    was asked for.
    """

    def say(error: SmritiError) -> None:
        message = Failed(error, what)
        node.post_message(failed(message) if failed else message)

    def post(value: T) -> None:
        node.post_message(done(value))

    return hop(node, work, post, say, group=group)


def as_typed(error: BaseException) -> SmritiError:
    """A typed error as it is; anything else is logged and becomes `Unexpected`."""
    if isinstance(error, SmritiError):
        return error
    logging.getLogger(LOGGER).error("unexpected", exc_info=error)
    return Unexpected(
        "Something went wrong inside the program; nothing was lost.",
        "The log has the details; please report it.",
    )


class OneCall:
    """A call to a model that runs beside a screen, one at a time. The call says itself when it is
    over: then the next can begin."""

    def __init__(self, node: DOMNode, group: str) -> None:
        self._node = node
        self._group = group
        self._worker: Worker[None] | None = None

    @property
    def running(self) -> bool:
        return self._worker is not None

    def start(self, follow: Coroutine[object, object, None]) -> None:
        """Runs it; what goes wrong in it is its own to tell."""
        self._worker = self._node.run_worker(follow, group=self._group, exit_on_error=False)

    def over(self) -> None:
        """Called by the call itself."""
        self._worker = None

    def stop(self) -> bool:
        """Stops the call; False where none runs."""
        if self._worker is None:
            return False
        self._worker.cancel()
        return True

    async def put_away(self) -> None:
        """Stops the call and waits until its end is stored."""
        if self._worker is not None:
            self._worker.cancel()
            with suppress(WorkerError):
                await self._worker.wait()
