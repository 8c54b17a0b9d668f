"""The history of a Space as pane 2 has it: read and drawn as lanes in threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from smriti_tui.domain.history import TreeRow
from smriti_tui.domain.ids import BranchId, SpaceId
from smriti_tui.domain.render.graph import Knot, Lanes

if TYPE_CHECKING:
    from smriti_tui.services import Services

LANES = 5
"""Lanes that are drawn: in the narrowest pane a checkpoint's id has room beside them."""


@dataclass
class History:
    """Rows, newest first, with their place in the picture."""

    rows: tuple[TreeRow, ...] = ()
    knots: Mapping[str, Knot] = field(default_factory=dict)
    more: bool = False
    """Whether older ones are not read yet."""
    branch: BranchId | None = None
    """The branch that all of them lead to; None for all branches."""
    lanes: Lanes = field(default_factory=lambda: Lanes.empty(LANES))
    """Those at the lower edge."""
    asked: bool = False
    """Whether the next page is on its way."""


def load_history(
    services: Services, space: SpaceId, branch: BranchId | None, count: int
) -> History:
    """The newest `count` checkpoints: of the Space, or of those that `branch` comes from.

    Raises:
        NotFound: Space or branch are gone.
    """
    return load_more(services, space, History(branch=branch), count)


def load_more(services: Services, space: SpaceId, before: History, count: int) -> History:
    """What was read, and `count` more behind it. Raises: as `load_history`."""
    at = before.rows[-1].position if before.rows else None
    page = services.history.page(space, branch=before.branch, before=at, limit=count)
    lanes = Lanes(list(before.lanes.waiting), LANES)
    knots = lanes.draw((row.id, row.parents) for row in page.rows)
    return History(
        (*before.rows, *page.rows),
        {**before.knots, **{knot.id: knot for knot in knots}},
        page.more,
        before.branch,
        lanes,
    )
