"""The line at a pane's foot where a filter is typed, with the number of its hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from smriti_tui.keys import Place
from smriti_tui.text import literal_line
from smriti_tui.widgets.fields import LineInput


class FilterLine(Horizontal, inherit_bindings=False):
    """Says what is typed, letter by letter, and when it is meant to stay."""

    BINDINGS: ClassVar[list[BindingType]] = []
    HELP = (
        "Only what holds all of these words is shown; in the chat the cursor goes to it. "
        "enter keeps the filter and goes back to the list, where n and N walk the hits. "
        "esc clears it."
    )
    DEFAULT_CSS = """
    FilterLine { height: 1; background: $panel; }
    FilterLine .filter--sign { width: 3; }
    FilterLine .filter--count { width: auto; padding: 0 1; color: $text-muted; }
    FilterLine Input { width: 1fr; background: $panel; }
    """

    @dataclass
    class Typed(Message):
        """The words are others."""

        place: Place
        words: str

    @dataclass
    class Kept(Message):
        """The words are whole: back to the list."""

        place: Place

    def __init__(self, place: Place) -> None:
        super().__init__(id=f"filter-{place}")
        self.place: Place = place

    def compose(self) -> ComposeResult:
        """The sign, the words, the count."""
        yield Static(" / ", classes="filter--sign")
        yield LineInput(select=False, hint="words")
        yield Static(classes="filter--count")

    @property
    def words(self) -> str:
        """What is typed."""
        return self.query_one(Input).value

    @property
    def typing(self) -> bool:
        """Whether the focus is here."""
        return self.query_one(Input).has_focus

    def begin(self) -> None:
        """Takes the focus."""
        self.query_one(Input).focus()

    def say(self, words: str) -> None:
        """How many hits there are."""
        self.query_one(".filter--count", Static).update(literal_line(words))

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        message.stop()
        self.post_message(self.Typed(self.place, message.value))

    @on(Input.Submitted)
    def _kept(self, message: Input.Submitted) -> None:
        message.stop()
        self.post_message(self.Kept(self.place))
