"""The demo opens with three short hints (ux 4.9), one at a time, on the last border of the panes.

Each is gone once the key it names was pressed, also when that was before its turn. `esc` ends them
for this run, but only `esc` pressed while browsing: in the prompt, in a filter and on other screens
it is needed to get out, and the first hint itself asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.screen import Screen

from smriti_tui.keys import KeyTable
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.widgets.hint_line import HintLine

STEPS = ("nav.pane_2", "checkpoint.mount", "context.show")
"""What the hints name, in their order."""
END = "nav.back"


class Hints:
    """Knows which hint is next, and hears of every action of the workspace."""

    def __init__(
        self, screen: Screen[None], table: KeyTable, voice: Voice, typing: Callable[[], bool]
    ) -> None:
        """`typing` tells whether letters are text now. Nothing is shown before `begin`."""
        self._screen = screen
        self._table = table
        self._voice = voice
        self._typing = typing
        self._line = HintLine(id="hint")
        self._left: list[str] = []

    def begin(self) -> None:
        """Shows the first one."""
        self._left = [step for step in STEPS if self._table.get(step).keys]
        self._screen.query_one("#columns").mount(self._line)
        self.show()

    def ran(self, action_id: str) -> None:
        """An action is about to run: the focus is still where its key was pressed."""
        if action_id in self._left:
            self._left.remove(action_id)
        elif action_id == END and not self._typing():
            self._left.clear()
        self.show()

    def show(self) -> None:
        """Names the keys of now: letters mean text while one types."""
        self._line.show(tuple(self._ways(self._left[0])) if self._left else ())

    def _ways(self, step: str) -> Iterator[str]:
        """Ways to say it, the longest first."""
        typing, out = self._typing(), self._table.key(END, typing=True)
        key = self._table.key(step)
        if step == "nav.pane_2":
            long, short = f"{key} goes to the checkpoints.", f"{key}: the checkpoints"
            if typing and out:
                long, short = f"{out} leaves the prompt, {long}", f"{out}, then {short}"
        elif step == "checkpoint.mount":
            key = self._voice.letter(key)
            long = f"{key} mounts the one under the cursor: the model then gets that state alone."
            yield self._ended(long, out)
            yield long
            yield f"{key} mounts the one under the cursor: the model gets it alone."
            long, short = f"{key} mounts this: the model gets it alone.", f"{key} mounts this one."
        else:
            key = self._table.key(step, typing=typing)
            key = self._voice.letter(key) if len(key) == 1 else key
            long = f"{key} shows exactly what an answer was made of."
            short = f"{key}: what an answer was made of"
        yield self._ended(long, out)
        yield long
        yield short

    def _ended(self, words: str, out: str) -> str:
        """With how to be rid of hints, where that is so."""
        return words if self._typing() or not out else f"{words} {out} ends the hints."
