"""The content of one message of ChatGPT: words, or what stands beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from smriti_tui.domain.imported import Detail, DetailKind, Flag
from smriti_tui.importers.values import as_text, list_in, number_in, object_in, text_in

HIDDEN: Final = frozenset({"user_editable_context", "model_editable_context"})
"""Custom instructions and memory: told to the model, written by nobody in this conversation."""
TOOL_RESULTS: Final = frozenset({
    "execution_output", "tether_browsing_display", "tether_quote", "system_error",
})  # fmt: skip
PARTIAL: Final = frozenset({"in_progress", "finished_partial_completion"})
_MARKED: Final = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_MARK: Final = re.compile("[\ue200-\ue202]")
_SOURCE: Final = re.compile(r"【\d+(?::\d+)?†[^】]{0,300}】")


@dataclass(frozen=True)
class Content:
    """What a message holds."""

    text: str = ""
    details: tuple[Detail, ...] = ()
    flags: tuple[Flag, ...] = ()
    hidden: bool = False
    is_detail: bool = False
    """Whether its text is no message but something that was done."""
    detail_kind: DetailKind = "tool_result"
    name: str = ""
    is_error: bool = False
    unknown: str = ""
    """Its type, where that is none that is known."""

    @property
    def pictures(self) -> bool:
        """Whether it shows something that is no text."""
        return any((each.media_type or "").startswith("image") for each in self.details)


def content_of(message: dict[str, Any]) -> Content:
    """Reads one message; whatever it holds, it gives something."""
    content = object_in(message, "content")
    kind = text_in(content, "content_type")
    meta = object_in(message, "metadata")
    if meta.get("is_visually_hidden_from_conversation") is True or kind in HIDDEN:
        return Content(hidden=True)
    recipient = text_in(message, "recipient") or "all"
    if recipient != "all":
        return Content(
            _words(content, kind), is_detail=True, detail_kind="tool_call", name=recipient
        )
    flags: tuple[Flag, ...] = ("partial",) if _is_partial(message) else ()
    if kind in ("text", "multimodal_text"):
        words, details = _parts(content, message)
        return Content(without_marks(words), details, flags)
    if kind == "code":
        language = text_in(content, "language")
        shown = "" if language == "unknown" else language
        return Content(_fenced(_words(content, kind), shown), flags=flags)
    if kind == "thoughts":
        return Content(_thoughts(content), is_detail=True, detail_kind="reasoning")
    if kind == "reasoning_recap":
        recap = text_in(content, "content")
        return Content(recap, is_detail=True, detail_kind="reasoning")
    result = _words(content, kind)
    wrong = kind == "system_error"
    unknown = "" if kind in TOOL_RESULTS else kind or "none"
    sort: DetailKind = "note" if unknown else "tool_result"
    return Content(
        result, is_detail=True, detail_kind=sort, name=kind, is_error=wrong, unknown=unknown
    )


def _is_partial(message: dict[str, Any]) -> bool:
    ended = text_in(object_in(object_in(message, "metadata"), "finish_details"), "type")
    return text_in(message, "status") in PARTIAL or ended == "interrupted"


def _words(content: dict[str, Any], kind: str) -> str:
    """The text of any type, from where the types have it."""
    if kind == "tether_quote":
        said = (text_in(content, name) for name in ("title", "url", "text"))
        return "\n".join(each for each in said if each)
    if kind == "system_error":
        said = (text_in(content, name) for name in ("name", "text"))
        return ": ".join(each for each in said if each)
    listed = content.get("parts")
    if isinstance(listed, list) and listed:
        return "\n".join(as_text(part) for part in listed)
    return text_in(content, "text", "result", "content", "summary") or as_text(content)


def _parts(content: dict[str, Any], message: dict[str, Any]) -> tuple[str, tuple[Detail, ...]]:
    known = {
        text_in(each, "id"): each
        for each in list_in(object_in(message, "metadata"), "attachments")
        if text_in(each, "id")
    }
    words: list[str] = []
    details: list[Detail] = []
    parts = content.get("parts")
    if not isinstance(parts, list):
        parts = [text_in(content, "text")]
    for part in parts:
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, dict):
            if text_in(part, "content_type") == "audio_transcription":
                words.append(text_in(part, "text"))
            else:
                details += _files(part, known)
        elif part is not None:
            words.append(as_text(part))
    details += (_named(each) for each in known.values())
    return "\n".join(each for each in words if each), tuple(details)


def _files(part: dict[str, Any], known: dict[str, dict[str, Any]]) -> Iterator[Detail]:
    """The placeholders of one part: a picture, a sound, a video with its sound."""
    kind = text_in(part, "content_type")
    inner = [each for each in part.values() if isinstance(each, dict) and "asset_pointer" in each]
    if "asset_pointer" not in part and inner:
        for each in inner:
            yield from _files(each, known)
        return
    pointer = text_in(part, "asset_pointer")
    said = known.pop(pointer.rpartition("/")[2], {})
    media = text_in(said, "mime_type", "mimeType") or kind.partition("_asset")[0] or "file"
    size = number_in(part, "size_bytes") or number_in(said, "size")
    name = text_in(said, "name")
    yield Detail("attachment", name, "", media, size, pointer or None)


def _named(said: dict[str, Any]) -> Detail:
    """A file that only the message's metadata names."""
    return Detail(
        "attachment", text_in(said, "name"), "", text_in(said, "mime_type", "mimeType") or None,
        number_in(said, "size"), text_in(said, "id"),
    )  # fmt: skip


def _thoughts(content: dict[str, Any]) -> str:
    told = (
        "\n".join(part for part in (text_in(each, "summary"), text_in(each, "content")) if part)
        for each in list_in(content, "thoughts")
    )
    return "\n\n".join(each for each in told if each)


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}" if text.strip() else ""


def without_marks(text: str) -> str:
    """The words without the marks of citations; a name that was marked stays."""
    if "\ue200" in text or "\ue201" in text or "\ue202" in text:
        text = _MARK.sub("", _MARKED.sub(_marked_words, text))
    return _SOURCE.sub("", text) if "【" in text else text


def _marked_words(found: re.Match[str]) -> str:
    kind, _, rest = found[1].partition("\ue202")
    if not rest:
        return kind
    try:
        named = json.loads(rest)
    except ValueError:
        return ""
    words = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
    return words[1] if kind == "entity" and len(words) > 1 else ""
