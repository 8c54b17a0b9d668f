"""What the records of Codex hold: words, what is injected among them, pictures, output of tools.

Any value may be of any type: what does not fit is as if it were not there.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from smriti_tui.domain.imported import Detail, Flag

INJECTED: Final = (
    "# agents.md instructions", "<environment_context>", "<user_instructions>", "<instructions>",
    "<permissions instructions>", "<collaboration_mode>",
)  # fmt: skip
"""How context begins that Codex adds in the person's name; in lower case."""
INJECTED_LATER: Final = (
    "<apps_instructions>", "<hook_prompt", "<model_switch>", "<personality_spec>",
    "<plugins_instructions>", "<skill>", "<skills_instructions>", "<subagent_notification>",
    "<turn_aborted>", "<user_shell_command>",
)  # fmt: skip
"""More of it, which only the model's own history has: nobody is shown to have typed these."""
_REQUEST: Final = re.compile(r"^## My request for Codex:[ \t]*$", re.MULTILINE)
_AROUND_IMAGE: Final = re.compile(r"\s*</?image\b[^<>]{0,200}>\s*")
_LONG_DATA: Final = re.compile(
    rb"data:([\w.+-]{1,80}/[\w.+-]{1,80})((?:;[\w.+=-]{1,80}){0,4}?);base64,"
    rb"([A-Za-z0-9+/=_-]{200,})"
)
_LONG_FIELD: Final = re.compile(
    rb'((?:encrypted_content|result|data|blob)\\{0,8}"\s{0,8}:\s{0,8}\\{0,8}")'
    rb"([A-Za-z0-9+/=_-]{1000,})"
)
_DATA: Final = re.compile(
    r"data:(?P<media>[\w.+-]{1,80}/[\w.+-]{1,80})?(?P<more>(?:;[\w.+=-]{1,80}){0,5}?);base64,"
    r"(?P<body>[A-Za-z0-9+/=_-]*)"
)
_SIZE: Final = re.compile(r";size=(\d{1,12})")
SHORT: Final = 32
"""Signs of base64 that may stay in a text: they are an example of how it looks."""
_EXIT: Final = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d{1,9})", re.MULTILINE)
EXIT_WITHIN: Final = 400
"""Characters at the beginning of an output among which its exit code stands."""


@dataclass(frozen=True)
class Words:
    """What a message says."""

    text: str = ""
    details: tuple[Detail, ...] = ()
    flags: tuple[Flag, ...] = ()
    injected: int = 0
    """How many parts of it were not the person's."""


def text_of(value: object) -> str:
    """A text; empty for what is none."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> dict[str, object]:
    """An object; an empty one for what is none."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """A list; an empty one for what is none."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """A text, or the JSON of what is none."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


# ---- pictures ------------------------------------------------------------------------------------


def shortened(raw: bytes) -> bytes:
    """A line without the long base64 in it, of which the size stays: parsing it would cost many
    times as much memory as all that is kept of the line."""
    raw = _LONG_DATA.sub(_size_alone, raw)
    return _LONG_FIELD.sub(lambda found: found[1] + b"[%d bytes]" % _decoded(len(found[2])), raw)


def _size_alone(found: re.Match[bytes]) -> bytes:
    return b"data:%b%b;size=%d;base64," % (found[1], found[2], _decoded(len(found[3])))


def _decoded(signs: int) -> int:
    return signs * 3 // 4


def picture(url: object) -> Detail | None:
    """A placeholder for an image: where it lies, or what it was that the URL itself held."""
    url = text_of(url) or text_of(mapping(url).get("url"))
    if not url:
        return None
    if url[:5].lower() != "data:":
        return Detail("attachment", "image", pointer=url[:2000])
    found = _DATA.match(url)
    if found is None:
        return Detail("attachment", "image", size_bytes=len(url))
    return Detail("attachment", "image", media_type=found["media"], size_bytes=_size(found))


