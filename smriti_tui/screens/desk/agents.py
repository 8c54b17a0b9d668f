"""Pane 5: who works on what, read from the log and from git, live, and told once where it matters.

Two reads stand behind it: the database at once, and git behind it, which may take seconds; what git
said before is shown until it answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from textual.timer import Timer

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.durations import seconds_between
from smriti_tui.domain.errors import NotFound, SmritiError
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.render.agent_signs import agent_signs
from smriti_tui.domain.tasks import TaskView
from smriti_tui.domain.worktrees import WorktreeLook
from smriti_tui.screens.desk.agents_loads import Feed, Loaded, load_feed, load_work
from smriti_tui.screens.desk.feed import Moved
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.turns import Turns
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.agents_pane import TABS, AgentsPane, AgentsTab
from smriti_tui.widgets.agents_rows import (
    AgentsView,
    claim_rows,
    feed_rows,
    sign_rows,
    tab_words,
    worktree_rows,
)

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.moments import Step
    from smriti_tui.services.worktrees import WorktreeWatch

GROUP, GIT, FEED = "agents", "agents.git", "agents.feed"
MINUTE_S = 60
LEAST_S = 5
"""Between two drawings, however many times are told; a deadline is not waited for."""
GIT_GAP_S = 2.0
"""Between two looks at git, however often a file changes."""
T = TypeVar("T")
NAMED_KEYS = ("agents.new", "conflict.explain", "time.travel", "nav.tab_next")


class AgentsPart:
    """Reads and draws the four tabs."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        pane: AgentsPane,
        key: Callable[[str], str],
        counted: Callable[[str], None],
    ) -> None:
        """`key` gives the key of an action; `counted` hears what the tab of the pane says: claims
        and conflicts."""
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._pane = pane
        self._counted = counted
        keys = {name: key(name) for name in NAMED_KEYS}
        self._keys = keys
        me = services.caller.actor
        self._nothing = AgentsView(me=me, keys=keys, home=str(Path.home()))
        self.view = self._nothing
        """What is shown."""
        self._tab: AgentsTab = TABS[0]
        self._space: SpaceId | None = None
        self._state: Loaded | None = None
        self._looks: dict[str, WorktreeLook] = {}
        """What git said last, by worktree."""
        self._feed = Feed()
        self._state_turns = Turns(self._start_state)
        self._feed_turns = Turns(self._start_feed)
        self._git = Turns(self._start_git)
        self._git_at = -GIT_GAP_S
        self._git_timer: Timer | None = None
        self._watch: WorktreeWatch | None = None
        self._told: set[str] = set()
        """Overlaps that the person heard of, as long as the program runs."""
        self._timer: Timer | None = None

    # ---- what others ask ---------------------------------------------------------------------

    @property
    def space(self) -> SpaceId | None:
        """The Space that is shown."""
        return self._space

    @property
    def tab(self) -> AgentsTab:
        """The tab that is shown."""
        return self._tab

    @property
    def free_tasks(self) -> Sequence[TaskView]:
        """Tasks that can be picked, in the order in which they are offered."""
        return self._state.view.free if self._state is not None else ()

    @property
    def marked(self) -> tuple[str, str]:
        """Kind and id of the row under the cursor: claim, worktree, sign or event."""
        kind, _, owner = (self._pane.cursor_key or "").partition(":")
        return kind, owner

    def claim(self, claim_id: str) -> Claim | None:
        """One that is shown."""
        known = (*self.view.claims, *self.view.over)
        return next((each for each in known if each.id == claim_id), None)

    def look(self, worktree: str | None) -> WorktreeLook | None:
        """An open worktree that is shown."""
        return next((e for e in self.view.worktrees if e.worktree.id == worktree), None)

    def step(self, position: str) -> Step | None:
        """An event of the feed."""
        return self._feed.steps.get(int(position)) if position.isdecimal() else None

    def copied(self) -> str:
        """What `y` takes: an id, a path, or words."""
        kind, owner = self.marked
        if kind == "worktree":
            found = self.look(owner)
            return found.worktree.path if found is not None else owner
        if kind == "sign":
            key = self._pane.cursor_key
            return next((each.text for each in self.view.signs if each.key == key), "")
        if kind == "event":
            lines = (each for each in self.view.feed if str(each.position) == owner)
            return next((f"{e.position} {e.at} {e.who} ({e.door}) {e.words}" for e in lines), "")
        return owner

    # ---- tabs --------------------------------------------------------------------------------

    def show_tab(self, tab: AgentsTab) -> None:
        """Goes to a tab."""
        self._tab = tab
        self._draw()

    def step_tab(self, by: int) -> None:
        """The tab before or behind, around the ends."""
        self.show_tab(TABS[(TABS.index(self._tab) + by) % len(TABS)])

    # ---- reading -----------------------------------------------------------------------------

    def follow(self) -> None:
        """Reads, where another Space is open than the one that is shown."""
        if self._here.now.space != self._space:
            self.read()

    def read(self) -> None:
        """Reads all of it again, git behind the rest."""
        space = self._here.now.space
        if space != self._space:
            self._space, self._state, self._feed, self._looks = space, None, Feed(), {}
            self.view = self._nothing
            self._draw()
        if space is None:
            return
        self._state_turns.ask()
        self._feed_turns.ask()

    def reset(self) -> None:
        """Another database: all is read anew."""
        self._space = None
        self.read()

    def moved(self, moved: Moved) -> None:
        """Something was committed."""
        space = self._here.now.space
        if space is None or space != self._space or space in moved.gone:
            return
        if space in moved.spaces or space in moved.agents:
            self._state_turns.ask()
        self._feed_turns.ask()

    def ask_git(self) -> None:
        """Looks at the worktrees again, at once."""
        trees = [each.worktree for each in self.view.worktrees]
        if not trees:
            self._voice.say("There is no open worktree in this Space.")
            return
        self._voice.say("Asking git about the worktrees ...")
        look = self._services.worktrees.look
        self._work.run(
            lambda: look(trees, fresh=True), lambda _: self._git.ask(), group="agents.look"
        )

    def _start_state(self, over: Callable[[], None]) -> None:
        self._load_state(over, GROUP, self._take)

    def _start_git(self, over: Callable[[], None]) -> None:
        self._git_at = monotonic()
        self._load_state(over, GIT, self._take_git)

    def _load_state(
        self, over: Callable[[], None], group: str, take: Callable[[Loaded], None]
    ) -> None:
        space, services = self._space, self._services
        if space is None:
            over()
            return

        def then(found: Loaded) -> None:
            if space == self._space:
                take(found)
            over()

        self._run(lambda: load_work(services, space, git=group == GIT), then, over, group)

    def _start_feed(self, over: Callable[[], None]) -> None:
        space, services, before = self._space, self._services, self._feed
        if space is None:
            over()
            return

        def then(feed: Feed) -> None:
            if before is self._feed:
                self._feed = feed
                self._show()
            over()

        self._run(lambda: load_feed(services, space, before), then, over, FEED)

    def _run(
        self, work: Callable[[], T], then: Callable[[T], None], over: Callable[[], None], group: str
    ) -> None:
        def failed(error: SmritiError) -> None:
            if not isinstance(error, NotFound):  # Those who show the Space itself tell that.
                self._work.read_failed(error, group)
            over()

        self._work.run(work, then, failed, group=group)

    def _git_soon(self) -> None:
        """Behind what was just written, but never more often than every few seconds."""
        if self._git_timer is not None or not self.view.worktrees:
            return
        left = self._git_at + GIT_GAP_S - monotonic()
        if left <= 0:
            self._git.ask()
            return

        def go() -> None:
            self._git_timer = None
            self._git.ask()

        self._git_timer = self._pane.set_timer(left, go)

    # ---- taking and drawing --------------------------------------------------------------------

    def _take(self, found: Loaded) -> None:
        """What git said before stays until it has spoken again."""
        view, before = found.view, self._state
        looks = tuple(self._looks.get(each.worktree.id, each) for each in view.worktrees)
        there = {each.worktree.id for each in view.worktrees}
        of_git = before.view.signals if before is not None else ()
        kept = [
            each
            for each in of_git
            if each.kind in ("worktrees", "off_claim") and there & set(each.ids)
        ]
        view = replace(view, worktrees=looks, signals=(*kept, *view.signals))
        self._state = replace(found, view=view)
        self._show()
        self._tell_overlaps()
        self._git_soon()
        self._follow_files()

    def _follow_files(self) -> None:
        """What changes in a worktree shows without being asked for."""
        trees = [Path(each.worktree.path) for each in self.view.worktrees]
        if self._watch is None:
            if not trees:
                return
            loop, context = asyncio.get_running_loop(), copy_context()
            soon = partial(loop.call_soon_threadsafe, context=context)
            self._watch = self._services.worktrees.watching(
                lambda: _said(soon, self._git_soon), lambda why: _said(soon, self._unwatched, why)
            )
        self._watch.watch(trees)

    def _unwatched(self, why: str) -> None:
        self._voice.say(f"Changes in worktrees show once a minute: {clean_line(why)}")

    def stop(self) -> None:
        """Follows no files any more."""
        if self._watch is not None:
            self._watch.stop()

    def _take_git(self, found: Loaded) -> None:
        self._looks = {each.worktree.id: each for each in found.view.worktrees}
        self._state = found
        self._show()

    def _show(self) -> None:
        """All that is known, as of now."""
        state, feed = self._state, self._feed
        now = self._services.caller.store.now()
        if state is not None:
            view = replace(state.view, now=now)
            self.view = replace(
                self.view, claims=state.claims, over=state.over, worktrees=view.worktrees,
                signs=tuple(agent_signs(view, self.view.me)),
            )  # fmt: skip
        self.view = replace(
            self.view, now=now, feed=feed.lines, writers=feed.writers, last=feed.last,
            last_at=feed.last_at,
        )  # fmt: skip
        self._draw()
        self._wait()

    def _draw(self) -> None:
        pane, view = self._pane, self.view
        one = pane.one_line
        rows = {
            "Claims": lambda: claim_rows(view, pane.room, one=one),
            "Worktrees": lambda: worktree_rows(view, one=one),
            "Signals": lambda: sign_rows(view, pane.room, one=one),
            "Feed": lambda: feed_rows(view, one=one),
        }[self._tab]()
        pane.show_tab(self._tab, rows, self._empty())
        self._counted(tab_words(view))

    def draw_again(self) -> None:
        """The pane has another width."""
        self._draw()

    def _empty(self) -> str:
        """What the tab is for, and the key that leads on."""
        if self._space is None:
            return "No Space is open. Here stands who works on what in the open one."
        new, travel = self._keys["agents.new"], self._keys["time.travel"]
        return {
            "Claims": "Nobody has claimed anything. A claim tells people and agents what you are "
            f"about to do; it keeps nobody out. {new} makes one." + self._written(),
            "Worktrees": "No worktree is open. Each agent gets a folder and a branch of its own "
            f"in one. {new} opens one.",
            "Signals": "No signals: nothing that is known here conflicts, overlaps or differs.",
            "Feed": "Nothing was written lately in this Space. "
            f"{travel} on a checkpoint goes back in time.",
        }[self._tab]

    def _written(self) -> str:
        count = len(self.view.writers)
        return f"\n\nWriters seen: {count}" if count else ""

    # ---- time ----------------------------------------------------------------------------------

    def _wait(self) -> None:
        """Draws again when a minute of something shown is over, or when a deadline passes."""
        if self._timer is not None:
            self._timer.stop()
        view = self.view
        left = [each.left_s(view.now) for each in view.holding]
        # What is left reads one minute less as soon as a whole one is over.
        soon = min([(each - 1) % MINUTE_S + 1 for each in left], default=MINUTE_S)
        if view.last_at:
            past = max(seconds_between(view.last_at, view.now), 0)
            soon = min(soon, MINUTE_S - past % MINUTE_S)
        soon = max(soon, LEAST_S)
        deadline = min((each for each in left if each < soon), default=soon)
        self._timer = self._pane.set_timer(deadline + 1, self._tick)

    def _tick(self) -> None:
        self._timer = None
        if self._space is None:
            return
        self._show()
        if self._pane.region.area and monotonic() - self._git_at >= MINUTE_S:
            self._git_soon()

    # ---- told once -----------------------------------------------------------------------------

    def _tell_overlaps(self) -> None:
        """The earlier claimant hears of the later one."""
        state, me = self._state, self.view.me
        if state is None:
            return
        for each in state.view.overlaps:
            key = f"{each.one.id}:{each.other.id}"
            if key not in self._told and each.one.agent == me != each.other.agent:
                self._told.add(key)
                who, scope = clean_line(each.other.agent), clean_line(each.other.scope)
                why = clean_line(each.why)
                self._voice.say(f'! {who} claimed "{scope}", which overlaps with yours: {why}.')


def _said(soon: Callable[..., object], what: Callable[..., object], *words: str) -> None:
    """From another thread; the program may be ending."""
    with suppress(RuntimeError):
        soon(what, *words)
