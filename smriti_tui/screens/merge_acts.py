"""What is done in a merge: answers, the text of one's own, writing, planning anew, throwing away.

Every answer is kept as it is given, so that a killed process loses none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.ids import BranchId, CheckpointId, short
from smriti_tui.domain.merge_slots import Answer, Choice
from smriti_tui.domain.merging import fits, settle
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.compare_views import MergeView
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.merge_text import MergeTextDialog, Typed
from smriti_tui.screens.merge_loading import Begun, Carried, SeveralBases, begin
from smriti_tui.screens.merge_writing import MergeWriting, told
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.compare import CompareScreen
    from smriti_tui.services.merging import Merge

KEYS = ("ours", "theirs", "both", "neither", "edit", "write")


class MergeActs:
    """Acts on the merge that its screen shows."""

    def __init__(self, screen: CompareScreen) -> None:
        self._screen = screen
        self.writing = MergeWriting(screen, self._anew)
        self._before: list[Mapping[str, Answer]] = []
        """The answers as they were, for undo, the last ones at the end."""
        self._typed: dict[str, str] = {}
        """What was written for a conflict and not taken."""
        self._saving = False
        self._waiting: Callable[[], None] | None = None

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """Action id to what it does."""
        return {
            "merge.ours": lambda: self.answer("ours"),
            "merge.theirs": lambda: self.answer("theirs"),
            "merge.both": lambda: self.answer("both"),
            "merge.neither": lambda: self.answer("neither"),
            "merge.edit": self.edit,
            "merge.write": self.writing.write,
            "merge.drop": self.throw_away,
            "edit.undo": self.undo,
        }

    def why_not(self, action_id: str) -> str:
        """Empty when it would do something."""
        view = self._screen.merging
        if action_id == "merge.write" and view is not None and view.plan.open:
            return f"{counted(len(view.plan.open), 'conflict')} open"
        if action_id == "merge.drop" and view is not None and not view.answers:
            return "no answer is given"
        if action_id == "edit.undo" and not self._before:
            return "nothing was answered"
        return ""

    def _key(self, name: str) -> str:
        return self._screen.table.key(f"merge.{name}")

    # ---- beginning -----------------------------------------------------------------------------

    def begin(
        self,
        into: BranchId,
        theirs: CheckpointId,
        *,
        base: str | None = None,
        carried: Carried | None = None,
        seen: CheckpointId | None = None,
        begun: Begun | SeveralBases | None = None,
    ) -> None:
        """Plans the merge onto the head of now, with what was answered before; `begun` where that
        was done. `seen` is the checkpoint that the person takes for the head."""
        services = self._screen.services

        def then(found: Begun | SeveralBases) -> None:
            if isinstance(found, Begun):
                self._begun(found, seen)
            else:
                again = partial(self.begin, into, theirs, carried=carried, seen=seen)
                self._choose_base(found, lambda chosen: again(base=chosen))

        if begun is not None:
            then(begun)
            return
        hop(
            self._screen,
            lambda: begin(services, into, theirs, base, carried),
            then,
            self._screen.failed,
            group="merge.begin",
        )

    def _anew(self, view: MergeView, carried: Carried) -> None:
        self.begin(view.merge.into.id, view.merge.theirs.id, carried=carried)

    def _begun(self, found: Begun, seen: CheckpointId | None) -> None:
        self._before = [found.thrown] if found.thrown else []
        self._show(found.merge, found.answers)
        self._screen.first()
        words = [found.news] if found.news else []
        if seen is not None and seen != found.merge.ours.id:
            head = short(found.merge.ours.id)
            words.append(f"The head of {found.merge.into.name} is {head}: it goes onto that.")
        if found.thrown:
            undo = self._screen.table.key("edit.undo")
            words.append(f"{counted(len(found.thrown), 'answer')} thrown away: {undo} brings back.")
        if words:
            self._screen.say(" ".join(words))

    def _choose_base(self, found: SeveralBases, chosen: Callable[[str], None]) -> None:
        ways = [(each.id, told(each)) for each in found.bases]
        dialog = ChoiceDialog(
            f"{len(ways)} common ancestors",
            "The two histories cross. Which one are the sides compared with? What each side has "
            "changed since then counts as its change.",
            ways,
        )

        def then(name: str | None) -> None:
            if name is not None:
                chosen(name)
            elif self._screen.view is None:
                self._screen.dismiss(None)

        self._screen.app.push_screen(dialog, then)

    def _show(self, merge: Merge, answers: Mapping[str, Answer]) -> None:
        plan = settle(merge.plan, answers)
        keys = {name: self._key(name) for name in KEYS}
        self._screen.view = MergeView(merge, plan, dict(answers), self._screen.now, keys)

    # ---- answers -------------------------------------------------------------------------------

    def answer(self, choice: Choice) -> None:
        """Settles the conflict under the cursor; another answer takes the place of the first."""
        self._answer(Answer(choice=choice))

    def _answer(self, answer: Answer) -> None:
        view, row = self._screen.merging, self._screen.row
        if view is None:
            self._screen.say("Start the merge first: M.")
        elif row is None or not row.conflict:
            self._screen.say(
                f"{row.label if row else 'This'} is no conflict: {row.words if row else ''}."
            )
        else:
            try:
                settle(view.merge.plan, {row.key: answer})
            except Invalid as error:
                self._screen.say(f"{row.label}: {error.hint or error.message}")
                return
            self._take({**view.answers, row.key: answer})

    def _take(self, answers: Mapping[str, Answer], *, undoing: bool = False) -> None:
        view = self._screen.merging
        assert view is not None
        if not undoing:
            self._before.append(view.answers)
        self._show(view.merge, answers)
        self._keep()

    def undo(self) -> None:
        """Takes the last answer back, or brings back what was thrown away."""
        if self._screen.merging is None or not self._before:
            self._screen.say("There is nothing to take back here.")
            return
        answers = self._before.pop()
        self._take(answers, undoing=True)
        self._screen.say(f"Taken back: {counted(len(answers), 'answer')} now.")

    def throw_away(self) -> None:
        """All answers go; undo brings them back, also when the merge is begun again."""
        view = self._screen.merging
        if view is None or not view.answers:
            self._screen.say("No answer is given yet.")
            return
        drafts, answers, merge = self._screen.services.merge_drafts, view.answers, view.merge
        self._before.append(answers)
        self._show(merge, {})
        undo = self._screen.table.key("edit.undo")
        self._store(lambda: drafts.throw_away(merge, answers))
        self._screen.say(f"{counted(len(answers), 'answer')} thrown away. {undo} brings them back.")

    def _keep(self) -> None:
        view = self._screen.merging
        assert view is not None
        drafts, merge, answers = self._screen.services.merge_drafts, view.merge, view.answers
        self._store(lambda: drafts.keep(merge, answers))

    def _store(self, work: Callable[[], None]) -> None:
        """One write after the other: the newest answers are those that stay."""
        self._waiting = work
        if not self._saving:
            self._saving = True
            self._store_next()

    def _store_next(self) -> None:
        work, self._waiting = self._waiting, None
        if work is None:
            self._saving = False
            return

        def failed(error: SmritiError) -> None:
            self._saving = False
            self._screen.tell(f"The answer is not kept yet: {error.message}", error.hint)

        hop(self._screen, work, lambda _: self._store_next(), failed, group="merge.keep")

    # ---- the text of one's own -----------------------------------------------------------------

    def edit(self) -> None:
        """Asks for the text of the conflict under the cursor."""
        view, row = self._screen.merging, self._screen.row
        slot = view.slot(row.key) if view is not None and row is not None else None
        if view is None or row is None or slot is None or not row.conflict:
            self._screen.say(
                "Only a conflict is written by hand; the rest follows from the two sides."
            )
            return
        side = slot.result[0] if slot.result else slot.ours or slot.theirs
        text = str(getattr(side, "content", getattr(side, "text", side)) or "")
        plan = view.merge.plan

        def then(typed: Typed | None) -> None:
            if typed is None:
                return
            self._typed[row.key] = typed.text
            if typed.taken:
                del self._typed[row.key]
                self._answer(Answer(text=typed.text))

        dialog = MergeTextDialog(
            row.label,
            self._typed.get(row.key, text),
            lambda written: fits(plan, row.key, Answer(text=written)),
        )
        self._screen.app.push_screen(dialog, then)

    def leave(self) -> None:
        """The screen is left: says what is kept."""
        view = self._screen.merging
        if view is not None and view.answers:
            branch = view.merge.theirs.branch_name
            self._screen.say(
                f"Unfinished: the merge of {branch} into {view.merge.into.name}, "
                f"{counted(len(view.answers), 'answer')} kept. M on it goes on."
            )
