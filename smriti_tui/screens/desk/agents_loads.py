"""What pane 5 reads, in threads: services in, frozen values out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.render.event_words import event_actor, event_words
from smriti_tui.domain.state_view import StateView
from smriti_tui.domain.worktrees import Worktree, WorktreeLook
from smriti_tui.widgets.agents_rows import FeedLine

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.moments import Recent, Step

FEED_MOST = 500
"""Events that the feed holds; older ones are found by time travel."""
ENDED_MOST = 5
"""Claims that hold no more and are still shown."""
QUIET = frozenset({"request.stored", "request.ended", "answer.started"})
"""What is no news to a person: it is told by what follows from it."""


@dataclass(frozen=True)
class Loaded:
    """Claims and worktrees of a Space at one moment."""

    view: StateView
    claims: tuple[Claim, ...]
    """Those that nobody ended."""
    over: tuple[Claim, ...]


@dataclass(frozen=True)
class _Known:
    """A prober that asks nobody: what git said last, as far as it did."""

    looks: Mapping[str, WorktreeLook]

    def look(self, worktrees: Sequence[Worktree]) -> tuple[WorktreeLook, ...]:
        return tuple(
            WorktreeLook(each, found.probed if (found := self.looks.get(each.id)) else None)
            for each in worktrees
        )


def load_work(services: Services, space: SpaceId, *, git: bool) -> Loaded:
    """`git`: worktrees are looked at and merges tried out, which takes as long as git does. Without
    it no worktree has been looked at."""
    state = services.state if git else replace(services.state, prober=_Known({}))
    view = state.view(space)
    over = services.claims.lately(space, ENDED_MOST)
    return Loaded(view, view.claims, tuple(over))


@dataclass(frozen=True)
class Feed:
    """The newest events of a Space, as far as they were read; the newest first."""

    lines: tuple[FeedLine, ...] = ()
    steps: Mapping[int, Step] = field(default_factory=dict)
    """By position."""
    read: int = 0
    """Up to where the log was read."""
    last: int = 0
    """Position and time of the Space's newest event."""
    last_at: str = ""
    writers: tuple[str, ...] = ()


def load_feed(services: Services, space: SpaceId, before: Feed) -> Feed:
    """What came behind `before`, with that; from nothing, the newest."""
    recent = services.moments.recent(space, before.read, FEED_MOST)
    me = services.caller.actor
    fresh = tuple(_line(each, recent, me) for each in recent.steps if each.type not in QUIET)
    lines = (*fresh, *before.lines)[:FEED_MOST]
    steps = {each.position: each for each in recent.steps} | dict(before.steps)
    last, last_at = before.last, before.last_at
    if recent.steps:
        last, last_at = recent.steps[0].position, recent.steps[0].recorded_at
    kept = {each.position: steps[each.position] for each in lines}
    writers = dict.fromkeys(each.actor for each in kept.values())
    return Feed(lines, kept, recent.newest, last, last_at, tuple(writers))


def _line(step: Step, recent: Recent, me: str) -> FeedLine:
    who = event_actor(step.type, step.facts, step.actor, me)
    words = event_words(step.type, step.facts, recent.branches)
    return FeedLine(step.position, who, step.door, words, step.recorded_at)
