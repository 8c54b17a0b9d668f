"""From the checkpoints to compare and merge, and what is said and asked when a merge is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Conflict, SmritiError
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId, short
from smriti_tui.domain.model import MAIN, Branch
from smriti_tui.domain.render.action_words import named
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane

if TYPE_CHECKING:
    from smriti_tui.screens.compare import CompareScreen
    from smriti_tui.screens.compare_asked import CompareAsked, Merged
    from smriti_tui.screens.merge_loading import Begun, SeveralBases
    from smriti_tui.services import Services
    from smriti_tui.services.merge_drafts import Unfinished

GROUP = "merge"


class Comparing:
    """Opens the screen for both; each is imported when it is first opened."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        checkpoints: CheckpointsPart,
        pane: CheckpointsPane,
        made: Callable[[], None],
    ) -> None:
        """`made` is called when a checkpoint came by a merge."""
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._checkpoints = checkpoints
        self._pane = pane
        self._made = made
        self._screen: CompareScreen | None = None
        self._reminded: SpaceId | None = None

    # ---- compare -------------------------------------------------------------------------------

    def compare(self) -> None:
        """The marked checkpoint, or the head of the session's branch, with the one under the
        cursor."""
        if (b := self._under_cursor()) is not None:
            self.compare_with(b)

    def compare_with(self, b: CheckpointId) -> None:
        """As `compare`, with a checkpoint that is named."""
        marks = [mark for mark in self._pane.marks if mark != b]
        stands = self._here.now.stands
        a = CheckpointId(marks[0]) if len(marks) == 1 else stands.tip if stands else None
        if len(marks) > 1:
            self._voice.say(f"{len(marks)} others are marked: mark the one to compare with.")
        elif a is None:
            self._voice.say("Mark a checkpoint with space, then compare it with another one.")
        elif a == b:
            self._voice.say("This is HEAD itself: mark another one with space to compare with.")
        else:
            from smriti_tui.screens.compare_asked import CompareAsked

            self._open(CompareAsked(b=b, a=a))

    def _under_cursor(self) -> CheckpointId | None:
        if self._front.place != "checkpoints":
            to_pane = self._voice.letter("2")
            self._voice.say(f"{to_pane} goes to Checkpoints; there it is the one under the cursor.")
            return None
        if self._checkpoints.marked is None:
            self._voice.say("There is no checkpoint here.")
        return self._checkpoints.marked

    def _open(self, asked: CompareAsked) -> None:
        from smriti_tui.screens.compare import CompareScreen

        self._screen = screen = CompareScreen(self._services, asked)
        self._front.open_screen(screen, self._closed)

    # ---- merge ---------------------------------------------------------------------------------

    def merge(self) -> None:
        """Merges the line of the checkpoint under the cursor into the current branch."""
        if (theirs := self._under_cursor()) is not None:
            self.merge_line(theirs)

    def merge_line(self, theirs: CheckpointId) -> None:
        """As `merge`, of a checkpoint that is named."""
        space, stands = self._here.now.space, self._here.now.stands
        if space is None:
            self._voice.say("No Space is open.")
            return
        into = stands.id if stands is not None else None
        self._begin(space, into, theirs)

    def _begin(self, space: SpaceId, into: BranchId | None, theirs: CheckpointId) -> None:
        services = self._services

        def work() -> tuple[BranchId, Begun | SeveralBases]:
            from smriti_tui.screens.merge_loading import begin

            branch = into or next(b.id for b in services.spaces.branches(space) if b.name == MAIN)
            return branch, begin(services, branch, theirs)

        def then(found: tuple[BranchId, Begun | SeveralBases]) -> None:
            from smriti_tui.screens.compare_asked import CompareAsked

            branch, begun = found
            self._open(CompareAsked(b=theirs, into=branch, begun=begun))

        def failed(error: SmritiError) -> None:
            if isinstance(error, Conflict) and error.code in ("already_merged", "no_head"):
                self._nothing_to_merge(space, error)
            else:
                self._voice.fail(error, GROUP)

        self._work.run(work, then, failed, group=GROUP)

    def _nothing_to_merge(self, space: SpaceId, error: Conflict) -> None:
        """Says why; an unfinished merge is offered in its place."""

        def then(found: list[Unfinished]) -> None:
            if found:
                self._choose(found, f"{error.message} What is unfinished:")
            else:
                self._voice.say(str(error))

        self._work.run(lambda: self._services.merge_drafts.of_space(space), then, group=GROUP)

    # ---- unfinished ones -----------------------------------------------------------------------

    def resume(self) -> None:
        """Goes on with an unfinished merge of this Space."""
        space = self._here.now.space
        if space is None:
            self._voice.say("No Space is open.")
            return

        def then(found: list[Unfinished]) -> None:
            if not found:
                self._voice.say("No merge is unfinished in this Space.")
            elif len(found) == 1:
                self._begin(space, found[0].into.id, found[0].theirs.id)
            else:
                self._choose(found, "Which one goes on?")

        self._work.run(lambda: self._services.merge_drafts.of_space(space), then, group=GROUP)

    def _choose(self, found: list[Unfinished], words: str) -> None:
        from smriti_tui.screens.dialogs.choice import ChoiceDialog

        ways = [(str(at), _words(each)) for at, each in enumerate(found[:9])]

        def chosen(way: str | None) -> None:
            if way is not None:
                each = found[int(way)]
                self._begin(each.theirs.body.space, each.into.id, each.theirs.id)

        self._front.open_screen(ChoiceDialog("Unfinished merges", words, ways), chosen)

    def remind(self) -> None:
        """Once for each Space that is opened: says what is unfinished in it."""
        space = self._here.now.space
        if space is None or space == self._reminded:
            return
        self._reminded = space

        def then(found: list[Unfinished]) -> None:
            if found and self._here.now.space == space:
                more = f", and {len(found) - 1} more" if len(found) > 1 else ""
                key = short(found[0].theirs.id)
                self._voice.say(f"Unfinished {_words(found[0])}{more}. M on {key} goes on.")

        def failed(_: SmritiError) -> None:
            """A database that is away is told elsewhere."""

        drafts = self._services.merge_drafts
        self._work.run(lambda: drafts.of_space(space), then, failed, group="merge.remind")

    # ---- afterwards ----------------------------------------------------------------------------

    def _closed(self, merged: Merged | None) -> None:
        self._screen = None
        if merged is None:
            return
        made, merge = merged.checkpoint, merged.merge
        into, theirs = merge.into, merge.theirs
        title = "" if made.title == merge.default_title else f" {named(made.title)}"
        self._voice.say(f"Merged {theirs.branch_name} into {into.name}: {short(made.id)}{title}.")
        self._made()

        def then(branches: list[Branch]) -> None:
            branch = next((each for each in branches if each.id == theirs.branch), None)
            done = branch is not None and branch.head == theirs.id and branch.id != into.id
            if branch is not None and done and branch.disposition == "active":
                self._ask(branch)

        read = self._services.spaces.branches
        self._work.run(lambda: read(made.body.space), then, group=GROUP)

    def _ask(self, branch: Branch) -> None:
        """Whether the merged branch is done with; the default answer is no."""
        if branch.name == MAIN:
            return
        from smriti_tui.screens.dialogs.confirm import ConfirmDialog

        def answered(yes: bool | None) -> None:
            if yes:
                dispose = self._services.branches.dispose
                self._work.run(
                    lambda: dispose(branch.space, branch.id, "integrated"), self._disposed,
                    group=GROUP,
                )  # fmt: skip

        words = "It stays listed, and its checkpoints can be compared and mounted as before."
        dialog = ConfirmDialog(
            f"Is {named(branch.name)} integrated now?", words, yes="Mark it as integrated"
        )
        self._front.open_screen(dialog, answered)

    def _disposed(self, branch: Branch) -> None:
        self._voice.done(f"Branch {named(branch.name)} is integrated.")
        self._made()

    async def stop(self) -> None:
        """Stops an explanation that runs."""
        if self._screen is not None:
            await self._screen.put_away()


def _words(each: Unfinished) -> str:
    given = counted(len(each.answers), "answer")
    return f"merge of {each.theirs.branch_name} into {each.into.name}, {given}"
