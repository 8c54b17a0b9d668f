"""What a model's answer to a review holds: as much of it as can be used, and what cannot.

Labels become the ids of what they name. One that names nothing is told and left out, and so is a
change that needs it: the finding stays, since a person can read it, and nothing is put in its
place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from smriti_tui.domain.findings import Change, Finding, FindingKind
from smriti_tui.domain.items import comparison_key
from smriti_tui.domain.model import CheckpointBody
from smriti_tui.domain.reply_json import read_object
from smriti_tui.domain.review_text import entity_labels
from smriti_tui.domain.reviewed import MODEL_KINDS, labels_of, parts_of

MOST_FINDINGS = 20
MOST_CHARACTERS = 2_000
"""Of one text of a finding; what is longer is cut, and ends in a sign that says so."""
_KNOWN = frozenset({"findings", "issues", "suggestions"})
_KINDS: Mapping[str, FindingKind] = MappingProxyType({kind: kind for kind in MODEL_KINDS})
_LABEL = re.compile(r"\b([ADTQE]) ?0*(\d{1,4})\b")


@dataclass(frozen=True)
class ReviewReply:
    """The usable part of an answer. The findings have no ids yet."""

    findings: tuple[Finding, ...]
    problems: tuple[str, ...] = ()


@dataclass
class _Reading:
    body: CheckpointBody
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.uids = {
            label: uid for uid, label in labels_of(self.body).items() if _LABEL.fullmatch(label)
        }
        self.parts = parts_of(self.body)
        self.entities = entity_labels(self.body)

    def leave(self, what: str) -> None:
        self.problems.append(what)


def read_review(answer: str, body: CheckpointBody) -> ReviewReply | None:
    """The findings in a model's answer on `body`; None where no object with a list of them stands
    in it, as in a refusal."""
    found = read_object(answer, _KNOWN)
    given = _entries(found.value) if found is not None else None
    if found is None or given is None:
        return None
    reading = _Reading(body)
    if found.cut:
        reading.leave("the answer breaks off; only what came whole was taken")
    kept: list[Finding] = []
    for entry in given:
        made = _finding(reading, entry)
        if made is None:
            reading.leave("a finding has no text")
        elif (made.kind, made.items, made.text) not in {(f.kind, f.items, f.text) for f in kept}:
            kept.append(made)
    if len(kept) > MOST_FINDINGS:
        reading.leave(f"{len(kept)} findings came; the first {MOST_FINDINGS} are kept")
    return ReviewReply(tuple(kept[:MOST_FINDINGS]), tuple(dict.fromkeys(reading.problems)))


def _entries(value: Mapping[str, object]) -> list[object] | None:
    """The findings, also by the name of the original's answers, and one that is alone."""
    name = "findings" if "findings" in value else "issues"
    given = value.get(name)
    if given is None and name in value:
        return []
    if isinstance(given, dict):
        return [given]
    return given if isinstance(given, list) else None


def _finding(reading: _Reading, entry: object) -> Finding | None:
    if isinstance(entry, str):
        return Finding("", "other", "model", _cut(entry)) if entry.strip() else None
    if not isinstance(entry, dict):
        return None
    text = _first(entry, "text", "description", "message", "finding")
    if not text:
        return None
    kind = _kind(_first(entry, "kind", "type"))
    given = entry.get("items", entry.get("labels"))
    names = list(_names(given))
    items = tuple(dict.fromkeys(_uids(reading, names)))
    return Finding(
        id="",
        kind=kind,
        origin="model",
        text=_cut(text),
        items=items,
        why=_cut(_first(entry, "why", "reason", "explanation")),
        suggestion=_suggestion(reading, kind, entry.get("suggestion"), names),
    )


def _kind(word: str) -> FindingKind:
    name = re.sub(r"[\s-]+", "_", word.strip().lower())
    return _KINDS.get(name, "other")


def _first(entry: Mapping[str, object], *names: str) -> str:
    values = (entry.get(name) for name in names)
    return next((each.strip() for each in values if isinstance(each, str) and each.strip()), "")


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"


def _names(given: object) -> Iterator[str]:
    """The labels in a list of them, in one text, or the words that stand in their place."""
    for each in given if isinstance(given, list) else [given]:
        if not isinstance(each, str):
            continue
        found = [f"{match[1]}{match[2]}" for match in _LABEL.finditer(each)]
        if found:
            yield from found
        elif each.strip():
            yield each.strip()


def _uids(reading: _Reading, names: list[str]) -> Iterator[str]:
    """Entities have no id: what points at one says so in its text and its change."""
    for name in names:
        uid = _uid(reading, name)
        if uid is not None:
            yield uid
        elif _entity(reading, name) is None:
            reading.leave(f"{name!r} names nothing of the checkpoint")


def _uid(reading: _Reading, name: str) -> str | None:
    uid = reading.uids.get(name)
    return uid if uid is not None and reading.parts[uid][1].state == "live" else None


def _entity(reading: _Reading, name: str) -> str | None:
    if name in reading.entities:
        return reading.entities[name]
    wanted = comparison_key(name)
    same = (each for each in reading.entities.values() if comparison_key(each) == wanted)
    return next(same, None) if wanted else None


# ---- changes -----------------------------------------------------------------------------------


def _suggestion(
    reading: _Reading, kind: FindingKind, given: object, names: list[str]
) -> Change | None:
    """The change as it can be made. An entity that is said to be unused has only one."""
    made = _change(reading, given, names) if isinstance(given, dict) else None
    if made is None and isinstance(given, dict) and given.get("change") not in (None, "", "none"):
        reading.leave("a suggestion names nothing that it could change")
    if made is None and kind == "unused_entity":
        entities = [each for name in names if (each := _entity(reading, name)) is not None]
        return Change("drop_entity", text=entities[0]) if len(entities) == 1 else None
    return made


def _change(reading: _Reading, given: Mapping[str, object], names: list[str]) -> Change | None:
    what = re.sub(r"[\s-]+", "_", _first(given, "change", "kind", "type").lower())
    text = _cut(_first(given, "text"))
    named = next(iter(_names(given.get("item"))), "")
    uid = _uid(reading, named)
    by = next((_uid(reading, name) for name in _names(given.get("by"))), None)
    match what:
        case "retire" | "resolve":
            return Change("retire", uid, by=by if by != uid else None) if uid else None
        case "reword":
            return Change("reword", uid, text=text) if uid and text else None
        case "add_assumption" | "add":
            links = (uid,) if uid else tuple(_links(reading, names))
            return Change("add", kind="assumptions", text=text, links=links) if text else None
        case "drop_entity" | "drop":
            entity = _entity(reading, named) or _entity(reading, text)
            return Change("drop_entity", text=entity) if entity else None
    return None


def _links(reading: _Reading, names: list[str]) -> Iterator[str]:
    yield from (uid for name in names if (uid := _uid(reading, name)) is not None)
