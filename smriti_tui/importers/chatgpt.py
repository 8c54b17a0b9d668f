"""Conversations of ChatGPT's data export: trees, of which one line was on the screen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Final

from smriti_tui.domain.imported import (
    Detail,
    Flag,
    ImportedTurn,
    SideBranch,
    Skipped,
    Thread,
    cut_detail,
    moment,
)
from smriti_tui.domain.model import Role
from smriti_tui.importers.chatgpt_content import Content, content_of
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.records import Record, json_items, read_again
from smriti_tui.importers.values import (
    leaves,
    made_id,
    most_common,
    object_in,
    placeholders,
    text_in,
    title_of,
    walk_back,
)

Again = Callable[[str], Iterator[ImportedTurn]]
MAX_BRANCHES: Final = 1_000
"""Of one conversation; what is beyond is not looked at."""
UNNAMED: Final = re.compile(r"new (chat|conversation)", re.IGNORECASE)


def is_conversation(value: object) -> bool:
    """Whether a JSON value is a conversation of this format."""
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def threads(file: SourceFile) -> Iterator[Thread | Skipped]:
    """The conversations of an export. Raises: SmritiError, Cancelled."""
    for record in json_items(file, is_conversation):
        if isinstance(record, Skipped):
            yield record
        elif is_conversation(record.value):
            yield _thread(file, record)
        else:
            yield Skipped(f"item {record.number}", "no conversation: it has no tree of messages")


def _thread(file: SourceFile, record: Record) -> Thread | Skipped:
    tree = Tree(record.value)
    line, note = tree.active()
    turns = list(tree.turns(line))
    named = text_in(record.value, "title")
    title = title_of("" if UNNAMED.fullmatch(named) else named, turns)
    if not turns:
        return Skipped(f'conversation {record.number} "{title}"', "no messages in it")

    file.keep((record.offset, line[-1]), turns)

    def again(leaf: str) -> Iterator[ImportedTurn]:
        if (known := file.kept((record.offset, leaf))) is not None:
            yield from known
            return
        fresh = Tree(read_again(file, record))
        yield from fresh.turns(walk_back(fresh.parents, leaf))

    return Thread(
        tool="chatgpt",
        source_id=tree.source_id,
        title=title,
        turns=partial(again, line[-1]),
        count=len(turns),
        created_at=moment(record.value.get("create_time")),
        updated_at=moment(record.value.get("update_time")),
        model=most_common(turn.model for turn in turns),
        archived=record.value.get("is_archived") is True,
        branches=tuple(_branches(tree, line, again)),
        skipped=tuple(tree.skipped),
        left_out=dict(tree.left_out),
        notes=(note,) if note else (),
    )


def _branches(tree: Tree, line: list[str], again: Again) -> Iterator[SideBranch]:
    """The lines that lead to other leaves and have words of their own."""
    on_line = set(line)
    others = (leaf for leaf in leaves(tree.parents) if leaf not in on_line)
    for leaf in islice(others, MAX_BRANCHES):
        path = walk_back(tree.parents, leaf)
        apart = next((place for place, name in enumerate(path) if name not in on_line), 0)
        own = sum(1 for _ in tree.turns(path[apart:]))
        if own:
            yield SideBranch(leaf, partial(again, leaf), own)


@dataclass
class Tree:
    """One conversation, looked at message by message."""

    value: dict[str, Any]
    skipped: list[Skipped] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {
            name: node
            for name, node in self.value["mapping"].items()
            if isinstance(node, dict) and isinstance(name, str)
        }
        self.parents: dict[str, str | None] = {
            name: text_in(node, "parent") or None for name, node in self.nodes.items()
        }
        self._counted: set[str] = set()

    @property
    def source_id(self) -> str:
        named = text_in(self.value, "conversation_id", "id")
        return named or made_id(self.value.get("create_time"), *list(self.nodes)[:20])

    def active(self) -> tuple[list[str], str]:
        """The line that was on the screen, and what must be said of how it was found."""
        named = text_in(self.value, "current_node")
        if named in self.nodes:
            return walk_back(self.parents, named), ""
        # Not by `children`: files without them exist. A cycle has no leaf: any node will do.
        ends = list(leaves(self.parents)) or list(self.nodes)
        newest = max(ends, key=self._told_at, default="")
        said = "names no message" if named else "is missing"
        note = f"its current_node {said}: the newest line was taken"
        return walk_back(self.parents, newest), note if newest else ""

    def _told_at(self, name: str) -> str:
        return moment(object_in(self.nodes[name], "message").get("create_time")) or ""

    def turns(self, line: list[str]) -> Iterator[ImportedTurn]:
        """The visible messages of a line. What was done between two replies is told with the
        second."""
        waiting: list[Detail] = []
        for name in line:
            message = self.nodes[name].get("message")
            if message is None:
                continue
            if not isinstance(message, dict):
                self._skip(name, "the message is no object")
                continue
            turn = self._turn(name, message, waiting)
            if turn is not None:
                yield turn
        if waiting:
            self._count(f"{line[-1]} end", "details after the last reply", len(waiting))

    def _turn(
        self, name: str, message: dict[str, Any], waiting: list[Detail]
    ) -> ImportedTurn | None:
        author = object_in(message, "author")
        role = text_in(author, "role")
        found = content_of(message)
        if found.unknown:
            self._count(name, f"messages of the type {found.unknown!r}")
        if found.hidden or (role == "system" and not found.text.strip()):
            self._count(name, "hidden messages")
            return None
        if found.is_detail or (role == "tool" and not found.pictures):
            waiting += _as_details(found, text_in(author, "name"))
            return None
        text = found.text if found.text.strip() else placeholders(found.details)
        if not text.strip():
            self._count(name, "messages without text")
            return None
        ours, original = _role(role)
        details = found.details
        if ours == "assistant":
            details = (*waiting, *details)
            waiting.clear()
        flags: tuple[Flag, ...] = (*found.flags, *_flags(found, text))
        return ImportedTurn(
            name, ours, text, moment(message.get("create_time")), self._model(message, ours),
            details=details, flags=flags, original_role=original,
        )  # fmt: skip

    def _model(self, message: dict[str, Any], role: Role) -> str | None:
        if role != "assistant":
            return None
        named = text_in(object_in(message, "metadata"), "model_slug", "resolved_model_slug")
        return named or text_in(self.value, "default_model_slug") or None

    def _skip(self, name: str, reason: str) -> None:
        if name not in self._counted:
            self._counted.add(name)
            self.skipped.append(Skipped(f"message {name}", reason))

    def _count(self, name: str, what: str, amount: int = 1) -> None:
        """Each message once, however many lines it lies on."""
        if (key := f"{name} {what}") not in self._counted:
            self._counted.add(key)
            self.left_out[what] += amount


def _role(role: str) -> tuple[Role, str | None]:
    if role in ("user", "assistant", "system"):
        return role, None  # type: ignore[return-value]
    # A picture that a tool made was shown as the reply.
    return ("assistant", role) if role == "tool" else ("system", role or "unknown")


def _flags(found: Content, text: str) -> Iterator[Flag]:
    if text != found.text:
        yield "placeholder"


def _as_details(found: Content, tool: str) -> Iterator[Detail]:
    yield from found.details
    if found.text.strip():
        yield cut_detail(
            found.detail_kind, found.text, name=tool or found.name, error=found.is_error
        )
