"""The `tracker` view: items of work with their lanes.

An item is what its first event says, fields that this program does not know included. A second
creation never resets anything, and nothing here opens a closed item unseen: one that goes back is
listed under `reopened`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.views.base import (
    EMPTY,
    NO_ID,
    REPEATED,
    UNKNOWN_ID,
    Fact,
    View,
    ViewState,
    ignored,
    text_in,
)

NAME: Final = "tracker"
CREATED, UPDATED, ARCHIVED = "item_created", "item_updated", "item_archived"
MERGED: Final = "item_merged"
"""What an item got from the same stream of another store (`tracker_merge`)."""
INGESTED: Final = "tracker_ingested"
"""A file was taken in: its hash, and how many items it created, updated and archived."""
LANES: Final = ("proposed", "ranked", "accepted", "in-progress", "done", "rejected")
CLOSED: Final = frozenset({"done", "rejected", "archived"})
"""Statuses and lanes of what is over."""
FIELDS: Final = (
    "id", "title", "priority", "status", "lane", "source", "tags", "notes", "pr_link",
    "created_at", "completed_at",
)  # fmt: skip
"""Those of an item that this program made; others are kept as they came."""


MAX_ID: Final = 80
_UNSAFE: Final = re.compile(r"[/\\*?\[\]\s]|\.\.")


def id_fault(key: str) -> str | None:
    """Why a text is no id of an item; None where it is one. Ids stand in file names and patterns
    of other tools."""
    if len(key) > MAX_ID:
        return f"the id is longer than {MAX_ID} characters."
    if clean_line(key) != key or _UNSAFE.search(key):
        return (
            f"{key[:MAX_ID]!r} is no id: blanks, / \\ .. * ? [ ] and control signs are not allowed."
        )
    return None


def is_closed(item: Mapping[str, Any]) -> bool:
    """Whether an item is over, by its status or its lane."""
    return any(_closing(item.get(key)) for key in ("status", "lane"))


def _closing(value: object) -> bool:
    return isinstance(value, str) and value in CLOSED


def _created(state: ViewState, fact: Fact) -> str | None:
    key = text_in(fact.payload, "id")
    if key is None:
        return NO_ID
    known = state.items.get(key)
    if known is None:
        state.items.put(key, dict(fact.payload))
        return None
    for name, value in fact.payload.items():
        # What closes or opens is no gap that a repetition may fill.
        if known.get(name) is None and name not in ("status", "lane", "completed_at"):
            known[name] = value
    return REPEATED


def _updated(state: ViewState, fact: Fact) -> str | None:
    item = _known(state, fact)
    if isinstance(item, str):
        return item
    given = {name: value for name, value in fact.payload.items() if name != "id"}
    if not given:
        return EMPTY
    before, first = is_closed(item), item.get("completed_at")
    was = item.get("status")
    item.update(given)
    if given.get("status") == "done":
        done_at = first if was == "done" else first or given.get("completed_at")
        item["completed_at"] = done_at or fact.recorded_at
    _reopened(state, str(item.get("id")), before and not is_closed(item))
    return None


def _reopened(state: ViewState, key: str, now: bool) -> None:
    opened: list[str] = state.head.setdefault("reopened", [])
    if now and key not in opened:
        opened.append(key)


def _archived(state: ViewState, fact: Fact) -> str | None:
    item = _known(state, fact)
    if isinstance(item, str):
        return item
    item["status"] = "archived"
    if (done := text_in(fact.payload, "completed_at")) is not None:
        item["completed_at"] = done
    return None


def _merged(state: ViewState, fact: Fact) -> str | None:
    key, fields = text_in(fact.payload, "id"), fact.payload.get("fields")
    if key is None:
        return NO_ID
    if not isinstance(fields, Mapping) or not fields:
        return EMPTY
    item = state.items.get(key)
    if item is None:
        item = state.items.put(key, {})
    before = is_closed(item)
    item.update({"id": key, **{name: value for name, value in fields.items() if name != "id"}})
    _reopened(state, key, before and not is_closed(item))
    return None


def _known(state: ViewState, fact: Fact) -> dict[str, Any] | str:
    """The item that a fact is about, or why there is none."""
    key = text_in(fact.payload, "id")
    if key is None:
        return NO_ID
    return state.items.get(key) or UNKNOWN_ID


def _document(state: ViewState) -> dict[str, Any]:
    return {
        "version": 1,
        "items": list(state.items.values()),
        "reopened": list(state.head.get("reopened", ())),
    }


VIEW: Final = View(
    NAME,
    1,
    (NAME,),
    {
        CREATED: _created,
        UPDATED: _updated,
        ARCHIVED: _archived,
        MERGED: _merged,
        "migration_started": ignored,
        "migration_completed": ignored,
        INGESTED: ignored,
    },
    _document,
)
