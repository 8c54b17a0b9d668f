"""The `buildlog` view: lines in the order in which they were written, below a header of one's
own."""

from __future__ import annotations

from typing import Any, Final

from smriti_tui.domain.views.base import EMPTY, Fact, View, ViewState, ignored

NAME: Final = "buildlog"
ENTRY, HEADER, INGESTED = "buildlog_entry", "buildlog_header", "buildlog_ingested"


def _entry(state: ViewState, fact: Fact) -> str | None:
    line = fact.payload.get("line")
    if not isinstance(line, str):
        return EMPTY
    number = str(len(state.items) + 1)
    state.items.put(number, {"line": line, "by": fact.actor, "at": fact.recorded_at})
    return None


def _header(state: ViewState, fact: Fact) -> str | None:
    text = fact.payload.get("text")
    if not isinstance(text, str):
        return EMPTY
    state.head["header"] = text
    return None


def _document(state: ViewState) -> dict[str, Any]:
    return {"header": state.head.get("header"), "entries": list(state.items.values())}


VIEW: Final = View(NAME, 1, (NAME,), {ENTRY: _entry, HEADER: _header, INGESTED: ignored}, _document)
