"""The files of views: one renderer for each, and what reads it back."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.view_files import buildlog_md, status_md, tracker_json
from smriti_tui.domain.view_files.base import NewFact, Taken, ViewFile
from smriti_tui.domain.view_files.lines import json_file
from smriti_tui.domain.views import agent_traces, registered

__all__ = ["FILES", "NewFact", "Taken", "ViewFile", "file_of"]

TRACES: Final = ViewFile(
    agent_traces.NAME,
    "agent_traces.json",
    lambda state: json_file(agent_traces.VIEW.document(state)) + "\n",
    None,
)
FILES: Final = MappingProxyType(
    {each.view: each for each in (tracker_json.FILE, status_md.FILE, buildlog_md.FILE, TRACES)}
)


def file_of(view: str) -> ViewFile:
    """The file form of a view.

    Raises:
        Invalid: it has none. NotFound: there is no such view.
    """
    if view.partition(":")[0] in ("space", "state"):
        raise Invalid(
            f"{view} is a view of a Space.",
            "`smriti export --space S` writes it, also as a folder for git.",
            field="view",
        )
    return FILES[registered(view).name]
