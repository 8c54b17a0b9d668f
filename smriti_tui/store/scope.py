"""One write: the events of one command in one transaction (DESIGN section 4, "one door")."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from smriti_tui.domain.errors import Conflict, Invalid, VersionConflict
from smriti_tui.domain.events import Event
from smriti_tui.domain.ids import STORE_STREAM, command_event_id, family, new_event_id
from smriti_tui.domain.values import Repairs, payload_text, sha256
from smriti_tui.store.dialect import Dialect
from smriti_tui.store.envelope import COLUMNS, SELECT, StoredEvent, chain_sha256, expected_chain
from smriti_tui.store.projectors import project, project_open
from smriti_tui.store.statements import Tables
from smriti_tui.store.tails import Parent, begin_tail, has_tails, parent_of, stream_of

HEAD = "SELECT version, chain_sha256 FROM stream_head WHERE stream = ?"
REPAIRED = '"repaired":{'
"""In the text of a payload whose texts were repaired; inside a string its quotes are escaped."""


Expected = int | Literal["exists"] | None
"""Of a stream's version: this one (0: no event yet), any but 0, or no matter which."""


def _meets(expected: Expected, version: int) -> bool:
    return expected in (None, version) or (expected == "exists" and version > 0)


@dataclass(frozen=True)
class Writer:
    """Who writes, through which door, as which command."""

    actor: str
    door: str
    correlation_id: str
    command_id: str | None = None
    """Given by a caller that may repeat the command (DESIGN 10.21)."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A payload as it is stored: its canonical text and the hash of that."""

    text: str
    sha256: str


def sealed(payload: dict[str, object]) -> Sealed:
    """Makes a payload ready. Who can, does it before the lock is taken: nobody waits for it then.

    Raises:
        Invalid: the payload is no JSON object or too large.
    """
    text = payload_text(payload)
    return Sealed(text, sha256(text))


