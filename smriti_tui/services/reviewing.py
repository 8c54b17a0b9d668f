"""Reviews of checkpoints: by rules, by the background model, and what a person makes of them.

A review runs only when somebody asks for it (DESIGN 3.7). What it finds is recorded beside the
checkpoint, which never changes; what is accepted goes into a checkpoint that follows it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace

from smriti_tui.domain.checkpoint_input import CheckpointInput, check_title
from smriti_tui.domain.errors import Conflict, Invalid, NotFound, ProviderError
from smriti_tui.domain.events import FindingSettled, Limit, ReviewRecorded
from smriti_tui.domain.findings import Change, SettledFinding, Settlement
from smriti_tui.domain.follow_up import FollowUp, followed
from smriti_tui.domain.ids import CheckpointId, RequestId, SessionId, SpaceId, new_id, short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.review_reply import read_review
from smriti_tui.domain.review_rules import RuleReport
from smriti_tui.domain.reviewed import Reviewed, joined
from smriti_tui.domain.values import repair_text
from smriti_tui.providers.base import Loading, Retrying
from smriti_tui.services.background import Answered, Asked, Background, Order
from smriti_tui.services.caller import Caller
from smriti_tui.services.checkpoints import CheckpointService, Saved
from smriti_tui.services.models import ModelChoice
from smriti_tui.services.rechecking import report_of, unsaved_report
from smriti_tui.services.review_order import review_order
from smriti_tui.services.review_settling import Settling, settled_event
from smriti_tui.store import checkpoints, reviews, spaces
from smriti_tui.store.engine import Tx

MOST_ANSWER = 60_000
"""Characters after which what comes is no list of findings any more: the call is stopped."""
_ELSE = "Nothing was recorded. Ask again, or choose another background.model."


@dataclass(frozen=True)
class Unread:
    """The last step where the answer is no list of findings: nothing was recorded."""

    raw: str
    model: str
    request: RequestId

    def error(self, otherwise: str) -> ProviderError:
        """The same as a fault; `otherwise` is the way without a model."""
        return ProviderError(
            f"{self.model} gave nothing that is a list of findings: {self.raw[:200]!r}.",
            f"Ask again, or choose another background.model. {otherwise}",
            kind="bad_reply",
        )


ReviewStep = Asked | Loading | Retrying | Reviewed | Unread


@dataclass(frozen=True)
class ReviewService:
    """Asks the background model of the settings."""

    background: Background

    @property
    def caller(self) -> Caller:
        return self.background.caller

    # ---- rules, which only read ----------------------------------------------------------------

    def rules(self, checkpoint: CheckpointId) -> RuleReport:
        """All checks that need no model, now. Raises: NotFound."""
        with self.caller.read() as tx:
            return report_of(tx, checkpoints.checkpoint(tx, checkpoint))

    def rules_of(
        self,
        space: SpaceId,
        content: CheckpointInput,
        *,
        head: CheckpointId | None = None,
        session: SessionId | None = None,
    ) -> RuleReport:
        """The same checks for what is not saved yet: `head` is what it would be saved on, `session`
        where turns stand that name none. Raises: NotFound."""
        with self.caller.read() as tx:
            return unsaved_report(tx, space, content, head, session)

    # ---- recording -----------------------------------------------------------------------------

    async def review(
        self, checkpoint: CheckpointId, *, model: str | None = None, command_id: str | None = None
    ) -> AsyncGenerator[ReviewStep, None]:
        """Asks once, and records what the model and the rules found; `Reviewed` or `Unread` comes
        last. The model gets neither artifacts nor notes, authors or earlier checkpoints.

        `model` is a name or alias in the place of the settings' background model. Closing it or
        cancelling its task stops the call, and nothing is recorded. A repeated `command_id` asks
        nobody and gives what it recorded.

        Raises:
            NotFound. ProviderError: no background model is set, or the call failed.
            Invalid: the state does not fit the model's window (code `too_long`).
        """
        if (known := await asyncio.to_thread(self._earlier, command_id)) is not None:
            yield known
            return
        found = await asyncio.to_thread(self._checkpoint, checkpoint)

        def order(tx: Tx, choice: ModelChoice, limit: Limit) -> Order:
            return review_order(found, len(checkpoints.notes(tx, found.id)), choice, limit)

        asking = self.background.ask(order, most=MOST_ANSWER, otherwise=_ELSE, model=model)
        asked: Asked | None = None
        answered: Answered | None = None
        async with contextlib.aclosing(asking) as steps:
            async for step in steps:
                if isinstance(step, Asked):
                    asked = step
                if isinstance(step, Answered):
                    answered = step
                elif isinstance(step, Asked | Loading | Retrying):
                    yield step
        assert asked is not None, "what is answered was asked"
        assert answered is not None, "a call ends with its answer or an error"
        recording = asyncio.to_thread(self._answered, found, asked, answered, command_id)
        yield await asyncio.shield(recording)

    def record_rules(self, checkpoint: CheckpointId, *, command_id: str | None = None) -> Reviewed:
        """Records a review by the rules alone. Raises: NotFound."""
        if (known := self._earlier(command_id)) is not None:
            return known
        event = ReviewRecorded(new_id(), checkpoint)
        return self._record(checkpoint, event, command_id)

    def _earlier(self, command_id: str | None) -> Reviewed | None:
        """What a repeated command recorded."""
        if command_id is None:
            return None
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(ReviewRecorded):
                return _reviewed(tx, CheckpointId(str(earlier[0].body()["checkpoint"])))
        return None

    def _checkpoint(self, checkpoint: CheckpointId) -> Checkpoint:
        with self.caller.read() as tx:
            return checkpoints.checkpoint(tx, checkpoint)

    def _answered(
        self, found: Checkpoint, asked: Asked, answered: Answered, command_id: str | None
    ) -> Reviewed | Unread:
        reply = read_review(answered.text, found.body)
        # Recorded, one of which nothing can be used would read as if nothing had been found.
        if reply is None or (reply.problems and not reply.findings):
            return Unread(answered.text, answered.model, asked.request)
        problems = list(reply.problems)
        if answered.finish == "length" and not any("breaks off" in each for each in problems):
            problems.append("the answer may end too early")
        event = ReviewRecorded(new_id(), found.id, reply.findings, asked.request, answered.model)
        return replace(self._record(found.id, event, command_id), problems=tuple(problems))

    def _record(
        self, checkpoint: CheckpointId, event: ReviewRecorded, command_id: str | None
    ) -> Reviewed:
        """Records the event with what the rules find at the same moment."""
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if not scope.earlier(ReviewRecorded):
                found = checkpoints.checkpoint(tx, checkpoint)
                by_rule = report_of(tx, found).findings
                all_of_it = [replace(each, id=new_id()) for each in (*event.findings, *by_rule)]
                scope.append(f"space/{found.body.space}", replace(event, findings=tuple(all_of_it)))
        with self.caller.read() as tx:
            recorded = _reviewed(tx, checkpoint)
        assert recorded is not None, "it was recorded a moment ago"
        return recorded

    # ---- what was recorded ---------------------------------------------------------------------

    def latest(self, checkpoint: CheckpointId) -> Reviewed | None:
        """The newest review of a checkpoint, None if there is none. Raises: NotFound."""
        with self.caller.read() as tx:
            checkpoints.checkpoint(tx, checkpoint)
            return _reviewed(tx, checkpoint)

    def of_space(self, space: SpaceId) -> Mapping[CheckpointId, int]:
        """How many findings are open, of each checkpoint that has any, by their newest review.

        Raises: NotFound.
        """
        with self.caller.read() as tx:
            spaces.space(tx, space)
            found = {each: _reviewed(tx, each) for each in reviews.with_open(tx, space)}
        counts = {key: len(each.open) for key, each in found.items() if each is not None}
        return {key: count for key, count in counts.items() if count}

    def find(self, checkpoint: CheckpointId, wanted: str) -> SettledFinding:
        """A finding by its place in the newest review (1 is the first), or by its id's beginning.

        Raises:
            NotFound, Ambiguous, Invalid.
        """
        with self.caller.read() as tx:
            if wanted.isdecimal() and len(wanted) < 4:
                found = _reviewed(tx, checkpoint)
                listed = found.findings if found else ()
                if 0 < int(wanted) <= len(listed):
                    return listed[int(wanted) - 1]
                raise NotFound(
                    f"The review of {short(checkpoint)} has no finding {wanted}.",
                    f"It has {len(listed)}." if found else "Nobody has reviewed it yet.",
                )
            return reviews.finding(tx, reviews.find_finding(tx, checkpoint, wanted))[0]

    # ---- what a person makes of it -------------------------------------------------------------

    def settle(
        self,
        finding: str,
        outcome: Settlement,
        *,
        change: Change | None = None,
        reason: str | None = None,
        command_id: str | None = None,
    ) -> SettledFinding:
        """Accepts, edits, dismisses or opens one finding; see `settle_all`."""
        given = Settling(finding, outcome, change, reason)
        return self.settle_all([given], command_id=command_id)[0]

    def settle_all(
        self, given: Sequence[Settling], *, command_id: str | None = None
    ) -> tuple[SettledFinding, ...]:
        """Settles findings, all of them or none; in the app that is one action of undo.

        accepted takes the suggestion, edited the change that is given with it, dismissed needs a
        reason, open takes back what was settled before.

        Raises:
            NotFound: no such finding, or its checkpoint is deleted.
            Invalid: it has no suggestion (code `no_suggestion`), the change cannot be made, or
                there is no reason (`field` names which).
        """
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(FindingSettled):
                given = [Settling(str(each.body()["finding"]), "open") for each in earlier]
            else:
                for each in given:
                    known, about = reviews.finding(tx, each.finding)
                    body = checkpoints.checkpoint(tx, about).body
                    event = settled_event(known.finding, body, each)
                    scope.append(f"space/{body.space}", event)
        with self.caller.read() as tx:
            return tuple(reviews.finding(tx, each.finding)[0] for each in given)

    def follow_up(self, checkpoint: CheckpointId) -> FollowUp:
        """The content that the accepted findings make of a checkpoint. Raises: NotFound."""
        with self.caller.read() as tx:
            return _follow_up(tx, checkpoints.checkpoint(tx, checkpoint))

    def write_follow_up(
        self,
        checkpoint: CheckpointId,
        *,
        title: str | None = None,
        branch: str | None = None,
        expect_head: str | None = None,
        command_id: str | None = None,
    ) -> Saved:
        """Saves the follow-up on the checkpoint's branch, or on a new one that starts there.

        `expect_head` is the head that the caller saw, the checkpoint itself if it is not given.

        Raises:
            NotFound. Invalid: nothing was accepted (code `no_changes`), or a title that is none.
            Conflict: changes clash (`review_clashes`: `details` tells them); the checkpoint is not
                the head of its branch and no new one is named (`branch_needed`); `stale_head`;
                `branch_exists`.
        """
        saving = CheckpointService(self.caller)
        with self.caller.read() as tx:
            found = checkpoints.checkpoint(tx, checkpoint)
            made = _follow_up(tx, found)
            head = spaces.branch(tx, found.branch).head
        content = made.content
        if title is not None:
            content = replace(content, title=check_title(repair_text(title)[0].strip()))
        if self.caller.earlier(command_id):
            return saving.create(found.body.space, content, command_id=command_id)
        _refuse(made)
        if branch is not None:
            return saving.create_on_new_branch(
                found.body.space, content, branch=branch, start=found.id, command_id=command_id
            )
        if head != found.id:
            raise Conflict(
                f"Checkpoint {short(found.id)} is not the head of {found.branch_name}.",
                "Name a new branch (--branch NAME) that starts there.",
                code="branch_needed",
                details={"checkpoint": found.id, "branch": found.branch_name, "head": head},
            )
        return saving.create(
            found.body.space,
            content,
            branch=found.branch_name,
            expect_head=expect_head or found.id,
            command_id=command_id,
        )


# ---- what is stored ----------------------------------------------------------------------------


def _reviewed(tx: Tx, checkpoint: CheckpointId) -> Reviewed | None:
    told = reviews.of_checkpoint(tx, checkpoint)
    if not told:
        return None
    newest = told[-1]
    earlier = [each for review in told[:-1] for each in reviews.findings(tx, review.id)]
    end = reviews.spent(tx, newest.request) if newest.request else None
    return Reviewed(
        newest,
        joined(reviews.findings(tx, newest.id), earlier),
        end.usage if end else None,
        end.cost if end else None,
    )


def _follow_up(tx: Tx, found: Checkpoint) -> FollowUp:
    reviewed = _reviewed(tx, found.id)
    return followed(found.body, reviewed.taken if reviewed else ())


def _refuse(made: FollowUp) -> None:
    """Raises: Invalid (there is nothing to write), Conflict (changes clash)."""
    if made.clashes:
        raise Conflict(
            f"{len(made.clashes)} of the accepted changes cannot be made: {made.clashes[0].why}",
            "Dismiss or edit one of the findings, then write.",
            code="review_clashes",
            details={"clashes": [{"finding": c.finding, "why": c.why} for c in made.clashes]},
        )
    if not made.changes:
        raise Invalid(
            "No finding was accepted, so there is nothing to write.",
            "Accept findings first.",
            code="no_changes",
        )
