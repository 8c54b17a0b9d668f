"""The turns of one line of a Claude Code session.

A reply is one turn, though it lies in several lines. What was thought and done since the turn
before is told with the reply that follows, so that a turn is what it is however the file grows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from smriti_tui.domain.imported import Detail, Flag, ImportedTurn, cut_detail
from smriti_tui.domain.model import Usage
from smriti_tui.importers.beside import Beside
from smriti_tui.importers.claude_code_log import Log, Node
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.records import Broken, parse
from smriti_tui.importers.values import (
    as_text,
    number_in,
    object_in,
    placeholders,
    text_in,
)

INJECTED: Final = (
    "<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>",
    "<bash-input>", "<bash-stdout>", "<bash-stderr>", "Caveat:",
)  # fmt: skip
"""What the program writes in the person's name."""
INTERRUPTED: Final = "[Request interrupted by user"
_REMINDER: Final = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)


@dataclass
class TurnReader:
    """Reads the lines of one way through the tree, one at a time."""

    file: SourceFile
    log: Log
    keep: bool = True
    """Whether details are wanted: a look that only counts turns holds none."""
    counted: dict[str, int] = field(default_factory=dict)
    """What was not kept."""
    _spent: Usage | None = None
    _told: set[str] = field(default_factory=set)
    """Replies and lines that were told already."""
    _tools: dict[str, str] = field(default_factory=dict)
    _held: ImportedTurn | None = None
    """The last reply, until it is known whether it was interrupted."""

    def __post_init__(self) -> None:
        self._beside = Beside(keep=self.keep)

    def read(self, path: list[str]) -> Iterator[ImportedTurn]:
        """The turns. Raises: SmritiError, Cancelled."""
        for name in path:
            node = self.log.nodes[name]
            if node.kind == "assistant":
                yield from self._reply(name, node)
            elif node.kind == "user":
                yield from self._person(name, node)
        if self._held is not None:
            yield self._held
            self._held = None
        if self._beside.count:
            self._count("details after the last reply", self._beside.count)

    def _count(self, what: str, amount: int = 1) -> None:
        self.counted[what] = self.counted.get(what, 0) + amount

    def _line(self, name: str) -> dict[str, Any]:
        node = self.log.nodes[name]
        try:
            value = parse(self.file.part(node.offset, node.length))
        except Broken:  # it was whole a moment ago: somebody writes the file anew
            return {}
        return value if isinstance(value, dict) else {}

    # ---- the person and the tools ----------------------------------------------------------------

    def _person(self, name: str, node: Node) -> Iterator[ImportedTurn]:
        value = self._line(name)
        content = object_in(value, "message").get("content")
        blocks = content if isinstance(content, list) else []
        if any(text_in(block, "type") == "tool_result" for block in blocks):
            if name not in self._told:
                self._results(name, blocks)
            return
        if value.get("isMeta") is True:
            self._count("messages of the program")
            return
        text, details, flags = _typed(content)
        if text.startswith(INTERRUPTED):
            if self._held is not None:
                self._held = replace(self._held, flags=(*self._held.flags, "partial"))
            return
        if text.lstrip().startswith(INJECTED):
            self._count("messages of the program")
            return
        if not text.strip():
            self._count("messages without text")
            return
        yield from self._flush()
        summary = value.get("isCompactSummary") is True
        yield ImportedTurn(
            name,
            "system" if summary else "user",
            text,
            node.said_at or None,
            details=details,
            flags=("summary",) if summary else flags,
        )

    def _flush(self) -> Iterator[ImportedTurn]:
        if self._held is not None:
            yield self._held
            self._held = None

    def _results(self, name: str, blocks: list[Any]) -> None:
        self._told.add(name)
        for block in blocks:
            if text_in(block, "type") == "tool_result":
                tool = self._tools.get(text_in(block, "tool_use_id"), "")
                wrong = isinstance(block, dict) and block.get("is_error") is True
                told = _result_text(block)
                self._beside.add(cut_detail("tool_result", told, name=tool, error=wrong))

    # ---- the model -------------------------------------------------------------------------------

    def _reply(self, name: str, node: Node) -> Iterator[ImportedTurn]:
        key = node.reply or name
        if key in self._told:
            return
        self._told.add(key)
        names = self.log.replies.get(node.reply, [name]) if node.reply else [name]
        lines = [self._line(each) for each in names]
        messages = [object_in(line, "message") for line in lines]
        notice = any(line.get("isApiErrorMessage") is True for line in lines)
        model = next((text_in(each, "model") for each in messages if text_in(each, "model")), "")
        blocks = [block for each in messages for block in _blocks(each)]
        words = "\n\n".join(
            text.strip("\n") for block in blocks
            if text_in(block, "type") == "text" and (text := text_in(block, "text"))
        )  # fmt: skip
        if notice or model == "<synthetic>":
            if words:
                self._beside.add(cut_detail("note", words, name="notice", error=notice))
            return
        self._spend(messages)
        said = next(self._around(blocks, words, names[0], node, model), None)
        if said is not None:
            yield from self._flush()
            self._held = said
        self._calls(blocks, names)

    def _around(
        self, blocks: list[Any], words: str, name: str, node: Node, model: str
    ) -> Iterator[ImportedTurn]:
        """The turn, with what was done before it; nothing for a reply without words."""
        for block in blocks:
            thought = text_in(block, "thinking")
            if text_in(block, "type") == "thinking" and thought:
                self._beside.add(cut_detail("reasoning", thought))
        if words.strip():
            details = self._beside.take()
            spent, self._spent = self._spent, None
            yield ImportedTurn(
                name, "assistant", words, node.said_at or None, model or None, spent, details
            )

    def _calls(self, blocks: list[Any], names: list[str]) -> None:
        """The tools that the reply called, each with what came of it where that lies aside."""
        for block in blocks:
            if text_in(block, "type") not in ("tool_use", "server_tool_use"):
                continue
            tool, call = text_in(block, "name"), text_in(block, "id")
            self._tools[call] = tool
            told = as_text(block.get("input"))
            self._beside.add(cut_detail("tool_call", told, name=tool))
            result = self.log.results.get(call, "")
            follows = result in self.log.nodes and self.log.nodes[result].parent in names
            if follows and result not in self._told:
                found = object_in(self._line(result), "message").get("content")
                self._results(result, found if isinstance(found, list) else [])

    def _spend(self, messages: list[dict[str, Any]]) -> None:
        """What a reply cost stands on each of its lines, and counts once."""
        told = [object_in(message, "usage") for message in messages]
        found = [each for each in told if number_in(each, "input_tokens") is not None]
        if not found:
            return
        last = found[-1]
        now = Usage(
            number_in(last, "input_tokens") or 0,
            number_in(last, "output_tokens") or 0,
            number_in(last, "cache_read_input_tokens"),
        )
        self._spent = _added(self._spent, now)


