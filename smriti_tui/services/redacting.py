"""`smriti redact`: a secret that was recorded by mistake is taken out wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from smriti_tui.domain.errors import (
    Conflict,
    Invalid,
    NotFound,
    StoreBroken,
    StoreBusy,
)
from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.domain.items import find_uid
from smriti_tui.domain.redaction import MIN_LINE, Sought, sought
from smriti_tui.domain.reviewed import parts_of
from smriti_tui.services.caller import Caller
from smriti_tui.services.redacting_files import HomeFiles
from smriti_tui.store import checkpoints, redacting, sessions
from smriti_tui.store.dialect import rows_of
from smriti_tui.store.health import pending_mark
from smriti_tui.store.log_source import of_cursor, of_reading
from smriti_tui.store.redacting import Place, Places
from smriti_tui.store.scope import WriteScope

_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|\d{4}-\d\d-\d\dT[0-9:.]+Z")
_TEXTS: Final = frozenset({
    "text", "content", "title", "summary", "objective", "reasoning", "description", "scope",
    "intent", "quote", "label", "name", "reason", "texts", "note",
})  # fmt: skip
"""Fields of the product's own events that hold what somebody wrote."""


@dataclass(frozen=True)
class Looked:
    """Where a text stands."""

    events: Sequence[Place]
    sides: Sequence[str]
    """Side tables that hold it: unsent texts, partial answers, answers of a merge."""
    files: Sequence[Path]
    """Files of this home that hold it, the database's own left out."""
    fixed: Sequence[int]
    """Positions of events that hold it in their actor or another column that is never changed."""

    @property
    def nothing(self) -> bool:
        return not (self.events or self.sides or self.files)


@dataclass(frozen=True)
class Done:
    """What was replaced, and what is left."""

    looked: Looked
    sides: int
    cleaned: Sequence[Path]
    left: Sequence[Path]
    """Files that still hold it: copies of before, reports, files of other programs."""
    wiped: bool
    """Whether the database's files are free of it; if not, something else has them open."""


@dataclass(frozen=True)
class RedactService:
    caller: Caller
    home: Path

    # ---- what -----------------------------------------------------------------------------------

    def of_turn(self, session: SessionId, number: int) -> list[str]:
        """The text of a turn. Raises: NotFound."""
        with self.caller.read() as tx:
            turn = sessions.turn(tx, session, number)
        return list(dict.fromkeys(each for each in (turn.text, turn.content) if each.strip()))

    def of_item(self, checkpoint: CheckpointId, wanted: str) -> list[str]:
        """The text of an item, by label or uid. Raises: NotFound."""
        with self.caller.read() as tx:
            body = checkpoints.checkpoint(tx, checkpoint).body
        return [parts_of(body)[find_uid(checkpoint, body, wanted)][1].text]

    def of_event(self, position: int) -> list[str]:
        """The texts of an event that are long enough to be one's own. Raises: NotFound, Invalid."""
        with self.caller.read() as tx:
            event = redacting.event_of(of_reading(tx), position)
        if event is None:
            raise NotFound(f"There is no event {position}.", "`smriti log read --all` lists them.")
        own = "/" in event.stream
        found = list(dict.fromkeys(_texts(event.body(), everything=not own)))
        if not found:
            raise Invalid(
                f"Event {position} has no text of {MIN_LINE} characters or more.",
                "Name the text itself: --text FILE, or - for standard input.",
                code="too_short",
            )
        return found

    # ---- looking and doing -----------------------------------------------------------------------

    def look(self, texts: Sequence[str]) -> Looked:
        """Where the texts stand: in the whole log, in side tables, in the files of this home.

        Raises:
            Invalid: a text is too short, or part of what an event cannot be without.
        """
        self.caller.store.present_only()
        wanted = sought(texts)
        with self.caller.read() as tx:
            places = redacting.find(of_reading(tx), wanted)
            sides = list(redacting.in_side_tables(lambda sql: rows_of(tx, sql), wanted))
        files = list(self._files.holding(wanted))
        return Looked(places.events, sides, files, places.fixed)

    def take_out(self, texts: Sequence[str]) -> Done:
        """Replaces the texts everywhere by a mark, in one act, and rewrites the database's files.

        Raises:
            Invalid: as `look`. Conflict: what is left is no state, such as two branches of one
            name. StoreBroken, StoreBusy, StoreError; nothing was changed then.
        """
        self.caller.store.present_only()
        wanted = sought(texts)
        with self.caller.write() as scope:
            places = redacting.find(of_cursor(scope.cursor), wanted)
            sides = self._replaced(scope, places, wanted)
            self._set_pending()
        beside = self._files
        files = list(beside.holding(wanted))
        cleaned = [path for path in files if beside.clean(path, wanted)]
        left = [path for path in files if path not in cleaned]
        looked = Looked(places.events, (), files, places.fixed)
        return Done(looked, sides, cleaned, left, self.finish())

    def _replaced(self, scope: WriteScope, places: Places, wanted: Sought) -> int:
        try:
            return redacting.take_out(scope, self.caller.store.dialect, places, wanted)
        except StoreBroken as error:
            raise Conflict(
                f"Without the text the log is no state: {error.message}",
                "Rename what has it as its name first; nothing was changed.",
                code="needed",
            ) from error

    def finish(self) -> bool:
        """Rewrites the database's files, so that no byte of what was taken out is left; False while
        something else has them open."""
        store = self.caller.store
        try:
            with store.log.exclusive() as connection:
                wiped = store.dialect.wipe(connection)
                if wiped and (mark := self._mark()) is not None:
                    mark.unlink(missing_ok=True)
        except (StoreBusy, store.log.errors):
            wiped = False
        return wiped

    def is_pending(self) -> bool:
        """Whether an earlier redaction could not rewrite the files, or was killed before."""
        mark = self._mark()
        return mark is not None and mark.exists()

    def _mark(self) -> Path | None:
        store = self.caller.store
        return None if store.on_server else pending_mark(store.path)

    def _set_pending(self) -> None:
        """Before the commit and under its lock, so that no other redaction takes it away; one too
        much costs a rewriting."""
        if (mark := self._mark()) is not None:
            mark.touch(mode=0o600)

    @property
    def _files(self) -> HomeFiles:
        store = self.caller.store
        path = None if store.on_server else store.path
        written = tuple(map(Path, store.side.view_file_paths()))
        return HomeFiles(self.home, path, self.caller.away, written)


def _texts(value: object, *, everything: bool, below: bool = False) -> Iterator[str]:
    if isinstance(value, str):
        wanted = everything or below
        if wanted and len(value.strip()) >= MIN_LINE and not _ID.fullmatch(value):
            yield value
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _texts(entry, everything=everything, below=below or key in _TEXTS)
    elif isinstance(value, Sequence):
        for entry in value:
            yield from _texts(entry, everything=everything, below=below)
