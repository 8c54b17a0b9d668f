"""Waiting for an answer of the server in a way that can be ended at any moment."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from smriti_tui.store.faults import busy

if TYPE_CHECKING:
    from psycopg import Connection

STEP_S: Final = 0.1
STEP_MS: Final = 100
"""How often a wait looks whether it was cancelled."""
_KEY: Final = "1936552553, hashtext(current_schema())"
"""Of the advisory lock that all writers of one schema take: it queues them fairly, which a row that
each of them changes does not."""
BEGIN: Final = f"BEGIN; SELECT pg_advisory_xact_lock({_KEY}); SELECT position FROM event_counter"
"""The counter is read in a statement of its own, which sees what the turn before has committed."""
LOCK: Final = f"SELECT pg_advisory_lock({_KEY})"
UNLOCK: Final = f"SELECT pg_advisory_unlock({_KEY})"


def wait_for(
    connection: Connection[Any], sql: str, name: str, end: float, ends: Callable[[], bool]
) -> bytes:
    """The first value of the last of some statements; they run until `end` (of the monotonic
    clock), or until `ends` says so.

    The place in the server's queue stays while this looks up now and then.

    Raises:
        StoreBusy: the time is over, or `ends` said so; what was begun is still to be undone.
        psycopg.Error: the server's.
    """
    import psycopg

    link = connection.pgconn
    link.send_query(sql.encode())
    given_up = False
    failed: BaseException | None = None
    value = b""
    ready = select.poll()
    ready.register(link.socket, select.POLLIN)
    while True:
        while link.flush() or _is_waiting(link):
            if ready.poll(STEP_MS):
                link.consume_input()
            elif not given_up and (time.monotonic() >= end or ends()):
                given_up = True
                connection.cancel_safe(timeout=5.0)
        if (result := link.get_result()) is None:
            break
        if result.status == psycopg.pq.ExecStatus.FATAL_ERROR and failed is None:
            failed = psycopg.errors.error_from_result(result)
        value = (result.get_value(0, 0) if result.ntuples else None) or b""
    if given_up:
        raise busy(name)
    if failed is not None:
        raise failed
    return value


def _is_waiting(link: Any) -> bool:
    return bool(link.is_busy())


def at_once(connection: Connection[Any], sql: bytes) -> bytes:
    """Runs a statement that needs no values, past all that the driver does for others; its tag.

    Raises:
        psycopg.Error: the server's, or the line is cut.
    """
    import psycopg

    result = connection.pgconn.exec_(sql)
    if result.status not in (psycopg.pq.ExecStatus.COMMAND_OK, psycopg.pq.ExecStatus.TUPLES_OK):
        if connection.pgconn.status != psycopg.pq.ConnStatus.OK:
            raise psycopg.OperationalError("the connection was cut")
        raise psycopg.errors.error_from_result(result)
    return result.command_status or b""
