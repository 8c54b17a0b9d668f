"""Writing the follow-up, and what is done when the branch has moved on (DESIGN 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.findings import SettledFinding
from smriti_tui.domain.follow_up import FollowUp, default_title, followed
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.render.moved_head import came_line, differing_lines
from smriti_tui.domain.render.review_words import clash_words
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.form_news import beside_name
from smriti_tui.screens.review.dialogs import WriteFollowUpDialog
from smriti_tui.screens.review.reading import Left, Look
from smriti_tui.screens.saving import saved_words
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.review.review import ReviewScreen
    from smriti_tui.services import Services
    from smriti_tui.services.checkpoints import Saved

TOP, BESIDE, MERGE = "top", "beside", "merge"
GROUP = "review.write"


class Writing:
    """Writes what the screen shows as the follow-up."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def write(self) -> None:
        """Asks for the title; where the branch has moved on, first where it goes."""
        screen, look = self._screen, self._screen.look
        if look is None or screen.settling.afterwards(self.write):
            return
        why = self._why_not(look)
        if look.follow.clashes and not screen.fixed:
            clash = look.follow.clashes[0]
            screen.tell(
                f"{counted(len(look.follow.clashes), 'change')} cannot be made: "
                f"{clash_words(clash)}",
                "Dismiss or edit one of the findings, then write.",
            )
        elif why:
            screen.say(why)
        elif look.head != look.checkpoint.id:
            self._ask_where()
        else:
            self._ask(look)

    def _ask(self, look: Look) -> None:
        found = look.checkpoint
        write = self._screen.services.reviewing.write_follow_up

        def work(title: str, _: str) -> object:
            return write(found.id, title=title, expect_head=found.id)

        words = f"It is saved on {found.branch_name}, on top of {short(found.id)}."
        dialog = WriteFollowUpDialog(words, look.follow.content.title, work)
        self._screen.app.push_screen(dialog, lambda made: self._written(made))

    def _written(self, made: object, *, then_merge: bool = False) -> None:
        # Services are loaded by now, but not when the screen is.
        from smriti_tui.services.checkpoints import Saved

        if isinstance(made, Conflict):
            self._ask_where()
        elif isinstance(made, Saved):
            self._screen.dismiss(Left(made.checkpoint, saved_words(made), then_merge))

    # ---- the form ------------------------------------------------------------------------------

    def open_form(self) -> None:
        """The follow-up with all its fields, to be changed before it is saved."""
        screen, look = self._screen, self._screen.look
        if look is None or screen.settling.afterwards(self.open_form):
            return
        if why := self._why_not(look):
            screen.say(why)
            return
        from smriti_tui.screens.review.form import FollowUpForm

        form = FollowUpForm(screen.services, look)

        def saved(made: Checkpoint | None) -> None:
            if made is not None:
                screen.dismiss(Left(made, then_merge=form.then_merge))

        screen.app.push_screen(form, saved)

    def _why_not(self, look: Look) -> str:
        """Why there is nothing to write; empty where there is."""
        if why := self._screen.fixed:
            return f"{why[:1].upper()}{why[1:]}."
        if look.follow.changes:
            return ""
        key = self._screen.table.key("review.accept")
        return f"Nothing is accepted yet: {key} takes a suggestion into the follow-up."

    # ---- the branch has moved on ---------------------------------------------------------------

    def _ask_where(self) -> None:
        """What came, and the ways on; what was accepted stays accepted on any of them."""
        screen, look = self._screen, self._screen.look
        if look is None:
            return
        services, found = screen.services, look.checkpoint

        def work() -> tuple[Checkpoint | None, str]:
            branches = services.spaces.branches(found.body.space)
            head = next((each.head for each in branches if each.id == found.branch), None)
            new = services.checkpoints.get(head) if head else None
            return new, beside_name(services, found.body.space, found.branch_name)

        def then(read: tuple[Checkpoint | None, str]) -> None:
            new, name = read
            if new is None or new.id == found.id:  # It moved back: nothing stands in the way.
                self._ask(look)
            else:
                self._where(look, new, name)

        hop(screen, work, then, screen.failed, group=GROUP)

    def _where(self, look: Look, new: Checkpoint, name: str) -> None:
        found = look.checkpoint
        differs = differing_lines(found, new)
        words = "\n".join((came_line([new], found.branch_name), "", *differs)).strip()
        ways = (
            (TOP, f"On top of {short(new.id)}, the new head of {found.branch_name}"),
            (BESIDE, f"On a new branch from {short(found.id)}"),
            (MERGE, "Beside it, then merge the two"),
        )

        def chosen(way: str | None) -> None:
            if way == TOP:
                self._on_top(look, new)
            elif way is not None:
                self._beside(look, name, then_merge=way == MERGE)

        words = f"{words}\n\nWhat you accepted is kept."
        dialog = ChoiceDialog(f"{found.branch_name} has moved on", words, ways)
        self._screen.app.push_screen(dialog, chosen)

    def _on_top(self, look: Look, new: Checkpoint) -> None:
        """The accepted changes, made on the new head: what came there stays."""
        taken = look.reviewed.taken if look.reviewed is not None else ()
        made = on_head(new, taken, look.checkpoint.id)
        services = self._screen.services

        def work(title: str, _: str) -> object:
            return save_on_top(services, new, made, title)

        words = (
            f"The accepted changes are made on {short(new.id)}, the head of {new.branch_name}; "
            "what came there meanwhile stays."
        )
        if made.clashes:
            told = "; ".join(map(clash_words, made.clashes))
            words = f"{words}\n{counted(len(made.clashes), 'change')} cannot be made there: {told}"
        dialog = WriteFollowUpDialog(words, default_title(look.checkpoint.body), work)
        self._screen.app.push_screen(dialog, lambda saved: self._written(saved))

    def _beside(self, look: Look, name: str, *, then_merge: bool) -> None:
        found = look.checkpoint
        write = self._screen.services.reviewing.write_follow_up

        def work(title: str, branch: str) -> object:
            if not branch:
                raise Invalid("A new branch needs a name.", "Type one.", field="branch")
            return write(found.id, title=title, branch=branch)

        words = f"It is saved on a new branch that begins at {short(found.id)}."
        if then_merge:
            words = f"{words} The merge into {found.branch_name} opens afterwards."
        dialog = WriteFollowUpDialog(words, look.follow.content.title, work, branch=name)
        self._screen.app.push_screen(
            dialog, lambda saved: self._written(saved, then_merge=then_merge)
        )


def on_head(
    head: Checkpoint, taken: tuple[SettledFinding, ...], reviewed: CheckpointId
) -> FollowUp:
    """The changes made on another state than the one that was reviewed. Their reasons go on naming
    that one."""
    told = (
        replace(each, reason=f"{each.finding.text.rstrip('.')} (review of {short(reviewed)})")
        if each.reason is None
        else each
        for each in taken
    )
    return followed(head.body, tuple(told))


def save_on_top(services: Services, head: Checkpoint, made: FollowUp, title: str) -> Saved:
    """Raises: Invalid, nothing of it can be made there. Conflict: the head moved once more."""
    if not made.changes:
        raise Invalid("None of the changes can be made there.", "Write it on a new branch.")
    return services.checkpoints.create(
        head.body.space,
        replace(made.content, title=title.strip()),
        branch=head.branch_name,
        expect_head=head.id,
    )
