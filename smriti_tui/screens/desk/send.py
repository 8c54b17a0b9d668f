"""Sending, streaming, stopping and asking again, for every session that has an answer running."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.folds import Span
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.model import Turn
from smriti_tui.domain.render.short_times import clock
from smriti_tui.screens.desk.entries import GAP
from smriti_tui.widgets.transcript_model import TurnView
from smriti_tui.worker import as_typed

if TYPE_CHECKING:
    from textual.dom import DOMNode
    from textual.worker import Worker

    from smriti_tui.services import Services
    from smriti_tui.services.contexts import Basis
    from smriti_tui.services.steps import ChatStep, Started
    from smriti_tui.widgets.transcript import Transcript


class Listener(Protocol):
    """Who hears what becomes of an answer."""

    def stored(self, running: Running) -> None:
        """Question and answer have their numbers."""

    def ended(self, running: Running, turn: Turn | None) -> None:
        """The answer as it is stored; None when it was stopped or read elsewhere."""

    def refused(self, running: Running, error: SmritiError | None) -> None:
        """Nothing was stored; without an error it was stopped before."""

    def said(self, words: str) -> None:
        """A short word on a retry or on loading."""


@dataclass
class Running:
    """One answer on its way."""

    session: SessionId
    text: str | None
    """The question's text, None when a stored one is asked again."""
    listener: Listener
    spans: tuple[Span, ...] = ()
    """Where long pastes lie in the text."""
    live: TurnView | None = None
    """The answer's turn, once it is stored."""
    parts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    stop_wanted: bool = False
    worker: Worker[None] | None = None


class Sender:
    """Answers that run, by session."""

    def __init__(self, node: DOMNode, services: Services, transcript: Transcript) -> None:
        self._node = node
        self._services = services
        self._transcript = transcript
        self._running: dict[SessionId, Running] = {}
        self._idle = asyncio.Event()
        self.shown: SessionId | None = None
        """The session whose turns the transcript shows."""

    @property
    def any_running(self) -> bool:
        """Whether any answer is on its way."""
        return bool(self._running)

    @property
    def sessions(self) -> frozenset[str]:
        """The sessions with an answer on its way."""
        return frozenset(self._running)

    def is_running(self, session: SessionId | None) -> bool:
        """Whether an answer is on its way in a session."""
        return session in self._running

    def ask(
        self,
        session: SessionId,
        text: str | None,
        model: str | None,
        seen: Basis | None,
        listener: Listener,
        spans: tuple[Span, ...] = (),
    ) -> None:
        """Sends `text`, or with None asks the last question again. `spans`: see `Running`."""
        chat = self._services.chat
        if text is None:
            steps = chat.retry(session, model=model)
        else:
            rule = MentionRule(spans)
            steps = chat.send(session, text, model=model, seen=seen, mentions=rule)
        self.follow(steps, Running(session, text, listener, spans))

    def follow(self, steps: AsyncGenerator[ChatStep, None], running: Running) -> None:
        """Receives an answer, whichever way it was asked for."""
        session = running.session
        self._running[session] = running
        self._idle.clear()
        running.worker = self._node.run_worker(
            self._follow(running, steps), group=f"send.{session}", exit_on_error=False
        )

    def stop(self, session: SessionId | None) -> bool:
        """Stops an answer and keeps what arrived; False if none runs."""
        running = self._of(session)
        if running is None:
            return False
        running.stop_wanted = True
        # Before its numbers are stored there is nothing to stop: it is stopped right after.
        if running.live is not None and running.worker is not None:
            running.worker.cancel()
        return True

    async def stop_all(self) -> None:
        """Stops every answer and waits until what arrived is stored."""
        for session in list(self._running):
            self.stop(session)
        if self._running:
            await self._idle.wait()

    def show_live(self) -> None:
        """Brings what has arrived into the transcript, after its session was opened."""
        running = self._of(self.shown)
        if running is not None and running.live is not None:
            self._transcript.stream_begin(running.live)
            self._transcript.stream_reasoning("".join(running.thoughts))
            self._transcript.stream_append("".join(running.parts))

    def _of(self, session: SessionId | None) -> Running | None:
        return self._running.get(session) if session is not None else None

    async def _follow(self, running: Running, steps: AsyncGenerator[ChatStep, None]) -> None:
        turn: Turn | None = None
        error: SmritiError | None = None
        try:
            async with aclosing(steps):
                async for step in steps:
                    turn = self._take(running, step) or turn
                    if running.stop_wanted:
                        break
                    # A burst of pieces must not keep a key waiting.
                    await asyncio.sleep(0)
        # Whatever goes wrong on the way is told where the person looks.
        except Exception as caught:  # noqa: BLE001
            error = as_typed(caught)
        finally:
            self._running.pop(running.session, None)
            if not self._running:
                self._idle.set()
            self._report(running, turn, error)

    def _report(self, running: Running, turn: Turn | None, error: SmritiError | None) -> None:
        if running.live is None and turn is None:
            running.listener.refused(running, error)
            return
        running.listener.ended(running, turn)
        if error is not None:
            running.listener.said(str(error))

    def _take(self, running: Running, step: ChatStep) -> Turn | None:
        from smriti_tui.services import steps

        here = running.session == self.shown
        if isinstance(step, steps.Started):
            self._begin(running, step)
        elif isinstance(step, steps.TextDelta):
            running.parts.append(step.text)
            if here:
                self._transcript.stream_append(step.text)
        elif isinstance(step, steps.ReasoningDelta):
            running.thoughts.append(step.text)
            if here:
                self._transcript.stream_reasoning(step.text)
        elif isinstance(step, steps.Retrying):
            running.listener.said(
                f"{step.message} Trying again in {step.wait_s:.0f} s ({step.attempt} of {step.of})."
            )
        elif isinstance(step, steps.Loading):
            running.listener.said(f"loading the provider library, {step.elapsed_s:.0f} s")
        else:
            return step.turn
        return None

    def _begin(self, running: Running, step: Started) -> None:
        begun = step.begun
        running.live = TurnView(
            number=begun.answer,
            role="assistant",
            label="assistant",
            text="",
            meta=GAP.join((step.model, f"ctx {begun.context_sha256[:4]}..")),
            clock=clock(self._services.caller.store.now()),
            status="running",
            hint="esc stops",
        )
        running.listener.stored(running)
        if running.session == self.shown:
            self._transcript.stream_begin(running.live)
