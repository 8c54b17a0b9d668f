"""What the `@` names of a message stand for, read at one moment: the moment of the send."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from smriti_tui.domain.errors import Ambiguous, NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, short
from smriti_tui.domain.items import KINDS, LETTERS
from smriti_tui.domain.mentions import (
    MentionRule,
    Quoted,
    cut_at_line,
    id_prefix,
    item_label,
    names,
    quoted_name,
    written_out,
)
from smriti_tui.domain.model import Artifact, Checkpoint, CheckpointSummary, Item, Task
from smriti_tui.domain.model import TurnAttachment as Attached
from smriti_tui.domain.state_text import state_parts
from smriti_tui.services.caller import Caller
from smriti_tui.services.contexts import line_view
from smriti_tui.services.project_files import MOST_BYTES, FileNames, file_names, read_file
from smriti_tui.store import checkpoints, find, sessions, spaces
from smriti_tui.store.engine import Tx

CHECKPOINTS = 200
"""How many of a Space's checkpoints are offered."""
_NOUNS = {"D": "Decision", "A": "Assumption", "T": "Task", "Q": "Open question"}


@dataclass(frozen=True)
class WrittenOut:
    """A message as a model gets it."""

    content: str
    attachments: tuple[Attached, ...] = ()
    anchor: CheckpointId | None = None
    """The checkpoint whose items were meant; None where none was."""


@dataclass(frozen=True)
class Offers:
    """What can be mentioned in a session."""

    anchor: Checkpoint | None
    checkpoints: tuple[CheckpointSummary, ...]
    files: FileNames


@dataclass(frozen=True)
class _Place:
    """Where names are looked up."""

    tx: Tx
    space: SpaceId
    root: Path | None
    anchor: Checkpoint | None


@dataclass(frozen=True)
class MentionService:
    caller: Caller

    def write_out(self, session: SessionId, text: str, rule: MentionRule) -> WrittenOut:
        """Reads everything that `text` mentions. A name that stands for nothing stays a word.

        Raises:
            NotFound: no such session. Invalid: a file is there and cannot be sent.
        """
        wanted = names(text, rule)
        if not wanted:
            return WrittenOut(text)
        with self.caller.read() as tx:
            place = _place(tx, session)
            if place is None:
                return WrittenOut(text)
            found = [quoted for name in wanted if (quoted := _look_up(place, name)) is not None]
        attachments = tuple(quoted.attachment for quoted in found)
        own = any(each.kind in ("item", "artifact") for each in attachments)
        anchor = place.anchor.id if own and place.anchor is not None else None
        return WrittenOut(written_out(text, found), attachments, anchor)

    def offers(self, session: SessionId) -> Offers:
        """What a list of mentions holds; reads the names of the project's files.

        Raises:
            NotFound: no such session.
        """
        with self.caller.read() as tx:
            place = _place(tx, session)
            if place is None:
                return Offers(None, (), FileNames(()))
            rows = tuple(checkpoints.summaries(tx, place.space, limit=CHECKPOINTS))
        files = file_names(place.root) if place.root is not None else FileNames(())
        return Offers(place.anchor, rows, files)


def _place(tx: Tx, session: SessionId) -> _Place | None:
    """None for a session in no Space: there is nothing to mention."""
    found = sessions.session(tx, session)
    if found.space is None:
        return None
    root = spaces.space(tx, found.space).project_root
    anchor = line_view(tx, found, 1).anchor
    return _Place(tx, found.space, Path(root) if root else None, anchor)


def _look_up(place: _Place, name: str) -> Quoted | None:
    """An item of the anchor, a checkpoint of the Space, an artifact of the anchor, a file."""
    return (
        _item(place, name)
        or _checkpoint(place, name)
        or _artifact(place, name)
        or _file(place, name)
    )


def _item(place: _Place, name: str) -> Quoted | None:
    label = item_label(name)
    if label is None or place.anchor is None:
        return None
    for kind in KINDS:
        items: Sequence[Item | Task] = getattr(place.anchor.body, kind)
        number = int(label[1:])
        if LETTERS[kind] == label[0] and number <= len(items):
            item = items[number - 1]
            state = "" if item.state == "live" else ", retired"
            heading = f"{_NOUNS[label[0]]} {label} of checkpoint {short(place.anchor.id)}{state}"
            attached = _attached("item", name, item.text, place.anchor.id, item.uid)
            return Quoted(name, heading, item.text, attached)
    return None


def _checkpoint(place: _Place, name: str) -> Quoted | None:
    if id_prefix(name) is None:
        return None
    try:
        found = checkpoints.checkpoint(place.tx, find.checkpoint_id(place.tx, name))
    except (NotFound, Ambiguous):
        return None
    if found.body.space != place.space:
        return None
    parts, _ = state_parts((found,))
    text = "\n\n".join(part.text for part in parts if part.checkpoint is not None)
    attached = _attached("checkpoint", name, text, found.id)
    return Quoted(name, f"Checkpoint {short(found.id)}", text, attached)


def _artifact(place: _Place, name: str) -> Quoted | None:
    if place.anchor is None:
        return None
    found = [each for each in place.anchor.body.artifacts if each.label == name]
    return _artifact_text(place.anchor.id, found[0]) if found else None


def _artifact_text(checkpoint: CheckpointId, artifact: Artifact) -> Quoted:
    raw = artifact.content.encode()
    text, cut = artifact.content, ""
    if len(raw) > MOST_BYTES:
        text = cut_at_line(raw[:MOST_BYTES].decode(errors="ignore"))
        cut = _cut_note(len(text.encode()), len(raw))
    label = quoted_name(artifact.label)
    heading = f"Artifact {label} of checkpoint {short(checkpoint)}"
    attached = _attached("artifact", artifact.label, text, checkpoint, artifact.id, len(raw))
    return Quoted(artifact.label, heading, text, attached, cut)


def _file(place: _Place, name: str) -> Quoted | None:
    file = read_file(place.root, name) if place.root is not None else None
    if file is None:
        return None
    cut = _cut_note(len(file.sent), file.size_bytes) if len(file.sent) < file.size_bytes else ""
    heading = f"File {quoted_name(file.path)}, {file.size_bytes:,} bytes"
    digest = hashlib.sha256(file.sent).hexdigest()
    attached = Attached("file", name, digest, file.size_bytes, len(file.sent), path=file.path)
    return Quoted(name, heading, file.text, attached, cut)


def _cut_note(sent: int, size: int) -> str:
    return f"[cut here: the first {sent:,} of {size:,} bytes]"


def _attached(
    kind: Literal["checkpoint", "item", "artifact"],
    name: str,
    text: str,
    checkpoint: CheckpointId,
    uid: str | None = None,
    size: int | None = None,
) -> Attached:
    raw = text.encode()
    return Attached(
        kind=kind,
        name=name,
        sha256=hashlib.sha256(raw).hexdigest(),
        size_bytes=len(raw) if size is None else size,
        sent_bytes=len(raw),
        checkpoint=checkpoint,
        uid=uid,
    )
