"""Asking for a review: one call at a time; stopped, it leaves nothing behind."""

from __future__ import annotations

import time
from contextlib import aclosing
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Invalid, ProviderError, SmritiError
from smriti_tui.domain.reviewed import Reviewed
from smriti_tui.worker import OneCall, as_typed, hop

if TYPE_CHECKING:
    from textual.timer import Timer

    from smriti_tui.screens.review.review import ReviewScreen

GROUP = "review.ask"
FINDINGS = "findings"
UNREAD = "The answer is no list of findings; nothing was recorded."
SET_ONE = "Set background.model in the settings (^p Settings); then {again} asks it."


class Running:
    """Asks the background model, or lets the rules alone be recorded where none is set."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._call = OneCall(screen, GROUP)
        self._timer: Timer | None = None
        self._begun = 0.0
        self._words = ""

    @property
    def on(self) -> bool:
        """Whether a call runs."""
        return self._call.running

    def start(self) -> None:
        """Asks, unless that is done just now."""
        screen = self._screen
        if self.on:
            screen.say("The review is being made. esc stops it.")
            return
        screen.expected.recording += 1
        self._begun, self._words = time.monotonic(), "asking for findings"
        screen.begun()
        self._call.start(self._follow())
        self._timer = screen.set_interval(1, self._paint)
        self._paint()

    def stop(self) -> bool:
        """Stops the call; False where none runs."""
        return self._call.stop()

    async def put_away(self) -> None:
        """Stops the call and waits until its end is stored."""
        await self._call.put_away()

    async def _follow(self) -> None:
        from smriti_tui.services.background import progress
        from smriti_tui.services.reviewing import Unread

        screen, ended = self._screen, False
        try:
            steps = screen.services.reviewing.review(screen.checkpoint)
            async with aclosing(steps):
                async for step in steps:
                    if isinstance(step, Reviewed):
                        ended = True
                        # Before the log's own news of it can come.
                        screen.expected.review(step.review.id)
                        screen.call_later(screen.reviewed, step)
                    elif isinstance(step, Unread):
                        ended = True
                        screen.call_later(screen.unread, step.raw)
                    elif words := progress(step, FINDINGS):
                        self._words = words
                        self._paint()
        # Whatever goes wrong on the way is told where the person looks.
        except Exception as error:  # noqa: BLE001
            ended = True
            screen.call_later(self._failed, as_typed(error))
        finally:
            self._call.over()
            screen.expected.recording -= 1
            if self._timer is not None:
                self._timer.stop()
            if screen.is_attached:
                screen.panes.say_running(screen.failed_words)
                if not ended:
                    screen.stopped()

    def _failed(self, error: SmritiError) -> None:
        """Where no model can be asked the rules are recorded alone; any other fault is told."""
        no_model = isinstance(error, ProviderError) and error.kind == "not_configured"
        if not no_model and not (isinstance(error, Invalid) and error.code == "too_long"):
            self._screen.review_failed(error)
            return
        screen = self._screen
        record, checkpoint = screen.services.reviewing.record_rules, screen.checkpoint
        hint = error.hint
        if no_model:
            hint = SET_ONE.format(again=screen.table.key("review.again"))

        def then(found: Reviewed) -> None:
            screen.expected.review(found.review.id)
            screen.expected.recording -= 1
            screen.reviewed(found)
            screen.tell(f"{error.message} The rules alone were recorded.", hint)

        def failed(error: SmritiError) -> None:
            screen.expected.recording -= 1
            screen.review_failed(error)

        screen.expected.recording += 1
        hop(screen, lambda: record(checkpoint), then, failed, group=GROUP)

    def _paint(self) -> None:
        if self.on and self._screen.is_attached:
            seconds = int(time.monotonic() - self._begun)
            self._screen.panes.say_running(f"{self._words}, {seconds} s   esc stops it")
