"""The background model's words about a conflict, beside the result: asked for, never a choice."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.widgets import Static

from smriti_tui.screens.compare_views import MergeView
from smriti_tui.text import literal, literal_line
from smriti_tui.worker import OneCall, as_typed

if TYPE_CHECKING:
    from smriti_tui.screens.compare import CompareScreen
    from smriti_tui.services.background import Step
    from smriti_tui.services.explaining import Question

PAINT_S = 0.1
"""How often a growing text is painted at most."""


@dataclass
class Said:
    """What a model said about one conflict."""

    model: str = ""
    text: str = ""
    state: str = "asking"
    """How it ended."""
    waits: str = ""
    """What the call waits for."""


class Explaining:
    """One call at a time; what was said stays with its conflict while the screen is open."""

    def __init__(self, screen: CompareScreen) -> None:
        self._screen = screen
        self._said: dict[str, Said] = {}
        self._call = OneCall(screen, "merge.explain")
        self._painting = False

    # ---- asking --------------------------------------------------------------------------------

    def start_or_stop(self) -> None:
        """Asks about the conflict under the cursor, or stops the call that runs."""
        if self._call.stop():
            return
        from smriti_tui.services.explaining import Question

        view, row = self._screen.view, self._screen.row
        slot = view.slot(row.key) if isinstance(view, MergeView) and row is not None else None
        if not isinstance(view, MergeView) or row is None or slot is None or not row.conflict:
            self._screen.notify("Go to a conflict: the model explains what differs in it.",
                                markup=False)  # fmt: skip
            return
        merge = view.merge
        question = Question(merge.ours.body.space, merge.ours.id, merge.theirs.id, slot)
        self._said[row.key] = Said()
        self._call.start(self._follow(row.key, question))
        self._paint(row.key)

    def stop(self) -> bool:
        """Stops the call; False where none runs."""
        return self._call.stop()

    async def put_away(self) -> None:
        """Stops the call and waits until its end is stored."""
        await self._call.put_away()

    async def _follow(self, key: str, question: Question) -> None:
        said = self._said[key]
        said.state = "stopped"  # What it is if nothing else comes.
        try:
            steps = self._screen.services.explaining.explain(question)
            async with aclosing(steps):
                async for step in steps:
                    self._take(said, step)
                    self._paint(key, seldom=True)
            said.state = "it never chooses"
        # Whatever goes wrong on the way is told where the person looks.
        except Exception as error:  # noqa: BLE001
            fault = as_typed(error)
            said.state = "failed"
            if not said.text:
                del self._said[key]
            if self._screen.is_attached:
                self._screen.tell(fault.message, fault.hint)
        finally:
            self._call.over()
            if said.state == "stopped":
                said.text = f"{said.text}\n(stopped)".strip()
            if self._screen.is_attached:
                self._paint(key)

    def _take(self, said: Said, step: Step) -> None:
        from smriti_tui.services.background import Asked, piece, progress

        if isinstance(step, Asked):
            said.model = step.model
        said.text += piece(step)
        said.waits = progress(step)

    # ---- showing -------------------------------------------------------------------------------

    def _paint(self, key: str, *, seldom: bool = False) -> None:
        """At once; with `seldom` a little later, together with what comes until then."""
        if not seldom:
            self._paint_now(key)
        elif not self._painting:
            self._painting = True
            self._screen.set_timer(PAINT_S, lambda: self._paint_now(key))

    def _paint_now(self, key: str) -> None:
        self._painting = False
        row = self._screen.row
        if row is not None and row.key == key:
            self.show(key)

    def show(self, key: str | None) -> None:
        """What was said about this conflict; nothing where nobody asked."""
        said = self._said.get(key or "")
        pane = self._screen.query_one("#compare-said", VerticalScroll)
        pane.set_class(said is not None, "-asked")
        self._screen.set_class(said is not None, "-asked")
        if said is None:
            return
        running = self._call.running
        pane.border_title = literal_line(f"The model's words {said.model}".rstrip())
        pane.border_subtitle = literal_line("esc stops it" if running else said.state)
        text = said.text or (f"{said.waits or 'asking'} ..." if running else f"({said.state})")
        self._screen.query_one("#compare-said-text", Static).update(literal(text))
