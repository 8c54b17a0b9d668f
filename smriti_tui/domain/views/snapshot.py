"""A folded state as text: a line for its head, one for the keys of its records, then a line for
each record.

Every line is canonical JSON, which holds no line feed: so records can stay text when a snapshot is
read, and finding them is one split.
"""

from __future__ import annotations

import json
from typing import Any

from smriti_tui.domain.values import canonical
from smriti_tui.domain.views.base import Items, ViewState


def snapshot_text(state: ViewState) -> str:
    """The text of a state; equal states have equal texts."""
    first = canonical({"head": state.head, "skipped": state.skipped})
    pairs = list(state.items.texts())
    return "\n".join((first, canonical([key for key, _ in pairs]), *(text for _, text in pairs)))


def state_of(text: str) -> ViewState:
    """The state of a text that `snapshot_text` made and a checksum vouches for."""
    first, keys, *lines = text.split("\n")
    read: dict[str, Any] = json.loads(first)
    items = Items(zip(json.loads(keys), lines, strict=True))
    return ViewState(read["head"], items, read["skipped"])
