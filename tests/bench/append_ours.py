"""Our ways to write: an event of an open stream, a send, a checkpoint; all through the one door."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from smriti_tui.domain.checkpoint_input import checkpoint_id
from smriti_tui.domain.events import (
    AnswerStarted,
    BranchOpened,
    CheckpointSaved,
    Estimate,
    Limit,
    RequestStored,
    Segment,
    SessionOpened,
    SpaceCreated,
    TurnAdded,
)
from smriti_tui.domain.ids import BranchId, CheckpointId, RequestId, SpaceId, new_id
from smriti_tui.domain.model import CheckpointBody, Item, Task
from smriti_tui.domain.values import utc_text
from smriti_tui.services.answers import this_process
from smriti_tui.store.database import Store
from smriti_tui.store.eventlog import NewEvent
from tests.bench.append_way import STREAM, Way, payload
from tests.bench.seed import checkpoint, question

SPACE = SpaceId("0f2d7e88-3c1b-4a57-9a08-5f3b1f0a6c01")
BRANCH = BranchId("6a0c9d14-71f2-4c0e-8a3f-2b7de1c94d02")
SESSION = "b1f7c2aa-5d40-4f0b-9a6e-93c1d8e27f03"


class Ours(Way):
    """One event of an open stream."""

    type_name = "item_created"
    stream = STREAM

    def __init__(self, database: Path, writer: int) -> None:
        super().__init__(database, writer)
        self.store = Store(str(database), lambda: utc_text(datetime.now(UTC)))
        self.actor = f"agent-{writer}"

    def setup(self) -> None:
        self.store.prepare()
        self.store.close()

    def write(self, number: int) -> int:
        event = NewEvent(self.type_name, payload(self.writer, number))
        return self.store.log.append(STREAM, [event], actor=self.actor, door="cli")[0].version

    def stored(self) -> list[int]:
        sql = "SELECT version FROM event WHERE stream = ? AND type = ? ORDER BY version"
        try:
            with self.store.read() as tx:
                rows = tx.connection().exec_driver_sql(sql, (self.stream, self.type_name))
                return [row[0] for row in rows]
        finally:
            self.store.close()

    def close(self) -> None:
        self.store.close()


class Send(Ours):
    """Question, stored request and started answer of one send, with their tables."""

    type_name = "answer.started"
    stream = f"session/{SESSION}"

    def setup(self) -> None:
        with self.store.log.write(actor="ada", door="cli") as scope:
            scope.append(f"space/{SPACE}", SpaceCreated("Search index"))
            scope.append(f"space/{SPACE}", BranchOpened(BRANCH, "main"))
            scope.append(self.stream, SessionOpened("A talk", SPACE, BRANCH))
        self.store.close()

    def write(self, number: int) -> int:
        first = 2 * number + 1
        asked = question(number)
        with self.store.log.write(actor=self.actor, door="cli") as scope:
            scope.append(self.stream, TurnAdded(first, 1, "user", asked, asked))
            request = _request(first)
            scope.append(self.stream, request)
            started = AnswerStarted(
                first + 1, 1, first, request.request, request.model, this_process()
            )
            return scope.append(self.stream, started).version


class Save(Send):
    """A checkpoint of some 3 KB on a branch, with its tables."""

    type_name = "checkpoint.saved"
    stream = f"space/{SPACE}"

    def __init__(self, database: Path, writer: int) -> None:
        super().__init__(database, writer)
        self._head: CheckpointId | None = None

    def setup(self) -> None:
        with self.store.log.write(actor="ada", door="cli") as scope:
            scope.append(self.stream, SpaceCreated("Search index"))
            scope.append(self.stream, BranchOpened(BRANCH, "main"))
        self.store.close()

    def write(self, number: int) -> int:
        with self.store.log.write(actor=self.actor, door="cli") as scope:
            body = _body(number, self._head, scope.now())
            self._head = CheckpointId(checkpoint_id(body))
            return scope.append(self.stream, CheckpointSaved(self._head, BRANCH, body)).version


def _request(number: int) -> RequestStored:
    """Of a context with the state of one checkpoint and the session's turns so far."""
    return RequestStored(
        request=RequestId(new_id()),
        purpose="chat",
        model="demo/scripted",
        limit=Limit(8_192, "assumed", 2_048),
        estimate=Estimate("e1", 4_000),
        template="t1",
        segments=(
            Segment("text", "system", "0" * 64, "how to read the state", tokens=120),
            Segment("text", "system", "1" * 64, "checkpoint", tokens=800),
            Segment("turns", first=1, last=number, what="turns", tokens=3_000),
        ),
        left_out=(),
        context_sha256="2" * 64,
        line=1,
        params={"max_tokens": 2_048},
    )


def _body(number: int, parent: CheckpointId | None, now: str) -> CheckpointBody:
    given = checkpoint(number)

    def items(found: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(Item(new_id(), item.text) for item in found)

    return CheckpointBody(
        space=SPACE,
        parents=(parent,) if parent else (),
        title=given.title,
        author="ada",
        created_at=now,
        objective=given.objective,
        summary=given.summary,
        decisions=items(given.decisions),
        assumptions=items(given.assumptions),
        tasks=tuple(Task(new_id(), task.text) for task in given.tasks),
        open_questions=items(given.open_questions),
    )


OURS: Final[Mapping[str, type[Way]]] = {"ours": Ours, "send": Send, "save": Save}
