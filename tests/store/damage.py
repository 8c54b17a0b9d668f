"""What only damage or another hand does to a log: its guards taken away, rows changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from smriti_tui.store.database import Store


@contextmanager
def unguarded(store: Store) -> Iterator[Any]:
    """A connection that may change events; the guards come back at the end."""
    with store.log.exclusive() as connection:
        drop_guards(store, connection)
        yield connection
        store.dialect.renew_guards(connection)


def drop_guards(store: Store, connection: Any, *names: str) -> None:
    """Takes away some guards, or all."""
    on = " ON event" if store.dialect.name == "postgresql" else ""
    for name in names or store.dialect.guards:
        connection.execute(f"DROP TRIGGER {name}{on}")
