"""Where an item of a comparison or merge comes from, on each side that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Checkpoint, Item, Task
from smriti_tui.domain.render.traces import traces_text
from smriti_tui.screens.compare_views import CompareView
from smriti_tui.screens.dialogs.origin import OriginDialog
from smriti_tui.widgets.literal_view import Section
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.compare import CompareScreen


def show_origin(screen: CompareScreen) -> None:
    """Follows the item under the cursor back, for each side that holds it."""
    view, row = screen.view, screen.row
    if view is None or row is None:
        return
    found = _holders(screen)
    if not found:
        screen.notify("Only items are followed back: decisions, assumptions, tasks, questions.",
                      markup=False)  # fmt: skip
        return
    blame = screen.services.blaming.item

    def work() -> list[Section]:
        sections = []
        for name, checkpoint, item in found:
            head = f"{name} {short(checkpoint.id)} on {checkpoint.branch_name}"
            try:
                text = traces_text(blame(checkpoint.id, item.uid))
            except NotFound as error:
                text = str(error)
            sections.append(Section(head, text, "heading"))
        return sections

    def then(sections: list[Section]) -> None:
        screen.app.push_screen(OriginDialog(row.label, sections))

    hop(screen, work, then, screen.failed, group="compare.origin")


def _holders(screen: CompareScreen) -> list[tuple[str, Checkpoint, Item | Task]]:
    """The sides that hold the item; the base only where nobody else does."""
    view, row = screen.view, screen.row
    assert view is not None
    assert row is not None
    if isinstance(view, CompareView):
        sides = [("A", view.found.a), ("B", view.found.b)]
        items = row.sides
    else:
        sides = [("Ours", view.merge.ours), ("Theirs", view.merge.theirs)]
        items = row.sides[1:]
        if not any(items) and view.merge.base is not None:
            sides, items = [("Base", view.merge.base)], row.sides[:1]
    return [
        (name, checkpoint, item)
        for (name, checkpoint), item in zip(sides, items, strict=True)
        if isinstance(item, Item | Task)
    ]
