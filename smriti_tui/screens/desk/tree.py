"""Spaces and their sessions: which are unfolded, and the pane that shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.model import Session, Space
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.spaces_pane import (
    LOOSE,
    SPACES,
    SpacesPane,
    SpacesView,
    archived_key,
    space_key,
)

if TYPE_CHECKING:
    from smriti_tui.services import Services


class TreePart:
    """Reads and draws the Spaces."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        pane: SpacesPane,
        header: HeaderBar,
        running: Callable[[], frozenset[str]],
        tree: loads.Tree,
        unfolded: frozenset[str],
    ) -> None:
        """`running` names the sessions with an answer on its way; `tree` was read at the start,
        with what was `unfolded`."""
        self._here = here
        self._services = services
        self._work = work
        self._pane = pane
        self._header = header
        self._running = running
        self._tree = tree
        self._unfolded: set[str] = set(unfolded)

    def show(self) -> None:
        """Draws the pane, and the Space's name in the top line."""
        place = self._here.now
        self._pane.show_spaces(
            SpacesView(
                spaces=self._tree.spaces,
                sessions=self._tree.sessions,
                archived_spaces=self._tree.archived_spaces,
                archived=self._tree.archived,
                hidden=self._tree.hidden,
                unfolded=frozenset(self._unfolded),
                space=place.space,
                session=place.session,
                running=self._running(),
                now=self._services.caller.store.now(),
            )
        )
        self._header.change(space=self.space_name or ("no Space" if place.session else ""))

    def read(self) -> None:
        """Reads Spaces and sessions again."""
        unfolded = frozenset(self._unfolded)

        def then(tree: loads.Tree) -> None:
            if unfolded == frozenset(self._unfolded):
                self._tree = tree
                self.show()

        self._work.read(lambda: loads.load_tree(self._services, unfolded), then, group="tree")

    # ---- folding -------------------------------------------------------------------------------

    def unfold(self, space: str) -> None:
        """The sessions of a Space come with the next read."""
        self._unfolded.add(space)

    def is_unfolded(self, space: str) -> bool:
        """Whether a Space's sessions are shown."""
        return space in self._unfolded

    def fold(self, key: str, unfold: bool) -> None:
        """Folds or unfolds a Space's row; from a session, `left` goes to its Space."""
        kind, _, owner = key.partition(":")
        if kind in ("space", "archived"):
            name = owner if kind == "space" else key
            if not unfold and name not in self._unfolded and kind == "archived":
                self._pane.move_to(space_key(owner))
            (self._unfolded.add if unfold else self._unfolded.discard)(name)
            self.read()
        elif kind == "session" and not unfold:
            self._pane.move_to(self._above(owner))

    def toggle(self, key: str) -> None:
        """Folds a row that is unfolded, and the other way round."""
        kind, _, owner = key.partition(":")
        name = owner if kind == "space" else key
        self.fold(key, name not in self._unfolded)

    def _above(self, session: str) -> str:
        """The key of the row that a session hangs under, empty where that takes no cursor."""
        for space, found in self._tree.archived.items():
            if any(each.id == session for each in found):
                return archived_key(space)
        for space, found in self._tree.sessions.items():
            if space != LOOSE and any(each.id == session for each in found):
                return space_key(space)
        return ""

    @property
    def unfolded(self) -> frozenset[str]:
        """What is unfolded, of what there is: kept for the next start."""
        known = {space.id for space in self._tree.all_spaces}
        rows = {archived_key(name) for name in (*known, LOOSE, SPACES)}
        return frozenset(self._unfolded & (known | rows))

    # ---- what the tree knows -------------------------------------------------------------------

    @property
    def space_name(self) -> str:
        """The name of the open Space, empty outside of all."""
        space = self._here.now.space
        return next((known.name for known in self._tree.all_spaces if known.id == space), "")

    def beside(self, space: str) -> SpaceId | None:
        """The Space below another in the list, else the one above it; None without one."""
        ids = [known.id for known in self._tree.spaces]
        at = next((at for at, known in enumerate(ids) if known == space), 0)
        others = [known for known in ids if known != space]
        return others[min(at, len(others) - 1)] if others else None

    @property
    def marked(self) -> tuple[str, str]:
        """Kind (`space`, `session`) and id of the row under the cursor, empty for none."""
        kind, _, owner = (self._pane.cursor_key or "").partition(":")
        return (kind, owner) if kind in ("space", "session") else ("", "")

    def space_known(self, wanted: str) -> Space | None:
        """A Space that the tree shows."""
        return next((known for known in self._tree.all_spaces if known.id == wanted), None)

    def session_known(self, wanted: str) -> Session | None:
        """A session that the tree shows."""
        lists = (*self._tree.sessions.values(), *self._tree.archived.values())
        shown = (known for found in lists for known in found)
        return next((known for known in shown if known.id == wanted), None)

    def space_of(self, session: str) -> SpaceId | None:
        """The Space of a session that the tree shows."""
        known = self.session_known(session)
        return known.space if known is not None else None
