"""What stands above the workspace: whether it can be left from elsewhere, and leaving it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from textual.screen import Screen

from smriti_tui.screens.search import SearchScreen

if TYPE_CHECKING:
    from smriti_tui.app import SmritiApp


@runtime_checkable
class Staying(Protocol):
    """A screen that may hold what would be lost."""

    def stays(self) -> str:
        """Why it is not left for another place; empty when it can be."""


def search_above(app: SmritiApp) -> None:
    """Opens the search over whatever is there, unless a hit could not be gone to without a loss."""
    if isinstance(app.screen, SearchScreen):
        return
    why = next(filter(None, map(_why, _above(app))), "")
    if why:
        app.notify(why, markup=False)
    else:
        app.at_desk("app.search")


def leave_above(app: SmritiApp) -> None:
    """Leaves all screens above the workspace, each as by esc: who opened it hears of it."""
    for screen in _above(app):
        screen.dismiss(None)


def _above(app: SmritiApp) -> Iterator[Screen[Any]]:
    """From the top down."""
    stack = app.screen_stack
    workspace = app.workspace
    if workspace is not None:
        yield from reversed(stack[stack.index(workspace) + 1 :])


def _why(screen: Screen[Any]) -> str:
    return screen.stays() if isinstance(screen, Staying) else ""
