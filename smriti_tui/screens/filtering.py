"""Filters of the panes: a line at a pane's foot hides what does not fit, or finds in the chat.

This module is part of the first frame: it imports Textual and the standard library alone; what is
typed into is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

from smriti_tui.keys import Place
from smriti_tui.screens.places import Places, pane_of
from smriti_tui.widgets.pane_rows import PaneRows
from smriti_tui.widgets.row_filter import folded, holds

if TYPE_CHECKING:
    from smriti_tui.widgets.filter_line import FilterLine
    from smriti_tui.widgets.transcript import Transcript


class Filtering:
    """Opens and clears filters, and walks their hits."""

    def __init__(self, screen: Screen[None], places: Places) -> None:
        self._screen = screen
        self._places = places
        self._lines: dict[Place, FilterLine] = {}
        self._hits: tuple[int, ...] = ()
        """Numbers of the turns that hold the words, as of the last key."""

    @property
    def typing(self) -> bool:
        """Whether somebody types in a filter."""
        return any(line.typing for line in self._lines.values())

    @property
    def shown(self) -> bool:
        """Whether the pane with the focus has a filter, and nobody types in it."""
        return pane_of(self._places.here) in self._lines and not self._at_prompt and not self.typing

    @property
    def _at_prompt(self) -> bool:
        return self._places.here == "prompt"

    def open(self) -> None:
        """A line to type in at the foot of the pane with the focus."""
        place = pane_of(self._places.here)
        if self._at_prompt:
            self._places.go(place)
        line = self._lines.get(place)
        if line is not None:
            line.begin()
            return
        from smriti_tui.widgets.filter_line import FilterLine

        line = self._lines[place] = FilterLine(place)
        pane = self._screen.query_one(f"#{place}")
        self._screen.mount(line, after=pane)
        self._screen.call_after_refresh(line.begin)
        self._screen.call_after_refresh(self.count, place)

    def clear(self) -> bool:
        """Takes the filter of the pane with the focus away; False without one."""
        place = self._places.here
        line = self._lines.pop(place, None)
        if line is None:
            return False
        if (rows := self._rows(place)) is not None:
            rows.set_filter("")
        typing = line.typing
        line.remove()
        if typing:
            self._places.go(place)
        return True

    def typed(self, place: Place, words: str) -> None:
        """Shows what fits these words."""
        rows = self._rows(place)
        if rows is not None:
            rows.set_filter(words)
        else:
            self._reveal(0)
        self.count(place)

    def kept(self, place: Place) -> None:
        """Back to the list; the filter stays, unless it has no words."""
        if self._lines[place].words.strip():
            self._places.go(place)
        else:
            self.clear()

    def walk(self, by: int) -> None:
        """To the next or previous hit."""
        rows = self._rows(self._places.here)
        if rows is not None:
            rows.step_hit(by)
        else:
            self._reveal(by)
        self.count(pane_of(self._places.here))

    def count(self, place: Place) -> None:
        """Says how many hits there are, and of how much."""
        line = self._lines.get(place)
        if line is None or not line.is_mounted:
            return
        if not line.words.strip():
            line.say("")
        elif (rows := self._rows(place)) is not None:
            line.say(f"{rows.hit_count} of {rows.whole_count}{self._more(rows)}")
        else:
            line.say(self._found())

    def _more(self, rows: PaneRows) -> str:
        return " loaded" if getattr(getattr(rows, "view", None), "more", False) else ""

    def _rows(self, place: Place) -> PaneRows | None:
        found = self._places.stop(pane_of(place))
        return found if isinstance(found, PaneRows) else None

    # ---- in the chat ---------------------------------------------------------------------------

    def _look(self) -> tuple[int, ...]:
        """Numbers of the shown turns that hold the words."""
        transcript, line = self._transcript, self._lines.get("chat")
        if transcript is None or line is None:
            return ()
        words = folded(line.words).split()
        return transcript.numbers_of(lambda text: holds(text, words))

    @property
    def _transcript(self) -> Transcript | None:
        from smriti_tui.widgets.chat_pane import ChatPane

        return self._screen.query_one(ChatPane).transcript

    def _reveal(self, by: int) -> None:
        """Puts the cursor on a hit: the nearest one back from it (0), or the next (1, -1)."""
        self._hits = self._look()
        hits, transcript = self._hits, self._transcript
        if transcript is None or not hits:
            return
        at = transcript.selected_number or hits[-1]
        if by > 0:
            wanted = next((hit for hit in hits if hit > at), hits[0])
        else:
            last = at if by == 0 else at - 1
            wanted = next((hit for hit in reversed(hits) if hit <= last), hits[-1])
        transcript.reveal(wanted)

    def _found(self) -> str:
        hits, transcript = self._hits, self._transcript
        if not hits or transcript is None:
            return "not in the turns shown"
        at = transcript.selected_number
        if at in hits:
            return f"{hits.index(at) + 1} of {len(hits)} turns"
        return "1 turn" if len(hits) == 1 else f"{len(hits)} turns"
