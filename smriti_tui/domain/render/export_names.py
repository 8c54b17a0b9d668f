"""Names of files and folders in a bundle: readable, and never a way out of it."""

from __future__ import annotations

import re
import unicodedata

from smriti_tui.domain.ids import file_name_id

SLUG_CHARACTERS = 40
SLUG_BYTES = 120
"""A file name has 255 bytes on the usual file systems; scripts beyond Latin take three each."""

_SAFE_PART = re.compile(r"[a-z0-9][a-z0-9_.~-]{0,199}")


def slug(text: str) -> str:
    """Letters, digits and marks of every script, in lower case, all else as single dashes."""
    normal = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())
    kept = "".join(sign if _is_word(sign) else " " for sign in normal)
    joined = "-".join(kept.split())[:SLUG_CHARACTERS]
    short = joined.encode()[:SLUG_BYTES].decode(errors="ignore").strip("-")
    return short or "untitled"


def _is_word(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNM"


def checkpoint_file(checkpoint: str, title: str) -> str:
    return f"checkpoints/{file_name_id(checkpoint)}-{slug(title)}.md"


def session_file(session: str) -> str:
    return f"sessions/{file_name_id(session)}.jsonl"


def stream_file(stream: str) -> str:
    """Where a stream's events stand; each `/` of its name makes a folder."""
    return f"events/{'/'.join(_part(part) for part in stream.split('/'))}.jsonl"


def space_folder(space: str, name: str) -> str:
    return f"{file_name_id(space)}-{slug(name)}"


def _part(part: str) -> str:
    """A part of a stream's name; what no stream of ours has is written as hex of its bytes."""
    return part if _SAFE_PART.fullmatch(part) else f"x-{part.encode().hex()[:198]}"
