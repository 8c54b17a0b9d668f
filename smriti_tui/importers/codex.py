"""Sessions of Codex: JSON lines of two eras, read twice, since what is read and what was taken back
shows at the end alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import count
from typing import Final

from smriti_tui.domain.imported import (
    ImportedTurn,
    SideBranch,
    Skipped,
    Thread,
    first_words,
    moment,
)
from smriti_tui.importers.codex_parts import items, mapping, text_of
from smriti_tui.importers.codex_records import Entry, entries
from smriti_tui.importers.codex_turns import Builder, RolledBack, Telling
from smriti_tui.importers.files import SourceFile

KINDS: Final = frozenset({
    "session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state",
})  # fmt: skip
MAX_SKIPPED: Final = 10_000
"""Broken lines that are named; more are counted."""
_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def is_codex(record: dict[str, object]) -> bool:
    """Whether a line is one of a Codex session: in an envelope, or the first of an old one."""
    if isinstance(record.get("payload"), dict):
        return text_of(record.get("type")) in KINDS
    if {"id", "timestamp", "instructions"} <= record.keys():
        return isinstance(record["id"], str) and "type" not in record
    return record.get("record_type") == "state"


def threads(file: SourceFile) -> Iterator[Thread | Skipped]:
    """The one conversation of a file. Raises: SmritiError, Cancelled."""
    facts = _Facts(file.name)
    surveys = {telling: _Survey(telling) for telling in Telling}
    for entry in entries(file):
        facts.take(entry)
        if isinstance(entry, Entry):
            for each in surveys.values():
                each.take(entry)
    telling = facts.telling
    survey = surveys[telling]
    if survey.count == 0:
        yield from facts.skipped
        yield Skipped(f"session {facts.session_id}", "no turns in it")
        return
    yield Thread(
        tool="codex",
        source_id=facts.session_id,
        title=facts.name or survey.title,
        turns=partial(_turns, file, telling, survey.active.parts()),
        count=survey.active.length(),
        created_at=facts.created_at,
        updated_at=facts.updated_at,
        project=facts.cwd,
        model=survey.model,
        branches=tuple(survey.branches(file)),
        skipped=tuple(facts.skipped),
        left_out=facts.left_out | survey.left_out(),
        notes=tuple(facts.notes),
        forked_from=facts.forked_from,
    )


def _turns(
    file: SourceFile, telling: Telling, parts: tuple[tuple[int, int], ...]
) -> Iterator[ImportedTurn]:
    """The turns whose numbers in the file are in one of the ranges, which are in order."""
    builder, number, place = Builder(telling, keep=True), count(), 0
    for entry in entries(file):
        if place == len(parts):
            return
        if isinstance(entry, Skipped):
            continue
        for each in builder.take(entry):
            if isinstance(each, RolledBack):
                continue
            now = next(number)
            while place < len(parts) and now >= parts[place][1]:
                place += 1
            if place < len(parts) and now >= parts[place][0]:
                yield each


class _Facts:
    """What a file says of its session."""

    def __init__(self, file_name: str) -> None:
        in_name = _UUID.findall(file_name)
        self._id_of_name = in_name[-1].lower() if in_name else ""
        self._id = ""
        self._first = ""
        self._known = False
        self._told: set[Telling] = set()
        self.name = ""
        self.created_at: str | None = None
        self.updated_at: str | None = None
        self.cwd: str | None = None
        self.forked_from: str | None = None
        self.skipped: list[Skipped] = []
        self.left_out: Counter[str] = Counter()
        self.notes: list[str] = []

    @property
    def session_id(self) -> str:
        return self._id or self._id_of_name or self._first or "unknown"

    @property
    def telling(self) -> Telling:
        """The first of the ways that the file has."""
        return next((each for each in Telling if each in self._told), Telling.HISTORY)

    def take(self, entry: Entry | Skipped) -> None:
        if isinstance(entry, Skipped):
            if len(self.skipped) < MAX_SKIPPED:
                self.skipped.append(entry)
            else:
                self.left_out["further broken lines"] += 1
            return
        if not self._first:
            self._first = sha256(repr(entry).encode("utf-8", "replace")).hexdigest()[:32]
        self.created_at = self.created_at or entry.at
        self.updated_at = entry.at or self.updated_at
        if entry.kind == "session_meta" and not self._known:
            self._meta(entry.payload)
        elif entry.kind == "turn_context":
            self.cwd = self.cwd or text_of(entry.payload.get("cwd")) or None
        elif entry.kind == "event_msg":
            self._event(entry.payload)

    def _meta(self, payload: dict[str, object]) -> None:
        """The first counts: a fork repeats that of the session it came from."""
        found = text_of(payload.get("id"))
        if not found:
            return
        self._known = True
        # With the first line broken, this may be the other session's.
        self._id = self._id_of_name if self.skipped and self._id_of_name else found
        self.created_at = moment(payload.get("timestamp")) or self.created_at
        self.cwd = text_of(payload.get("cwd")) or self.cwd
        self.forked_from = text_of(payload.get("forked_from_id")) or None
        self._source(payload)

    def _source(self, payload: dict[str, object]) -> None:
        source = payload.get("source")
        told = mapping(source)
        agent = next(
            (told[key] for key in ("subagent", "sub_agent", "subAgent") if key in told), ""
        )
        as_word = isinstance(source, str) and source.lower().replace("_", "").startswith("subagent")
        if not (agent or as_word or payload.get("thread_source") == "subagent"):
            return
        parent = text_of(mapping(mapping(agent).get("thread_spawn")).get("parent_thread_id"))
        started = f", started by session {parent}" if parent else ""
        self.notes.append(f"It is the session of a sub-agent{started}.")

    def _event(self, payload: dict[str, object]) -> None:
        kind = payload.get("type")
        if kind in ("user_message", "agent_message"):
            if text_of(payload.get("message")).strip() or items(payload.get("images")):
                self._told.add(Telling.EVENTS)
        elif kind == "item_completed":
            item = mapping(payload.get("item"))
            what = text_of(item.get("type")).replace("_", "").lower()
            if what in ("usermessage", "agentmessage") and item.get("content"):
                self._told.add(Telling.ITEMS)
        elif kind == "thread_name_updated":
            self.name = first_words(text_of(payload.get("thread_name"))) or self.name


# ---- what was taken back -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Line:
    """A line of a conversation as ranges of turns, the last one first: lines share beginnings."""

    start: int = 0
    end: int = 0
    before: _Line | None = None

    def parts(self) -> tuple[tuple[int, int], ...]:
        found, at = [], self if self.end else None
        while at is not None:
            found.append((at.start, at.end))
            at = at.before
        return tuple(reversed(found))

    def length(self, since: int = 0) -> int:
        """How many turns it has that are not before a number."""
        return sum(end - max(start, since) for start, end in self.parts() if end > since)

    def until(self, number: int) -> _Line:
        """The turns before a number."""
        at: _Line | None = self
        while at is not None and at.start >= number:
            at = at.before
        return _Line(at.start, min(at.end, number), at.before) if at is not None else _Line()

    def with_turn(self, number: int) -> _Line:
        if self.end == number and number:
            return _Line(self.start, number + 1, self.before)
        return _Line(number, number + 1, self if self.end else None)


class _Survey:
    """Counts the turns of one way of telling, and keeps which of them were taken back."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._builder = Builder(telling, keep=False)
        self._persons: list[int] = []
        """Numbers of the person's turns on the active line."""
        self._back: list[tuple[_Line | None, str, int]] = []
        """The line as it was, the id of its last turn, and the number from which on it was cut."""
        self._models: Counter[str] = Counter()
        self._last_id = ""
        self._fresh = False
        """Whether there is a turn since the last roll-back."""
        self._first_title = self._title = ""
        self.active = _Line()
        self.count = 0

    def take(self, entry: Entry) -> None:
        for each in self._builder.take(entry):
            if isinstance(each, RolledBack):
                self._cut(each.turns)
            else:
                self._add(each)

    def _add(self, turn: ImportedTurn) -> None:
        if turn.role == "user":
            if not self._persons:
                self._title = first_words(turn.text)
                self._first_title = self._first_title or self._title
            self._persons.append(self.count)
        if turn.model:
            self._models[turn.model] += 1
        self.active = self.active.with_turn(self.count)
        self.count += 1
        self._last_id, self._fresh = turn.source_id, True

    def _cut(self, turns: int) -> None:
        if not self._persons:
            return
        cut = self._persons[max(len(self._persons) - turns, 0)]
        # Without a turn since, the line is the beginning of one that is kept already.
        self._back.append((self.active if self._fresh else None, self._last_id, cut))
        self._fresh = False
        del self._persons[max(len(self._persons) - turns, 0) :]
        self.active = self.active.until(cut)

    @property
    def title(self) -> str:
        return self._title if self._persons else self._first_title

    @property
    def model(self) -> str | None:
        return self._models.most_common(1)[0][0] if self._models else None

    def left_out(self) -> Counter[str]:
        found = Counter(self._builder.left_out)
        if self._builder.waiting:
            found["details after the last turn"] += self._builder.waiting
        return found

    def branches(self, file: SourceFile) -> Iterator[SideBranch]:
        """The lines that were taken back, each with all its turns."""
        found, lowest = [], self.count
        for line, last_id, cut in reversed(self._back):
            lowest = min(lowest, cut)
            if line is not None:
                turns = partial(_turns, file, self._telling, line.parts())
                found.append(SideBranch(last_id, turns, line.length(lowest)))
        return reversed(found)
