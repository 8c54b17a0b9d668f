"""How a transcript is cut into messages, as a text that a person changes: a line for each cut.

`==== user ====` begins a message. Taking such a line away joins two, writing one cuts; the words of
the messages stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.model import Role

ROLES = ("user", "assistant", "system")


@dataclass(frozen=True)
class Message:
    """A message of a transcript."""

    role: Role
    text: str


@dataclass(frozen=True)
class Split:
    """The text, and how many signs its cuts have: more than any line of the messages."""

    text: str
    width: int


def split_of(messages: Sequence[Message]) -> Split:
    """The messages below each other, each under its cut."""
    runs = [re.match(r"=*", line) for each in messages for line in each.text.split("\n")]
    width = max([4, *(len(found[0]) + 1 for found in runs if found)])
    return Split("\n".join(f"{cut(each.role, width)}\n{each.text}" for each in messages), width)


def cut(role: str, width: int) -> str:
    """The line that begins a message."""
    return f"{'=' * width} {role} {'=' * width}"


def messages_of(text: str, width: int) -> tuple[Message, ...]:
    """The messages of a changed text; empty ones are not.

    Raises:
        Invalid: words stand before the first cut, a cut names no role, or there is no message.
    """
    sign = re.compile(rf"={{{width},}}\s*(\S*)\s*=*\s*")
    found: list[tuple[str, list[str]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        match = sign.fullmatch(line)
        if match is not None and line.startswith("=" * width):
            role = match[1].strip("=").lower()
            if role not in ROLES:
                raise Invalid(
                    f"Line {number}: a cut names no role.",
                    f"Write {cut('user', width)}, or assistant, or system.",
                    field="text",
                )
            found.append((role, []))
        elif found:
            found[-1][1].append(line)
        elif line.strip():
            raise Invalid(
                f"Line {number}: words stand before the first cut.",
                f"Begin with {cut('user', width)}.",
                field="text",
            )
    made = [Message(cast("Role", role), "\n".join(lines).strip("\n")) for role, lines in found]
    kept = tuple(each for each in made if each.text.strip())
    if not kept:
        raise Invalid("There is no message in it.", "esc leaves it as it was.", field="text")
    return kept
