"""What is typed: kept for its session, and counted into the next context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Invalid, NotFound, SmritiError, StoreError
from smriti_tui.domain.ids import SessionId
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.panes import DeskPanes
from smriti_tui.screens.desk.unsent import thing
from smriti_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual.timer import Timer

    from smriti_tui.services.unsent import Held

AHEAD_S = 0.3
"""How long typing must rest before the next context is counted again."""


class DeskPrompt(DeskPanes):
    """The prompt's text and the size of the next send."""

    _ahead_timer: Timer | None = None
    _owner: str | None = None
    """What the text in the prompt belongs to; None while that is still being read."""

    @property
    def prompt(self) -> Prompt:
        """Where one types."""
        return self.screen.query_one(Prompt)

    def typed(self) -> None:
        """The text changed: keep it soon, count the next context when typing rests."""
        waits = self.sender.running(self.session)
        # An empty prompt right after a send is no reason to forget the text: it is not stored yet.
        if self._owner is not None and (self.prompt.text or waits is None):
            self.unsent.later(self._owner, self.prompt.text)
        if self._ahead_timer is not None:
            self._ahead_timer.stop()
        self._ahead_timer = self.screen.set_timer(AHEAD_S, self._count_typed)

    def _count_typed(self) -> None:
        """While all turns fit, what is typed only adds to the count; else it is assembled anew."""
        tokens = loads.typed_tokens(self.next, self.prompt.text)
        if tokens is None:
            self.look_ahead()
        else:
            self.header(tokens=tokens)

    def keep_prompt(self) -> None:
        """Keeps the text now: another session is opened, or the program ends."""
        if self._owner is not None:
            self.unsent.later(self._owner, self.prompt.text)
            self.unsent.now()

    def _take_prompt(self, session: SessionId | None) -> None:
        """Brings back what was typed in a session; nothing that was typed meanwhile is lost."""
        if self._owner is not None:
            self.prompt.put("")
        self._owner = None

        def then(held: Held) -> None:
            if session != self.session:
                return
            self._owner = thing(session)
            typed = self.prompt.text
            self.prompt.put(f"{held.text}{typed}")
            if held.adopted and held.text:
                self.screen.say("Unsent text of an earlier run is back in the prompt.")
            for other in held.elsewhere:
                self.screen.say(f"Process {other.pid} on {other.host} holds unsent text here.")

        def failed(error: SmritiError) -> None:
            if session == self.session:
                self._owner = thing(session)
            self.read_failed(error)

        self.thread(lambda: self.unsent.take(thing(session)), then, failed, group="unsent.take")

    def look_ahead(self) -> None:
        """Counts the next context."""
        session = self.session
        if session is None:
            return
        self.asked_ahead += 1
        asked, text, model = self.asked_ahead, self.prompt.text, self.model

        def then(look: loads.NextLook) -> None:
            if asked == self.asked_ahead and session == self.session:
                self._show_next(look)

        def failed(error: SmritiError) -> None:
            if asked == self.asked_ahead and isinstance(error, Invalid):
                self.header(tokens=None)
            elif not isinstance(error, StoreError | NotFound):
                self.fail(error)

        self.thread(
            lambda: loads.look_ahead(self.services, session, text, model),
            then,
            failed,
            group="ahead",
        )

    def _show_next(self, look: loads.NextLook) -> None:
        window = self.next.window if self.next is not None else ()
        self.next = look
        self.header(
            tokens=look.tokens, limit=look.limit, assumed=look.assumed, model=look.model,
            out=look.out,
        )  # fmt: skip
        if window != look.window:
            self.show_turns()
