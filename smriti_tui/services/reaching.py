"""What rests on an item: in its checkpoint, on the heads of live branches, and in claims."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.domain.reach import (
    ClaimReached,
    Elsewhere,
    Reach,
    Reached,
    Target,
    claims_reached,
    elsewhere,
    find_target,
    lists_of,
    reached,
)
from smriti_tui.services.caller import Caller
from smriti_tui.store import checkpoints, claims, reaching
from smriti_tui.store.engine import Tx


@dataclass(frozen=True)
class ReachService:
    caller: Caller

    def item(self, checkpoint: CheckpointId, wanted: str) -> Reach:
        """All that rests on an item or artifact of a checkpoint; `wanted` is a label such as D1, an
        id, or the beginning of one.

        Raises:
            NotFound: no such checkpoint, or it holds no such thing. Ambiguous: several ids fit.
        """
        with self.caller.read() as tx:
            found = checkpoints.checkpoint(tx, checkpoint)
            target = find_target(found, wanted)
            here = reached(lists_of(found.body), target.names, target.label)
            there = _elsewhere(tx, found.body.space, target, found.id)
            leaning = _claims(tx, found.body.space, target, here, there, self.caller.store.now())
        return Reach(target, found, here, there, leaning)

    def beyond(
        self, space: SpaceId, target: Target, besides: str, here: tuple[Reached, ...]
    ) -> tuple[tuple[Elsewhere, ...], tuple[ClaimReached, ...]]:
        """What rests on a thing outside of a state that is being written: on live branches and in
        claims. `besides` is the id of the head that is written on, `here` what rests on it there.
        """
        with self.caller.read() as tx:
            there = _elsewhere(tx, space, target, besides)
            return there, _claims(tx, space, target, here, there, self.caller.store.now())


def _elsewhere(tx: Tx, space: SpaceId, target: Target, besides: str) -> tuple[Elsewhere, ...]:
    heads = [head for head in reaching.live_heads(tx, space) if head.id != besides]
    return elsewhere(heads, target)


def _claims(
    tx: Tx,
    space: SpaceId,
    target: Target,
    here: tuple[Reached, ...],
    there: tuple[Elsewhere, ...],
    now: str,
) -> tuple[ClaimReached, ...]:
    """`now` is UTC text: a claim whose deadline is past does not hold."""
    holding: list[Claim] = [each for each in claims.unended(tx, space) if each.holds(now)]
    begun = reaching.states(tx, (each.base for each in holding if each.base))
    known = [*(found for head in there for found in head.reached), *here]
    return claims_reached(holding, begun, target, known)
