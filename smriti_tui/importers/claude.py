"""Conversations of Claude.ai's data export: a list of messages, with parents in newer files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Final

from smriti_tui.domain.imported import (
    ImportedTurn,
    SideBranch,
    Skipped,
    Thread,
    moment,
)
from smriti_tui.domain.model import Role
from smriti_tui.importers.claude_content import Artifacts, content_of
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.records import Record, json_items, read_again
from smriti_tui.importers.values import leaves, made_id, text_in, title_of, walk_back

ROLES: Final[dict[str, Role]] = {"human": "user", "assistant": "assistant"}
MAX_BRANCHES: Final = 1_000


def is_conversation(value: object) -> bool:
    """Whether a JSON value is a conversation of this format."""
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def threads(file: SourceFile) -> Iterator[Thread | Skipped]:
    """The conversations of an export. Raises: SmritiError, Cancelled."""
    for record in json_items(file, is_conversation):
        if isinstance(record, Skipped):
            yield record
        elif is_conversation(record.value):
            yield _thread(file, record)
        else:
            yield Skipped(f"item {record.number}", "no conversation: it has no chat_messages")


def _thread(file: SourceFile, record: Record) -> Thread | Skipped:
    talk = Talk(record.value)
    line, note = talk.active()
    turns = list(talk.turns(line))
    title = title_of(text_in(record.value, "name"), turns)
    if not turns:
        return Skipped(f'conversation {record.number} "{title}"', "no messages in it")

    file.keep((record.offset, line[-1]), turns)

    def again(leaf: str) -> Iterator[ImportedTurn]:
        if (known := file.kept((record.offset, leaf))) is not None:
            yield from known
            return
        fresh = Talk(read_again(file, record))
        yield from fresh.turns(fresh.line(leaf))

    branches = (SideBranch(leaf, partial(again, leaf), own) for leaf, own in talk.others(line))
    return Thread(
        tool="claude",
        source_id=text_in(record.value, "uuid") or made_id(record.value.get("created_at"), line),
        title=title,
        turns=partial(again, line[-1]),
        count=len(turns),
        created_at=moment(record.value.get("created_at")),
        updated_at=moment(record.value.get("updated_at")),
        branches=tuple(branches),
        skipped=tuple(talk.skipped),
        left_out=dict(talk.left_out),
        notes=(note,) if note else (),
    )


@dataclass
class Talk:
    """One conversation, looked at message by message."""

    value: dict[str, Any]
    skipped: list[Skipped] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    _empty: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.messages: dict[str, dict[str, Any]] = {}
        for number, message in enumerate(self.value["chat_messages"], 1):
            if not isinstance(message, dict):
                self.skipped.append(Skipped(f"message {number}", "it is no object"))
                continue
            name = text_in(message, "uuid") or made_id(
                number, message.get("created_at"), message.get("text")
            )
            if name in self.messages:
                self.skipped.append(Skipped(f"message {number}", "its id was there before"))
                continue
            self.messages[name] = message
        self.parents = self._parents()

    def _parents(self) -> dict[str, str | None]:
        """By id; in files without parents each message follows the one before it."""
        told = {name: text_in(each, "parent_message_uuid") for name, each in self.messages.items()}
        if any(told.values()):
            return {name: parent or None for name, parent in told.items()}
        names = list(self.messages)
        return dict(zip(names, [None, *names], strict=False))

    def active(self) -> tuple[list[str], str]:
        """The line that was on the screen, and what must be said of how it was found."""
        named = text_in(self.value, "current_leaf_message_uuid")
        if named in self.messages:
            return self.line(named), ""
        ends = list(leaves(self.parents)) or list(self.messages)
        # The later in the list where the times are the same.
        newest = max(reversed(ends), key=self._told_at, default="")
        note = "its current leaf names no message: the newest line was taken" if named else ""
        return self.line(newest), note

    def line(self, leaf: str) -> list[str]:
        return walk_back(self.parents, leaf)

    def _told_at(self, name: str) -> str:
        return moment(self.messages[name].get("created_at")) or ""

    def others(self, line: list[str]) -> Iterator[tuple[str, int]]:
        """Ends of lines that were left, with the number of their own messages."""
        on_line = set(line)
        ends = (leaf for leaf in leaves(self.parents) if leaf not in on_line)
        for leaf in islice(ends, MAX_BRANCHES):
            path = self.line(leaf)
            apart = next((place for place, name in enumerate(path) if name not in on_line), 0)
            own = sum(1 for _ in self.turns(path[apart:]))
            if own:
                yield leaf, own

    def turns(self, line: list[str]) -> Iterator[ImportedTurn]:
        """The messages of a line."""
        artifacts = Artifacts()
        for name in line:
            message = self.messages[name]
            found = content_of(message, artifacts)
            if not found.text.strip():
                if name not in self._empty:
                    self._empty.add(name)
                    self.left_out["messages without text"] += 1
                continue
            sender = text_in(message, "sender")
            yield ImportedTurn(
                name,
                ROLES.get(sender, "system"),
                found.text,
                moment(message.get("created_at")),
                details=found.details,
                flags=found.flags,
                original_role=None if sender in ROLES else sender or "unknown",
            )
