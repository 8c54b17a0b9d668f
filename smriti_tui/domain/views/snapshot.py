"""A folded state as text: the first line its head, then a line for each record.

Keys and records are canonical JSON with a tab between, which neither can hold: so records can stay
text when a snapshot is read.
"""

from __future__ import annotations

import json
from typing import Any

from smriti_tui.domain.values import canonical
from smriti_tui.domain.views.base import Items, ViewState


def snapshot_text(state: ViewState) -> str:
    """The text of a state; equal states have equal texts."""
    first = canonical({"head": state.head, "skipped": state.skipped})
    lines = (f"{canonical(key)}\t{text}" for key, text in state.items.texts())
    return "\n".join((first, *lines))


def state_of(text: str) -> ViewState:
    """The state of a text that `snapshot_text` made and a checksum vouches for."""
    first, *lines = text.split("\n")
    read: dict[str, Any] = json.loads(first)
    pairs = ((key, value) for key, _, value in (line.partition("\t") for line in lines))
    items = Items((key[1:-1] if "\\" not in key else json.loads(key), v) for key, v in pairs)
    return ViewState(read["head"], items, read["skipped"])
