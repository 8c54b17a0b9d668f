"""Where the turns of an imported line belong: into a session that holds its beginning, into one
that forks from it, or into a new one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.import_report import PlaceKind
from smriti_tui.domain.imported import ImportedTurn, Thread
from smriti_tui.domain.values import repair_text, sha256
from smriti_tui.services.caller import Caller
from smriti_tui.store import imported, sessions
from smriti_tui.store.imported import Held

MORE: Final = "+"
"""Behind the id of a turn: the rest of one that was imported while it was being written."""


@dataclass(frozen=True)
class Place:
    """What is to be done with a line."""

    kind: PlaceKind
    base: Held | None
    """The session that holds its beginning; None for a new one."""
    numbers: tuple[int, ...]
    """The turns of that session that are those of the line, in their order."""
    rest: Iterator[ImportedTurn]
    """Those of the line that it does not hold."""
    changed: tuple[int, ...] = ()
    """Turns that have another text in the tool by now; here they stay."""
    candidates: tuple[tuple[str, int], ...] = ()
    """What was looked at, so that it is seen when somebody writes there meanwhile."""
    first: str = ""
    """The id of the line's first turn."""

    @property
    def last(self) -> int:
        """The last turn of the base that is common; 0 for none."""
        return self.numbers[-1] if self.numbers else 0


@dataclass(frozen=True)
class _Known:
    """A turn of the tool as a session holds it: mostly one turn, more where it came in parts."""

    first: int
    last: int
    name: str
    digest: str | None
    """Of the text of one that came whole."""


@dataclass(frozen=True)
class _Candidate:
    held: Held
    turns: list[_Known]

    def matches(self, place: int, turn: ImportedTurn) -> bool:
        """Whether the next turn of the session is this one; one of its own ends what is common."""
        if place >= len(self.turns):
            return False
        before = self.turns[place - 1].last if place else 0
        here = self.turns[place]
        return here.first == before + 1 and here.name == sound(turn.source_id)

    def ends_at(self, place: int) -> bool:
        """Whether it holds these turns and nothing else."""
        last = self.turns[place - 1].last if place else 0
        return self.held.as_imported and self.held.last_seq == last


def place(caller: Caller, space: SpaceId, thread: Thread, turns: Iterator[ImportedTurn]) -> Place:
    """Compares a line with what was imported before, turn by turn, by their ids in the tool.

    Raises: SmritiError (the file).
    """
    first = next(turns, None)
    if first is None:
        return Place("known", None, (), iter(()))
    alive = _candidates(caller, space, thread, first)
    comparing = _Comparing(caller, signature([each.held for each in alive]))
    for turn in chain([first], turns):
        matching = [each for each in alive if each.matches(comparing.common, turn)]
        if not matching:
            found = comparing.placed(alive, chain([turn], turns))
            break
        alive = matching
        comparing.match(_best(alive, comparing.common + 1), turn)
    else:
        found = comparing.placed(alive, iter(()))
    return replace(found, first=first.source_id)


@dataclass
class _Comparing:
    """How far a line is known."""

    caller: Caller
    looked_at: tuple[tuple[str, int], ...]
    common: int = 0
    last: ImportedTurn | None = None
    """The newest turn that is known, if it has another text by now."""

    def __post_init__(self) -> None:
        self._changed: list[int] = []

    def match(self, candidate: _Candidate, turn: ImportedTurn) -> None:
        """The next turn is known."""
        here = candidate.turns[self.common]
        digest = sha256(sound(turn.text))
        self.last = None
        if here.digest != digest:
            self.last = turn
            if here.digest is not None:
                self._changed.append(here.first)
        self.common += 1

    def placed(self, alive: list[_Candidate], rest: Iterator[ImportedTurn]) -> Place:
        """Where the rest goes."""
        if not self.common:
            return Place("new", None, (), rest, (), self.looked_at)
        best = _best(alive, self.common)
        following = next(rest, None)
        if best.ends_at(self.common) and (more := self._more(best)) is not None:
            rest = chain([more], [following] if following else [], rest)
            following = more
        elif following is not None:
            rest = chain([following], rest)
        kind: PlaceKind = "known"
        if best.held.deleted:
            kind = "deleted"
        elif following is not None:
            kind = "grown" if best.ends_at(self.common) else "forked"
        numbers = tuple(each.last for each in best.turns[: self.common])
        return Place(kind, best.held, numbers, rest, tuple(self._changed), self.looked_at)

    def _more(self, best: _Candidate) -> ImportedTurn | None:
        """The rest of the last turn, where it was imported while it was being written."""
        here = best.turns[self.common - 1]
        if self.last is None:
            return None
        with self.caller.read() as tx:
            parts = sessions.turns_between(tx, best.held.session, here.first, here.last)
        held = "".join(part.text for part in parts)
        said = sound(self.last.text)
        if not said.startswith(held) or len(said) == len(held):
            return None
        if self._changed and self._changed[-1] == here.first:
            self._changed.pop()
        name = f"{self.last.source_id}{MORE}"
        return replace(self.last, source_id=name, text=said[len(held) :], details=(), usage=None)


def sound(text: str) -> str:
    """A text, or an id, as the store keeps it (DESIGN 10.3)."""
    return repair_text(text)[0]


def signature(found: list[Held]) -> tuple[tuple[str, int], ...]:
    """By which it is seen that sessions came, went or grew."""
    return tuple(sorted((each.session, each.changed) for each in found))


def look(caller: Caller, space: SpaceId, thread: Thread, first: str) -> list[Held]:
    """The sessions that may hold the beginning of a line whose first turn has that id."""
    with caller.read() as tx:
        names = {sound(thread.source_id)}
        if thread.forked_from is not None:
            names.add(sound(thread.forked_from))
        if thread.wide_ids:
            names.update(imported.threads_with(tx, thread.tool, sound(first)))
        return imported.holding(tx, space, thread.tool, sorted(names))


def _candidates(
    caller: Caller, space: SpaceId, thread: Thread, first: ImportedTurn
) -> list[_Candidate]:
    found = look(caller, space, thread, first.source_id)
    with caller.read() as tx:
        return [_Candidate(each, _known(imported.turn_ids(tx, each.session))) for each in found]


def _known(rows: list[tuple[int, str, str]]) -> list[_Known]:
    found: list[_Known] = []
    for number, name, digest in rows:
        before = found[-1] if found else None
        if before and name.rstrip(MORE) == before.name and name.endswith(MORE):
            found[-1] = replace(before, last=number, digest=None)
        else:
            found.append(_Known(number, number, name, digest))
    return found


def _best(alive: list[_Candidate], common: int) -> _Candidate:
    """One that ends where the line goes on, else the oldest; one that is there before one that was
    deleted."""
    return min(alive, key=lambda each: (each.held.deleted, not each.ends_at(common)))
