"""The content of one message of Claude.ai: words, files, tools, and what became of artifacts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from smriti_tui.domain.imported import Detail, Flag, cut_detail
from smriti_tui.importers.values import (
    as_text,
    list_in,
    number_in,
    object_in,
    placeholders,
    text_in,
)

MAX_ARTIFACT: Final = 1 << 20
"""Characters of an artifact that are kept."""
_UNSUPPORTED: Final = re.compile(
    r"\s*```\s*\n\s*This block is not supported on your current device yet\.\s*\n\s*```[ \t]*"
)


@dataclass(frozen=True)
class Content:
    text: str
    details: tuple[Detail, ...]
    flags: tuple[Flag, ...] = ()


@dataclass
class Artifacts:
    """What the artifacts of a conversation hold after the messages so far."""

    held: dict[str, Detail] = field(default_factory=dict)

    def after(self, given: dict[str, Any]) -> Detail | None:
        """The artifact after one call; None for a call that names none."""
        name = text_in(given, "id")
        if not name:
            return None
        known = self.held.get(name)
        text = known.text if known else ""
        wrong = False
        if text_in(given, "command") == "update":
            old, new = given.get("old_str"), given.get("new_str")
            wrong = not (isinstance(old, str) and isinstance(new, str) and old and old in text)
            if not wrong:
                text = text.replace(str(old), str(new), 1)
        else:
            text = as_text(given.get("content"))
        made = Detail(
            "artifact",
            text_in(given, "title") or (known.name if known else name),
            text[:MAX_ARTIFACT],
            text_in(given, "type") or (known.media_type if known else None),
            len(text.encode(errors="replace")) if len(text) > MAX_ARTIFACT else None,
            name,
            wrong,
        )
        self.held[name] = made
        return made


def content_of(message: dict[str, Any], artifacts: Artifacts) -> Content:
    """Reads one message; whatever it holds, it gives something.

    The words are those of its blocks, else of its text, else of what was pasted as a file: the
    first two repeat each other.
    """
    blocks = [each for each in list_in(message, "content") if isinstance(each, dict)]
    said = (text_in(each, "text") for each in blocks if each.get("type") == "text")
    words = "\n\n".join(each.strip("\n") for each in said if each)
    if not words:
        words = _UNSUPPORTED.sub("", text_in(message, "text")).strip("\n")
    details = [*_done(blocks, artifacts), *_files(message)]
    flags: list[Flag] = []
    if not words.strip():
        pasted = [text_in(each, "extracted_content") for each in list_in(message, "attachments")]
        words = "\n\n".join(each for each in pasted if each)
        if words:
            flags.append("attachment")
            # Once is enough.
            details = [replace(d, text="") if d.kind == "attachment" else d for d in details]
    if not words.strip():
        words = placeholders(details)
        flags += ["placeholder"] if words else []
    return Content(words, tuple(details), tuple(flags))


def _done(blocks: list[dict[str, Any]], artifacts: Artifacts) -> Iterator[Detail]:
    """What was thought and done, in its order; of an artifact only what the message made of it."""
    made: dict[str, Detail] = {}
    for block in blocks:
        kind = text_in(block, "type")
        if kind == "tool_use" and text_in(block, "name") == "artifacts":
            found = artifacts.after(object_in(block, "input"))
            if found is not None:
                made[found.pointer or ""] = found
        elif kind == "tool_use":
            name = text_in(block, "name")
            yield cut_detail("tool_call", as_text(block.get("input")), name=name)
        elif kind == "tool_result":
            if text_in(block, "name") != "artifacts" or block.get("is_error") is True:
                yield _result(block)
        elif kind in ("thinking", "redacted_thinking"):
            thought = text_in(block, "thinking")
            if thought:
                yield cut_detail("reasoning", thought)
        elif kind != "text":
            yield cut_detail("note", as_text(block), name=kind or "unknown")
    yield from made.values()


def _result(block: dict[str, Any]) -> Detail:
    found = block.get("content")
    if isinstance(found, list):
        parts = (text_in(each, "text") or _picture(each) for each in found)
        text = "\n".join(each for each in parts if each)
    else:
        text = as_text(found)
    wrong = block.get("is_error") is True
    return cut_detail("tool_result", text, name=text_in(block, "name"), error=wrong)


def _picture(block: object) -> str:
    """A block that is no text: what it is, never its bytes."""
    return f"[{text_in(block, 'type') or 'block'}]"


def _files(message: dict[str, Any]) -> Iterator[Detail]:
    for each in list_in(message, "attachments"):
        if isinstance(each, dict):
            held = text_in(each, "extracted_content")
            size = number_in(each, "file_size")
            yield Detail(
                "attachment", text_in(each, "file_name"), held[:MAX_ARTIFACT],
                text_in(each, "file_type") or "text", size,
            )  # fmt: skip
    seen: set[str] = set()
    for each in (*list_in(message, "files"), *list_in(message, "files_v2")):
        name = text_in(each, "file_name", "name")
        if isinstance(each, dict) and name not in seen:
            seen.add(name)
            media = text_in(each, "file_kind", "mime_type", "file_type") or None
            size = number_in(each, "size_bytes", "file_size")
            pointer = text_in(each, "file_uuid", "uuid") or None
            yield Detail("attachment", name, "", media, size, pointer)
