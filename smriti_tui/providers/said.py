"""The provider's own words inside an error of the provider library, without its wrapping."""

from __future__ import annotations

import ast
import json
import re

from smriti_tui.domain.clean import clean_line

LONGEST = 240
_BYTES_REPR = re.compile(r"""b(['"])(.*)\1""", re.DOTALL)
_WRAPPING = re.compile(
    r"^(?:\w+\.)?(?:Timeout )?\w*(?:Error|Exception|Timeout)\b"
    r"(?:\s*[-:]\s*|\s+(?=\w+Error))"
)
_TAIL = re.compile(r"\s*(?:Handle with `[^`]*`\.?|Learn more: \S+|Error code: \d+)\s*$")
_PAGE = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)


def words_of(text: str) -> str:
    """What the provider said, on one line without a full stop at its end; "" if that is of no use.

    The library puts raw replies into its messages, on some paths as the repr of bytes. The message
    in such a reply is taken out; a page or anything else is dropped. Keys are the caller's matter.
    """
    raw = _BYTES_REPR.search(text)
    if raw is not None:
        try:
            value = ast.literal_eval(raw.group())
        except (ValueError, SyntaxError):
            return ""
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
        return _tidy(_message_in(text) or "")
    found = _message_in(text)
    if found is not None:
        return _tidy(found)
    text = text.split("\nTraceback", 1)[0].strip().split("\n", 1)[0]
    while (shorter := _WRAPPING.sub("", text, count=1)) != text:
        text = shorter
    return _tidy(text)


def _message_in(text: str) -> str | None:
    """The message of the first JSON object in `text`; "" if it has none, None without an object."""
    start = text.find("{")
    if start < 0:
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        return None
    return _message_of(value)


def _message_of(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for key in ("error", "message", "detail"):
            if found := _message_of(value.get(key)):
                return found
    return ""


def _tidy(text: str) -> str:
    if _PAGE.search(text):
        return ""
    text = " ".join(clean_line(text).split())
    while (shorter := _TAIL.sub("", text)) != text:
        text = shorter
    # It becomes the end of a sentence.
    text = text.strip().rstrip(".").replace(". ", "; ")
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
