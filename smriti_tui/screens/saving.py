"""Saving what a screen has written as a checkpoint, also where the head has moved meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from textual.screen import Screen

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict, Invalid, SmritiError
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.form_loading import FormPlace
from smriti_tui.screens.form_news import HeadMoved, beside_name, moved
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.domain.checkpoint_input import CheckpointInput
    from smriti_tui.services import Services
    from smriti_tui.services.checkpoints import Saved

TOP, MERGE, BESIDE = "top", "merge", "beside"


def saved_words(saved: Saved) -> str:
    """For the toast: what was saved where, and how much it leaves out."""
    out = f", {saved.omitted_count} left out" if saved.omitted_count else ""
    made = saved.checkpoint
    return clean_line(f"Saved {short(made.id)} on {made.branch_name}{out}.")


class Written(Protocol):
    """The screen whose text is saved: it says what, and hears how it went."""

    def written_on(self) -> tuple[str, int | None]:
        """The head's id ("" for none), and the newest turn that it is made from."""

    def content(self) -> CheckpointInput:
        """Raises: Invalid, it cannot be saved yet."""

    def branch_name(self) -> str:
        """Of the new branch, as typed."""

    def saving_changed(self) -> None:
        """Saving begins or ends, or goes elsewhere: what is said about it follows."""

    def saved(self, saved: Saved) -> None:
        """It is in the log."""

    def not_saved(self, error: SmritiError) -> None:
        """It is not; nothing typed is lost."""

    def need_branch(self, words: str) -> None:
        """A new branch needs a name."""

    def head_came(self, found: HeadMoved) -> None:
        """The branch has another head, told once for each."""

    def rebased(self, head: Checkpoint | None) -> bool:
        """It goes on top of this head; False where the person must look at it first."""


class Saving:
    """One save at a time, naming the head that it was written on."""

    def __init__(
        self, screen: Screen[Any], page: Written, services: Services, place: FormPlace
    ) -> None:
        self._screen = screen
        self._page = page
        self._services = services
        self._place = place
        self.running = False
        self.needs_branch = False
        """Whether it goes to a new branch."""
        self.beside = False
        """Whether that branch begins where it was written, though the line's own one would do."""
        self.moved_to: str | None = None
        """The head that came while it was written, once that is told."""
        self.then_merge = False
        """Whether what was saved is to be merged with what came meanwhile."""

    # ---- a head that moves ---------------------------------------------------------------------

    @property
    def stale(self) -> bool:
        """Whether it is known that saving will ask."""
        return self.moved_to not in (None, self._page.written_on()[0]) and not self.needs_branch

    def look(self) -> None:
        """Somebody may have saved on the head that is written on."""
        if not self.running and not self.needs_branch:
            self._look(asked=False)

    def _look(self, *, asked: bool) -> None:
        services, place, written_on = self._services, self._place, self._page.written_on()[0]
        hop(
            self._screen,
            lambda: moved(services, place, written_on),
            lambda found: self._looked(written_on, found, asked=asked),
            self._page.not_saved,
            group="saving.look",
        )

    def _looked(self, written_on: str, found: HeadMoved | None, *, asked: bool) -> None:
        if written_on != self._page.written_on()[0]:
            return
        if asked:
            if found is None:  # It moved back: what stood in the way is gone.
                self.save()
            else:
                self._ask_where(found)
        elif found is not None and found.head != self.moved_to:
            self.moved_to = found.head
            self._page.head_came(found)

    # ---- saving --------------------------------------------------------------------------------

    def save(self, merge_into: str = "") -> None:
        """With `merge_into`, on a branch beside that one, to be merged into it."""
        if self.running:
            return
        self.then_merge = bool(merge_into)
        branch = self._page.branch_name().strip()
        try:
            content = self._page.content()
            if self.needs_branch and not branch:
                raise Invalid("A new branch needs a name.", "Type one.", field="branch")
        except Invalid as error:
            self._page.not_saved(error)
            return
        self.running = True
        self._page.saving_changed()
        work = self._work(content, branch if self.needs_branch else None, merge_into)
        hop(self._screen, work, self._page.saved, self._failed, group="saving.save")

    def _work(
        self, content: CheckpointInput, branch: str | None, merge_into: str
    ) -> Callable[[], Saved]:
        """What saves in a thread."""
        services, place, beside = self._services, self._place, self.beside
        head, last = self._page.written_on()

        def work() -> Saved:
            if merge_into or (beside and branch is not None):
                # Loads the services, so it is imported in the thread.
                from smriti_tui.services.beside import BesideService

                name = branch or beside_name(services, place.space, merge_into)
                start = CheckpointId(head) if head else None
                service = BesideService(services.checkpoints)
                return service.create(place.space, content, branch=name, start=start)
            return services.checkpoints.create(
                place.space,
                content,
                session=place.session,
                branch=branch,
                expect_head=head,
                last=(last or 0) if place.session else None,
            )

        return work

    def _failed(self, error: SmritiError) -> None:
        self.running = False
        self._page.saving_changed()
        if isinstance(error, Conflict) and error.code == "stale_head":
            self._look(asked=True)
        elif isinstance(error, Conflict) and error.code in ("branch_needed", "branch_exists"):
            self._need_branch(str(error), beside=self.beside)
        else:
            self._page.not_saved(error)

    def _need_branch(self, words: str, *, beside: bool) -> None:
        self.beside, self.needs_branch = beside, True
        self._page.saving_changed()
        self._page.need_branch(words)

    def _ask_where(self, found: HeadMoved) -> None:
        """What came, and the ways on; nothing typed is lost on any of them."""
        base = short(self._page.written_on()[0]) or "the start"
        ways = (
            (TOP, f"On top of {short(found.head) or 'nothing'}, the new head of {found.branch}"),
            (BESIDE, f"On a new branch from {base}"),
            (MERGE, "Beside it, then merge the two"),
        )
        self._page.saving_changed()

        def chosen(way: str | None) -> None:
            if way == TOP:
                self._rebase(found.head)
            elif way == MERGE:
                self.save(merge_into=found.branch)
            elif way == BESIDE:
                self._need_branch("Name the new branch, then save.", beside=True)

        words = f"{found.words}\n\nEverything you typed is kept."
        self._screen.app.push_screen(ChoiceDialog("The head has moved", words, ways), chosen)

    def _rebase(self, actual: str) -> None:
        checkpoints = self._services.checkpoints

        def work() -> Checkpoint | None:
            return checkpoints.get(CheckpointId(actual)) if actual else None

        def then(head: Checkpoint | None) -> None:
            if self._page.rebased(head):
                self.save()

        hop(self._screen, work, then, self._page.not_saved, group="saving.rebase")
