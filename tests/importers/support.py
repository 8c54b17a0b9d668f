"""Files with given content, and what the readers make of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from smriti_tui.domain.imported import ImportedTurn, Skipped, Thread
from smriti_tui.importers.files import SourceFile

SAMPLES = Path(__file__).parent / "samples"
Reader = Callable[[SourceFile], Iterator[Thread | Skipped]]


def source(folder: Path, content: str | bytes, name: str = "file") -> SourceFile:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return SourceFile(path, name)


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def one(found: Iterator[Thread | Skipped]) -> Thread:
    (thread,) = found
    assert isinstance(thread, Thread)
    return thread


def said(turns: Iterator[ImportedTurn]) -> list[tuple[str, str]]:
    return [(turn.role, turn.text) for turn in turns]


def beside(turn: ImportedTurn) -> list[tuple[str, str, str]]:
    return [(each.kind, each.name, each.text) for each in turn.details]


def whole(found: Iterator[Thread | Skipped]) -> list[Thread]:
    """The conversations, each looked at as the app would: turns as counted, no id twice."""
    threads = []
    for each in found:
        if isinstance(each, Skipped):
            assert each.where
            assert each.reason
            continue
        turns = list(each.turns())
        assert len(turns) == each.count
        assert len({turn.source_id for turn in turns}) == len(turns)
        assert turns == list(each.turns())
        for branch in each.branches:
            line = list(branch.turns())
            assert line[-1].source_id == branch.source_id
            active = {turn.source_id for turn in turns}
            assert sum(turn.source_id not in active for turn in line) == branch.own
        threads.append(each)
    assert len({each.source_id for each in threads}) == len(threads)
    return threads


def json_lines(*records: object) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in records)
