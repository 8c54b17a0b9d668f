"""The left side of the workspace: Spaces and checkpoints."""

from __future__ import annotations

from smriti_tui.domain.ids import SpaceId
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.base import DeskBase
from smriti_tui.text import literal_line
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane, CheckpointsView
from smriti_tui.widgets.spaces_pane import LOOSE, SpacesPane, SpacesView


class DeskPanes(DeskBase):
    """Reads and draws the two lists."""

    # ---- Spaces --------------------------------------------------------------------------------

    def show_tree(self) -> None:
        """Draws the Spaces pane."""
        view = SpacesView(
            spaces=self.tree.spaces,
            sessions=self.tree.sessions,
            space=self.space,
            session=self.session,
            running=self.sender.sessions,
            now=self.now(),
        )
        self.screen.query_one(SpacesPane).show_spaces(view)
        name = next((space.name for space in self.tree.spaces if space.id == self.space), "")
        self.header(space=name or ("no Space" if self.session else ""))

    def read_tree(self) -> None:
        """Reads Spaces and sessions again."""
        unfolded = frozenset(self.unfolded)

        def then(tree: loads.Tree) -> None:
            if unfolded == frozenset(self.unfolded):
                self.tree = tree
                self.show_tree()

        self.thread(
            lambda: loads.load_tree(self.services, unfolded), then, self.read_failed, group="tree"
        )

    def fold_space(self, key: str, unfold: bool) -> None:
        """Folds or unfolds a Space's row; from a session, `left` goes to its Space."""
        kind, _, owner = key.partition(":")
        if kind == "space":
            (self.unfolded.add if unfold else self.unfolded.discard)(owner)
            self.read_tree()
        elif kind == "session" and not unfold:
            for space, sessions in self.tree.sessions.items():
                if space != LOOSE and any(session.id == owner for session in sessions):
                    self.screen.query_one(SpacesPane).move_to(f"space:{space}")

    def space_of(self, session: str) -> SpaceId | None:
        """The Space of a session that the tree shows."""
        return next((known.space for known in self.all_sessions() if known.id == session), None)

    # ---- checkpoints ---------------------------------------------------------------------------

    def read_checkpoints(self) -> None:
        """Reads the checkpoints of the session's branch, or of the Space."""
        space, session, limit = self.space, self.session, self.checkpoints_limit
        branch = self.shown.session.branch if self.shown else None
        if space is None:
            pane = self.screen.query_one(CheckpointsPane)
            pane.border_subtitle = ""
            pane.show_checkpoints(CheckpointsView())
            return

        def then(look: loads.CheckpointsLook) -> None:
            if (space, session) == (self.space, self.session):
                self.show_checkpoints(look)

        self.thread(
            lambda: loads.load_checkpoints(self.services, space, branch, limit),
            then,
            self.read_failed,
            group="checkpoints",
        )

    def show_checkpoints(self, look: loads.CheckpointsLook) -> None:
        """Draws the Checkpoints pane."""
        shown = self.shown
        mounted = None
        if shown is not None and shown.view.mode == "RESTORED" and shown.view.anchor:
            mounted = shown.view.anchor.id
        pane = self.screen.query_one(CheckpointsPane)
        name = shown.session.branch_name if shown else None
        pane.border_subtitle = literal_line(name or "all branches")
        pane.show_checkpoints(
            CheckpointsView(
                checkpoints=look.checkpoints,
                branch=name or "",
                head=shown.branch.head if shown and shown.branch else None,
                mounted=mounted,
                more=look.more,
                now=self.now(),
                in_space=True,
            )
        )

    def more_checkpoints(self, count: int) -> None:
        """Reads older ones too."""
        if count >= self.checkpoints_limit:
            self.checkpoints_limit *= 4
            self.read_checkpoints()
