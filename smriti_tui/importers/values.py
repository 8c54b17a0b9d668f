"""Looking into JSON of which nothing is sure: what is of another type counts as absent."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from smriti_tui.domain.imported import Detail, ImportedTurn, first_words


def text_in(value: object, *names: str) -> str:
    """The first of the named fields that is a text and not blank; "" for none."""
    if isinstance(value, dict):
        for name in names:
            found = value.get(name)
            if isinstance(found, str) and found.strip():
                return found
    return ""


def object_in(value: object, name: str) -> dict[str, Any]:
    """The named field that is an object; an empty one else."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def list_in(value: object, name: str) -> list[Any]:
    """The named field that is a list; an empty one else."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def number_in(value: object, *names: str) -> int | None:
    """The first of the named fields that is a whole number from 0 on."""
    if isinstance(value, dict):
        for name in names:
            found = value.get(name)
            if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**63:
                return found
    return None


def as_text(value: object) -> str:
    """A value as people read it: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, indent=1)


def made_id(*parts: object) -> str:
    """An id for what has none: the same for the same content."""
    whole = json.dumps(parts, ensure_ascii=True, default=str)
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def most_common(names: Iterable[str | None]) -> str | None:
    """The name that is there most often."""
    counted = Counter(name for name in names if name)
    return counted.most_common(1)[0][0] if counted else None


def title_of(named: str, turns: Iterable[ImportedTurn]) -> str:
    """The name that the tool gives, else the person's first words."""
    if named.strip():
        return " ".join(named.split())[:200]
    spoken = (turn for turn in turns if turn.role == "user" and turn.text.strip())
    first = next(spoken, None)
    return first_words(first.text) if first else ""


def placeholder(detail: Detail) -> str:
    """What stands in the place of words where a message is only a file: `[image: a.png, 12 KB]`."""
    kind = (detail.media_type or "file").partition("/")[0]
    size = f"{detail.size_bytes:,} bytes" if detail.size_bytes is not None else ""
    said = ", ".join(part for part in (detail.name, size) if part)
    return f"[{kind}: {said}]" if said else f"[{kind}]"


def placeholders(details: Iterable[Detail]) -> str:
    """Those of all attachments, a line each."""
    return "\n".join(placeholder(each) for each in details if each.kind == "attachment")


def walk_back(parents: dict[str, str | None], leaf: str) -> list[str]:
    """The ids from the root to `leaf`. A cycle, or a parent that is not there, ends the walk."""
    path: list[str] = []
    seen: set[str] = set()
    here: str | None = leaf
    while here is not None and here in parents and here not in seen:
        seen.add(here)
        path.append(here)
        here = parents[here]
    path.reverse()
    return path


def leaves(parents: dict[str, str | None]) -> Iterator[str]:
    """The ids that are nobody's parent, in their order."""
    inner = {parent for parent in parents.values() if parent is not None}
    return (each for each in parents if each not in inner)
