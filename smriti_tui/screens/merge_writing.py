"""Writing a merge, and what is done when its branch has moved meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.render.action_words import named
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.compare_views import MergeView
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.merge_text import WriteMergeDialog
from smriti_tui.screens.merge_loading import Carried
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.compare import CompareScreen


class MergeWriting:
    """Writes the merge that its screen shows."""

    def __init__(self, screen: CompareScreen, again: Callable[[MergeView, Carried], None]) -> None:
        """`again` plans the merge anew on the head of now."""
        self._screen = screen
        self._again = again
        self._told: str | None = None
        """The head that was told as news."""

    def write(self) -> None:
        """Asks for the title and writes; with open conflicts says which."""
        view = self._screen.merging
        if view is None:
            self._screen.say("Start the merge first: M.")
            return
        if view.plan.open:
            open_ids = {slot.id for slot in view.plan.open}
            names = ", ".join(row.label for row in view.rows if row.key in open_ids)
            self._screen.walk(1)
            still = counted(len(open_ids), "conflict")
            self._screen.say(f"{still} still open: {names}. Nothing was written.")
            return
        merge, answers = view.merge, view.answers
        services = self._screen.services
        base = merge.base.id if merge.base else None

        def work(title: str) -> Checkpoint:
            made = services.merging.write(
                merge.ours.id, merge.theirs.id, answers, into=merge.into.id, base=base, title=title
            )
            services.merge_drafts.forget(merge)
            return made

        words = f"It is saved on {merge.into.name}, on top of {short(merge.ours.id)}."
        dialog = WriteMergeDialog(merge.default_title, words, work)
        self._screen.app.push_screen(dialog, lambda made: self._written(made))

    def _written(self, made: object) -> None:
        from smriti_tui.screens.compare_asked import Merged

        view = self._screen.merging
        if isinstance(made, Checkpoint) and view is not None:
            self._screen.dismiss(Merged(made, view.merge))
        elif isinstance(made, Conflict) and made.code == "stale_head":
            self._ask_anew()
        elif isinstance(made, Conflict):
            self._screen.tell(made.message, made.hint)

    def _ask_anew(self) -> None:
        """Says what came to the branch, and offers to plan on top of it."""
        view = self._screen.merging
        if view is None:
            return
        merge = view.merge

        def chosen(way: str | None) -> None:
            if way == "anew":
                self._anew(view)

        def then(found: tuple[Checkpoint, ...]) -> None:
            words = "\n".join(("Nothing was written. What came:", *map(told, found)))
            head = short(found[0].id) if found else "the new head"
            ways = [
                ("anew", f"Plan anew on {head}; the answers that still fit are kept"),
                ("stay", "Stay here; nothing is written"),
            ]
            dialog = ChoiceDialog(f"{merge.into.name} moved meanwhile", words, ways)
            self._screen.app.push_screen(dialog, chosen)

        self._came(view, then)

    def _anew(self, view: MergeView) -> None:
        merge = view.merge
        base = merge.base.id if merge.base else None
        self._again(view, Carried(view.answers, merge.ours.id, base))

    def look_for_news(self) -> None:
        """Whether the branch has another head by now."""
        view = self._screen.merging
        if view is None:
            return
        merge = view.merge

        def then(found: tuple[Checkpoint, ...]) -> None:
            now = self._screen.merging
            if now is None or now.merge is not merge or not found or found[0].id == self._told:
                return
            self._told = found[0].id
            self._screen.view = replace(now, moved=True)
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            key = self._screen.table.key("merge.write")
            words = f"{merge.into.name} moved: {told(found[0])}{more}."
            self._screen.tell(clean_line(words), f"{key} offers to plan anew.")

        self._came(view, then)

    def _came(self, view: MergeView, then: Callable[[tuple[Checkpoint, ...]], None]) -> None:
        """Reads what was saved on the branch since the merge was begun."""
        came, merge = self._screen.services.merging.came, view.merge
        hop(
            self._screen,
            lambda: came(merge.into.id, merge.ours.id),
            then,
            self._screen.failed,
            group="merge.came",
        )


def told(checkpoint: Checkpoint) -> str:
    """A checkpoint in words, for a line."""
    return clean_line(
        f"{short(checkpoint.id)} {named(checkpoint.title)} by {checkpoint.body.author}"
    )
