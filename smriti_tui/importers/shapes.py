"""Which tool wrote a file: told by its shape, never by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.imported import Skipped, SpaceDump, Thread, Tool
from smriti_tui.importers.files import SQLITE, SourceFile
from smriti_tui.importers.records import Record, json_items, json_lines

Reader = Callable[[SourceFile], Iterator[Thread | SpaceDump | Skipped]]

LOOKED_AT: Final = 50
"""Lines that a file of JSON lines is judged by: metadata and broken ones come first."""
HEAD: Final = 1 << 18
"""Bytes that a text is judged by."""


def tool_of(file: SourceFile) -> Tool:
    """The tool whose shape a file has.

    Raises:
        Invalid: none that is known (code `unknown_format`), UTF-16, or an empty file.
        SmritiError: it cannot be read.
    """
    head = file.head(HEAD)
    if head.startswith(SQLITE):
        from smriti_tui.importers import databases

        return databases.tool_of(file)
    if not head.strip():
        raise unknown(file, "it is empty")
    return _of_json(file, head) or _of_text(file, head)


def _of_json(file: SourceFile, head: bytes) -> Tool | None:
    start = head.lstrip()[:1]
    if start == b"[":
        return _of_items(file) or _of_lines(file)
    if start == b"{":
        return _of_lines(file) or _of_items(file)
    # The first line may be the rest of one that was cut.
    return _of_lines(file) if b"\n{" in head else None


def _of_lines(file: SourceFile) -> Tool | None:
    seen = islice(json_lines(file), LOOKED_AT)
    return _of_objects([each.value for each in seen if isinstance(each, Record)])


def _of_items(file: SourceFile) -> Tool | None:
    return _of_objects([each for each in _items(file) if isinstance(each, dict)])


def _items(file: SourceFile) -> list[Any]:
    items = islice(json_items(file, lambda value: isinstance(value, dict)), LOOKED_AT)
    return [each.value for each in items if isinstance(each, Record)]


def _what(file: SourceFile) -> str:
    """What a file of JSON holds that is none of ours."""
    found = _items(file)
    return f"it holds JSON with {_keys(found[0])}" if found else "it holds no objects of JSON"


def _of_objects(values: list[dict[str, Any]]) -> Tool | None:
    from smriti_tui.importers import chatgpt, claude, claude_code, codex, smriti

    checks: tuple[tuple[Tool, Callable[[dict[str, Any]], bool]], ...] = (
        ("chatgpt", chatgpt.is_conversation),
        ("claude", claude.is_conversation),
        ("codex", codex.is_codex),
        ("claude-code", claude_code.is_line),
        ("smriti", smriti.is_dump),
    )
    for tool, is_one in checks:
        if any(is_one(value) for value in values):
            return tool
    return None


def _of_text(file: SourceFile, head: bytes) -> Tool:
    from smriti_tui.importers import aider, labelled

    text = head.decode("utf-8", "surrogateescape")
    if aider.is_history(text):
        return "aider"
    if labelled.is_transcript(text):
        return "text"
    if head.lstrip()[:1] in (b"[", b"{"):
        raise unknown(file, _what(file))
    kind = "binary data" if "\0" in text[:4096] else "text without labels of who speaks"
    raise unknown(file, f"it holds {kind}")


def _keys(value: object) -> str:
    if isinstance(value, dict):
        names = ", ".join(repr(str(each)[:40]) for each in list(value)[:6])
        return f"the keys {names}" if names else "no keys"
    return f"a {type(value).__name__}"


def unknown(file: SourceFile, what: str) -> Invalid:
    """The refusal of a file of no known shape."""
    return Invalid(
        f"{file.name} is of no format that is known: {what}.",
        "Nothing was imported of it. `smriti import --help` lists the formats; --format text takes "
        "a text as one note.",
        code="unknown_format",
    )


def reader_of(tool: Tool) -> Reader:
    """What reads the files of a tool."""
    from importlib import import_module

    names = {"claude-code": "claude_code", "text": "labelled", "llm": "databases"}
    names["elia"] = "databases"
    module = import_module(f"smriti_tui.importers.{names.get(tool, tool)}")
    found: Reader = module.threads
    return found
