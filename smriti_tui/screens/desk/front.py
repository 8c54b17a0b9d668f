"""What the parts of the desk may ask of the screen in front of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from textual.screen import Screen

from smriti_tui import keys

R = TypeVar("R")


class Front(Protocol):
    """Focus, and the way to other screens."""

    @property
    def place(self) -> keys.Place:
        """Where the focus is."""

    def go(self, place: keys.Place) -> None:
        """Shows a place and gives it the focus."""

    def open_screen(self, screen: Screen[R], then: Callable[[R | None], None]) -> None:
        """Puts a screen on top; `then` gets what it comes back with."""


class Ground(Front, Protocol):
    """The screen below all others."""

    def come_forward(self) -> None:
        """Leaves what stands above it."""
