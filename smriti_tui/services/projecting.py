"""Any view by its name, as every surface shows it: those of open streams, a Space, its state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.render.documents import Document, whole_space_document
from smriti_tui.domain.render.lists import whole_space_text
from smriti_tui.domain.render.state import StateOptions, state_brief
from smriti_tui.domain.render.state_document import state_document
from smriti_tui.domain.render.views import folded_document, folded_text

if TYPE_CHECKING:
    from smriti_tui.services import Services


@dataclass(frozen=True)
class Projected:
    """A view as a document and as text."""

    document: Document
    text: Callable[[], str]
    warnings: tuple[str, ...] = ()


def position_of(services: Services, name: str, version: int) -> int:
    """Position in the log of one version of a view's stream.

    Raises:
        NotFound: no such view, Space or version. Ambiguous: of the Space.
    """
    kind, space = _of_space(services, name)
    return services.views.position(f"space/{space}" if kind else name, version)


def projected(services: Services, name: str, now: str, limit: int | None = None) -> Projected:
    """A view: a registered one, or `space:S` or `state:S`. `limit` is of rows in each list of the
    registered ones.

    Raises:
        NotFound: no such view or Space. Ambiguous: of the Space.
    """
    kind, space = _of_space(services, name)
    if kind == "space":
        found, branches = services.spaces.find(space), services.spaces.branches(SpaceId(space))
        document = whole_space_document(found, branches)
        return Projected(document, lambda: whole_space_text(found, branches))
    if kind == "state":
        options = StateOptions(home=str(Path.home()))
        view = services.state.view(SpaceId(space))
        brief = state_brief(view, options)
        return Projected(state_document(view, options, brief), lambda: brief.text)
    folded = services.views.project(name)
    warnings = tuple(
        f"the snapshot of {name} at event {each.position} is not used: {each.reason}"
        for each in folded.unfit
    )
    return Projected(
        folded_document(folded, limit), lambda: folded_text(folded, now, limit), warnings
    )


def _of_space(services: Services, name: str) -> tuple[str, str]:
    """What of which Space a name asks for; two empty texts where it names no Space."""
    kind, colon, wanted = name.partition(":")
    if not colon or kind not in ("space", "state"):
        return "", ""
    return kind, services.spaces.find(wanted).id
