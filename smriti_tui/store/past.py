"""The tables as they were after an earlier event.

A connection that looks into the past has temporary views in front of the tables: every query finds
the rows of that moment, by the same indexes, and nothing is folded anew.
"""

from __future__ import annotations

from typing import Any, Final

from smriti_tui.store.rows import CHANGING, OFTEN, SearchEntryRow, projected
from smriti_tui.store.statements import DATED

_ENTRY: Final = tuple(SearchEntryRow.model_fields)
_HEADS = (
    "SELECT e.stream, e.version, e.chain_sha256, e.position, e.recorded_at "
    "FROM {home}.stream_head h JOIN {home}.event e ON e.stream = h.stream AND e.version = "
    "(SELECT max(version) FROM {home}.event WHERE stream = h.stream AND position <= {at})"
)


def look_back(connection: Any, at: int, home: str = "main") -> None:
    """Puts the views of position `at` in front of the tables of a connection; `home` is the schema
    that the tables lie in.

    The search index has no past: all that it ever found is looked at, and what was not there, or
    had another name, drops out by its text.
    """
    for name in sorted(DATED):
        columns = [column.name for column in projected.metadata.tables[name].columns]
        names = ", ".join(columns)
        parts = [f"SELECT {names} FROM {home}.{name} WHERE since <= {at}"]
        if name in OFTEN:
            parts.append(_looked_up(name, at, home))
        elif name in CHANGING:
            parts.append(
                f"SELECT {names} FROM {home}.{name}_past WHERE since <= {at} AND until > {at}"
            )
        connection.execute(f"CREATE TEMP VIEW {name} AS {' UNION ALL '.join(parts)}")
    names = ", ".join("true AS live" if name == "live" else name for name in _ENTRY)
    connection.execute(f"CREATE TEMP VIEW search_entry AS SELECT {names} FROM {home}.search_entry")
    connection.execute(f"CREATE TEMP VIEW stream_head AS {_HEADS.format(at=at, home=home)}")
    connection.execute(
        f"CREATE TEMP VIEW event AS SELECT * FROM {home}.event WHERE position <= {at}"
    )


def _looked_up(name: str, at: int, home: str) -> str:
    """Rows as they were: of each that is there now, the one past that held is looked up by its key.

    By when they ended, all later ones would be read. No row is ever taken out of a table, so every
    past belongs to one that is there. CROSS JOIN fixes the order: SQLite would read the pasts
    first.
    """
    table = projected.metadata.tables[name]
    names = ", ".join(f"p.{column.name}" for column in table.columns)
    keys = [column.name for column in table.primary_key]
    same = " AND ".join(f"p.{key} = n.{key}" for key in keys)
    own = " AND ".join(f"q.{key} = n.{key}" for key in keys)
    newest = f"SELECT max(q.since) FROM {home}.{name}_past q WHERE {own} AND q.since <= {at}"
    return (
        f"SELECT {names} FROM {home}.{name} n CROSS JOIN {home}.{name}_past p "
        f"WHERE n.since > {at} AND {same} AND p.since = ({newest}) AND p.until > {at}"
    )
