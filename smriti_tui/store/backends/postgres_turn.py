"""Waiting for an answer of the server in a way that can be ended at any moment."""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from smriti_tui.store.faults import busy

if TYPE_CHECKING:
    from psycopg import Connection

STEP_S: Final = 0.1
"""How often a wait looks whether it was cancelled."""
_KEY: Final = "1936552553, hashtext(current_schema())"
"""Of the advisory lock that all writers of one schema take: it queues them fairly, which a row that
each of them changes does not."""
BEGIN: Final = f"BEGIN; SELECT pg_advisory_xact_lock({_KEY})"
LOCK: Final = f"SELECT pg_advisory_lock({_KEY})"
UNLOCK: Final = f"SELECT pg_advisory_unlock({_KEY})"


def wait_for(
    connection: Connection[Any], sql: str, name: str, end: float, ends: Callable[[], bool]
) -> None:
    """Runs statements until `end` (of the monotonic clock), or until `ends` says so.

    The place in the server's queue stays while this looks up now and then.

    Raises:
        StoreBusy: the time is over, or `ends` said so; what was begun is still to be undone.
        psycopg.Error: the server's.
    """
    import psycopg

    link = connection.pgconn
    link.send_query(sql.encode())
    given_up = False
    with selectors.DefaultSelector() as selector:
        selector.register(link.socket, selectors.EVENT_READ)
        while link.flush() or _is_waiting(link):
            if selector.select(STEP_S):
                link.consume_input()
            elif not given_up and (time.monotonic() >= end or ends()):
                given_up = True
                connection.cancel_safe(timeout=5.0)
    failed: BaseException | None = None
    while (result := link.get_result()) is not None:
        if result.status == psycopg.pq.ExecStatus.FATAL_ERROR and failed is None:
            failed = psycopg.errors.error_from_result(result)
    if given_up:
        raise busy(name)
    if failed is not None:
        raise failed


def _is_waiting(link: Any) -> bool:
    return bool(link.is_busy())
