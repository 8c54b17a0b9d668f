"""What can be done just now, and why the rest cannot: for palette and help."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from textual.app import App
from textual.screen import Screen

from smriti_tui.keys import PLACE_NAMES, Action, KeyTable, shown_key
from smriti_tui.widgets.row_list import Piece, Row, RowLine

RECENT = 8
"""How many of the actions that were chosen by name come first the next time."""
WHERE_CELLS = 22
WIDE = 80
"""From this width on it says where an action belongs."""


@runtime_checkable
class Doer(Protocol):
    """A screen that runs actions of the table."""

    def action_run(self, action_id: str) -> None:
        """Runs one."""

    def usable(self) -> Collection[str]:
        """The ids that it runs."""

    def why_not(self, action_id: str) -> str:
        """Why one of them would do nothing now; empty when it would."""


@runtime_checkable
class Remembering(Protocol):
    """An app that knows which actions were chosen by name, the last one first."""

    recent: tuple[str, ...]


@dataclass(frozen=True)
class Offer:
    """An action, and why it cannot run here."""

    action: Action
    why_not: str = ""


def offers(screen: Screen[Any], table: KeyTable) -> list[Offer]:
    """All actions; those that the screen cannot run say where they can, or what is missing."""
    if not isinstance(screen, Doer):
        return [Offer(action) for action in table.palette()]
    usable = screen.usable()
    names = dict(PLACE_NAMES)
    found = []
    for action in table.palette():
        if action.id in usable:
            why = screen.why_not(action.id)
        else:
            why = "on the workspace" if _wide(action) else f"only in {names[action.places[0]]}"
        found.append(Offer(action, why))
    return found


def _wide(action: Action) -> bool:
    return action.places[0] in ("everywhere", "browse")


def offer_row(offer: Offer, width: int) -> Row:
    """An action as the palette lists it: what it does, where (or why not), and its key."""
    action = offer.action
    keys = f"{' '.join(map(shown_key, action.keys)):<6}"
    where = offer.why_not or dict(PLACE_NAMES)[action.places[0]]
    left = (Piece(f" {action.title}", "muted" if offer.why_not else "plain"),)
    if width >= WIDE:
        right = f"{where:<{WHERE_CELLS}} {keys}"
    else:
        right = f"{offer.why_not} {keys}" if offer.why_not else keys
    return Row(action.id, (RowLine(left, right),))


def rows_of(found: Iterable[Offer], width: int) -> tuple[Row, ...]:
    """Their rows, on a screen of some width."""
    return tuple(offer_row(offer, width) for offer in found)


def recent_of(app: App[int]) -> tuple[str, ...]:
    """The actions that were chosen by name, the last one first."""
    return app.recent if isinstance(app, Remembering) else ()


def run_later(app: App[int], act: Callable[[str], None], action_id: str | None) -> None:
    """Runs a chosen action on the screen below, once it is on top again; `act` takes the rest."""
    if action_id is None:
        return
    if isinstance(app, Remembering):
        others = [each for each in app.recent if each != action_id]
        app.recent = (action_id, *others)[:RECENT]

    def run() -> None:
        getattr(app.screen, "action_run", act)(action_id)

    app.call_later(run)
