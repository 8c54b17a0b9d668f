"""The size of the next send: counted when typing rests, and whenever its parts have changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid, NotFound, SmritiError, StoreError
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.model import TurnAttachment
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual.timer import Timer

    from smriti_tui.services import Services

AHEAD_S = 0.3
"""How long typing must rest before the next context is counted again."""
GROUP = "ahead"


NAMED = 3
"""How many attachments are named at the prompt; the rest is counted."""


def attached_words(attached: Sequence[TurnAttachment]) -> str:
    """What goes with the message: `sends app.py 1.2 kB (cut), D1 and 2 more`."""
    if not attached:
        return ""
    words = [_attached_word(each) for each in attached[:NAMED]]
    more = f" and {len(attached) - NAMED} more" if len(attached) > NAMED else ""
    return f"sends {', '.join(words)}{more}"


def _attached_word(attached: TurnAttachment) -> str:
    size = f" {_size(attached.size_bytes)}" if attached.kind == "file" else ""
    cut = " (cut)" if attached.sent_bytes < attached.size_bytes else ""
    return f"{clean_line(attached.name)}{size}{cut}"


def _size(count: int) -> str:
    if count < 1000:
        return "1 byte" if count == 1 else f"{count} bytes"
    return f"{count / 1000:.1f} kB"


class AheadPart:
    """Counts the next context into the top line."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        header: HeaderBar,
        prompt: Prompt,
        redraw: Callable[[], None],
    ) -> None:
        """`redraw` is called when other turns than before do not fit the window."""
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._header = header
        self._prompt = prompt
        self._redraw = redraw
        self._asked = 0
        """Counts the previews: only the newest one counts."""
        self._timer: Timer | None = None

    def typed(self) -> None:
        """The text changed: counts when typing rests."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._prompt.set_timer(AHEAD_S, self._count_typed)

    def _count_typed(self) -> None:
        """While all turns fit, what is typed only adds to the count; else it is assembled anew."""
        prompt = self._prompt
        rule = MentionRule(prompt.spans)
        tokens = loads.typed_tokens(self._here.now.next, prompt.text, rule)
        if tokens is None:
            self.count()
        else:
            self._header.change(tokens=tokens, too_big=False)

    def count(self) -> None:
        """Counts the next context."""
        session, model = self._here.now.session, self._here.now.model
        if session is None:
            return
        self._asked += 1
        asked, text = self._asked, self._prompt.text
        rule = MentionRule(self._prompt.spans)

        def then(look: loads.NextLook) -> None:
            if asked == self._asked and session == self._here.now.session:
                self._show(look)

        def failed(error: SmritiError) -> None:
            if isinstance(error, Invalid):
                if asked == self._asked:
                    self._cannot_go(error)
            elif not isinstance(error, StoreError | NotFound):
                self._voice.fail(error, GROUP)

        self._work.run(
            lambda: loads.look_ahead(self._services, session, text, model, rule),
            then,
            failed,
            group=GROUP,
        )

    def _cannot_go(self, error: Invalid) -> None:
        """What is typed would not be sent: it is too big, or mentions what is not there."""
        tokens = error.details.get("tokens")
        size = tokens if isinstance(tokens, int) else None
        self._header.change(tokens=size, too_big=size is not None)
        if error.code == "mention":
            self._prompt.show_attached(error.message)

    def _show(self, look: loads.NextLook) -> None:
        before = self._here.now.window
        self._here.counted(look)
        self._prompt.show_attached(attached_words(look.attached))
        self._header.change(
            tokens=look.tokens, limit=look.limit, assumed=look.assumed, model=look.model,
            out=look.out, too_big=False,
        )  # fmt: skip
        if before != look.window:
            self._redraw()
