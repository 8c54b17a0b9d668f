"""A conversation of another tool in one normal form: what every importer yields.

Ids are those of the tool, so that importing again adds only what is new. Times are UTC text
(DESIGN 10.2) or None where the tool does not say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Final, Literal

from smriti_tui.domain.model import Role, Usage
from smriti_tui.domain.values import utc_text

Tool = Literal[
    "chatgpt", "claude", "claude-code", "codex", "llm", "elia", "aider", "smriti", "text"
]  # fmt: skip
DetailKind = Literal["reasoning", "tool_call", "tool_result", "attachment", "artifact", "note"]
Flag = Literal["partial", "edited", "injected", "placeholder", "attachment", "damaged", "summary"]

MAX_DETAIL: Final = 16_000
"""Characters of a detail that are kept; `size_bytes` says how much there was."""
TITLE: Final = 80
"""Characters of a title that is made from the first words."""
LATEST: Final = 253_402_300_800
"""Seconds of the year 10,000: no clock shows it."""


@dataclass(frozen=True)
class Detail:
    """What stood beside the words of a turn: shown folded, never sent, never searched."""

    kind: DetailKind
    name: str = ""
    """Of the tool, the file, the artifact."""
    text: str = ""
    media_type: str | None = None
    size_bytes: int | None = None
    """Of what it stands for, where that is not all here."""
    pointer: str | None = None
    """Where the tool keeps what it stands for; of an artifact its id there."""
    error: bool = False


@dataclass(frozen=True)
class ImportedTurn:
    """One visible message."""

    source_id: str
    role: Role
    text: str
    said_at: str | None = None
    model: str | None = None
    usage: Usage | None = None
    details: tuple[Detail, ...] = ()
    """What came since the turn before, and what came with this one."""
    flags: tuple[Flag, ...] = ()
    original_role: str | None = None
    """The tool's own word, where it is none of ours."""


@dataclass(frozen=True)
class Skipped:
    """A line, message or conversation that was left out."""

    where: str
    """Its place in the file: `line 6`, `conversation 3 "Cache choice"`."""
    reason: str


Turns = Callable[[], Iterator[ImportedTurn]]
"""Reads the turns anew each time, so that a list of conversations holds none of their texts."""


@dataclass(frozen=True)
class SideBranch:
    """A line of a conversation that is not the one shown."""

    source_id: str
    """Of its last turn."""
    turns: Turns
    """From the conversation's first turn on."""
    own: int
    """How many of them are not on the active line."""


@dataclass(frozen=True)
class Thread:
    """One conversation."""

    tool: Tool
    source_id: str
    title: str
    turns: Turns
    """The active line."""
    count: int
    """How many turns that line has."""
    created_at: str | None = None
    updated_at: str | None = None
    project: str | None = None
    """Folder it was held in, as the tool names it."""
    model: str | None = None
    """The most common of its replies."""
    archived: bool = False
    branches: tuple[SideBranch, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    """What is counted and not kept, by what it is."""
    notes: tuple[str, ...] = ()
    """What the person should know of how it was read."""
    forked_from: str | None = None
    """Id of the conversation whose beginning this one shares."""
    wide_ids: bool = False
    """Whether ids of turns are unique beyond the conversation: then a copy of its beginning in
    another file is known again."""
    space: str | None = None
    """Of the original Smriti: the id of its Space there."""
    branch: str | None = None
    """The name of its branch there."""
    checkpoint: str | None = None
    """The id of the checkpoint that it was forked from there."""


def moment(value: object) -> str | None:
    """UTC text of a time as the tools write it: seconds or milliseconds since 1970 as a number or
    its text, or ISO 8601 (without a zone: UTC). None for what is no time, 0 among it."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float | Decimal):
        return _of_number(str(value))
    if isinstance(value, str):
        text = value.strip()
        return _of_number(text) if re.fullmatch(r"\d+(\.\d*)?", text) else _of_iso(text)
    return None


def _of_number(text: str) -> str | None:
    """By decimal arithmetic: a float's seconds lose their last digits otherwise."""
    try:
        seconds = Decimal(text)
        if abs(seconds) > 10**11:
            seconds /= 1000
        if not 0 < seconds < LATEST:
            return None
        whole = int(seconds)
        micro = int((seconds - whole) * 1_000_000)
        return utc_text(datetime.fromtimestamp(whole, UTC).replace(microsecond=micro))
    except (InvalidOperation, OverflowError, ValueError, OSError):
        return None


def _of_iso(text: str) -> str | None:
    try:
        found = datetime.fromisoformat(text)
        return utc_text(found if found.tzinfo else found.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def first_words(text: str) -> str:
    """A title of the first words of a text; empty for a blank one."""
    line = " ".join(text[: 4 * TITLE].split())
    if len(line) <= TITLE:
        return line
    cut = line[:TITLE].rpartition(" ")[0]
    return f"{cut or line[:TITLE]}…"


def cut_detail(
    kind: DetailKind,
    text: str,
    *,
    name: str = "",
    media_type: str | None = None,
    pointer: str | None = None,
    error: bool = False,
) -> Detail:
    """A detail with the beginning of a long text, and how many bytes the whole has."""
    size = None
    if len(text) > MAX_DETAIL:
        size = len(text.encode(errors="replace"))
        text = text[:MAX_DETAIL]
    return Detail(kind, name, text, media_type, size, pointer, error)


# ---- the original Smriti -------------------------------------------------------------------------


@dataclass(frozen=True)
class DumpedCheckpoint:
    """A checkpoint of the original: what it holds, under the names that it has here."""

    source_id: str
    hash: str
    parent: str | None
    branch: str
    content: Mapping[str, object]
    """As `smriti checkpoint create` takes it."""
    author: str
    created_at: str | None
    notes: tuple[DumpedNote, ...] = ()


@dataclass(frozen=True)
class DumpedNote:
    kind: str
    text: str


@dataclass(frozen=True)
class DumpedClaim:
    source_id: str
    agent: str
    scope: str
    intent: str
    branch: str
    status: str
    expires_at: str
    task_id: str | None
    base: str | None


@dataclass(frozen=True)
class SpaceDump:
    """A Space of the original, read anew by each call; its sessions come as threads."""

    source_id: str
    name: str
    description: str
    project_root: str | None
    checkpoints: Callable[[], Iterator[DumpedCheckpoint]]
    """Parents before children where both are there."""
    claims: Callable[[], Iterator[DumpedClaim]]
    count: int
    """How many checkpoints there are."""
