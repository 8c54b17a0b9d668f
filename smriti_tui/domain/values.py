"""Canonical forms that are dear to change: JSON, times, hashes, text at the door (DESIGN 10.2,
10.3)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime

from smriti_tui.domain.errors import Invalid

MAX_PAYLOAD_BYTES = 16 * 1024 * 1024
"""Limit of one event's canonical payload."""

LARGEST = 2**63 - 1
"""The largest whole number that a database holds."""

MAX_NAME = 200
"""Characters of the name of a Space, a session or a branch."""

_encode = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
).encode


def canonical(value: object) -> str:
    """The one canonical JSON text of `value` (sorted keys, no blanks, no NaN).

    Raises:
        Invalid: the value is not JSON (NaN, infinity, an object that has no JSON form).
    """
    try:
        return _encode(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise Invalid(f"This is no JSON value: {error}.", "Numbers must be finite.") from error


def sha256(text: str) -> str:
    """Hex SHA-256 of the UTF-8 bytes of `text`."""
    return hashlib.sha256(text.encode()).hexdigest()


def utc_text(moment: datetime) -> str:
    """`2026-03-02T14:05:09.123456Z`, always six digits; `moment` is aware."""
    # strftime takes twice as long and leaves years before 1000 short.
    return f"{moment.astimezone(UTC).isoformat(timespec='microseconds')[:-6]}Z"


def parse_utc(text: str) -> datetime:
    """The aware UTC moment that `utc_text` wrote."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)


@dataclass(frozen=True)
class Repairs:
    """What was changed in a text at the door (DESIGN 10.3): a NUL is dropped, a lone surrogate
    becomes U+FFFD."""

    nul: int = 0
    surrogates: int = 0

    def __bool__(self) -> bool:
        return bool(self.nul or self.surrogates)

    def __add__(self, other: Repairs) -> Repairs:
        return Repairs(self.nul + other.nul, self.surrogates + other.surrogates)


def repair_text(text: str) -> tuple[str, Repairs]:
    """`text` without NUL and lone surrogates, and how many of each there were."""
    nul = text.count("\0")
    if nul:
        text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        found = sum(0xD800 <= ord(sign) <= 0xDFFF for sign in text)
        fixed = "".join("\ufffd" if 0xD800 <= ord(sign) <= 0xDFFF else sign for sign in text)
        return fixed, Repairs(nul, found)
    return text, Repairs(nul, 0)


def repair_value(value: object) -> tuple[object, Repairs]:
    """`repair_text` over every string of a JSON value, keys included."""
    if isinstance(value, str):
        return repair_text(value)
    if isinstance(value, list | tuple):
        pairs = [repair_value(entry) for entry in value]
        return [entry for entry, _ in pairs], sum((found for _, found in pairs), Repairs())
    if isinstance(value, dict):
        fixed: dict[str, object] = {}
        total = Repairs()
        for key, entry in value.items():
            clean_key, in_key = repair_text(str(key))
            clean_entry, in_entry = repair_value(entry)
            fixed[clean_key] = clean_entry
            total = total + in_key + in_entry
        return fixed, total
    return value, Repairs()


def payload_text(payload: dict[str, object]) -> str:
    """The canonical text of an event's payload, repaired where needed.

    A repaired payload counts what was changed under `repaired`.

    Raises:
        Invalid: not a JSON object, or larger than `MAX_PAYLOAD_BYTES`.
    """
    if not isinstance(payload, dict):
        raise Invalid("The payload is not a JSON object.", "Give an object such as {}.")
    text = canonical(payload)
    if "\\u0000" in text or not _encodes(text):
        fixed, found = repair_value(payload)
        if found and isinstance(fixed, dict):
            fixed["repaired"] = {"nul": found.nul, "surrogates": found.surrogates}
            text = canonical(fixed)
    check_size(text)
    return text


def check_size(text: str) -> None:
    """Raises `Invalid` when `text` is over the limit of a payload."""
    if len(text) * 4 > MAX_PAYLOAD_BYTES and (size := len(text.encode())) > MAX_PAYLOAD_BYTES:
        raise Invalid(
            f"This is {size:,} bytes; one event holds at most {MAX_PAYLOAD_BYTES:,} (16 MiB).",
            "Split it, or attach it as a file.",
            code="too_large",
        )


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
