"""The lines of a Codex session, of either era."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from smriti_tui.domain.imported import Skipped, moment
from smriti_tui.importers.codex_parts import shortened, text_of
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.records import TOO_LONG, Broken, lines, parse


@dataclass(frozen=True)
class Entry:
    """A record of either era."""

    kind: str
    payload: dict[str, object]
    at: str | None


def entries(file: SourceFile) -> Iterator[Entry | Skipped]:
    """The records of a file, and the lines that are none. Raises: SmritiError, Cancelled."""
    for line in lines(file):
        where = f"line {line.number}"
        if line.raw is None:
            yield Skipped(where, TOO_LONG)
        elif line.raw.strip():
            try:
                value = parse(shortened(line.raw))
            except Broken as error:
                yield Skipped(where, f"{'' if line.whole else 'not finished yet, '}{error}")
                continue
            yield _entry(value) if isinstance(value, dict) else Skipped(where, "no JSON object")


def _entry(record: dict[str, object]) -> Entry:
    """Until autumn 2025 items stood bare in their lines, and the session's facts in the first."""
    at = moment(record.get("timestamp"))
    kind, payload = record.get("type"), record.get("payload")
    if isinstance(payload, dict):
        return Entry(text_of(kind), payload, at)
    if "record_type" in record:
        return Entry("state", {}, at)
    if isinstance(kind, str):
        return Entry("response_item" if "payload" not in record else kind, record, at)
    return Entry("session_meta" if "id" in record and "timestamp" in record else "", record, at)
