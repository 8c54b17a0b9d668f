"""The choice to carry over what lives in the checkpoint that a new one is written after."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class CarryChoice(Widget, can_focus=True):
    """Whether what lives there is taken along: `[all] none`, changed by space or arrows."""

    DEFAULT_CSS = "CarryChoice { height: 1; }"

    carry: reactive[bool] = reactive(True)
    source: reactive[str] = reactive("the head")
    """What is carried over from, in words."""

    @dataclass
    class Changed(Message):
        """Somebody chose."""

        carry: bool

    def render(self) -> Content:
        """Both words, the chosen one in brackets."""
        chosen, other = ("[all]", " none ") if self.carry else (" all ", "[none]")
        return Content.assemble(
            f"Carry over from {self.source}:  ",
            (chosen, "bold" if self.carry else ""),
            " ",
            (other, "" if self.carry else "bold"),
            "   space changes it",
        )

    def on_key(self, event: events.Key) -> None:
        """The keys of a choice."""
        if event.key in ("space", "enter", "left", "right"):
            event.stop()
            self._choose()

    def on_click(self) -> None:
        """As space."""
        self._choose()

    def _choose(self) -> None:
        self.carry = not self.carry
        self.post_message(self.Changed(self.carry))