def _added(before: Usage | None, now: Usage) -> Usage:
    if before is None:
        return now
    cached = [each.cached_input_tokens for each in (before, now)]
    known = [each for each in cached if each is not None]
    return Usage(
        before.input_tokens + now.input_tokens,
        before.output_tokens + now.output_tokens,
        sum(known) if known else None,
    )


def _blocks(message: dict[str, Any]) -> list[Any]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []


def _typed(content: object) -> tuple[str, tuple[Detail, ...], tuple[Flag, ...]]:
    """The person's words without what the program put among them, and the files beside them."""
    if isinstance(content, str):
        return _own(content), (), ()
    blocks = content if isinstance(content, list) else []
    words = "\n".join(_own(text) for block in blocks if (text := text_in(block, "text")))
    files = tuple(_file(block) for block in blocks if isinstance(block, dict) and _is_file(block))
    if words.strip() or not files:
        return words, files, ()
    return placeholders(files), files, ("placeholder",)


def _own(text: str) -> str:
    return _REMINDER.sub("", text).strip("\n") if "<system-reminder>" in text else text


def _is_file(block: dict[str, Any]) -> bool:
    return text_in(block, "type") in ("image", "document", "file")


def _file(block: dict[str, Any]) -> Detail:
    source = object_in(block, "source")
    data = source.get("data")
    size = len(data) * 3 // 4 if isinstance(data, str) else None
    kind = text_in(source, "media_type") or text_in(block, "type")
    name = text_in(block, "title", "name")
    return Detail("attachment", name, "", kind, size, text_in(source, "url") or None)


def _result_text(block: dict[str, Any]) -> str:
    content = block.get("content")
    if not isinstance(content, list):
        return as_text(content)
    said = []
    for each in content:
        found = text_in(each, "text")
        if not found and isinstance(each, dict) and _is_file(each):
            found = placeholders([_file(each)])
        said.append(found)
    return "\n".join(each for each in said if each)
