"""Keeping the draft as it is typed, saving it, throwing it away, and leaving it."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from smriti_tui.domain.draft import dump, opened
from smriti_tui.domain.draft_editing import is_touched, new_in, rebased
from smriti_tui.domain.draft_saving import to_input
from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.model import Checkpoint
from smriti_tui.screens.draft.loading import others_words
from smriti_tui.screens.draft.place import Left
from smriti_tui.screens.saving import saved_words
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.domain.checkpoint_input import CheckpointInput
    from smriti_tui.screens.draft.screen import DraftScreen
    from smriti_tui.screens.form_news import HeadMoved
    from smriti_tui.services.checkpoints import Saved
    from smriti_tui.services.unsent import Held

LOOK_S = 0.5
"""How often it is looked who else drafts here, at most: that writes what waits and reads it all."""
MOST_TOLD = 2
"""Items in which the new head differs that the bar names; saving lists more."""


class Keeping:
    """The screen's side of saving (`Written`), and of what is kept."""

    def __init__(self, screen: DraftScreen) -> None:
        self._screen = screen
        self._told: set[int] = set()
        """Processes that were told of."""
        self._looked = 0.0

    # ---- kept as it is typed -------------------------------------------------------------------

    def keep(self, *, always: bool = False) -> None:
        """Soon; `always`: also where nothing is in it, so that others see that somebody drafts."""
        screen = self._screen
        if screen.opened is None or screen.saving.running:
            return
        text = dump(screen.state) if always else screen.kept_text()
        screen.keeper.later(screen.place.thing, text)
        if monotonic() - self._looked > LOOK_S:
            self.look_for_others()

    def look_for_others(self) -> None:
        """Tells once of each other process that has this draft open too."""
        screen = self._screen
        if screen.opened is None or not is_touched(screen.state, screen.opened.start):
            return  # Without a text of one's own, reading would adopt what another left.
        self._looked = monotonic()
        keeper, thing = screen.keeper, screen.place.thing

        def then(held: Held) -> None:
            known = {each.pid for each in screen.opened.others} if screen.opened else set()
            new = tuple(e for e in held.elsewhere if e.pid not in known | self._told)
            if new:
                self._told |= {each.pid for each in new}
                screen.tell(others_words(new).strip())

        hop(screen, lambda: keeper.take(thing), then, lambda _: None, group="draft.others")

    def leave(self, left: Left) -> None:
        """Off the screen; what is drafted and typed is kept."""
        screen = self._screen
        if screen.opened is not None:
            text = screen.kept_text()
            screen.keeper.later(screen.place.thing, text)
            screen.app.run_worker(screen.keeper.write, thread=True, exit_on_error=False)
            if text:
                key = screen.table.key("draft.start")
                screen.app.notify(f"Kept: {key} opens the draft again.", markup=False)
        screen.dismiss(left)

    def throw_away(self) -> None:
        """The draft goes; undo brings it back, also later."""
        screen = self._screen
        screen.asking.stop()
        if not screen.kept_text():
            screen.say("There is nothing to throw away.")
            return
        screen.keeper.later(screen.place.thrown, dump(replace(screen.state, writing={})))
        screen.keeper.later(screen.place.thing, "")
        screen.app.run_worker(screen.keeper.write, thread=True, exit_on_error=False)
        key = screen.table.key("edit.undo")
        screen.app.notify(f"The draft is thrown away. {key} brings it back.", markup=False)
        screen.dismiss(Left(thrown=True))

    # ---- saving --------------------------------------------------------------------------------

    def save(self) -> None:
        """Saves, unless something still asks or is missing."""
        screen = self._screen
        if screen.opened is None or screen.saving.running:
            return
        if screen.saving.needs_branch and not screen.state.branch.strip():
            try:
                self.content()
            except Invalid as error:
                self.not_saved(error)
                return
            self.need_branch("Name of the new branch")
        else:
            screen.saving.save()

    def written_on(self) -> tuple[str, int | None]:
        """The head, and the newest turn that was drafted."""
        return self._screen.state.head, self._screen.state.last

    def content(self) -> CheckpointInput:
        """All that is kept. Raises: Invalid."""
        return to_input(self._screen.state)

    def branch_name(self) -> str:
        """As typed."""
        return self._screen.state.branch

    def saving_changed(self) -> None:
        """Titles and lines follow."""
        self._screen.redraw()

    def saved(self, saved: Saved) -> None:
        """Forgets the draft, and leaves."""
        screen = self._screen
        screen.asking.stop()
        screen.keeper.later(screen.place.thing, "")
        screen.app.run_worker(screen.keeper.write, thread=True, exit_on_error=False)
        screen.app.notify(saved_words(saved), markup=False)
        screen.dismiss(Left(made=saved.checkpoint, then_merge=screen.saving.then_merge))

    def not_saved(self, error: SmritiError) -> None:
        """In the bar, with the cursor on what is to be done first."""
        screen = self._screen
        field = (error.field or "") if isinstance(error, Invalid) else ""
        name = field.split("[")[0].split(".")[0]
        if error.code == "draft_asks":
            screen.panes.first_asking()
        elif name in KINDS:
            mine = screen.state.of(name)
            if mine:
                screen.panes.rows.move_to(f"item:{mine[0].uid}")
        elif name:
            screen.panes.rows.move_to(name)
        screen.tell(error.message, error.hint)

    def need_branch(self, words: str) -> None:
        """Asks for its name, then saves."""
        self._screen.redraw()
        self._screen.writing.branch(words, self._screen.saving.save)

    def head_came(self, found: HeadMoved) -> None:
        """Says what came."""
        key = self._screen.table.key("draft.save")
        differs = f" Differs: {'; '.join(found.items[:MOST_TOLD])}." if found.items else ""
        self._screen.tell(f"{found.told}{differs}", f"{key} asks where this goes; all stays.")
        self._screen.redraw()

    def rebased(self, head: Checkpoint | None) -> bool:
        """On top of the new head; False where that holds what was not seen here."""
        screen = self._screen
        found = screen.opened
        if found is None:
            return False
        body = head.body if head is not None else None
        head_id = head.id if head is not None else ""
        new = new_in(body, screen.state)
        state = rebased(screen.state, body, head_id)
        start = replace(opened(screen.session, body, head_id), last=state.last)
        screen.new_head(replace(found, head=head, start=start), state)
        if new:
            key = screen.table.key("draft.save")
            screen.tell("The new head holds more, carried over below.", f"Look, then {key} saves.")
        return not new
