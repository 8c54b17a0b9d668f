"""`BUILDLOG.md`: a header of one's own, then the entries. Entries are only ever added."""

from __future__ import annotations

from typing import Final

from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.view_files.base import Taken, ViewFile
from smriti_tui.domain.view_files.lines import line_of, value_of
from smriti_tui.domain.views import buildlog
from smriti_tui.domain.views.base import ViewState

HEADER: Final = "# Build log\n"
ENTRIES: Final = "## Entries\n"
"""The line between header and entries; the last one of the file counts."""


def render(state: ViewState) -> str:
    header = str(state.head.get("header") or HEADER)
    lines = "".join(f"- {line_of(entry['line'])}\n" for entry in state.items.values())
    return f"{header}\n{ENTRIES}\n{lines}"


def parse(text: str) -> tuple[str, list[str]]:
    """Header and entries.

    Raises:
        Invalid: the line above the entries is missing, or a line among them is no entry.
    """
    mark = f"\n{ENTRIES}"
    at = text.rfind(mark)
    if at < 0:
        raise Invalid(f"The file has no line {ENTRIES.strip()!r}.", "Entries stand below it.")
    header, below = text[:at], text[at + len(mark) :]
    first = text[: at + 1].count("\n") + 2
    entries: list[str] = []
    for number, line in enumerate(below.split("\n"), first):
        if not line.strip():
            continue
        value = value_of(line[2:]) if line.startswith("- ") else None
        if value is None:
            what = f"Line {number} of the file is no entry: {line[:60]!r}."
            raise Invalid(what, "An entry is one line that begins with '- '.")
        entries.append(value if isinstance(value, str) else line[2:].strip())
    return header, entries


def take(state: ViewState, text: str) -> Taken:
    """The entries that the file has more, and another header.

    Raises: Invalid, as `parse`. Conflict: an entry of before was changed or taken out.
    """
    header, entries = parse(text)
    before = [str(entry["line"]) for entry in state.items.values()]
    for number, line in enumerate(before):
        if number >= len(entries) or entries[number] != line:
            raise Conflict(
                f"Entry {number + 1} was changed or taken out: {line[:60]!r}.",
                "What was logged stays; put the line back, or write the log anew with --force.",
                code="entry_changed",
            )
    taken = Taken()
    if header != (state.head.get("header") or HEADER):
        taken.add("header", (buildlog.HEADER, {"text": header}))
    for line in entries[len(before) :]:
        taken.add("added", (buildlog.ENTRY, {"line": line}))
    return taken


FILE: Final = ViewFile(buildlog.NAME, "BUILDLOG.md", render, take, buildlog.INGESTED)
