"""Looking up a citation that a person typed, by the rule that the model's went through."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smriti_tui.domain.quotes import Checked, Said
    from smriti_tui.screens.draft.screen import DraftScreen


class Quotes:
    """Reads the turns once; what is called here runs in threads."""

    def __init__(self, screen: DraftScreen) -> None:
        self._screen = screen
        self._guard = threading.Lock()
        self._said: Said | None = None

    def forget(self) -> None:
        """Other turns are drafted now."""
        with self._guard:
            self._said = None

    def check(self, quote: str, turn: int | None) -> Checked:
        """Raises: SmritiError, the turns cannot be read."""
        screen = self._screen
        with self._guard:
            if self._said is None:
                state = screen.state
                self._said = screen.services.drafting.said(
                    screen.session, state.first, state.last if state.first else None
                )
            return self._said.check(quote, turn)
