"""The tables as they were after an earlier event.

A connection that looks into the past has temporary views in front of the tables: every query finds
the rows of that moment, by the same indexes, and nothing is folded anew.
"""

from __future__ import annotations

from typing import Any

from smriti_tui.store.rows import CHANGING, projected
from smriti_tui.store.statements import DATED

_HEADS = (
    "SELECT e.stream, e.version, e.chain_sha256, e.position, e.recorded_at "
    "FROM main.stream_head h JOIN main.event e ON e.stream = h.stream AND e.version = "
    "(SELECT max(version) FROM main.event WHERE stream = h.stream AND position <= {at})"
)


def look_back(connection: Any, at: int) -> None:
    """Puts the views of position `at` in front of the tables of a connection.

    The search index has no past: what it finds that was not there yet has no text and drops out.
    """
    for name in sorted(DATED):
        columns = [column.name for column in projected.metadata.tables[name].columns]
        names = ", ".join(columns)
        parts = [f"SELECT {names} FROM main.{name} WHERE since <= {at}"]
        if name in CHANGING:
            parts.append(
                f"SELECT {names} FROM main.{name}_past WHERE since <= {at} AND until > {at}"
            )
        connection.execute(f"CREATE TEMP VIEW {name} AS {' UNION ALL '.join(parts)}")
    connection.execute(f"CREATE TEMP VIEW stream_head AS {_HEADS.format(at=at)}")
    connection.execute(f"CREATE TEMP VIEW event AS SELECT * FROM main.event WHERE position <= {at}")
