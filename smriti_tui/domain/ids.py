"""Identifiers (DESIGN 10.1): UUIDv4 for resources, UUIDv7 for events, SHA-256 for checkpoints."""

from __future__ import annotations

import os
import re
import time
import uuid
from typing import NewType

SpaceId = NewType("SpaceId", str)
SessionId = NewType("SessionId", str)
BranchId = NewType("BranchId", str)
CheckpointId = NewType("CheckpointId", str)
RequestId = NewType("RequestId", str)
EventId = NewType("EventId", str)

MIN_PREFIX = 4
"""Fewest signs of an id prefix."""

OPEN_STREAM = re.compile(r"[a-z0-9][a-z0-9_.-]{0,79}")
"""Name of an open stream (DESIGN 10.5)."""

RESERVED_STREAMS = ("space/", "session/", "claims/", "worktrees/")
STORE_STREAM = "store"


_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_STREAM = re.compile(
    rf"(?:{OPEN_STREAM.pattern}|(?:{'|'.join(RESERVED_STREAMS)}){_UUID})(?:~{_UUID})?"
)


def is_stream(name: str) -> bool:
    """Whether an event of another store may lie in a stream of this name: an open one, one of the
    product's but its own, or the tail of one that grew apart (DESIGN 10.4)."""
    return name != STORE_STREAM and _STREAM.fullmatch(name) is not None


def family(stream: str) -> str:
    """The stream that a tail grew apart from; the stream itself where it is no tail."""
    return stream.partition("~")[0]


def kind_and_owner(stream: str) -> tuple[str, str]:
    """What a stream is about: `session` and the session's id, `space` and the Space's; an open
    stream's name alone.

    The tail of a session is a session of its own. Any other tail is about what its stream is about.
    """
    kind, _, owner = stream.partition("/")
    of, _, first = owner.partition("~")
    return kind, tail_id(of, first) if kind == "session" and is_uuid(first) else of


def tail_id(identifier: str, first: str) -> str:
    """The id of what was one thing until its stream grew apart, in the tail that begins with the
    event `first`."""
    return str(uuid.uuid5(uuid.UUID(first), identifier))


def new_id() -> str:
    """A random UUIDv4 in lower case."""
    return str(uuid.uuid4())


def new_event_id() -> str:
    """A UUIDv7: milliseconds of now, then random bits."""
    value = (time.time_ns() // 1_000_000 & 0xFFFF_FFFF_FFFF) << 80
    value |= int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | (0x7 << 76)
    value = value & ~(0x3 << 62) | (0x2 << 62)
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def command_event_id(command_id: str, counter: int) -> str:
    """The event id of a repeatable command's event number `counter` (DESIGN 10.21)."""
    return str(uuid.uuid5(uuid.UUID(command_id), str(counter)))


def is_uuid(text: str) -> bool:
    """Whether `text` is a UUID in its usual form."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def short(identifier: str) -> str:
    """The 7 characters that are shown."""
    return identifier[:7]


def file_name_id(identifier: str) -> str:
    """The 12 characters that file names take, dashes left out."""
    return identifier.replace("-", "")[:12]
