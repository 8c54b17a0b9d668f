"""The JSON of an export: records as plain values, and one document written piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from smriti_tui.domain.codec import to_json
from smriti_tui.domain.model import Branch, Checkpoint, Line, Note, Session, Space, Turn
from smriti_tui.domain.values import canonical

DOCUMENT_FORMAT = "smriti-export/1"
BUNDLE_FORMAT = "smriti-bundle/1"


@dataclass(frozen=True)
class Streamed:
    """An object some of whose values are iterators: lists that are never held whole."""

    fields: Mapping[str, object]


def pieces(value: object) -> Iterator[str]:
    """The canonical JSON of `value`, in pieces; iterators become lists.

    Raises:
        Invalid: something in it is no JSON value.
    """
    if isinstance(value, Streamed):
        mark = "{"
        for key in sorted(value.fields):
            yield f"{mark}{canonical(key)}:"
            yield from pieces(value.fields[key])
            mark = ","
        yield "{}" if mark == "{" else "}"
    elif isinstance(value, Iterator):
        mark = "["
        for entry in value:
            yield mark
            yield from pieces(entry)
            mark = ","
        yield "[]" if mark == "[" else "]"
    else:
        yield canonical(value)


def space_record(space: Space, branches: Sequence[Branch]) -> dict[str, object]:
    """A Space without its counts, with its branches in the order they were opened."""
    record: dict[str, object] = to_json(space)
    del record["checkpoints"], record["sessions"]
    record["branches"] = [branch_record(branch) for branch in branches]
    return record


def branch_record(branch: Branch) -> dict[str, object]:
    record: dict[str, object] = to_json(branch)
    del record["space"]
    return record


def checkpoint_record(checkpoint: Checkpoint, notes: Sequence[Note]) -> dict[str, object]:
    """Without the position, which is this store's own."""
    return {
        "id": checkpoint.id,
        "branch": checkpoint.branch,
        "branch_name": checkpoint.branch_name,
        "body": to_json(checkpoint.body),
        "notes": [to_json(note) for note in notes],
    }


def session_record(session: Session, lines: Sequence[Line]) -> dict[str, object]:
    record: dict[str, object] = to_json(session)
    del record["beginning"]
    record["lines"] = [
        {"line": line.line, "anchor": line.anchor, "history_base_seq": line.history_base_seq}
        for line in lines
    ]
    return record


def turn_record(turn: Turn) -> dict[str, object]:
    record: dict[str, object] = to_json(turn)
    return record
