"""What tests of the readers share: a file of given bytes, and all that a reader finds in it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from smriti_tui.domain.import_report import Watch
from smriti_tui.domain.imported import ImportedTurn, Skipped, SpaceDump, Thread, Tool
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.shapes import reader_of, tool_of

SAMPLES = Path(__file__).parent / "samples"


@dataclass
class Read:
    """All that a reader found."""

    threads: list[Thread] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    spaces: list[SpaceDump] = field(default_factory=list)

    def turns(self, number: int = 0) -> list[ImportedTurn]:
        return list(self.threads[number].turns())

    def said(self, number: int = 0) -> list[tuple[str, str]]:
        """Role and text of each turn of a conversation."""
        return [(turn.role, turn.text) for turn in self.turns(number)]

    @property
    def reasons(self) -> list[tuple[str, str]]:
        """Everything that was left out."""
        of_threads = [each for thread in self.threads for each in thread.skipped]
        return [(each.where, each.reason) for each in (*self.skipped, *of_threads)]


def source(folder: Path, data: bytes | str | object, name: str = "given") -> SourceFile:
    """A file of these bytes, this text, or this value as JSON."""
    path = folder / name
    if isinstance(data, str):
        data = data.encode()
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return SourceFile(path, name, Watch())


def sample(name: str) -> SourceFile:
    return SourceFile(SAMPLES / name, name, Watch())


def database(folder: Path, sql: str, name: str = "given.db") -> SourceFile:
    """A SQLite file made by SQL, or by the sample of that name."""
    if (SAMPLES / sql).is_file() if len(sql) < 100 else False:
        sql = (SAMPLES / sql).read_text(encoding="utf-8")
    connection = sqlite3.connect(folder / name)
    connection.executescript(sql)
    connection.close()
    return SourceFile(folder / name, name, Watch())


def read(file: SourceFile, tool: Tool | None = None) -> Read:
    """Everything in a file; the tool is told by its shape where none is given."""
    found = Read()
    for each in reader_of(tool or tool_of(file))(file):
        if isinstance(each, Thread):
            found.threads.append(each)
        elif isinstance(each, Skipped):
            found.skipped.append(each)
        else:
            found.spaces.append(each)
    return found
