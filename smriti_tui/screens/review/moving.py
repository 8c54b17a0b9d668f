"""Moving in the review screen: from finding to finding, from tab to tab, from pane to pane."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from smriti_tui.screens.full import WIDE
from smriti_tui.screens.review.rows import ALL, WRITE, in_tab, tabs_of
from smriti_tui.widgets.literal_view import LiteralView

if TYPE_CHECKING:
    from smriti_tui.screens.review.review import ReviewScreen

READING = "-reading"
"""Of a narrow screen: what belongs to a finding has the place of the list."""


class Moving:
    """Knows where the cursor goes next."""

    def __init__(self, screen: ReviewScreen, write: Callable[[], None]) -> None:
        self._screen = screen
        self._write = write

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """By the ids of the action table."""
        return {
            "nav.open": self.open,
            "nav.next": lambda: self._step(1),
            "nav.prev": lambda: self._step(-1),
            "nav.tab_next": lambda: self._turn(1),
            "nav.tab_prev": lambda: self._turn(-1),
            "nav.preview_down": lambda: self._scroll(1),
            "nav.preview_up": lambda: self._scroll(-1),
            "review.next": lambda: self.walk(1),
            "review.prev": lambda: self.walk(-1),
        }

    @property
    def at_write(self) -> bool:
        """Whether the cursor is on the row that writes."""
        return self._screen.panes.rows.cursor_key == WRITE

    # ---- findings ------------------------------------------------------------------------------

    def walk(self, by: int) -> None:
        """To the next open finding, around the ends, whatever tab it stands in."""
        screen = self._screen
        keys, still = [each.finding.id for each in screen.findings], set(self._open())
        here = screen.panes.rows.cursor_key
        at = keys.index(here) if here in keys else -1 if by > 0 else len(keys)
        ahead = keys[at + 1 :] + keys[: at + 1]
        around = ahead if by > 0 else keys[:at][::-1] + keys[at:][::-1]
        found = next((key for key in around if key in still), None)
        if found is None:
            screen.say("No finding is open." if keys else "There is no finding.")
        else:
            self._to(found)

    def go_on(self, settled: str) -> None:
        """After a finding was settled: to the next open one, at the end to the way to write."""
        if self._screen.panes.rows.cursor_key not in (settled, None):
            return  # One has gone elsewhere meanwhile.
        if any(self._open()):
            self.walk(1)
        else:
            self._to(WRITE)

    def to_open(self) -> None:
        """A review opens on its first open finding."""
        if first := next(self._open(), ""):
            self._to(first)

    def _open(self) -> Iterator[str]:
        """The findings that wait for somebody; one that is being settled does not."""
        on_way = self._screen.settling.on_way
        for each in self._screen.findings:
            if each.outcome == "open" and each.finding.id not in on_way:
                yield each.finding.id

    def _to(self, key: str) -> None:
        screen = self._screen
        if not screen.panes.rows.move_to(key):
            screen.tab = ALL
            screen.draw()
            screen.panes.rows.move_to(key)
        screen.show_row()

    # ---- tabs and panes ------------------------------------------------------------------------

    def _turn(self, by: int) -> None:
        """Another kind; the cursor stays where it can, else it goes to the first of that kind."""
        screen = self._screen
        here = screen.panes.rows.cursor_key
        tabs = tabs_of(screen.findings)
        screen.tab = tabs[(tabs.index(screen.tab) + by) % len(tabs)]
        screen.draw()
        keys = [each.finding.id for each in in_tab(screen.findings, screen.tab)]
        if keys and here not in keys:
            self._to(keys[0])

    def _step(self, by: int) -> None:
        """Wide: to the next pane. Narrow: list and details change places."""
        screen = self._screen
        if not screen.has_class(WIDE):
            self.details(not screen.has_class(READING))
        elif by > 0:
            screen.focus_next()
        else:
            screen.focus_previous()

    def details(self, on: bool) -> None:
        """What belongs to a finding, or the list."""
        panes = self._screen.panes
        self._screen.set_class(on, READING)
        (panes.evidence if on else panes.rows).focus()

    def open(self) -> None:
        """Shows what belongs to the row; the last row writes."""
        if self.at_write and self._screen.focused is self._screen.panes.rows:
            self._write()
        else:
            self.details(True)

    def _scroll(self, by: int) -> None:
        for text in self._screen.query(LiteralView):
            if text.display and text.max_scroll_y:
                text.scroll_relative(y=by, animate=False)
