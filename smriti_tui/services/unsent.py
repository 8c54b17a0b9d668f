"""Typed text that is not sent or saved yet: prompts, forms. It survives a crash (DESIGN 10.22).

Text belongs to a thing (`prompt/<session>`, `form/<session>`) and a process. A dead process's text
is adopted; a live one's stays with it and is announced.
"""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from smriti_tui.domain.codec import from_json, to_json
from smriti_tui.domain.errors import Invalid, StoreError
from smriti_tui.domain.events import Owner
from smriti_tui.domain.values import canonical, parse_utc, repair_text, utc_text
from smriti_tui.services.answers import process_started, this_process
from smriti_tui.services.away import AwayTexts
from smriti_tui.services.caller import Caller

FOREIGN_S = 3600
"""Text of another machine's process that was not touched for this long counts as left behind."""


@dataclass(frozen=True)
class Elsewhere:
    """A text that another living process holds."""

    text: str
    host: str
    pid: int
    changed_at: str


@dataclass(frozen=True)
class Held:
    """The text of a thing for this process; `adopted` when it was a dead process's until now."""

    text: str
    adopted: bool = False
    elsewhere: tuple[Elsewhere, ...] = ()


@dataclass(frozen=True)
class UnsentService:
    caller: Caller

    def keep(self, thing: str, text: str) -> None:
        """Keeps `text` for this process; an empty one is forgotten.

        Raises:
            StoreError: the database did not take it; a file has it then, until it does.
        """
        if not text and not self.caller.store.exists():
            return
        kept, _ = repair_text(text)
        try:
            self.caller.store.side.save_unsent(thing, _own(), kept)
        except StoreError:
            self._away.keep(thing, _own(), kept)
            raise
        self._away.forget(thing)

    def take(self, thing: str) -> Held:
        """This process's text of a thing, else the newest one that a dead process left.

        Raises:
            StoreError: the database is away.
        """
        away = self._from_away(thing)
        if not self.caller.store.exists():
            return away or Held("")
        try:
            held = self._from_tables(thing)
            if away is not None:
                self.keep(thing, away.text)
        except StoreError:
            if away is None:
                raise
            return away
        return held if away is None else replace(away, elsewhere=held.elsewhere)

    def waits(self, thing: str) -> bool:
        """Whether this process or one that is gone holds a text of a thing; adopts nothing.

        Raises:
            StoreError: the database is away.
        """
        if self._away.found(thing):
            return True
        if not self.caller.store.exists():
            return False
        now = self.caller.store.now()
        return any(
            row.process == _own() or not _is_lived(row.process, row.changed_at, now)
            for row in self.caller.store.side.unsent(thing)
        )

    @property
    def _away(self) -> AwayTexts:
        return AwayTexts(self.caller.away, self.caller.store.name)

    def _from_away(self, thing: str) -> Held | None:
        """What was typed here, or by a process that is gone, while the database was away: newer
        than what the database has."""
        for found in reversed(self._away.found(thing)):
            owner = _owner(found.process)
            own = found.process == _own()
            if not own and owner is not None and _lives(owner, self.caller.store.now(), ""):
                continue
            if not own:
                self._away.keep(thing, _own(), found.text)
                with suppress(OSError):
                    found.path.unlink(missing_ok=True)
            return Held(found.text, adopted=not own)
        return None

    def _from_tables(self, thing: str) -> Held:
        side, own, now = self.caller.store.side, _own(), self.caller.store.now()
        rows = side.unsent(thing)
        mine = next((row.text for row in rows if row.process == own), "")
        elsewhere: list[Elsewhere] = []
        adopted = False
        for row in rows:
            if row.process == own:
                continue
            owner = _owner(row.process)
            if owner is not None and _lives(owner, row.changed_at, now):
                elsewhere.append(Elsewhere(row.text, owner.host, owner.pid, row.changed_at))
            elif not mine and side.adopt_unsent(thing, row.process, own):
                mine, adopted = row.text, True
        return Held(mine, adopted, tuple(elsewhere))


def _own() -> str:
    return canonical(to_json(this_process()))


def _owner(process: str) -> Owner | None:
    try:
        return from_json(Owner, json.loads(process))
    except (ValueError, Invalid):
        return None


def _is_lived(process: str, changed_at: str, now: str) -> bool:
    owner = _owner(process)
    return owner is not None and _lives(owner, changed_at, now)


def _lives(owner: Owner, changed_at: str, now: str) -> bool:
    if owner.host == socket.gethostname():
        return process_started(owner.pid) == owner.started
    return utc_text(parse_utc(changed_at) + timedelta(seconds=FOREIGN_S)) > now
