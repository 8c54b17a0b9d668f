"""What a model's answer to a draft holds: as much of it as can be used, and what cannot.

Answers come fenced, with talk around them, wrongly typed, cut or not at all. Nothing is invented to
fill a field: what has no text is left out and told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from smriti_tui.domain.items import KINDS, comparison_key
from smriti_tui.domain.model import Intent, TaskStatus

_INTENTS: Mapping[str, Intent] = {
    "implement": "implement",
    "review": "review",
    "investigate": "investigate",
    "docs": "docs",
    "test": "test",
}
_TEXTS = ("title", "objective", "summary")
_KNOWN = {*_TEXTS, *KINDS, "entities"}
_TURN = re.compile(r"\d+")
MOST_STARTS = 200
"""How many braces are tried as the beginning of the object."""


@dataclass(frozen=True)
class Proposed:
    """An item as the model proposes it."""

    kind: str
    """One of `KINDS`."""
    text: str
    quote: str = ""
    turn: int | None = None
    id: str | None = None
    intent_hint: Intent | None = None
    blocked_by: tuple[str, ...] = ()
    status: TaskStatus = "open"
    rests_on: tuple[str, ...] = ()
    """Texts of items of the same answer, as given."""


@dataclass(frozen=True)
class Reply:
    """The usable part of an answer."""

    title: str = ""
    objective: str = ""
    summary: str = ""
    items: tuple[Proposed, ...] = ()
    entities: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    """What was left out, in the person's words."""


@dataclass
class _Reading:
    problems: list[str] = field(default_factory=list)

    def leave(self, what: str) -> None:
        self.problems.append(what)


def read_reply(answer: str) -> Reply | None:
    """The draft in a model's answer; None where no object with a known field stands in it, as in a
    refusal or an answer that was cut."""
    given = next(_objects(answer), None)
    if given is None:
        return None
    reading = _Reading()
    items = [
        item for kind in KINDS for item in _distinct(reading, kind, _listed(reading, given, kind))
    ]
    texts = {name: _text(reading, given, name) for name in _TEXTS}
    entities = [
        text
        for text in _listed(reading, given, "entities")
        if isinstance(text, str) and text.strip()
    ]
    for name in given.keys() - _KNOWN:
        reading.leave(f"the field {name!r} is none of a checkpoint's")
    return Reply(
        title=" ".join(texts["title"].split()),
        objective=texts["objective"],
        summary=texts["summary"],
        items=tuple(items),
        entities=tuple(dict.fromkeys(text.strip() for text in entities)),
        problems=tuple(reading.problems),
    )


def _objects(answer: str) -> Iterator[dict[str, object]]:
    """The JSON objects in a text that have a known field, in their order. Fences and talk around
    them do not matter; a fence inside a value does neither."""
    decoder = json.JSONDecoder()
    at, tried = answer.find("{"), 0
    while at >= 0 and tried < MOST_STARTS:
        tried += 1
        try:
            found, end = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(found, dict) and found.keys() & _KNOWN:
                yield found
        at = answer.find("{", end)


def _text(reading: _Reading, given: Mapping[str, object], name: str) -> str:
    value = given.get(name)
    if value is None or isinstance(value, str):
        return (value or "").strip()
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(value).strip()
    reading.leave(f"{name} is no text")
    return ""


def _listed(reading: _Reading, given: Mapping[str, object], name: str) -> list[object]:
    value = given.get(name)
    if value is None:
        return []
    if isinstance(value, str | dict):
        return [value]
    if isinstance(value, list):
        return value
    reading.leave(f"{name} is no list")
    return []


def _distinct(reading: _Reading, kind: str, entries: list[object]) -> Iterator[Proposed]:
    seen: set[str] = set()
    for entry in entries:
        item = _item(kind, entry)
        if item is None:
            reading.leave(f"an entry of {kind} has no text")
            continue
        key = comparison_key(item.text) or item.text
        if key not in seen:
            seen.add(key)
            yield item


def _item(kind: str, entry: object) -> Proposed | None:
    if isinstance(entry, str):
        return Proposed(kind, entry.strip()) if entry.strip() else None
    if not isinstance(entry, dict):
        return None
    text = entry.get("text", entry.get("description"))
    if not isinstance(text, str) or not text.strip():
        return None
    quote = entry.get("quote")
    found = Proposed(
        kind,
        text.strip(),
        quote.strip() if isinstance(quote, str) else "",
        _number(entry.get("turn")),
    )
    return _task(found, entry) if kind == "tasks" else found


def _task(item: Proposed, entry: Mapping[str, object]) -> Proposed:
    given_id, intent = entry.get("id"), entry.get("intent_hint", entry.get("intent"))
    blocked = entry.get("blocked_by")
    names = [blocked] if isinstance(blocked, str) else blocked if isinstance(blocked, list) else []
    return Proposed(
        item.kind,
        item.text,
        item.quote,
        item.turn,
        id=given_id.strip() or None if isinstance(given_id, str) else None,
        intent_hint=_INTENTS.get(intent.strip().lower()) if isinstance(intent, str) else None,
        blocked_by=tuple(each.strip() for each in names if isinstance(each, str) and each.strip()),
        status="done" if entry.get("status") == "done" else "open",
    )


def _number(value: object) -> int | None:
    """A turn's number, also written as `t16` or `turn 16`."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    found = _TURN.search(value) if isinstance(value, str) else None
    return int(found.group()[:9]) if found else None
