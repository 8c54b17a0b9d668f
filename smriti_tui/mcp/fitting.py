"""Structured content of a size that hosts take. Decisions and tasks are never what is cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from smriti_tui.domain.render.printed import json_text
from smriti_tui.domain.state_text import ARTIFACT_CHARACTERS, counted
from smriti_tui.domain.tokens import text_tokens

KEPT = frozenset({"decisions", "tasks", "open_tasks", "free_tasks", "slots", "conflicts", "open"})
"""Below these keys no row is left out."""
WHOLE = KEPT - {"slots"}
"""Below these no text is clipped either."""
FEWEST = 3
"""So many rows of a list always stay."""


def fitted(document: Mapping[str, object], most: int | None) -> tuple[dict[str, Any], str]:
    """The document within `most` tokens, if what may be cut suffices (None: as it is), and a
    sentence on what it leaves out ("" for nothing)."""
    if most is None or (excess := _tokens(document) - most) <= 0:
        return dict(document), ""
    clipping = _Clipping()
    cut: dict[str, Any] = clipping.clipped(dict(document))
    excess = _tokens(cut) - most
    told = [clipping.told] if clipping.texts else []
    if excess > 0:
        told += _shortened(cut, excess)
    return cut, f"Left out of the structured content: {'; '.join(told)}." if told else ""


def _tokens(value: object) -> int:
    return text_tokens(json_text(value))


@dataclass
class _Clipping:
    """Copies a document with its long texts clipped, and counts."""

    texts: int = 0
    characters: int = field(default=0)

    @property
    def told(self) -> str:
        return f"{self.characters:,} characters of {counted(self.texts, 'long text')}"

    def clipped(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: each if key in WHOLE else self.clipped(each) for key, each in value.items()
            }
        if isinstance(value, list):
            return [self.clipped(each) for each in value]
        if isinstance(value, str) and len(value) > ARTIFACT_CHARACTERS:
            self.texts += 1
            self.characters += len(value) - ARTIFACT_CHARACTERS
            mark = f"\n[cut here: {ARTIFACT_CHARACTERS:,} of {len(value):,} characters]"
            return value[:ARTIFACT_CHARACTERS] + mark
        return value


def _shortened(document: dict[str, Any], excess: int) -> Iterator[str]:
    """Takes rows from the ends of the largest lists until the excess is gone."""
    lists = sorted(_lists(document), key=lambda named: -_tokens(named[1]))
    for name, rows in lists:
        whole = len(rows)
        while excess > 0 and len(rows) > FEWEST:
            excess -= _tokens(rows.pop())
        if len(rows) < whole:
            yield f"{whole - len(rows)} of {whole} under {name}"


def _lists(value: object, name: str = "") -> Iterator[tuple[str, list[Any]]]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key not in KEPT:
                yield from _lists(each, str(key))
    elif isinstance(value, list):
        yield name, value
