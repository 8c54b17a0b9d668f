"""Rows of the log's screen: streams, events, and the cards of the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import kind_and_owner, short
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.short_times import short_age
from smriti_tui.domain.state_text import counted
from smriti_tui.widgets.literal_view import Section
from smriti_tui.widgets.row_list import Piece, Row, RowLine

if TYPE_CHECKING:
    from smriti_tui.screens.log.reading import Read
    from smriti_tui.services.logs import Damaged, StoredEvent

ALL: Final = "all"
"""Key of the row for all streams."""
_SUMMARY: Final = ("title", "name", "text", "scope", "id", "status", "phase", "branch", "message")
SUMMARY: Final = 160
"""Characters of what an event is about."""


def stream_words(name: str, names: Mapping[str, str]) -> str:
    """What a stream is called: a team's own by its name, the product's by what it is about."""
    kind, owner = kind_and_owner(name)
    if not owner:
        return clean_line(name)
    about = names.get(owner, "") or short(owner)
    tail = " ~" if "~" in name else ""
    return f"{kind} {clean_line(about)}{tail}"


def stream_rows(read: Read) -> Iterator[Row]:
    """A line each: name, version, age of the newest event; all together first."""
    total = max((info.position for info in read.streams), default=0)
    yield Row(ALL, (RowLine((Piece(" all streams", "strong"),), f"{total:,}"),))
    for info in read.streams:
        tone = "plain" if "/" in info.name else "strong"
        right = f"{info.version:,} {short_age(info.recorded_at, read.now)}"
        words = Piece(f" {stream_words(info.name, read.names)}", tone)
        yield Row(info.name, (RowLine((words,), right),))
    if read.streams_left_out:
        more = Piece(f" {counted(read.streams_left_out, 'older stream')} not shown", "muted")
        yield Row("more", (RowLine((more,)),), rests=False)


def event_rows(read: Read) -> Iterator[Row]:
    """A line each, the newest last: number, type, who, and what it is about."""
    if read.more:
        words = f" {counted(len(read.events), 'event')} shown; go on up for older ones"
        yield Row("older", (RowLine((Piece(words, "muted"),)),), rests=False)
    elif read.ends:
        words = f" {counted(read.looked_at, 'event')} read; `smriti log read` has older ones"
        yield Row("older", (RowLine((Piece(words, "muted"),)),), rests=False)
    whole = read.wanted.stream is None
    for event in read.events:
        yield Row(str(event.position), (_event_line(event, read, whole),))


def _event_line(event: StoredEvent | Damaged, read: Read, whole: bool) -> RowLine:
    number = f" {event.position}" if whole else f" v{event.version}"
    if (reason := getattr(event, "reason", None)) is not None:
        return RowLine((Piece(number, "muted"), Piece(f"  damaged: {clean_line(reason)}")))
    stored: Any = event
    pieces = [Piece(f"{number}  ", "muted"), Piece(clean_line(stored.type), "strong")]
    pieces.append(Piece(f"  {clean_line(stored.actor)}", "accent"))
    if whole:
        pieces.append(Piece(f"  {stream_words(stored.stream, read.names)}", "muted"))
    about = summary(stored.body())
    pieces += [Piece(f"  {about}")] if about else []
    return RowLine(tuple(pieces), short_age(stored.recorded_at, read.now))


def summary(payload: Mapping[str, Any]) -> str:
    """The beginning of what an event is about, on one line."""
    body = payload.get("body")
    places = (payload, body if isinstance(body, Mapping) else {})
    for name in _SUMMARY:
        for place in places:
            value = place.get(name)
            if isinstance(value, str) and value.strip():
                return clean_line(value[: SUMMARY * 2])[:SUMMARY]
    return ""


def event_sections(document: Mapping[str, Any], payload: str) -> list[Section]:
    """An event whole: its envelope, then its payload."""
    times = {"recorded_at": exact(str(document["recorded_at"]))} if document["recorded_at"] else {}
    lines = [
        f"{name}: {times.get(name, value)}"
        for name, value in document.items()
        if name not in ("payload", "damaged") and value is not None
    ]
    if document["damaged"]:
        lines.append(f"damaged: {document['damaged']}")
    return [Section("Envelope", "\n".join(lines), "title"), Section("Payload", payload, "heading")]


def lane_rows(lane: str, items: list[Mapping[str, Any]]) -> Iterator[Row]:
    """A lane of the board: its name and number, then a card of two lines for each item."""
    head = (Piece(f" {clean_line(lane)}", "strong"),)
    yield Row(f"lane:{lane}", (RowLine(head, str(len(items))),), rests=False)
    for item in items:
        yield Row(str(item.get("id")), tuple(_card(item)))


def _card(item: Mapping[str, Any]) -> Iterator[RowLine]:
    def word(name: str) -> str:
        value = item.get(name)
        return clean_line(value) if isinstance(value, str) else ""

    yield RowLine((Piece(f" {word('id')}", "accent"),), word("priority"))
    status = word("status")
    told = f"{status}: " if status not in ("", "todo", "done", "archived") else ""
    yield RowLine((Piece(f"   {told}", "muted"), Piece(word("title") or "(no title)")))
