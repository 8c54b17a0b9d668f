"""Why an action would do nothing just now, in a few words: what the palette greys out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.send import Sender
from smriti_tui.widgets.header_bar import HeaderBar

OF_A_CHECKPOINT = (
    "branch.menu", "checkpoint.blame", "checkpoint.compare", "checkpoint.export",
    "checkpoint.fork", "checkpoint.merge", "checkpoint.mount", "checkpoint.note",
    "checkpoint.remove", "checkpoint.review", "checkpoint.turns", "checkpoint.verify",
    "item.reach",
)  # fmt: skip
"""What is done to the one under the cursor of pane 2."""
OF_AN_AGENT = (
    "agents.remove", "claim.done", "claim.edit", "conflict.explain", "worktree.shell",
)  # fmt: skip
"""What is done to the row under the cursor of pane 5."""
WRITES = frozenset(
    {
        "agents.new", "agents.remove", "claim.done", "claim.edit", "worktree.prune",
        "branch.menu", "chat.edit", "chat.fork", "checkpoint.fork", "checkpoint.note",
        "checkpoint.remove",
        "draft.part", "draft.start", "import.show",
        "chat.retry", "chat.send", "chat.sibling_next", "chat.sibling_prev", "chat.sides",
        "checkpoint.merge",
        "checkpoint.mount", "checkpoint.new", "checkpoint.unmount", "edit.rename",
        "session.archive", "session.new", "session.pin", "session.title", "space.archive",
        "space.new", "space.remove",
    }
)  # fmt: skip
"""What needs a database that takes writes."""


class Reasons:
    """Knows them from what is on the screen; asks no service."""

    def __init__(
        self,
        front: Front,
        here: Here,
        header: HeaderBar,
        sender: Sender,
        checkpoints: CheckpointsPart,
        nudged: Callable[[], bool],
    ) -> None:
        """`nudged` tells whether a hint about a checkpoint is shown."""
        self._nudged = nudged
        self._front = front
        self._here = here
        self._header = header
        self._sender = sender
        self._checkpoints = checkpoints
        self._checks: Mapping[str, Callable[[], str]] = {
            "chat.retry": self._asked,
            "chat.sibling_next": self._asked,
            "chat.sibling_prev": self._asked,
            "chat.sides": self._asked,
            "chat.stop": self._running,
            **dict.fromkeys(OF_A_CHECKPOINT, self._marked),
            "chat.edit": self._asked,
            "chat.fork": self._asked,
            "agents.look": self._space,
            "agents.new": self._space,
            "worktree.prune": self._space,
            **dict.fromkeys(OF_AN_AGENT, self._agent),
            "checkpoint.new": self._space,
            "draft.part": self._asked,
            "draft.start": self._space,
            "nav.pane_4": self._space,
            "checkpoint.unmount": self._mounted,
            "context.show": self._session,
            "merge.resume": self._space,
            "nudge.hide": self._hinted,
        }

    def why_not(self, action_id: str) -> str:
        """Empty when it would do something."""
        live = self._header.view.live
        if action_id in WRITES and live in ("OFFLINE", "READ ONLY"):
            away = live == "OFFLINE"
            return "database out of reach" if away else "database is read only"
        check = self._checks.get(action_id)
        return check() if check is not None else ""

    def _running(self) -> str:
        running = self._sender.is_running(self._here.now.session)
        return "" if running else "no answer is running"

    def _hinted(self) -> str:
        return "" if self._nudged() else "no hint is shown"

    def _asked(self) -> str:
        look = self._here.now.look
        return "" if look is not None and look.turns else "nothing was asked yet"

    def _mounted(self) -> str:
        look = self._here.now.look
        mounted = look is not None and look.view.mode == "RESTORED"
        return "" if mounted else "nothing is mounted"

    def _marked(self) -> str:
        if self._here.now.space is None:
            return "no Space is open"
        if self._front.place != "checkpoints":
            return "choose one in pane 2"
        return "" if self._checkpoints.marked else "no checkpoint yet"

    def _agent(self) -> str:
        return "" if self._front.place == "agents" else "choose one in pane 5"

    def _space(self) -> str:
        return "" if self._here.now.space else "no Space is open"

    def _session(self) -> str:
        marked = self._front.place == "checkpoints" and self._checkpoints.marked
        return "" if marked or self._here.now.session else "no session is open"
