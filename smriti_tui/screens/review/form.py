"""The follow-up as a checkpoint form: every field of it can be changed before it is saved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual import events, on
from textual.widgets import Static

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.form import FormState, load, opened
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.model import MAIN, Checkpoint
from smriti_tui.screens.checkpoint_form import CheckpointForm
from smriti_tui.screens.form_loading import FormPlace, OpenedForm
from smriti_tui.screens.form_news import beside_name
from smriti_tui.screens.full import TitleLine
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.screens.review.reading import Look
    from smriti_tui.services import Services
    from smriti_tui.services.unsent import Held


@dataclass(frozen=True)
class FollowUpPlace(FormPlace):
    """A checkpoint that is reviewed; what is typed is kept apart from other forms."""

    reviewed: CheckpointId

    @property
    def thing(self) -> str:
        """The name under which the unsaved form is kept."""
        return f"form/review/{self.reviewed}"


class FollowUpForm(CheckpointForm):
    """Begins with what was accepted, or with what was typed in it before. Names no session: no turn
    counts as held by it."""

    HELP = (
        "The follow-up of a review, as far as it was accepted; all of it can be changed here. "
        "What is retired stands in it with its reason. "
        "Everything typed is kept when you leave or the program ends."
    )

    def __init__(self, services: Services, look: Look) -> None:
        found = look.checkpoint
        self._look = look
        super().__init__(services, FollowUpPlace(found.body.space, look.space, None, found.id))

    @on(events.Mount)
    def _begin(self, event: events.Mount) -> None:
        """In the place of the form's own way to begin."""
        event.prevent_default()
        look, services, keeper = self._look, self._services, self._keeper
        name = short(look.checkpoint.id)
        self.query_one(TitleLine).left = (look.space, f"FOLLOW-UP of {name}")
        self.query_one("#form-status", Static).update("Reading what was accepted ...")
        self.show_footer(self.FOOTER)

        def work() -> OpenedForm:
            return open_follow_up(services, look, keeper.take(self._place.thing))

        in_thread(self, work, self.Opened, group="form.open", what="Opening the form")


def open_follow_up(services: Services, look: Look, held: Held) -> OpenedForm:
    """What was typed before goes before what was accepted since. In a thread.

    A follow-up that is not written on the head of main begins a branch of its own at the reviewed
    checkpoint: a form without a session saves on main.
    """
    found = look.checkpoint
    on_main = found.branch_name == MAIN and look.head == found.id
    branch = "" if on_main else beside_name(services, found.body.space, found.branch_name)
    start = replace(filled(look.follow.content, found), branch=branch)
    kept = load(held.text) if held.text else None
    return OpenedForm(
        kept or start,
        start,
        found,
        found.branch_name,
        needs_branch=False,
        news="Kept from before: what was accepted since is not in it." if kept else "",
    )


def filled(content: CheckpointInput, reviewed: Checkpoint) -> FormState:
    """A form with all of a content, written on the reviewed checkpoint."""
    return replace(
        opened(reviewed.body, reviewed.id, None),
        title=content.title,
        objective=content.objective,
        summary=content.summary,
        decisions=content.decisions,
        assumptions=content.assumptions,
        tasks=content.tasks,
        open_questions=content.open_questions,
        entities="\n".join(content.entities),
        artifacts=content.artifacts,
    )
