"""The search as one way out of the workspace: it opens with the last words, and leads to a hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.search_hit import Hit
from smriti_tui.screens.desk.doors import Doors
from smriti_tui.screens.desk.front import Ground
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.session import SessionPart
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.widgets.spaces_pane import SpacesPane, space_key

if TYPE_CHECKING:
    from smriti_tui.screens.search_rows import Kept
    from smriti_tui.services import Services


class SearchPart:
    """Opens the search and what is chosen there."""

    def __init__(
        self,
        front: Ground,
        here: Here,
        services: Services,
        tree: TreePart,
        going: Going,
        session: SessionPart,
        doors: Doors,
        spaces: SpacesPane,
    ) -> None:
        self._front = front
        self._here = here
        self._services = services
        self._tree = tree
        self._going = going
        self._session = session
        self._doors = doors
        self._spaces = spaces
        self._kept: Kept | None = None
        """What the search was left with, as long as the program runs."""

    def open(self) -> None:
        """Shows the search over the workspace."""
        from smriti_tui.screens.search import SearchScreen
        from smriti_tui.screens.search_rows import Around, Kept

        space = self._here.now.space
        around = Around(space, self._tree.space_name) if space is not None else Around()
        screen = SearchScreen(self._services, around, self._kept or Kept(), self._keep)
        self._front.open_screen(screen, self._wanted)

    def _keep(self, kept: Kept) -> None:
        self._kept = kept

    def _wanted(self, hit: Hit | None) -> None:
        if hit is None:
            return
        self._front.come_forward()
        if hit.checkpoint is not None:
            self._doors.view(
                hit.checkpoint, "Notes" if hit.kind == "note" else hit.label or hit.item
            )
        elif hit.session is not None:
            self._to_session(hit)
        elif hit.space is not None:
            self._going.to_space(hit.space)
            self._spaces.move_to(space_key(hit.space))
            self._front.go("checkpoints" if hit.kind == "branch" else "spaces")

    def _to_session(self, hit: Hit) -> None:
        if hit.turn is not None:
            self._session.show_next(hit.session, hit.turn)
        if hit.session == self._here.now.session:
            self._session.read()
        else:
            self._going.to_session(hit.session, hit.space)
        self._front.go("chat")
