"""The registered views of open streams; adding one touches no store."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.views import agent_traces, buildlog, orchestrator_status, tracker
from smriti_tui.domain.views.base import Fact, Items, View, ViewState

__all__ = ["VIEWS", "Fact", "Items", "View", "ViewState", "registered"]

VIEWS: Final = MappingProxyType(
    {
        view.name: view
        for view in (tracker.VIEW, orchestrator_status.VIEW, agent_traces.VIEW, buildlog.VIEW)
    }
)


def registered(name: str) -> View:
    """The view of this name.

    Raises:
        NotFound: no view has it (code `view`).
    """
    if (found := VIEWS.get(name)) is not None:
        return found
    raise NotFound(
        f"There is no view {name!r}.",
        f"There are {', '.join(VIEWS)}, space:ID and state:ID.",
        code="view",
    )
