"""The quiet sign that it is time for a checkpoint: it names why and the key, and does nothing.

It comes when the session was read and stays until a checkpoint is made, or until it is hidden by
name; `esc` leaves it where it is.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from smriti_tui.domain.nudge import Nudge, nudge, nudge_ways, unread_turns
from smriti_tui.keys import KeyTable
from smriti_tui.screens.desk.loads import SessionLook
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.hint_line import NudgeLine

DRAFT = "draft.start"
GROUP = "nudge"
Since = tuple[str, int, int]
"""Session, line and floor: another checkpoint, another value."""


class NudgePart:
    """Looks at the open session whenever that was read."""

    def __init__(
        self,
        screen: Screen[None],
        here: Here,
        work: Work,
        voice: Voice,
        table: KeyTable,
        typing: Callable[[], bool],
    ) -> None:
        """`typing` tells whether letters are text now."""
        self._screen = screen
        self._here = here
        self._work = work
        self._voice = voice
        self._table = table
        self._typing = typing
        self._line = NudgeLine(id="nudge")
        self._found: Nudge | None = None
        self._of: Since | None = None
        """What `_found` is about."""
        self._hidden: set[Since] = set()
        self._asked = 0
        """Counts the looks: only the newest one counts."""

    def begin(self) -> None:
        """Takes its place on the screen."""
        self._screen.query_one("#columns").mount(self._line)

    def reset(self) -> None:
        """Another session is about to be read."""
        self._asked += 1
        self._take(None, None)

    def look(self) -> None:
        """The session was read, or another model chosen."""
        look, chosen = self._here.now.look, self._here.now.chosen
        self._asked += 1
        asked = self._asked
        if look is None or look.space is None:
            self._take(None, None)  # In no Space nothing can be saved.
            return
        since = _since(look)
        if since != self._of:
            self._take(None, since)

        def then(found: Nudge | None) -> None:
            if asked == self._asked:
                self._take(found, since)

        if since not in self._hidden:
            self._work.run(lambda: _found(look, chosen), then, lambda _: None, group=GROUP)

    def _take(self, found: Nudge | None, since: Since | None) -> None:
        self._found, self._of = found, since
        self.show()

    def show(self) -> None:
        """Names the keys of now: letters mean text while one types."""
        found = self._found if self.shown else None
        self._line.show(nudge_ways(found, self._key()) if found is not None else ())

    @property
    def shown(self) -> bool:
        """Whether there is one, however little room it has."""
        return self._found is not None and self._of not in self._hidden

    def hide(self) -> None:
        """Until the next checkpoint."""
        if not self.shown or self._of is None:
            self._voice.say("There is no hint about a checkpoint now.")
            return
        self._hidden.add(self._of)
        self.show()
        self._voice.say("Hidden until the next checkpoint.")

    def _key(self) -> str:
        known = {action.id for action in self._table.actions}
        if DRAFT in known:
            return self._table.key(DRAFT, typing=self._typing())
        return ""


def _since(look: SessionLook) -> Since:
    return look.session.id, look.view.line.line, look.view.floor


def _found(look: SessionLook, chosen: str | None) -> Nudge | None:
    view = look.view
    line, floor = view.line.line, view.floor
    return nudge(
        look.turns,
        line=line,
        floor=floor,
        unread=unread_turns(look.runs, line, floor, look.low),
        next_model=chosen if chosen != look.model else None,
        first=view.anchor is None,
    )
