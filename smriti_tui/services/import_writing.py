"""Imported turns into the log, a batch a transaction, so that others write in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.events import (
    SessionChanged,
    SessionOpened,
    TakenTurn,
    ThreadImported,
    TurnsImported,
)
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId, SpaceId, new_id, short
from smriti_tui.domain.imported import Detail, ImportedTurn, Skipped, Thread
from smriti_tui.domain.model import CopiedFrom
from smriti_tui.domain.values import MAX_NAME
from smriti_tui.services.caller import Caller
from smriti_tui.services.forking import free_branch_name, open_branch
from smriti_tui.services.import_placing import MORE, Place
from smriti_tui.store import imported, spaces
from smriti_tui.store.scope import WriteScope

BATCH: Final = 200
"""Turns of one transaction: about 40 ms, which nobody notices who waits for it."""
BATCH_BYTES: Final = 1 << 20
MAX_TEXT: Final = 2_000_000
"""Characters of one turn; what is longer comes in parts."""
MAX_DETAILS: Final = 2_000_000
"""Characters of all that stands beside one turn."""
MAX_SKIPPED: Final = 100
"""Broken lines that are written down with a conversation; the report names all."""


class Moved(Exception):
    """Somebody wrote where the turns were to go: it must be looked at anew."""


def session_title(thread: Thread) -> str:
    """What the session of a conversation is called."""
    said = clean_line(thread.title).strip()[:MAX_NAME]
    day = (thread.created_at or "")[:10]
    return said or f"From {thread.tool} {day}".strip()


def storable(turn: ImportedTurn) -> Iterator[ImportedTurn]:
    """A turn as events can hold it: a text beyond all measure in parts, which are one turn of the
    tool; of what stands beside it as much as there is room for, and how much there was."""
    beside = sum(len(each.text) for each in turn.details)
    if len(turn.text) <= MAX_TEXT and beside <= MAX_DETAILS:
        yield turn
        return
    details, room = [], MAX_DETAILS
    for detail in turn.details:
        room -= len(detail.text)
        if room < 0:
            break
        details.append(detail)
    if len(details) < len(turn.details):
        left = len(turn.details) - len(details)
        details.append(Detail("note", text=f"{left:,} more were left out."))
    yield replace(turn, text=turn.text[:MAX_TEXT], details=tuple(details))
    for at in range(MAX_TEXT, len(turn.text), MAX_TEXT):
        name = f"{turn.source_id}{MORE}"
        part = turn.text[at : at + MAX_TEXT]
        yield replace(turn, source_id=name, text=part, details=(), usage=None)


@dataclass(frozen=True)
class Home:
    """Where a new session goes."""

    space: SpaceId
    branch: BranchId | None = None
    """None: main."""
    checkpoint: CheckpointId | None = None
    """That it forks from."""


@dataclass
class LineWriter:
    """Writes one line of a conversation into one session."""

    caller: Caller
    home: Home
    thread: Thread
    file: str
    place: Place
    branch: str | None = None
    """Of a line that was left in the tool: the id of its last turn."""
    still: Callable[[], bool] = lambda: True
    """Whether the sessions are as they were when the place was chosen; asked under the lock."""
    session: SessionId = field(default_factory=lambda: SessionId(new_id()))
    written: int = 0
    """Turns that are new here."""
    _next: int = 1
    _question: int | None = None
    _begun: bool = False
    _place: int = 0
    """In the line: how many of its turns were taken."""

    def __post_init__(self) -> None:
        base = self.place.base
        if self.place.kind == "grown" and base is not None:
            self.session = base.session
            self._next = self.place.last + 1

    def write(self, turns: Iterator[ImportedTurn]) -> None:
        """Takes all of them; a stop between two batches leaves a whole beginning.

        Raises:
            Moved: before anything was written. Conflict: somebody wrote into the session meanwhile
                (code `session_moved`). Cancelled, SmritiError: of the file; what was written stays.
        """
        batch: list[ImportedTurn] = []
        size = 0
        for turn in chain.from_iterable(map(storable, turns)):
            batch.append(turn)
            size += len(turn.text) + sum(len(each.text) for each in turn.details)
            if len(batch) >= BATCH or size >= BATCH_BYTES:
                self._commit(batch)
                batch, size = [], 0
        if batch:
            self._commit(batch)

    def _commit(self, batch: list[ImportedTurn]) -> None:
        with self.caller.write() as scope:
            stream = f"session/{self.session}"
            if not self._begun:
                if not self.still():
                    raise Moved
                self._begin(scope, stream)
            self._check(scope)
            taken = tuple(self._taken(turn, self._next + i) for i, turn in enumerate(batch))
            last = self._next + len(batch) - 1
            scope.append(stream, TurnsImported(self._next, last, 1, taken))
        self._begun = True
        self.written += sum(1 for each in taken if each.copied_from is None)
        self._next = last + 1

    def _begin(self, scope: WriteScope, stream: str) -> None:
        if self.place.kind == "grown":
            with self.caller.read() as tx:
                self._question = imported.last_question(tx, self.session)
            renamed = renaming(self.thread, self.place)
            if renamed is not None:
                scope.append(stream, renamed)
        else:
            scope.append(stream, self._opened(scope))
            if self.thread.archived:
                scope.append(stream, SessionChanged(archived=True))
        scope.append(stream, came_from(self.thread, self.file, self.branch))

    def _opened(self, scope: WriteScope) -> SessionOpened:
        title, base, home = session_title(self.thread), self.place.base, self.home
        with self.caller.read() as tx:
            spaces.space(tx, home.space)
            if self.place.kind != "forked" or base is None:
                branch = home.branch or spaces.main_branch(tx, home.space).id
                return SessionOpened(title, home.space, branch, home.checkpoint)
            default = f"fork-{short(base.session)}-{self.place.last}"
            name = free_branch_name(tx, home.space, None, default)
        branch = open_branch(scope, home.space, name, None)
        return SessionOpened(
            title, home.space, branch, fork_session=base.session, fork_turn=self.place.last
        )

    def _check(self, scope: WriteScope) -> None:
        """Nobody else's turns may come between two batches."""
        key = {"id": self.session}
        row = scope.tables.one("session", key, ("last_seq", "last_line", "deleted"))
        if row is None or tuple(row) != (self._next - 1, 1, False):
            raise Conflict(
                f"Session {short(self.session)} was written to, or deleted, while turns were "
                f"imported into it; those up to {self._next - 1} are there.",
                "Import once more: the rest goes into a session that forks from it.",
                code="session_moved",
            )

    def _taken(self, turn: ImportedTurn, number: int) -> TakenTurn:
        """The first reply after a question answers it; further ones stand by themselves, for no
        reply of an import is one of several to choose from."""
        question = None
        if turn.role == "user":
            self._question = number
        elif turn.role == "assistant":
            question, self._question = self._question, None
        base = self.place.base
        copied, numbers = None, self.place.numbers
        self._place += not turn.source_id.endswith(MORE)
        if self.place.kind == "forked" and base is not None and self._place <= len(numbers):
            copied = CopiedFrom(base.session, numbers[self._place - 1])
        return TakenTurn(turn, question, copied)


def renaming(thread: Thread, place: Place) -> SessionChanged | None:
    """The title of the tool, where it changed there and was not changed here."""
    base = place.base
    if base is None or place.kind not in ("grown", "known"):
        return None
    before = session_title(replace(thread, title=base.named))
    now = session_title(thread)
    return SessionChanged(title=now) if base.title == before != now else None


def came_from(thread: Thread, file: str, branch: str | None = None) -> ThreadImported:
    """What is written down of a conversation beside its turns."""
    left = tuple(Skipped(clean_line(s.where), clean_line(s.reason)) for s in thread.skipped)
    return ThreadImported(
        thread.tool, thread.source_id, thread.title, file, thread.created_at, thread.updated_at,
        thread.project, branch, left[:MAX_SKIPPED], dict(thread.left_out), thread.notes,
    )  # fmt: skip
