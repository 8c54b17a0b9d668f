"""Testing a model: one tiny call, its phases and how it went. Nothing of it is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import aclosing, suppress
from time import monotonic
from typing import TYPE_CHECKING

from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.render.trials import trial_lines
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal

if TYPE_CHECKING:
    from smriti_tui.services.trying import Fault, Tried, TryService, TryStep

TICK_S = 0.5
CLASSES = {
    "not_configured": "no key, or no such name",
    "auth": "wrong key",
    "permission": "not allowed",
    "model_not_found": "unknown model",
    "bad_request": "refused request",
    "context_too_long": "too long",
    "rate_limited": "rate limit",
    "quota": "not enough quota",
    "server": "fault of the server",
    "connection": "no connection",
    "timeout": "time-out",
    "cut": "broken off",
    "empty": "empty answer",
    "bad_reply": "unreadable answer",
    "repeating": "endless repeating",
    "child_died": "provider process",
}


class TryDialog(Dialog[bool]):
    """Dismissed with whether the model answered; esc stops the call."""

    HELP = (
        "Asks the model for one word, with few tokens and a time limit. It may cost a fraction of "
        "a cent. Neither question nor answer is stored, and no key is shown."
    )

    def __init__(self, trying: TryService, name: str | None) -> None:
        """`name` as a send would name it; None for the chat model of the settings."""
        super().__init__()
        self._trying = trying
        self._name = name
        self._lines: list[str] = []
        self._phase = "starting"
        self._since = monotonic()
        self._tried: Tried | None = None
        self._worker: Worker[None] | None = None
        self._clock: Timer | None = None

    def heading(self) -> str:
        return f"Test {self._name or 'the chat model'}"

    def keys_line(self) -> str:
        """What esc does now."""
        return "esc Stop" if self._tried is None else "enter or esc Close   R Again"

    def body(self) -> Iterable[Widget]:
        yield Static(id="try-lines")

    def on_mount(self) -> None:
        """Asks at once."""
        self._clock = self.set_interval(TICK_S, self._draw)
        self._start()

    def _start(self) -> None:
        self._lines, self._tried = [], None
        self._enter("starting")
        if self._clock is not None:
            self._clock.resume()
        self._worker = self.run_worker(self._ask(), group="try", exclusive=True)

    async def _ask(self) -> None:
        async with aclosing(self._trying.run(self._name)) as steps:
            async for step in steps:
                self._take(step)

    def _take(self, step: TryStep) -> None:
        # Loads the services, which are there by now.
        from smriti_tui.services import trying

        if isinstance(step, trying.Asking):
            where = f" at {clean_line(step.place)}" if step.place else ""
            self._lines.append(f"asking {clean_line(step.model)}{where} for one word")
        elif isinstance(step, trying.Loading):
            self._enter("loading the provider library")
        elif isinstance(step, trying.Waiting):
            self._enter("waiting for the first token")
        elif isinstance(step, trying.FirstToken):
            self._lines.append(f"first token after {step.after_ms:,} ms")
            self._enter("receiving")
        else:
            self._end(step)
        self._draw()

    def _enter(self, phase: str) -> None:
        if phase != self._phase:
            self._phase, self._since = phase, monotonic()

    def _end(self, tried: Tried) -> None:
        self._tried = tried
        self._phase = ""
        if self._clock is not None:
            self._clock.pause()
        if tried.fault is None:
            self._lines = list(trial_lines(tried))
        else:
            self._lines += list(_fault_lines(tried.fault, tried.total_ms))
        self.query_one("#dialog-keys", Static).update(literal(self.keys_line()))

    def _draw(self) -> None:
        lines = list(self._lines)
        if self._phase:
            seconds = monotonic() - self._since
            lines.append(f"{self._phase} ..." + (f" {seconds:.0f} s" if seconds >= 1 else ""))
        self.query_one("#try-lines", Static).update(literal("\n".join(lines)))

    def key_enter(self) -> None:
        """Closes it once it is over."""
        self.submit()

    def key_upper_r(self) -> None:
        """Asks again."""
        if self._tried is not None:
            self._start()

    def submit(self) -> None:
        """Closes it once it is over."""
        if self._tried is not None:
            self.dismiss(self._tried.fault is None)

    def action_run(self, action_id: str) -> None:
        """esc stops the call and closes."""
        if action_id == "nav.back" and self._worker is not None:
            self._worker.cancel()
        super().action_run(action_id)

    async def on_unmount(self) -> None:
        """However the dialog goes, the connection is closed."""
        if self._worker is not None and not self._worker.is_finished:
            self._worker.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._worker.wait()


def _fault_lines(fault: Fault, total_ms: int) -> Iterable[str]:
    status = f", status {fault.status}" if fault.status is not None else ""
    kind = CLASSES.get(fault.kind, "failed")
    yield f"! FAILED after {total_ms:,} ms: {kind}{status}"
    yield clean_line(fault.message)
    yield clean_line(fault.hint)
