"""What a model's answer to a draft holds: as much of it as can be used, and what cannot.

Answers come wrongly typed, cut or not at all (`reply_json` finds the object in them). Nothing is
invented to fill a field: what has no text is left out and told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from smriti_tui.domain.items import KINDS, comparison_key
from smriti_tui.domain.model import Evidence, Intent, Item, Task, TaskStatus
from smriti_tui.domain.reply_json import read_object

_INTENTS: Mapping[str, Intent] = {
    "implement": "implement",
    "review": "review",
    "investigate": "investigate",
    "docs": "docs",
    "test": "test",
}
_TEXTS = ("title", "objective", "summary")
_ECHOES = frozenset(
    {
        "three to six words",
        "three to eight words",
        "one sentence",
        "two to five sentences",
        "implement, review, investigate, docs, test or null",
        "open or done",
    }
)
"""What the questions' shapes say in the place of a text; weak models hand it back."""
_KNOWN = frozenset({*_TEXTS, *KINDS, "entities"})
_TEXT_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "decisions": ("text", "description", "decision"),
        "assumptions": ("text", "description", "assumption"),
        "tasks": ("text", "description", "task"),
        "open_questions": ("text", "description", "question"),
        "entities": ("text", "name", "entity"),
    }
)
"""By which names models call the text of an entry."""
_CITED = ("turn", "lines", "line")
"""By which names entries say where they stand."""
_TURN = re.compile(r"\d+")
_POINT = re.compile(r"\s*(?:[-*\u2022]|\d{1,3}[.)])\s+")
_LABEL = re.compile(r"[A-Za-z_]{0,16}[ _-]?\d{1,4}")
_PLACE = re.compile(r"\s*(?:A|assumptions?)?[ #_]?(\d{1,4})\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Proposed:
    """An item as the model proposes it."""

    kind: str
    """One of `KINDS`."""
    text: str
    quote: str = ""
    turn: int | None = None
    """Where it says it stands: the number of a turn; of something extracted, that of a line."""
    id: str | None = None
    intent_hint: Intent | None = None
    blocked_by: tuple[str, ...] = ()
    status: TaskStatus = "open"
    rests_on: tuple[str, ...] = ()
    """Texts of items of the same answer, as given."""

    def stored(self, evidence: Evidence) -> Item | Task:
        """As a checkpoint takes it, without a uid; what it says to rest on is no link yet."""
        if self.kind != "tasks":
            return Item("", self.text, evidence=(evidence,))
        return Task(
            "",
            self.text,
            id=self.id,
            intent_hint=self.intent_hint,
            blocked_by=self.blocked_by,
            status=self.status,
            evidence=(evidence,),
        )


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
    cut: bool = False
    """The answer ends or breaks on the way: what came whole is here, and more was meant."""

    @property
    def blank(self) -> bool:
        """Whether all that came was unusable. One that has nothing to say is not."""
        held = self.title or self.objective or self.summary or self.items or self.entities
        return not held and bool(self.problems)


@dataclass
class _Reading:
    problems: list[str] = field(default_factory=list)

    def leave(self, what: str) -> None:
        self.problems.append(what)


def read_reply(answer: str) -> Reply | None:
    """The draft in a model's answer; None where no object with a known field stands in it, as in a
    refusal or an answer that was cut before its first field was whole."""
    found = read_object(answer, _KNOWN)
    if found is None:
        return None
    given, reading = found.value, _Reading()
    if found.cut:
        reading.leave("the answer breaks off; only what came whole was taken")
    if found.mended:
        reading.leave("quotation marks inside texts were not marked as such; compare them")
    entries = {kind: _listed(reading, given, kind) for kind in KINDS}
    items = [
        item
        for kind in KINDS
        for item in _distinct(reading, kind, entries[kind], entries["assumptions"])
    ]
    texts = {name: _text(reading, given, name) for name in _TEXTS}
    for name in given:
        if name not in _KNOWN:
            reading.leave(f"the field {name!r} is none of a checkpoint's")
    return Reply(
        title=" ".join(texts["title"].split()),
        objective=texts["objective"],
        summary=texts["summary"],
        items=tuple(items),
        entities=_names(reading, given),
        problems=tuple(_counted(reading.problems)),
        cut=found.cut,
    )


def _counted(problems: Sequence[str]) -> Iterator[str]:
    """Each once: a weak model makes the same mistake in twenty entries."""
    for problem, count in Counter(problems).items():
        yield problem if count == 1 else f"{problem} ({count} times)"


def _text(reading: _Reading, given: Mapping[str, object], name: str) -> str:
    value = given.get(name)
    if isinstance(value, str) and _echoes(value):
        reading.leave(f"{name} repeats the question")
        return ""
    if value is None or isinstance(value, str):
        return (value or "").strip()
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(value).strip()
    reading.leave(f"{name} is no text")
    return ""


def _echoes(text: str) -> bool:
    return text.strip().rstrip(".").casefold() in _ECHOES


def _listed(reading: _Reading, given: Mapping[str, object], name: str) -> list[object]:
    """The entries of a field, also where it is no list: one item, its lines, or a list in it."""
    value = given.get(name)
    if value is None:
        return []
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [*_lines(value)]
    if isinstance(value, dict):
        return _inside(reading, value, name)
    reading.leave(f"{name} is no list")
    return []


def _lines(text: str) -> list[str]:
    """The points of a list that came as one text; else the text as it is."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(_POINT.match(line) for line in lines):
        return [_POINT.sub("", line) for line in lines]
    return [text]


def _inside(reading: _Reading, value: dict[str, object], name: str) -> list[object]:
    if any(isinstance(value.get(key), str) for key in _TEXT_NAMES[name]):
        return [value]
    lists = [each for each in value.values() if isinstance(each, list)]
    if len(value) == len(lists) == 1:
        return lists[0]
    for key in ("items", name):
        if isinstance(given := value.get(key), list):
            return given
    if value and all(_LABEL.fullmatch(key) for key in value):
        return [*value.values()]
    if value:
        reading.leave(f"{name} is no list")
    return []


def _names(reading: _Reading, given: Mapping[str, object]) -> tuple[str, ...]:
    entries = _listed(reading, given, "entities")
    if isinstance(given.get("entities"), str):
        entries = [part for each in entries if isinstance(each, str) for part in each.split(",")]
    texts = [_said(each, "entities").strip() for each in entries]
    if any(
        not text and not isinstance(each, str) for text, each in zip(texts, entries, strict=True)
    ):
        reading.leave("an entry of entities has no text")
    return tuple(dict.fromkeys(text for text in texts if text))


def _distinct(
    reading: _Reading, kind: str, entries: list[object], assumed: Sequence[object]
) -> Iterator[Proposed]:
    seen: set[str] = set()
    for entry in entries:
        item = _item(reading, kind, entry, assumed)
        if item is None:
            reading.leave(f"an entry of {kind} has no text")
            continue
        if _echoes(item.text):
            reading.leave(f"an entry of {kind} repeats the question")
            continue
        key = comparison_key(item.text) or item.text
        if key not in seen:
            seen.add(key)
            yield item


def _said(entry: object, kind: str) -> str:
    """The text of an entry, by whichever name it has there."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        return ""
    values = (entry.get(name) for name in _TEXT_NAMES[kind])
    return next((value for value in values if isinstance(value, str) and value.strip()), "")


def _item(
    reading: _Reading, kind: str, entry: object, assumed: Sequence[object]
) -> Proposed | None:
    text = _said(entry, kind).strip()
    if not text:
        return None
    if not isinstance(entry, dict):
        return Proposed(kind, text)
    quote = entry.get("quote")
    found = Proposed(
        kind,
        text,
        quote.strip() if isinstance(quote, str) else "",
        _number(next((entry[name] for name in _CITED if entry.get(name) is not None), None)),
        rests_on=tuple(_grounds(reading, entry.get("rests_on"), assumed)),
    )
    return _task(reading, found, entry) if kind == "tasks" else found


def _grounds(reading: _Reading, value: object, assumed: Sequence[object]) -> Iterator[str]:
    """Texts as given; a number, also as `A2`, is the place of an assumption in this answer."""
    for each in value if isinstance(value, list) else [value]:
        number = _place(each)
        if number is not None and 0 < number <= len(assumed):
            text = _said(assumed[number - 1], "assumptions").strip()
        else:
            text = "" if number is not None else _said(each, "assumptions").strip()
        if text:
            yield text
        elif each not in (None, ""):
            reading.leave("something that an item rests on is none of the assumptions")


def _place(value: object) -> int | None:
    found = _PLACE.fullmatch(value) if isinstance(value, str) else None
    if found is not None:
        return int(found.group(1))
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _task(reading: _Reading, item: Proposed, entry: Mapping[str, object]) -> Proposed:
    given_id, intent = entry.get("id"), entry.get("intent_hint", entry.get("intent"))
    blocked = entry.get("blocked_by")
    names = blocked if isinstance(blocked, list) else [] if blocked is None else [blocked]
    blockers = [_said(each, "tasks").strip() for each in names]
    if not all(blockers):
        reading.leave(f"what blocks {item.text!r} is no text")
    return replace(
        item,
        id=given_id.strip() or None if isinstance(given_id, str) else None,
        intent_hint=_INTENTS.get(intent.strip().lower()) if isinstance(intent, str) else None,
        blocked_by=tuple(name for name in blockers if name),
        status="done" if entry.get("status") == "done" else "open",
    )


def _number(value: object) -> int | None:
    """A turn's number, also written as `t16`, `turn 16`, 16.0, or as the first of several."""
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, int):
        return value
    found = _TURN.search(value) if isinstance(value, str) else None
    return int(found.group()[:9]) if found else None
