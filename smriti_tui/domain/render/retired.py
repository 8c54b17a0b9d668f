"""How a retired item is told on one line."""

from __future__ import annotations

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.model import Item, Task


def retired_words(item: Item | Task) -> str:
    """`retired by ada: false: there are 40 M`; empty for a live one."""
    if item.state != "retired":
        return ""
    by = f" by {clean_line(item.retired_by)}" if item.retired_by else ""
    why = f": {clean_line(item.reason)}" if item.reason else ""
    return f"retired{by}{why}"