def _size(found: re.Match[str]) -> int:
    told = _SIZE.search(found["more"])
    return int(told[1]) if told else _decoded(len(found["body"].rstrip("=")))


def without_data(text: str) -> str:
    """A text with a placeholder for each file that stands in it as base64."""
    return _DATA.sub(_placeholder, text) if "base64," in text else text


def _placeholder(found: re.Match[str]) -> str:
    if len(found["body"]) <= SHORT and not _SIZE.search(found["more"]):
        return found[0]
    return f"[{found['media'] or 'data'}, {_size(found):,} bytes]"


# ---- messages ------------------------------------------------------------------------------------


def is_injected(text: str, *, typed: bool) -> bool:
    """Whether a text in the person's name is not theirs; `typed`: it was shown as typed."""
    start = text[:4000].lstrip(" \t\r\n\0\ufeff")[:60].lower()
    return start.startswith(INJECTED) or (not typed and start.startswith(INJECTED_LATER))


def words_of(text: object, images: list[object]) -> Words:
    """What was typed or shown, with pictures beside it."""
    return _words([text_of(text)], images, person=True, typed=True)


def content_words(content: object, *, person: bool, typed: bool = False) -> Words:
    """What the parts of a message say. `person`: in the person's name, who is not its author in
    all of it."""
    if isinstance(content, str):
        return _words([content], [], person=person, typed=typed)
    texts, images = [], []
    for part in items(content):
        if isinstance(part, str):
            texts.append(part)
            continue
        found = mapping(part)
        text = text_of(found.get("text"))
        if text and not _AROUND_IMAGE.fullmatch(text):
            texts.append(text)
        images += [found.get("image_url"), found.get("path")]
    return _words(texts, images, person=person, typed=typed)


def _words(texts: list[str], images: list[object], *, person: bool, typed: bool) -> Words:
    own = [each for each in texts if not (person and is_injected(each, typed=typed))]
    injected = len(texts) - len(own)
    text = "\n".join(each for each in own if each)
    details: list[Detail] = []
    if person and (request := _REQUEST.search(text)):
        around = without_data(text[: request.start()].strip())
        text = text[request.end() :].strip()
        if around:
            details.append(Detail("note", "editor context", around[:16_000]))
    details += [found for each in images if (found := picture(each))]
    short = without_data(text)
    flags: tuple[Flag, ...] = () if short == text else ("placeholder",)
    if not short.strip() and any(each.kind == "attachment" for each in details):
        short, flags = "[image]", ("placeholder",)
    return Words(short, tuple(details), flags, injected)


# ---- output of tools -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Output:
    text: str
    pictures: tuple[Detail, ...]
    error: bool


def output_of(value: object) -> Output:
    """What a tool gave back, in any of the forms that it has had."""
    error = False
    if isinstance(value, str) and value.startswith("{"):
        value = _unwrapped(value)
    if isinstance(value, dict):
        code = mapping(value.get("metadata")).get("exit_code")
        error = value.get("success") is False or (isinstance(code, int) and code != 0)
        value = next((value[key] for key in ("content", "output", "text") if key in value), value)
    pictures: tuple[Detail, ...] = ()
    if isinstance(value, list):
        words = content_words(value, person=False)
        pictures = tuple(each for each in words.details if each.kind == "attachment")
        text = "" if words.text == "[image]" and pictures else words.text
        value = text if text or pictures else as_text(value)
    text = readable(as_text(value))
    told = _EXIT.search(text[:EXIT_WITHIN])
    return Output(text, pictures, error or (told is not None and int(told[1]) != 0))


def _unwrapped(text: str) -> object:
    """The object that an output is as JSON, if it is the one of Codex; else the text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, dict) and "output" in found else text


def readable(text: str) -> str:
    """A text without base64; one that was UTF-16, and read as something else, without its NULs."""
    if "\0" in text:
        text = text.replace("\0", "").lstrip("\ufeff\ufffd")
    return without_data(text)
