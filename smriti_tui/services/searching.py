"""Search everything that was said, saved or named, in one place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.search_hit import LETTERS, Filters, Found, Hit
from smriti_tui.domain.search_query import Query, parse
from smriti_tui.domain.search_snippet import snippet
from smriti_tui.domain.values import parse_utc, utc_text
from smriti_tui.services.caller import Caller
from smriti_tui.store import search
from smriti_tui.store.engine import Tx
from smriti_tui.store.search_texts import checkpoint_titles, session_titles, space_names

LIMIT = 50
AUTHORS = 50
_AGO = re.compile(r"(\d{1,4})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}


@dataclass(frozen=True)
class SearchService:
    """Reads alone. Whatever is typed is looked for as it stands."""

    caller: Caller

    def search(self, text: str, filters: Filters | None = None, limit: int = LIMIT) -> Found:
        """What holds all that was typed, best first; the last word may be the start of one.

        A blank text finds nothing. Each thing is found once: an item where it was said first, a
        copied turn where it was asked.
        """
        query = parse(text)
        with self.caller.read() as tx:
            matched, more = search.matches(tx, query, filters or Filters(), limit)
            return Found(tuple(_hits(tx, matched, query)), more)

    def whole(self, hit: Hit) -> str:
        """The whole text of a hit; empty when it is gone."""
        with self.caller.read() as tx:
            return search.text_of(tx, hit.entry)

    def authors(self) -> list[str]:
        """Who can be asked for, who wrote most first."""
        with self.caller.read() as tx:
            return search.authors(tx, AUTHORS)

    def filters(
        self,
        *,
        space: SpaceId | None = None,
        kinds: Sequence[str] = (),
        author: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> Filters:
        """Filters with dates as people write them: `2026-03-02`, `2026-03-02T14:05`, `36h`, `7d`,
        `2w` (so long ago). A day's end is meant by `until`.

        Raises:
            Invalid: a date that cannot be read.
        """
        now = self.caller.store.now()
        wanted = Filters(space, tuple(dict.fromkeys(kinds)), author or None)
        return replace(
            wanted,
            since=moment(since, now) if since else None,
            until=moment(until, now, end=True) if until else None,
        )


def moment(text: str, now: str, *, end: bool = False) -> str:
    """A date of a filter as UTC text; a date without a zone is UTC. With `end` a day ends with it.

    Raises:
        Invalid: it is none.
    """
    typed = text.strip()
    if (ago := _AGO.fullmatch(typed.lower())) is not None:
        hours = int(ago[1]) * _HOURS[ago[2]]
        return utc_text(parse_utc(now) - timedelta(hours=hours))
    try:
        found = datetime.fromisoformat(typed)
        aware = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
        whole_day = end and len(typed) == len("2026-03-02")
        return utc_text(aware + timedelta(days=1) if whole_day else aware)
    except (ValueError, OverflowError) as error:
        raise Invalid(
            f"{text!r} is no date.", "Write 2026-03-02, 2026-03-02T14:05, 36h, 7d or 2w.",
            field="date",
        ) from error  # fmt: skip


def _hits(tx: Tx, matched: Sequence[search.Matched], query: Query) -> list[Hit]:
    entries = [found.entry for found in matched]
    spaces = space_names(tx, (entry.space for entry in entries))
    sessions = session_titles(tx, (entry.session for entry in entries))
    titles = checkpoint_titles(tx, (_checkpoint(entry) for entry in entries))
    hits: list[Hit] = []
    for found in matched:
        entry, checkpoint = found.entry, _checkpoint(found.entry)
        hits.append(
            Hit(
                entry=entry.id,
                kind=entry.kind,
                snippet=snippet(found.text, query),
                author=entry.author,
                recorded_at=entry.recorded_at,
                space=SpaceId(entry.space) if entry.space else None,
                space_name=spaces.get(entry.space or ""),
                session=SessionId(entry.session) if entry.session else None,
                session_title=sessions.get(entry.session or ""),
                turn=entry.number if entry.kind == "turn" else None,
                role=found.role,
                checkpoint=CheckpointId(checkpoint) if checkpoint else None,
                checkpoint_title=titles.get(checkpoint or ""),
                item=_item(entry),
                label=f"{LETTERS[entry.kind]}{entry.number}" if entry.kind in LETTERS else None,
            )
        )
    return hits


def _checkpoint(entry: search.Entry) -> str | None:
    held = entry.kind in ("checkpoint", "artifact", "note") or entry.kind in LETTERS
    return entry.owner if held else None


def _item(entry: search.Entry) -> str | None:
    if entry.kind == "branch":
        return entry.owner
    return entry.ref if entry.kind in ("artifact", "note") or entry.kind in LETTERS else None
