"""What the demo models find in the messages that they get: checkpoints, items, the conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from smriti_tui.providers.base import Message

_CHECKPOINT = re.compile(r"^Checkpoint ([0-9a-f]{4,64}): (.*)$")
_HEADING = re.compile(
    r"^(Decisions|Assumptions|Open tasks|Open questions|Summary|Artifact)\b.*:\s*$", re.IGNORECASE
)
_ITEM = re.compile(r"^- (?:([DATQ]\d+) )?(.+)$")
_FENCE = re.compile(r"^(`{3,}|~{3,})")


@dataclass(frozen=True)
class SeenItem:
    """One listed item; `label` as the message has it (`D1`), "" if it has none."""

    label: str
    text: str

    @property
    def shown(self) -> str:
        quoted = quote(self.text)
        return f"{self.label} {quoted}" if self.label else quoted


@dataclass(frozen=True)
class SeenCheckpoint:
    short_id: str
    title: str
    decisions: tuple[SeenItem, ...] = ()
    assumptions: tuple[SeenItem, ...] = ()
    open_tasks: tuple[SeenItem, ...] = ()
    open_questions: tuple[SeenItem, ...] = ()


@dataclass(frozen=True)
class Seen:
    """All that a demo model goes by."""

    checkpoints: tuple[SeenCheckpoint, ...]
    """Oldest first, as the system message has them."""
    user: tuple[str, ...]
    assistant: tuple[str, ...]
    characters: int

    @property
    def question(self) -> str:
        return self.user[-1] if self.user else ""

    def first(self, kind: str) -> SeenItem | None:
        """The first item of a kind (`decisions`, ...), of the newest checkpoint that has one."""
        for checkpoint in reversed(self.checkpoints):
            items: tuple[SeenItem, ...] = getattr(checkpoint, kind)
            if items:
                return items[0]
        return None


def seen(messages: Sequence[Message]) -> Seen:
    system = "\n".join(m.content for m in messages if m.role == "system")
    return Seen(
        checkpoints=tuple(_checkpoints(system)),
        user=tuple(m.content for m in messages if m.role == "user"),
        assistant=tuple(m.content for m in messages if m.role == "assistant"),
        characters=sum(len(m.content) for m in messages),
    )


def quote(text: str, characters: int = 56) -> str:
    """The beginning of `text` on one line, in quotation marks; backticks would open code."""
    line = " ".join(text.replace("`", "'").split())
    if len(line) > characters:
        line = line[: characters - 1].rstrip() + "…"
    return f"“{line}”"


def _checkpoints(system: str) -> list[SeenCheckpoint]:
    found: list[SeenCheckpoint] = []
    for head, lines in _parts(system):
        lists: dict[str, list[SeenItem]] = {}
        heading = ""
        for line in lines:
            if title := _HEADING.match(line):
                heading = title[1].lower().replace(" ", "_")
            elif heading and (item := _ITEM.match(line)):
                lists.setdefault(heading, []).append(SeenItem(item[1] or "", item[2]))
        found.append(
            SeenCheckpoint(
                short_id=head[1],
                title=head[2].strip(),
                decisions=tuple(lists.get("decisions", ())),
                assumptions=tuple(lists.get("assumptions", ())),
                open_tasks=tuple(lists.get("open_tasks", ())),
                open_questions=tuple(lists.get("open_questions", ())),
            )
        )
    return found


def _parts(system: str) -> list[tuple[re.Match[str], list[str]]]:
    """Each checkpoint's heading with the lines below it; quoted artifacts are left out."""
    parts: list[tuple[re.Match[str], list[str]]] = []
    fence = ""
    for line in system.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if line.rstrip() == fence:
                fence = ""
        elif mark:
            fence = mark[1]
        elif head := _CHECKPOINT.match(line):
            parts.append((head, []))
        elif parts:
            parts[-1][1].append(line)
    return parts
