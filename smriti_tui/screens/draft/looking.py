"""The Source pane that follows the cursor, what the model got, and the ways to more of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.clean import clean
from smriti_tui.domain.ids import RequestId
from smriti_tui.domain.model import Turn
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.draft.loading import read_facts, read_turns
from smriti_tui.screens.draft.place import Left
from smriti_tui.screens.draft.source import Shown, saw_text, shown_source, wanted_turns
from smriti_tui.widgets.literal_view import Section
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.domain.draft import Entry
    from smriti_tui.domain.render.context_rows import ContextFacts
    from smriti_tui.screens.draft.screen import DraftScreen

MOST_KNOWN = 200
"""Turns that stay read."""


class Looking:
    """Reads turns and requests when they are looked at."""

    def __init__(self, screen: DraftScreen) -> None:
        self._screen = screen
        self._turns: dict[int, Turn] = {}
        self._facts: tuple[ContextFacts, ...] = ()
        self._asked: tuple[str, ...] | None = None
        """Requests that are being read, or were."""

    # ---- the source ----------------------------------------------------------------------------

    def follow(self) -> None:
        """Shows what the row under the cursor stands on."""
        entry = self._screen.entry
        if entry is None or not entry.evidence:
            self._show_else(entry)
            return
        wanted = wanted_turns(entry)
        cited = entry.evidence[0]
        if cited.session is not None and cited.session != self._screen.session:
            words = f'It quotes "{cited.quote}", from another session.'
            self._screen.panes.show_source(Shown("", (Section("", words),)))
            return
        if all(number in self._turns for number in wanted):
            self._show(entry)
            return
        services, session = self._screen.services, self._screen.session

        def then(found: dict[int, Turn]) -> None:
            if len(self._turns) > MOST_KNOWN:
                self._turns.clear()
            self._turns.update(found)
            now = self._screen.entry
            if now is not None and now.uid == entry.uid:
                self._show(now)

        hop(
            self._screen, lambda: read_turns(services, session, wanted), then,
            self._screen.failed, group="draft.source",
        )  # fmt: skip

    def _show(self, entry: Entry) -> None:
        screen, table = self._screen, self._screen.table
        keys = {each: table.key(each) for each in ("draft.keep", "draft.edit")}
        label = screen.labels.get(entry.uid, "It")
        screen.panes.show_source(shown_source(entry, label, self._turns, keys))

    def _show_else(self, entry: Entry | None) -> None:
        """A row that cites nothing: an answer that was no draft, else how this works."""
        screen = self._screen
        if screen.asking.raw:
            self.show_raw()
        elif entry is not None:
            screen.panes.show_source(shown_source(entry, "", {}, {}))
        else:
            screen.panes.show_source(Shown("", (Section("", screen.panes.what_to_do()),)))

    def show_raw(self) -> None:
        """The last answer as it came, whatever row the cursor is on."""
        screen = self._screen
        again = screen.table.key("draft.again")
        words = f"This came, and not all of it is a draft. {again} asks again.\n"
        sections = (Section("", words), Section("The answer as it came", clean(screen.asking.raw)))
        screen.panes.show_source(Shown("the raw answer", sections))

    def source(self) -> None:
        """Goes to the Source pane; from there to the turn in the chat."""
        screen = self._screen
        turn = screen.cited_turn
        if turn is None:
            screen.say("This row cites no turn.")
        elif screen.focused is screen.panes.source:
            screen.asking.stop()
            screen.keeping.leave(Left(go="nav.pane_3", turn=turn))
        else:
            screen.panes.source.focus()

    # ---- what the model got --------------------------------------------------------------------

    def facts_again(self, tried: tuple[str, ...] = ()) -> None:
        """Reads the requests of the draft, or of the last call, whose answer was none."""
        screen = self._screen
        wanted = screen.state.requests or tried
        if wanted == self._asked:
            self.show_saw()
            return
        self._asked = wanted
        services = screen.services

        def then(found: tuple[ContextFacts, ...]) -> None:
            if self._asked == wanted:
                self._facts = found
                self.show_saw()
                screen.panes.show_titles()

        hop(screen, lambda: read_facts(services, wanted), then, screen.failed, group="draft.facts")

    @property
    def tokens(self) -> int:
        """Of all requests of the draft."""
        return sum(each.estimate.tokens for each in self._facts)

    def show_saw(self) -> None:
        """What was sent for the draft, and what was not."""
        state, key = self._screen.state, self._screen.table.key("context.show")
        first, last = state.first, state.last
        if self._facts and first is None:
            numbers = [s for f in self._facts for s in f.segments if s.first is not None]
            first = min((s.first for s in numbers if s.first), default=None)
            last = max((s.last for s in numbers if s.last), default=None)
        self._screen.panes.show_saw(saw_text(self._facts, first, last, key))

    def context(self) -> None:
        """Exactly what a request of the draft was, and what was answered."""
        screen = self._screen
        requests = screen.asking.requests or screen.state.requests
        if not requests:
            screen.say("Nothing was asked for this draft yet.")
        elif len(requests) == 1:
            self._inspect(requests[0])
        else:
            ways = [(each, f"Piece {at}") for at, each in enumerate(requests, 1)]

            def chosen(request: str | None) -> None:
                if request is not None:
                    self._inspect(request)

            words = "The turns were drafted in pieces, each a request of its own."
            screen.app.push_screen(ChoiceDialog("Which request?", words, ways), chosen)

    def _inspect(self, request: str) -> None:
        from smriti_tui.screens.context import ContextScreen
        from smriti_tui.screens.context_reading import ContextAsked

        screen = self._screen
        asked = ContextAsked(
            session=screen.session, space=screen.place.space_name, request=RequestId(request)
        )

        def then(turn: int | None) -> None:
            if turn is not None:
                screen.keeping.leave(Left(go="nav.pane_3", turn=turn))

        screen.app.push_screen(ContextScreen(screen.services, asked), then)
