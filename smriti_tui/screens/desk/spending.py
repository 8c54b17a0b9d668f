"""What the open session has cost so far, in the top line: summed once, then added to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.spending import Spent, spent_words
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.header_bar import HeaderBar

if TYPE_CHECKING:
    from smriti_tui.services import Services

GROUP = "spent"


class SpendingPart:
    """Keeps the sum of the session that is open."""

    def __init__(self, here: Here, services: Services, work: Work, header: HeaderBar) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._header = header
        self._of: str | None = None
        self._known = Spent()

    def count(self) -> None:
        """Adds what has been answered since the last time; all of it when the session is another
        one."""
        session = self._here.now.session
        if session is None:
            return
        if session != self._of:
            self._of, self._known = session, Spent()
        known = self._known

        def then(spent: Spent) -> None:
            if session == self._here.now.session == self._of:
                self._known = spent
                self._header.change(cost=spent_words(spent))

        self._work.read(lambda: self._services.sessions.spent(session, known), then, group=GROUP)
