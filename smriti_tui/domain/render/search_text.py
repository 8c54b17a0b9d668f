"""What a search found, as text and as a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.search_hit import LETTERS, Found, Hit

Document = Mapping[str, object]
TITLE: Final = 40
"""Characters of a title beside a hit."""
NONE: Final = "Nothing holds that."
MORE: Final = "There is more; narrow it with another word, --space, --kind, --author or --since."


def what(hit: Hit) -> str:
    """The kind of a hit with the number people know it by: `turn 13`, `decision D1`."""
    if hit.kind == "turn":
        return f"turn {hit.turn}"
    if hit.kind in LETTERS:
        return f"{hit.kind} {hit.label}"
    if hit.kind == "space":
        return "Space"
    return hit.kind


def where(hit: Hit) -> str:
    """Space, then session or checkpoint by name and short id."""
    parts = [hit.space_name or "no Space"]
    if hit.session is not None and hit.kind != "space":
        parts.append(f"{_clipped(hit.session_title)} ({short(hit.session)})")
    if hit.checkpoint is not None:
        parts.append(f"{_clipped(hit.checkpoint_title)} ({short(hit.checkpoint)})")
    return clean_line(" / ".join(parts))


def _clipped(title: str | None) -> str:
    title = title or ""
    return title if len(title) <= TITLE else f"{title[: TITLE - 2].rstrip()}.."


def found_text(found: Found, now: str) -> str:
    """Two lines for each hit: what it is and where, then its line with the hit between stars."""
    if not found.hits:
        return NONE
    return "\n".join(_two_lines(hit, now) for hit in found.hits)


def _two_lines(hit: Hit, now: str) -> str:
    facts = (what(hit), where(hit), clean_line(hit.author), age(hit.recorded_at, now))
    before, mark, after = map(clean_line, (hit.snippet.before, hit.snippet.hit, hit.snippet.after))
    shown = f"{before}*{mark}*{after}" if mark else before + after
    return f"{'  '.join(facts)}\n    {shown}"


def found_document(text: str, found: Found) -> Document:
    """Every hit with all its facts; `snippet` in three pieces."""
    return {"text": text, "hits": [_hit(hit) for hit in found.hits], "more": found.more}


def _hit(hit: Hit) -> Document:
    facts = dict(to_json(hit))
    del facts["entry"]
    return facts
