"""The conversation as it is drawn: what is read, what is on its way, and folds that open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Turn
from smriti_tui.screens.desk.entries import FoldPages, Spot, entries
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.transcript import Transcript
from smriti_tui.widgets.transcript_model import Folded, Notice, TurnView

if TYPE_CHECKING:
    from smriti_tui.services import Services

FOLD_PAGE = 100
"""Turns of a fold that are read at once."""
FOLDED_KEPT = 1_000
"""Turns of opened folds that stay in memory."""


class ChatPart:
    """Draws the open session."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        pane: ChatPane,
        transcript: Transcript,
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._pane = pane
        self._transcript = transcript
        self._sent_now: TurnView | None = None
        self._pages = FoldPages(ask=self._read_folds)

    def reset(self) -> None:
        """Another session: nothing is on its way here and no fold is read."""
        self._sent_now = None
        self._pages = FoldPages(ask=self._read_folds)

    def show(self) -> None:
        """Draws the conversation as far as it is read."""
        session, look = self._here.now.session, self._here.now.look
        self._pane.border_subtitle = short(session) if session else ""
        if look is None:
            self._transcript.show([] if session else [self._nothing_open()], scope=session or "")
            return
        if self._sent_now is not None and look.view.last_seq >= self._sent_now.number:
            self._sent_now = None
        spot = Spot(self._pages, self._here.now.window, self._sent_now, self._voice.letter)
        self._transcript.show(entries(look, spot), scope=look.session.id)

    def _nothing_open(self) -> Notice:
        start = "What you type below opens a session"
        if self._here.now.space is None:
            key = self._voice.letter("1")
            start += f" in no Space; {key} and n make a Space, which has checkpoints"
        return Notice(f"Nothing is open yet. {start}.", place="empty")

    def send(self, text: str, clock: str) -> None:
        """Shows a question that is on its way into the log."""
        look = self._here.now.look
        last = look.view.last_seq if look is not None else 0
        self._sent_now = TurnView(last + 1, "user", "you", text, clock=clock)
        self.show()
        self.to_end()

    def unsend(self) -> None:
        """The question on its way was refused."""
        self._sent_now = None
        self.show()

    def end_live(self, turn: TurnView) -> None:
        """The answer that streams is over."""
        self._transcript.stream_end(turn)

    @property
    def follows(self) -> bool:
        """Whether the view is at its end."""
        return self._transcript.follows

    # ---- moving --------------------------------------------------------------------------------

    def to_end(self) -> None:
        """To the newest turn."""
        self._transcript.action_bottom()

    def to_top(self) -> None:
        """To the first turn that is read."""
        self._transcript.action_top()

    def reveal(self, number: int) -> None:
        """Brings a turn into view."""
        self._transcript.reveal(number)

    def marked_number(self) -> int | None:
        """The turn under the cursor; a fold counts as the first of its turns."""
        entry = self._transcript.selected_entry
        if isinstance(entry, Folded):
            return entry.first
        return entry.number if isinstance(entry, TurnView) else None

    def marked_answer(self) -> int | None:
        """The answer under the cursor, as far as it is read."""
        number, look = self._transcript.selected_number, self._here.now.look
        if number is None or look is None:
            return None
        for turn in (*look.turns, *self._pages.turns.values()):
            if turn.sequence_number == number and turn.request is not None:
                return number
        return None

    # ---- folds ---------------------------------------------------------------------------------

    def _read_folds(self) -> None:
        """Reads the turns of opened folds that came into view, a page around each."""
        if len(self._pages.wanted) == 1:
            self._transcript.call_after_refresh(self._read_wanted)

    def _read_wanted(self) -> None:
        session, wanted = self._here.now.session, sorted(self._pages.wanted)
        if session is None or not wanted:
            return
        pages = self._pages
        first = max(1, wanted[0] - FOLD_PAGE // 2)
        last = wanted[-1] + FOLD_PAGE // 2

        def then(turns: list[Turn]) -> None:
            pages.wanted.clear()
            if pages is self._pages:
                pages.keep(turns, FOLDED_KEPT)
                self.show()

        self._work.read(
            lambda: self._services.sessions.turns(session, first, last), then, group="folds"
        )
