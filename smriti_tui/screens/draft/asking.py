"""The call for a draft: its progress, and what came. Stopping it leaves nothing half-saved."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from smriti_tui.domain.drafted import Drafted
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.worker import OneCall, as_typed

if TYPE_CHECKING:
    from smriti_tui.screens.draft.screen import DraftScreen
    from smriti_tui.services.drafting import DraftStep

ANSWER = "draft.answer"
"""What the bar says of an answer, until the next is asked for."""


class Asking:
    """One call at a time."""

    def __init__(self, screen: DraftScreen) -> None:
        self._screen = screen
        self._call = OneCall(screen, "draft.ask")
        self.words = ""
        """What it is at, for the line below the rows; empty while none runs."""
        self.raw = ""
        """The last answer, letter by letter, where it was no whole draft."""
        self.requests: tuple[str, ...] = ()
        """Those of the last call."""

    @property
    def running(self) -> bool:
        return self._call.running

    def start(self, last: int | None = None) -> None:
        """Asks, with `last` for the turns up to that one; while one runs, says so."""
        if self.running:
            self._screen.say("A draft is on its way. esc stops it.")
            return
        self.raw, self.requests = "", ()
        self._bar.settle(ANSWER)
        self._say("asking for a draft")
        self._call.start(self._follow(last))

    def stop(self) -> bool:
        """Stops the call; False where none runs."""
        return self._call.stop()

    async def put_away(self) -> None:
        """Stops the call and waits until its end is stored."""
        await self._call.put_away()

    async def _follow(self, last: int | None) -> None:
        ended = "Stopped: the draft is as it was."
        try:
            steps = self._screen.services.drafting.draft(self._screen.session, last=last)
            async with aclosing(steps):
                async for step in steps:
                    self._take(step)
            ended = ""
        # Whatever goes wrong on the way is told where the person looks.
        except Exception as error:  # noqa: BLE001
            ended = ""
            fault = as_typed(error)
            if self._screen.is_attached:
                self._bar.tell(fault.message, fault.hint, causes=(ANSWER,))
        finally:
            self._call.over()
            self._say("")
            if ended and self._screen.is_attached:
                self._screen.say(ended)

    def _take(self, step: DraftStep) -> None:
        from smriti_tui.services.background import Asked, progress
        from smriti_tui.services.pieces import PieceDone

        if isinstance(step, Drafted):
            self._call.over()
            self._made(step)
        elif isinstance(step, PieceDone):
            more = ", asking for the next" if step.number < step.of else ""
            self._say(f"piece {step.number} of {step.of} is there{more}")
        else:
            if isinstance(step, Asked):
                self.requests = (*self.requests, step.request)
            if words := progress(step, "a draft"):
                self._say(words)

    def _made(self, made: Drafted) -> None:
        whole = all(piece.reply is not None and not piece.reply.cut for piece in made.pieces)
        if not whole:
            bad = [p for p in made.pieces if p.reply is None or p.reply.cut]
            self.raw = "\n\n".join(piece.raw for piece in bad)
        self._screen.made(made)

    def tell(self, made: Drafted) -> None:
        """What could not be used, in the bar; and the answer itself where the source stands."""
        again = f"{self._screen.table.key('draft.again')} asks again."
        if not made.usable:
            words = "The answer is no draft; nothing was changed."
            self._bar.tell(words, again, causes=(ANSWER,))
        elif made.problems:
            words = f"Not all of the answer could be used: {'; '.join(made.problems)}."
            self._bar.tell(words, again if self.raw else "", causes=(ANSWER,))
        if self.raw:
            self._screen.looking.show_raw()

    @property
    def _bar(self) -> NoticeBar:
        return self._screen.query_one(NoticeBar)

    def _say(self, words: str) -> None:
        self.words = words
        if self._screen.is_attached:
            self._screen.show_status()
