"""Where the turns of an imported line belong: into a session that holds its beginning, into one
that forks from it, or into a new one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.import_report import PlaceKind
from smriti_tui.domain.imported import ImportedTurn, Thread
from smriti_tui.domain.values import repair_text, sha256
from smriti_tui.services.caller import Caller
from smriti_tui.store import imported
from smriti_tui.store.imported import Held


@dataclass(frozen=True)
class Place:
    """What is to be done with a line."""

    kind: PlaceKind
    base: Held | None
    """The session that holds its beginning; None for a new one."""
    common: int
    """How many turns that session holds already."""
    rest: Iterator[ImportedTurn]
    """Those that it does not."""
    changed: tuple[int, ...]
    """Turns that have another text in the tool by now; here they stay."""
    candidates: tuple[tuple[str, int], ...]
    """What was looked at, so that it is seen when somebody writes there meanwhile."""


@dataclass
class _Candidate:
    held: Held
    turns: list[tuple[int, str, str]]


def place(caller: Caller, space: SpaceId, thread: Thread, turns: Iterator[ImportedTurn]) -> Place:
    """Compares a line with what was imported before, turn by turn, by their ids in the tool.

    Raises: SmritiError (the file).
    """
    first = next(turns, None)
    if first is None:
        return Place("known", None, 0, iter(()), (), ())
    alive = _candidates(caller, space, thread, first)
    looked_at = signature([each.held for each in alive])
    before: list[_Candidate] = []
    changed: list[int] = []
    common = 0
    for turn in chain([first], turns):
        matching = [each for each in alive if _holds(each, common, turn)]
        if not matching:
            base = _best(alive if common else [], common)
            return _placed(base, common, chain([turn], turns), tuple(changed), looked_at)
        before = alive = matching
        number, _, digest = matching[0].turns[common]
        if sha256(repair_text(turn.text)[0]) != digest:
            changed.append(number)
        common += 1
    base = _best(before, common)
    kind: PlaceKind = "deleted" if base and base.deleted else "known"
    return Place(kind, base, common, iter(()), tuple(changed), looked_at)


def signature(found: list[Held]) -> tuple[tuple[str, int], ...]:
    """By which it is seen that sessions came, went or grew."""
    return tuple(sorted((each.session, each.changed) for each in found))


def look(caller: Caller, space: SpaceId, thread: Thread, first: ImportedTurn) -> list[Held]:
    """The sessions that may hold a line's beginning."""
    with caller.read() as tx:
        names = {thread.source_id}
        if thread.forked_from is not None:
            names.add(thread.forked_from)
        if thread.wide_ids:
            names.update(imported.threads_with(tx, thread.tool, first.source_id))
        return imported.holding(tx, space, thread.tool, sorted(names))


def _candidates(
    caller: Caller, space: SpaceId, thread: Thread, first: ImportedTurn
) -> list[_Candidate]:
    found = look(caller, space, thread, first)
    with caller.read() as tx:
        return [_Candidate(each, imported.turn_ids(tx, each.session)) for each in found]


def _holds(candidate: _Candidate, common: int, turn: ImportedTurn) -> bool:
    """Whether the next turn of the session is this one; a turn of its own ends what is common."""
    if common >= len(candidate.turns):
        return False
    number, name, _ = candidate.turns[common]
    return number == common + 1 and name == turn.source_id


def _best(alive: list[_Candidate], common: int) -> Held | None:
    """One that ends where the line goes on, else the oldest; one that is there before one that was
    deleted."""
    ranked = sorted(alive, key=lambda each: (each.held.deleted, not _ends(each.held, common)))
    return ranked[0].held if ranked else None


def _ends(held: Held, common: int) -> bool:
    return held.as_imported and held.last_seq == common


def _placed(
    base: Held | None,
    common: int,
    rest: Iterator[ImportedTurn],
    changed: tuple[int, ...],
    looked_at: tuple[tuple[str, int], ...],
) -> Place:
    kind: PlaceKind = "new"
    if base is not None:
        kind = "grown" if _ends(base, common) else "forked"
        kind = "deleted" if base.deleted else kind
    return Place(kind, base, common, rest, changed, looked_at)
