"""What the search shows of its hits: rows, the line of filters, the text around a hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.render.search_text import what, where
from smriti_tui.domain.render.short_times import short_age
from smriti_tui.domain.search_hit import KINDS, Hit
from smriti_tui.domain.search_query import parse
from smriti_tui.domain.search_snippet import hit_line
from smriti_tui.widgets.literal_view import Section
from smriti_tui.widgets.markdown_cells import clusters
from smriti_tui.widgets.row_list import Piece, Row, RowLine

HERE, EVERYWHERE = "this Space", "everywhere"
ANY_KIND, ANYONE, ANY_TIME = "all kinds", "anyone", "any time"
KIND_WORDS = {
    ANY_KIND: (),
    "turns": KINDS["turn"],
    "checkpoints": KINDS["checkpoint"],
    "items": KINDS["item"],
    "artifacts": KINDS["artifact"],
    "notes": KINDS["note"],
    "names": KINDS["name"],
}
SINCE = {
    ANY_TIME: "",
    "last day": "24h",
    "last week": "7d",
    "last month": "30d",
    "last year": "52w",
}
LABELS = ("Where", "What", "By", "When")
PREVIEW_ABOVE = 2
PREVIEW_LINES = 400


@dataclass(frozen=True, slots=True)
class Choice:
    """The filters as they stand, in words; in the order of `LABELS`."""

    where: str = EVERYWHERE
    what: str = ANY_KIND
    by: str = ANYONE
    when: str = ANY_TIME

    @property
    def words(self) -> tuple[str, str, str, str]:
        return self.where, self.what, self.by, self.when

    @property
    def narrows(self) -> bool:
        """Whether anything is left out."""
        return self != Choice()

    def other(self, at: int, by: int, authors: Sequence[str], space: bool) -> Choice:
        """The next value of one of them, or the one before."""
        values = (
            (EVERYWHERE, HERE) if space else (EVERYWHERE,),
            tuple(KIND_WORDS),
            (ANYONE, *authors),
            tuple(SINCE),
        )[at]
        now = self.words[at]
        place = values.index(now) if now in values else 0
        name = ("where", "what", "by", "when")[at]
        return replace(self, **{name: values[(place + by) % len(values)]})


@dataclass(frozen=True, slots=True)
class Kept:
    """What a search was left with: it begins there the next time."""

    text: str = ""
    choice: Choice = Choice()
    marked: str | None = None
    """Key of the row under the cursor."""


@dataclass(frozen=True, slots=True)
class Around:
    """Where one searches from."""

    space: SpaceId | None = None
    space_name: str = ""


def filter_words(choice: Choice, at: int | None, around: Around) -> list[tuple[str, str]]:
    """The line of filters in pieces with their tones; `at` is the one that would change."""
    pieces: list[tuple[str, str]] = []
    for number, (label, value) in enumerate(zip(LABELS, choice.words, strict=True)):
        shown = f"{value} ({around.space_name})" if value == HERE else value
        chosen = number == at
        pieces.append((f" {label}: ", "plain"))
        pieces.append((f"[{clean_line(shown)}]" if chosen else f" {clean_line(shown)} ", "strong"))
    return pieces


def hit_row(hit: Hit, now: str, width: int) -> Row:
    """Two lines: what and where, then the words with the hit in bold."""
    head = (Piece(f" {what(hit)}  ", "strong"), Piece(_who(hit)), Piece(where(hit), "muted"))
    before = _tail(clean_line(hit.snippet.before), max(width // 3, 10))
    line = (
        Piece(f"   {before}", "muted"),
        Piece(clean_line(hit.snippet.hit), "hit"),
        Piece(clean_line(hit.snippet.after), "muted"),
    )
    return Row(str(hit.entry), (RowLine(head, short_age(hit.recorded_at, now)), RowLine(line)))


def _who(hit: Hit) -> str:
    return f"{clean_line(hit.author)}  "


def _tail(text: str, cells: int) -> str:
    """The end of a text in at most so many cells; no sign is parted."""
    if cell_len(text) <= cells:
        return text
    room = cells - 3
    start = len(text)
    for cluster in reversed(clusters(text)):
        if cluster.cells > room:
            break
        room -= cluster.cells
        start = cluster.start
    return f".. {text[start:]}"


def preview(hit: Hit, text: str, typed: str) -> list[Section]:
    """The whole text from a little above the hit; what stands above comes below it."""
    heading = f"{what(hit)}  {where(hit)}"
    lines = text.split("\n")
    first = max(hit_line(text, parse(typed)) - PREVIEW_ABOVE, 0)
    last = first + PREVIEW_LINES
    found = [Section(heading, "\n".join(lines[first:last]), "title")]
    if last < len(lines):
        found.append(Section(f"{len(lines) - last} more lines: enter opens it"))
    if first:
        found.append(Section("from its start", "\n".join(lines[:first][:PREVIEW_LINES]), "heading"))
    return found


def nothing(typed: str, choice: Choice) -> str:
    """The words of an empty list."""
    if not typed.strip():
        return (
            "Type what you remember. Turns, checkpoints, items, artifacts, notes and names are "
            "searched; all words must be there, as they are written."
        )
    if choice.narrows:
        return "Nothing holds that here. tab goes to the filters: something may be left out."
    return "Nothing holds that."
