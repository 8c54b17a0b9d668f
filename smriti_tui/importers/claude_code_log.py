"""The lines of a Claude Code session as a tree: where each lies, what it follows.

A session is a log of events: links, notes of the program and messages, one line for each block of a
reply. What the index holds of a line is small, however large the line is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from smriti_tui.domain.imported import Skipped, moment
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.records import Record, json_lines
from smriti_tui.importers.values import list_in, object_in, text_in

KINDS: Final = frozenset({"user", "assistant", "system", "progress", "attachment"})
"""Types of lines that are links of the chain."""
TITLES: Final = ("custom-title", "ai-title")


class Node(NamedTuple):
    """One line of the chain."""

    parent: str | None
    kind: str
    number: int
    offset: int
    length: int
    said_at: str
    reply: str
    """Id of the reply that it is a block of; empty for others."""


@dataclass
class Log:
    """All lines of a file."""

    nodes: dict[str, Node] = field(default_factory=dict)
    replies: dict[str, list[str]] = field(default_factory=dict)
    """The lines of each reply, in their order in the file."""
    results: dict[str, str] = field(default_factory=dict)
    """By the id of a tool's call, the line that holds what came of it."""
    skipped: list[Skipped] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    summaries: list[tuple[str, str]] = field(default_factory=list)
    session: str = ""
    project: str = ""
    forked_from: str | None = None
    side: int = 0
    """Lines of sub-agents."""

    def take(self, record: Record) -> None:
        """Notes one line down."""
        value: dict[str, Any] = record.value
        kind = text_in(value, "type")
        name = text_in(value, "uuid")
        self.session = text_in(value, "sessionId") or self.session
        if not name:
            self._metadata(kind, value)
        elif value.get("isSidechain") is True:
            self.side += 1
        elif kind not in KINDS:
            self.left_out[f"lines of the type {kind or 'none'!r}"] += 1
        elif name in self.nodes:
            self.left_out["lines that were there before"] += 1
        else:
            self._link(name, kind, record)

    def _metadata(self, kind: str, value: dict[str, Any]) -> None:
        if kind in TITLES:
            self.titles[kind] = text_in(value, "customTitle", "aiTitle", "title")
        elif kind == "summary":
            self.summaries.append((text_in(value, "leafUuid"), text_in(value, "summary")))
        else:
            self.left_out[f"lines of the type {kind or 'none'!r}"] += 1

    def _link(self, name: str, kind: str, record: Record) -> None:
        value = record.value
        message = object_in(value, "message")
        reply = text_in(message, "id") if kind == "assistant" else ""
        parent = text_in(value, "parentUuid") or text_in(value, "logicalParentUuid") or None
        self.project = self.project or text_in(value, "cwd")
        if origin := object_in(value, "forkedFrom"):
            self.forked_from = text_in(origin, "sessionId") or self.forked_from
        said_at = moment(value.get("timestamp")) or ""
        place = (record.number, record.offset, record.length)
        self.nodes[name] = Node(parent, kind, *place, said_at, reply)
        if reply:
            self.replies.setdefault(reply, []).append(name)
        for block in list_in(message, "content"):
            if text_in(block, "type") == "tool_result":
                self.results[text_in(block, "tool_use_id")] = name

    def join(self) -> None:
        """Lines whose parent is missing, which a broken line may have been, follow the line before
        them; the first one begins."""
        before: str | None = None
        for name, node in self.nodes.items():
            if node.parent is not None and node.parent not in self.nodes:
                self.nodes[name] = node._replace(parent=before)
                what = f"line {node.number}: the line that it follows is not in this file"
                if before is not None:
                    self.notes.append(f"{what}; it was joined to line {self.nodes[before].number}")
                else:
                    self.notes.append(f"{what}: the earlier part is in another one")
            before = name if node.kind != "progress" else before

    # ---- lines of the tree -----------------------------------------------------------------------

    def active(self) -> str | None:
        """The newest end of the tree."""
        ends = list(self.ends())
        # Of two of one time the later line.
        return max(reversed(ends), key=lambda name: self.nodes[name].said_at, default=None)

    def ends(self) -> Iterator[str]:
        """Lines that nothing follows but the program's own progress."""
        inner: set[str] = set()
        for node in self.nodes.values():
            if node.kind == "progress":
                continue
            parent = node.parent
            while parent is not None and parent not in inner and parent in self.nodes:
                inner.add(parent)
                above = self.nodes[parent]
                parent = above.parent if above.kind == "progress" else None
        return (
            name
            for name, node in self.nodes.items()
            if node.kind != "progress" and name not in inner
        )

    def path(self, end: str) -> list[str]:
        """The lines from the first one to `end`."""
        found: list[str] = []
        seen: set[str] = set()
        here: str | None = end
        while here is not None and here in self.nodes and here not in seen:
            seen.add(here)
            found.append(here)
            here = self.nodes[here].parent
        found.reverse()
        return found


def read_log(file: SourceFile) -> Log:
    """The index of a file. Raises: SmritiError, Cancelled."""
    log = Log()
    for found in json_lines(file):
        if isinstance(found, Skipped):
            log.skipped.append(found)
        else:
            log.take(found)
    log.join()
    return log
