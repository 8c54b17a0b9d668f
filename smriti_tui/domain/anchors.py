"""Anchors: what a log's streams ended with, kept where whoever rewrites the log cannot reach.

A file names each head; a line for a commit message has only their hash. Neither holds a time or a
path: the same log gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.values import canonical, sha256

FORM: Final = "smriti-anchor 1"
TRAILER: Final = "Smriti-Anchor"
HEX, UUID = r"[0-9a-f]{64}", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_LINE: Final = re.compile(rf"{TRAILER}: ({UUID}) (\d{{1,18}}) ({HEX})")
_HEAD: Final = re.compile(rf"head (\S+) (\d{{1,18}}) ({HEX})")
_STORE: Final = re.compile(rf"store ({UUID})")
_EVENT: Final = re.compile(r"event (\d{1,18})")
_SUM: Final = re.compile(rf"sha256 ({HEX})")

Heads = Mapping[str, tuple[int, str]]
"""Stream to its version and chain hash."""


@dataclass(frozen=True)
class Anchor:
    """What a store's log was after one event."""

    store: str
    position: int
    digest: str
    """Over all heads of that moment."""
    heads: Heads | None = None
    """Null in the line of a commit message."""


def digest_of(heads: Heads) -> str:
    """SHA-256 over all heads, by the names of their streams."""
    rows = [[stream, version, chain] for stream, (version, chain) in sorted(heads.items())]
    return sha256(canonical(rows))


def anchor_of(store: str, position: int, heads: Heads) -> Anchor:
    return Anchor(store, position, digest_of(heads), dict(heads))


def trailer(anchor: Anchor) -> str:
    """One line that git takes for a trailer."""
    return f"{TRAILER}: {anchor.store} {anchor.position} {anchor.digest}"


def anchor_text(anchor: Anchor) -> str:
    """The file of an anchor."""
    heads = sorted((anchor.heads or {}).items())
    lines = [FORM, f"store {anchor.store}", f"event {anchor.position}"]
    lines += [f"head {stream} {version} {chain}" for stream, (version, chain) in heads]
    return "\n".join((*lines, f"sha256 {anchor.digest}", ""))


def parse_anchors(text: str) -> list[Anchor]:
    """The anchors of a file, or of the lines of commit messages in any text.

    Raises:
        Invalid: there is none, or the file is not as it was written.
    """
    if text.lstrip().startswith(FORM.split()[0]):
        return [_parse_file(text)]
    found = [
        Anchor(line[1], int(line[2]), line[3])
        for line in (_LINE.fullmatch(each.strip()) for each in text.splitlines())
        if line is not None
    ]
    if not found:
        raise Invalid(
            "There is no anchor in it.",
            f"Give a file of `smriti log anchor FILE`, or text with {TRAILER} lines.",
            code="no_anchor",
        )
    return found


def _parse_file(text: str) -> Anchor:
    lines = text.strip().splitlines()
    store, event = (
        pattern.fullmatch(line) for pattern, line in zip((_STORE, _EVENT), lines[1:3], strict=False)
    ) if len(lines) > 3 else (None, None)  # fmt: skip
    last = _SUM.fullmatch(lines[-1])
    read = [_HEAD.fullmatch(line) for line in lines[3:-1]]
    heads = {found[1]: (int(found[2]), found[3]) for found in read if found is not None}
    whole = lines[0] == FORM and len(heads) == len(read)
    if not (whole and store and event and last) or digest_of(heads) != last[1]:
        raise Invalid(
            "The anchor is not as it was written: a line is missing or was changed.",
            "Take it from where it was kept, such as the git history.",
            code="bad_anchor",
        )
    return Anchor(store[1], int(event[1]), last[1], heads)
