"""Skill packs: one text, told to each agent host in its own notation.

What was installed carries its version and the hash of its text, so that a file that somebody edited
or wrote is never taken for ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.values import sha256

VERSION = "1.2"
"""Rises with every change of the text or of how it is written."""
Notation = Literal["mcp", "cli"]
Standing = Literal["absent", "foreign", "edited", "older", "same", "newer"]
VERSION_KEY, HASH_KEY = "smriti_skill_pack_version", "smriti_skill_pack_sha256"
_DESCRIPTION = (
    "Shared project state in Smriti: read what is settled before work, claim tasks, use worktrees, "
    "and write checkpoints only when something was settled. Use at the start and end of any work "
    "in a project with a .smriti.json file."
)
_OPEN, _NEXT, _CLOSE = "<<mcp", "<<cli", ">>"
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_FIELD = re.compile(r"^(\w+):[ \t]*\"?([^\"\n]*)\"?[ \t]*$", re.MULTILINE)
_HASH_LINE = re.compile(rf"^{HASH_KEY}:.*\n", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """An agent host."""

    name: str
    display: str
    notation: Notation
    path: str
    """Where its pack belongs, below the project's folder."""


TARGETS: tuple[Target, ...] = (
    Target("claude-code", "Claude Code", "mcp", ".claude/skills/smriti/SKILL.md"),
    Target("codex", "Codex", "cli", "AGENTS.md"),
    Target("generic", "an agent", "cli", "SMRITI.md"),
)


def target(name: str) -> Target:
    """Raises: Invalid, naming the known ones."""
    for each in TARGETS:
        if each.name == name:
            return each
    known = ", ".join(each.name for each in TARGETS)
    raise Invalid(f"There is no skill pack for {name!r}.", f"Known are {known}.", field="target")


def rendered(template: str, host: Target) -> str:
    """The pack as it is written to a file.

    Raises:
        Invalid: the template has a block for one notation without its partner.
    """
    body = _one_notation(template, host.notation).replace("{{host}}", host.display)
    body = body.replace("{{name}}", host.name)
    front = f'---\nname: smriti\ndescription: {_DESCRIPTION}\n{VERSION_KEY}: "{VERSION}"\n'
    rest = f"---\n{body}"
    return f'{front}{HASH_KEY}: "{sha256(front + rest)}"\n{rest}'


def _one_notation(template: str, notation: Notation) -> str:
    """The template with one side of each block; either may be empty."""
    kept: list[str] = []
    side: str | None = None
    for line in template.splitlines():
        if line == _OPEN and side is None:
            side = "mcp"
        elif line == _NEXT and side == "mcp":
            side = "cli"
        elif line == _CLOSE and side == "cli":
            side = None
        elif line in (_OPEN, _NEXT, _CLOSE):
            raise _unpaired(line)
        elif side in (None, notation):
            kept.append(line)
    if side is not None:
        raise _unpaired("the end")
    return "\n".join(kept) + "\n"


def _unpaired(where: str) -> Invalid:
    return Invalid(
        f"The template has a block without its partner, at {where!r}.",
        f"Write {_OPEN}, then {_NEXT}, then {_CLOSE}, each on a line of its own.",
    )


def standing(existing: str | None) -> tuple[Standing, str | None]:
    """What a file is to this pack, and its version."""
    if existing is None or not existing.strip():
        return "absent", None
    text = existing.replace("\r\n", "\n").removeprefix("\ufeff")
    front = _FRONT.match(text)
    fields: Mapping[str, str] = dict(_FIELD.findall(front.group(1))) if front else {}
    version = fields.get(VERSION_KEY, "").strip()
    if front is None or not version:
        return "foreign", None
    if sha256(_unmarked(text, front.end())) != fields.get(HASH_KEY):
        return "edited", version
    mine, its = _parts(VERSION), _parts(version)
    return ("same" if its == mine else "older" if its < mine else "newer"), version


def _unmarked(text: str, front_end: int) -> str:
    """The text without the line of its hash, which is taken over all the rest."""
    return _HASH_LINE.sub("", text[:front_end], count=1) + text[front_end:]


def _parts(version: str) -> tuple[int, ...]:
    """Numbers of a version: 1.10 comes after 1.9."""
    numbers = [int(part) for part in re.findall(r"\d+", version)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
