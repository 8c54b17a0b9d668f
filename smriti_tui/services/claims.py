"""Claims: taken, extended, ended, listed. They block nobody; what they overlap with is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from smriti_tui.domain.claims import (
    DEFAULT_TTL_S,
    INTENTS,
    MOST_SCOPE,
    MOST_TASK,
    Claim,
    Overlap,
    overlap,
)
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.durations import later
from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.events import ClaimChanged, ClaimEnded, ClaimExtended, ClaimTaken
from smriti_tui.domain.ids import CheckpointId, SpaceId, new_id, short
from smriti_tui.domain.model import MAIN, ClaimStatus, Intent
from smriti_tui.services.caller import Caller
from smriti_tui.store import checkpoints, claims, find, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.rows import WorktreeRow


@dataclass(frozen=True)
class Taken:
    """A claim, and the holding claims of others that it overlaps with."""

    claim: Claim
    overlaps: tuple[Overlap, ...]


@dataclass(frozen=True)
class ClaimService:
    caller: Caller

    def take(
        self,
        space: SpaceId,
        scope: str,
        *,
        intent: str = "implement",
        task_id: str | None = None,
        branch: str = MAIN,
        base: str | None = None,
        worktree: str | None = None,
        ttl_s: int = DEFAULT_TTL_S,
        command_id: str | None = None,
    ) -> Taken:
        """Declares that the actor works on `scope`.

        The base is the head of the named branch unless one is given. `worktree` is an id or a
        prefix of one that is active in the Space.

        Raises:
            NotFound: no such Space, branch, checkpoint or worktree.
            Invalid: no scope, a bad intent or time, a base or worktree of another Space.
            Conflict: the worktree is closed (code `worktree_closed`).
        """
        scope, intent = _scope(scope), _intent(intent)
        task_id = _task(task_id)
        if ttl_s <= 0:
            raise Invalid("A claim needs a time to live above nothing.", field="ttl")
        with self.caller.write(command_id) as writing, self.caller.read() as tx:
            if earlier := writing.earlier(ClaimTaken, f"claims/{space}"):
                known = str(earlier[0].body()["claim"])
            else:
                spaces.space(tx, space)
                row = find.branch_row(tx, space, branch)
                taken = ClaimTaken(
                    claim=new_id(),
                    agent=writing.actor,
                    scope=scope,
                    intent=cast("Intent", intent),
                    branch=spaces.to_branch(row).id,
                    expires_at=later(writing.now(), ttl_s),
                    token=claims.next_token(tx, space, task_id),
                    task_id=task_id,
                    base=_base(tx, space, base) if base else spaces.tip(tx, spaces.to_branch(row)),
                    worktree=_worktree(tx, space, worktree) if worktree else None,
                )
                known = taken.claim
                writing.append(f"claims/{space}", taken)
        return self._taken(known)

    def extend(self, claim: str, ttl_s: int, *, command_id: str | None = None) -> Taken:
        """Moves the deadline to `ttl_s` from now; one that has expired holds again.

        Raises:
            NotFound. Conflict: it was ended (code `claim_ended`).
        """
        if ttl_s <= 0:
            raise Invalid("A claim needs a time to live above nothing.", field="ttl")
        with self.caller.write(command_id) as writing, self.caller.read() as tx:
            if earlier := writing.earlier(ClaimExtended):
                claim = str(earlier[0].body()["claim"])
            else:
                found = _not_ended(claims.claim(tx, claim))
                event = ClaimExtended(claim, later(writing.now(), ttl_s))
                writing.append(f"claims/{found.space}", event)
        return self._taken(claim)

    def reopen(self, claim: str, ttl_s: int = DEFAULT_TTL_S) -> Taken:
        """Takes up one that was ended, until its old deadline, or for `ttl_s` where that is past.

        Raises:
            NotFound. Conflict: it was not ended (code `claim_active`).
        """
        with self.caller.write() as writing, self.caller.read() as tx:
            found = claims.claim(tx, claim)
            if found.status == "active":
                raise Conflict(f"Claim {short(claim)} is active.", code="claim_active")
            now = writing.now()
            until = found.expires_at if found.expires_at > now else later(now, ttl_s)
            writing.append(f"claims/{found.space}", ClaimExtended(claim, until))
        return self._taken(claim)

    def change(self, claim: str, *, scope: str | None = None, intent: str | None = None) -> Taken:
        """Says something else of a claim that was not ended. Raises: NotFound, Invalid, Conflict
        (code `claim_ended`)."""
        event = ClaimChanged(
            claim,
            scope=_scope(scope) if scope is not None else None,
            intent=cast("Intent", _intent(intent)) if intent is not None else None,
        )
        with self.caller.write() as writing, self.caller.read() as tx:
            found = _not_ended(claims.claim(tx, claim))
            writing.append(f"claims/{found.space}", event)
        return self._taken(claim)

    def end(self, claim: str, status: ClaimStatus, *, command_id: str | None = None) -> Claim:
        """Marks it done or abandoned: this one and no other, also after its deadline.

        Raises:
            NotFound. Conflict: it was ended before (code `claim_ended`).
        """
        with self.caller.write(command_id) as writing, self.caller.read() as tx:
            if earlier := writing.earlier(ClaimEnded):
                claim = str(earlier[0].body()["claim"])
            else:
                found = _not_ended(claims.claim(tx, claim))
                late = not found.holds(writing.now())
                writing.append(f"claims/{found.space}", ClaimEnded(claim, status, expired=late))
        with self.caller.read() as tx:
            return claims.claim(tx, claim)

    def find(self, wanted: str) -> Claim:
        """By id or prefix. Raises: NotFound, Ambiguous, Invalid."""
        with self.caller.read() as tx:
            return claims.claim(tx, find.claim_id(tx, wanted))

    def of_space(self, space: SpaceId, *, every: bool = False) -> list[Claim]:
        """Claims that hold now, with `every` all of them, the newest first. Raises: NotFound."""
        now = self.caller.store.now()
        with self.caller.read() as tx:
            spaces.space(tx, space)
            if every:
                return claims.of_space(tx, space)
            return [each for each in claims.unended(tx, space) if each.holds(now)]

    def lately(self, space: SpaceId, most: int) -> list[Claim]:
        """Claims that hold no more, those that ended or ran out last; of the newest ones alone."""
        with self.caller.read() as tx:
            return claims.lately(tx, space, self.caller.store.now(), most)

    def _taken(self, claim: str) -> Taken:
        now = self.caller.store.now()
        with self.caller.read() as tx:
            found = claims.claim(tx, claim)
            others = [
                overlap(found, each)
                for each in claims.unended(tx, found.space)
                if each.id != claim and each.holds(now)
            ]
        return Taken(found, tuple(each for each in others if each is not None))


def _scope(scope: str) -> str:
    text = " ".join(scope.split())
    if not text:
        raise Invalid("A claim needs a scope.", "Say what you work on.", field="scope")
    if len(text) > MOST_SCOPE:
        raise Invalid(
            f"The scope has {len(text)} characters; {MOST_SCOPE} are allowed.",
            "Say it shorter.",
            field="scope",
        )
    return text


def _task(task_id: str | None) -> str | None:
    text = (task_id or "").strip()
    if len(text) > MOST_TASK or "\n" in text:
        raise Invalid(
            f"The task's id is not one line of at most {MOST_TASK} characters.",
            "Name it as the checkpoint does.",
            field="task_id",
        )
    return text or None


def _intent(intent: str) -> str:
    folded = intent.strip().lower()
    if folded not in INTENTS:
        raise Invalid(
            f"{clean_line(intent)!r} is no intent.", f"Use one of {', '.join(INTENTS)}.",
            field="intent",
        )  # fmt: skip
    return folded


def _not_ended(claim: Claim) -> Claim:
    if claim.status != "active":
        raise Conflict(
            f"Claim {short(claim.id)} of {clean_line(claim.agent)} is {claim.status} already.",
            "Take a new one; `smriti claim list --all` shows them.",
            code="claim_ended",
            details={"claim": claim.id, "status": claim.status},
        )
    return claim


def _base(tx: Tx, space: SpaceId, wanted: str) -> CheckpointId:
    found = checkpoints.checkpoint(tx, find.checkpoint_id(tx, wanted))
    if found.body.space != space:
        raise Invalid(
            f"Checkpoint {short(found.id)} belongs to another Space.",
            "Name one of this.",
            field="base",
        )
    return found.id


def _worktree(tx: Tx, space: SpaceId, wanted: str) -> str:
    row = tx.get(WorktreeRow, find.worktree_id(tx, wanted))
    if row is None or row.space != space:
        raise Invalid(
            f"Worktree {wanted} belongs to another Space.", "Name one of this.", field="worktree"
        )
    if row.status != "active":
        raise Conflict(
            f"Worktree {short(row.id)} is closed.", "Open a new one.", code="worktree_closed"
        )
    return row.id