class WriteScope:
    """Events are appended and projected at once; rules look at `tables` before. Not for threads."""

    def __init__(
        self,
        cursor: Any,
        dialect: Dialect,
        origin: str,
        writer: Writer,
        now: Callable[[], str],
    ) -> None:
        self._cursor = cursor
        self._dialect = dialect
        self._origin = origin
        self._writer = writer
        self._now = now
        self._counter = 0
        self._heads: dict[str, tuple[int, str]] = {}
        self._labels: dict[str, str] = {}
        self.tables = Tables(cursor, dialect)
        self.appended: list[StoredEvent] = []

    @property
    def actor(self) -> str:
        return self._writer.actor

    @property
    def cursor(self) -> Any:
        """Of the transaction; for a redaction alone, which changes what nothing else may."""
        return self._cursor

    def now(self) -> str:
        """UTC text of the store's clock."""
        return self._now()

    def earlier(
        self, expected: type[Event] | None = None, stream: str | None = None
    ) -> list[StoredEvent]:
        """The events of this command if it was carried out before, else none.

        A caller that gets some answers from them and writes nothing.

        Raises:
            Conflict: they are those of another command: none is `expected`, or the first stands in
                another stream than `stream` (code `command_id`).
        """
        if self._writer.command_id is None:
            return []
        found: list[StoredEvent] = []
        while event := self._by_id(command_event_id(self._writer.command_id, len(found))):
            found.append(event)
        if found:
            kinds = [event.type for event in found]
            other = expected is not None and expected.TYPE not in kinds
            elsewhere = stream is not None and found[0].stream != self._label(stream)
            if other or elsewhere:
                raise Conflict(
                    f"The command id {self._writer.command_id} was used for another command "
                    f"({kinds[0]} in {found[0].stream}).",
                    "Give a new command a new id; nothing was written.",
                    code="command_id",
                    details={"types": kinds},
                )
        return found

    def version(self, stream: str) -> int:
        """Version of the newest event of a stream, 0 for none."""
        return self._head(self._label(stream))[0]

    def _label(self, stream: str) -> str:
        """The stream that a session's events go to (`tails.stream_of`)."""
        if stream not in self._labels:
            self._labels[stream] = stream_of(self.tables, stream)
        return self._labels[stream]

    def append(
        self,
        stream: str,
        event: Event,
        *,
        expected_version: Expected = None,
        repairs: Repairs | None = None,
        causation_id: str | None = None,
    ) -> StoredEvent:
        """Appends a registered event and applies its projector.

        `repairs` is what the caller had to change in the texts itself, to be counted beside what is
        changed here.

        Raises:
            VersionConflict: the stream is not at `expected_version`.
            Invalid: the payload is no JSON or too large.
        """
        payload = event.payload()
        if repairs:
            payload["repaired"] = {"nul": repairs.nul, "surrogates": repairs.surrogates}
        stored = self.append_raw(
            stream,
            event.TYPE,
            payload,
            event.SCHEMA,
            expected_version=expected_version,
            causation_id=causation_id,
        )
        # The tables hold what the log holds: texts that were repaired at the door are read back.
        kept = stored.event() if REPAIRED in stored.payload else None
        project(self.tables, stored, kept or event)
        return stored

    def append_raw(
        self,
        stream: str,
        type_name: str,
        payload: dict[str, object] | Sealed,
        schema_version: int = 1,
        *,
        expected_version: Expected = None,
        event_id: str | None = None,
        causation_id: str | None = None,
    ) -> StoredEvent:
        """Appends an event of any type without a projector.

        Raises:
            VersionConflict, Invalid: as `append`.
            Conflict: `event_id` is stored already with other content (code `event_id`).
        """
        stream = self._label(stream)
        ready = payload if isinstance(payload, Sealed) else sealed(payload)
        text, digest = ready.text, ready.sha256
        if event_id is not None and (known := self._by_id(event_id)):
            return _same(known, stream, type_name, digest)
        version, chain = self._head(stream)
        if not _meets(expected_version, version):
            raise VersionConflict(stream, expected_version, version)
        writer = self._writer
        identity = event_id or self._next_id()
        recorded_at = self._now()
        core = (identity, self._origin, stream, version + 1, type_name, schema_version)
        people = (writer.actor, writer.door, recorded_at, writer.correlation_id, causation_id)
        linked = (identity, self._origin, family(stream), *core[3:], *people)
        link = chain_sha256(chain, linked, digest)
        values = (*core, text, *people, digest, link)
        position = self._dialect.append(self._cursor, values)
        self._heads[stream] = (version + 1, link)
        stored = StoredEvent(position, *core, text, *people, digest, link)
        self.appended.append(stored)
        return stored

    def adopt(self, event: StoredEvent, *, apart: bool = False) -> StoredEvent | None:
        """Takes an event of elsewhere over as it is, all but its position; None where it is here.

        With `apart` an event that does not follow the end of its stream here, but one before that,
        begins or goes on with a tail (`store.tails`); what it follows decides, not its stream.

        Raises:
            Conflict: it does not follow what is here (code `diverged`), or its id is another's.
            Invalid: its payload does not have the fields of its type.
        """
        if known := self._by_id(event.event_id):
            if known.chain_sha256 == event.chain_sha256:
                return None
            raise _other_content(known)
        stream, parent = self._place(event, apart)
        if parent is None and not self._follows(stream, event):
            raise _diverged(event, self._head(stream)[0])
        placed = replace(event, stream=stream)
        values = tuple(getattr(placed, name) for name in COLUMNS[1:])
        position = self._dialect.append(self._cursor, values)
        self._heads[stream] = (event.version, event.chain_sha256)
        stored = replace(placed, position=position)
        self.appended.append(stored)
        try:
            if parent is not None:
                begin_tail(self.tables, self._query, stored, parent)
            if "/" not in stream and stream != STORE_STREAM:
                project_open(self.tables, stored)
            elif (typed := stored.event()) is not None:
                project(self.tables, stored, typed)
        except (ValueError, LookupError, TypeError) as error:
            what = f"Version {event.version} of {event.stream} does not fit what came before"
            raise Invalid(f"{what}: {error}.", "Nothing was written.") from error
        return stored

    def _place(self, event: StoredEvent, apart: bool) -> tuple[str, Parent | None]:
        """The stream that takes an event, and what it follows where that begins a tail."""
        stream = event.stream
        begins = "~" in stream and self._head(stream)[0] == 0
        goes_on = not apart or (self._follows(stream, event) and not self._shared(stream))
        if goes_on and not begins:
            return stream, None
        parent = parent_of(self.tables, self._query, event)
        if parent is None:
            raise _diverged(event, self._head(stream)[0])
        if not apart:
            if stream != f"{family(stream)}~{event.event_id}":
                raise _diverged(event, 0)
            return stream, parent
        ends = self._head(parent.stream)[0] == parent.version
        if ends and not self._shared(parent.stream):
            return parent.stream, None
        return f"{family(stream)}~{event.event_id}", parent

    def _follows(self, stream: str, event: StoredEvent) -> bool:
        version, chain = self._head(stream)
        linked = expected_chain(chain, event) == event.chain_sha256
        return linked and event.version == version + 1

    def _shared(self, stream: str) -> bool:
        """Whether a Space's stream has tails: what the Space is follows from all of them, so its
        own stream takes the events of this store alone."""
        return "~" not in stream and stream.startswith("space/") and has_tails(self.tables, stream)

    def stored(self, event_id: str) -> StoredEvent | None:
        """The event of that id."""
        return self._by_id(event_id)

    def events(self, stream: str) -> list[StoredEvent]:
        """All events of a stream, those of this transaction too."""
        sql = f"{SELECT} WHERE stream = ? ORDER BY version"
        return [StoredEvent(*row) for row in self._query(sql, (stream,))]

    def _query(self, sql: str, values: Sequence[object]) -> Any:
        return self._cursor.execute(sql, tuple(values)).fetchall()

    def _head(self, stream: str) -> tuple[int, str]:
        head = self._heads.get(stream)
        if head is None:
            row = self._cursor.execute(HEAD, (stream,)).fetchone()
            head = (row[0], row[1]) if row else (0, "")
            self._heads[stream] = head
        return head

    def _next_id(self) -> str:
        if self._writer.command_id is None:
            return new_event_id()
        self._counter += 1
        return command_event_id(self._writer.command_id, self._counter - 1)

    def _by_id(self, event_id: str) -> StoredEvent | None:
        row = self._cursor.execute(f"{SELECT} WHERE event_id = ?", (event_id,)).fetchone()
        return StoredEvent(*row) if row else None


def _diverged(event: StoredEvent, here: int) -> Conflict:
    return Conflict(
        f"{event.stream} has grown apart: version {event.version} does not follow what is here "
        f"(version {here}).",
        "Nothing was written; `smriti log merge` keeps both.",
        code="diverged",
        details={"stream": event.stream, "version": event.version, "here": here},
    )


def _same(known: StoredEvent, stream: str, type_name: str, digest: str) -> StoredEvent:
    if (known.stream, known.type, known.payload_sha256) == (stream, type_name, digest):
        return known
    raise _other_content(known)


def _other_content(known: StoredEvent) -> Conflict:
    return Conflict(
        f"Event {known.event_id} is stored already with other content, as {known.type} in "
        f"{known.stream}.",
        "Give new content a new event id.",
        code="event_id",
    )
