"""What a context pack is made of, read in one go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.model import Checkpoint, Session
from smriti_tui.services.answers import settle_before_reading
from smriti_tui.services.caller import Caller
from smriti_tui.store import checkpoints, find, sessions, spaces

if TYPE_CHECKING:
    from smriti_tui.domain.render.context_pack import Pack, Target


@dataclass(frozen=True)
class PackService:
    caller: Caller

    def of_checkpoint(
        self, wanted: str, target: Target, *, evidence: bool = False, budget: int | None = None
    ) -> tuple[Checkpoint, Pack]:
        """A checkpoint by id or prefix, and its pack. Raises: NotFound, Ambiguous, Invalid."""
        # Every command makes this service, and one writes packs.
        from smriti_tui.domain.render.context_pack import checkpoint_pack

        with self.caller.read() as tx:
            found = checkpoints.checkpoint(tx, find.checkpoint_id(tx, wanted))
            space = spaces.space(tx, found.body.space)
        return found, checkpoint_pack(found, space.name, target, evidence=evidence, budget=budget)

    def of_session(
        self,
        wanted: str,
        target: Target,
        *,
        first: int = 1,
        last: int | None = None,
        budget: int | None = None,
    ) -> tuple[Session, Pack]:
        """A session by id or prefix, and the pack of its turns `first` to `last` (default: all).

        Raises:
            NotFound: no such session or turn. Ambiguous, Invalid: of the id; the range is empty.
        """
        from smriti_tui.domain.render.context_pack import session_pack

        with self.caller.read() as tx:
            session = find.session_id(tx, wanted)
        settle_before_reading(self.caller, session)
        with self.caller.read() as tx:
            found = sessions.session(tx, session)
            end = found.last_seq if last is None else last
            for number in {first, end} if found.last_seq or last or first > 1 else ():
                sessions.turn(tx, session, number)
            if first > max(end, 1):
                raise Invalid(
                    f"There is no turn from {first} to {end}.", "Begin before the end.",
                    code="usage",
                )  # fmt: skip
            space = spaces.space(tx, found.space) if found.space else None
            # From the first on: which answers are chosen may depend on any turn before.
            turns = sessions.turns_between(tx, session, 1, end)
        name = space.name if space else None
        return found, session_pack(found, name, turns, target, first=first, budget=budget)
