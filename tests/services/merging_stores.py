"""Stores with one beginning, and what they have in common after all."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text

from smriti_tui.domain.model import Door
from smriti_tui.services import Services
from smriti_tui.services.reconciling import Merged, ReconcileService
from smriti_tui.store.rebuild import rebuild
from tests.opening import START, ticking_clock
from tests.support import opened_services

Pair = tuple[Services, Services]

OWN = ("store.created", "log.merged", "space.joined", "item_merged")
"""What a store says of itself, or of what it calls things."""
SETTLED = ("space.changed", "branch.renamed", "branch.disposed")
FOLLOWED = (
    "SELECT p.parent FROM checkpoint_parent p JOIN checkpoint c ON c.id = p.checkpoint "
    "WHERE NOT c.deleted"
)


@contextmanager
def apart(
    folder: Path, *names: str, actor: str | None = None, door: Door = "cli"
) -> Iterator[list[Services]]:
    """Copies of the store in `folder`, each opened by somebody else (or all by `actor`), the later
    ones an hour later."""
    with ExitStack() as stack:
        found = []
        for number, name in enumerate(names, 1):
            shutil.copytree(folder, folder.parent / name)
            clock = ticking_clock(START + timedelta(hours=number))
            who = actor or name
            opened = opened_services(folder.parent / name, actor=who, door=door, now=clock)
            found.append(stack.enter_context(opened))
        yield found


def merged(into: Services, other: Services, **more: bool) -> Merged:
    return ReconcileService(into.caller).merge(str(other.caller.store.path), **more)


def sound(*stores: Services) -> None:
    for services in stores:
        assert services.log.verify().difference is None
        rebuild(services.caller.store)
        assert services.log.verify().difference is None
        assert [each for each in services.contexts.verify() if each.reason] == []


def told(services: Services) -> dict[str, Any]:
    """What a store holds, whatever it calls it."""
    with services.caller.read() as tx:

        def rows(sql: str) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in tx.connection().execute(text(sql))]

        talks: dict[str, list[tuple[Any, ...]]] = {}
        for session, *turn in rows(
            "SELECT session, sequence_number, role, text, status, line FROM turn "
            "ORDER BY session, sequence_number"
        ):
            talks.setdefault(session, []).append(tuple(turn))
        return {
            "checkpoints": sorted(rows("SELECT id, space, body FROM checkpoint WHERE NOT deleted")),
            "spaces": sorted(rows("SELECT id, name, description, archived FROM space")),
            "tips": sorted(
                {head for (head,) in rows("SELECT head FROM branch WHERE head IS NOT NULL")}
                - {parent for (parent,) in rows(FOLLOWED)}
            ),
            "notes": sorted(rows("SELECT id, checkpoint, text FROM note")),
            "claims": sorted(rows("SELECT id, scope, status, ended_at FROM claim")),
            "talks": Counter(tuple(turns) for turns in talks.values()),
            "events": sorted(
                event_id
                for event_id, kind, cause in rows("SELECT event_id, type, causation_id FROM event")
                if kind not in OWN and not (cause and kind in SETTLED)
            ),
        }
