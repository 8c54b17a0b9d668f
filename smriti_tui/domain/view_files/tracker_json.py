"""`tracker.json`: the items of the tracker.

Taking a file in never opens what is closed, never forgets when something was done, and never takes
an item away: what a file leaves out is named and stays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.view_files.base import Taken, ViewFile
from smriti_tui.domain.view_files.lines import json_file
from smriti_tui.domain.views import tracker
from smriti_tui.domain.views.base import ViewState

FORM: Final = (
    "It is a JSON object with a list under `items`, as `smriti log export tracker` writes."
)
TEXTS: Final = ("title", "status", "lane", "priority", "notes", "source")
"""Fields that are a text where they are there."""


def render(state: ViewState) -> str:
    """The items in the order in which they came."""
    return json_file({"items": list(state.items.values()), "version": 1}) + "\n"


def parse(text: str) -> list[dict[str, Any]]:
    """All items of a file, each checked.

    Raises:
        Invalid: no JSON, another root, or an item that is none; it is named by its place.
    """
    try:
        root = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object)
    except RecursionError as error:
        raise Invalid("The file is nested too deeply.", FORM) from error
    except ValueError as error:
        raise Invalid(f"The file is no JSON: {error}.", FORM) from error
    if not isinstance(root, dict):
        raise Invalid("The file holds no JSON object.", FORM)
    items = root.get("items")
    if not isinstance(items, list):
        raise Invalid("`items` is not a list.", FORM, field="items")
    seen: dict[str, int] = {}
    for number, item in enumerate(items, 1):
        _check(item, number, seen)
    return items


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _check(item: object, number: int, seen: dict[str, int]) -> None:
    where = f"Item {number} of the file"
    if not isinstance(item, dict):
        raise Invalid(f"{where} is no object.", "Nothing was taken in.", field="items")
    key = item.get("id")
    if not isinstance(key, str) or not key.strip():
        raise Invalid(f"{where} has no id.", "Give it one; nothing was taken in.", field="id")
    if (fault := tracker.id_fault(key)) is not None:
        raise Invalid(f"{where}: {fault}", "Nothing was taken in.", field="id")
    if key in seen:
        what = f"{where} has the id of item {seen[key]} ({key})."
        raise Invalid(what, "Nothing was taken in.", field="id")
    seen[key] = number
    for name in TEXTS:
        if not isinstance(item.get(name, ""), str | None):
            what = f"{where} ({key}): `{name}` is no text."
            raise Invalid(what, "Nothing was taken in.", field=name)


def take(state: ViewState, text: str) -> Taken:
    """The changes of a file against the log, item by item in its order.

    Raises: Invalid, as `parse`.
    """
    taken, there = Taken(), set()
    for item in parse(text):
        key = str(item["id"])
        there.add(key)
        known = state.items.get(key)
        if known is None:
            taken.add("created", (tracker.CREATED, item))
        else:
            _change(taken, key, known, item)
    for key in state.items:
        if key not in there:
            taken.left.append(f"{key} is not in the file; it stays.")
    return taken


def _change(taken: Taken, key: str, known: Mapping[str, Any], item: Mapping[str, Any]) -> None:
    changed = {name: value for name, value in item.items() if not _same(known, name, value)}
    if tracker.is_closed(known) and not tracker.is_closed({**known, **changed}):
        for name in ("status", "lane", "completed_at"):
            changed.pop(name, None)
        taken.left.append(f"{key} is closed and stays closed; `smriti tracker set` re-opens it.")
    elif changed.get("completed_at", "") is None:
        del changed["completed_at"]  # When it was done is never forgotten.
    for name in known:
        if name not in item:
            taken.left.append(f"{key}: `{name}` is not in the file; it stays.")
    if changed.get("status") == "archived" and known.get("status") != "archived":
        del changed["status"]
        done = changed.pop("completed_at", None)
        if changed:
            taken.add("updated", (tracker.UPDATED, {"id": key, **changed}))
        archived = {"id": key} if done is None else {"id": key, "completed_at": done}
        taken.add("archived", (tracker.ARCHIVED, archived))
    elif changed:
        taken.add("updated", (tracker.UPDATED, {"id": key, **changed}))


def _same(known: Mapping[str, Any], name: str, value: object) -> bool:
    """Whether a field is as it was; 1, 1.0 and true are three values."""
    return name in known and json_file(known[name]) == json_file(value)


FILE: Final = ViewFile(tracker.NAME, "tracker.json", render, take, tracker.INGESTED)
