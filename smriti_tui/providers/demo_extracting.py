"""The demo models' extract of a document: its own sentences, sorted by plain words in them.

What the rules took already is left to them; the rest is treated as the draft treats a conversation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from smriti_tui.domain.extract_text import BEGIN, END
from smriti_tui.providers.demo_drafting import MOST, kind_of, of_task
from smriti_tui.providers.demo_sentences import Placed, names, placed

_LINE = re.compile(r"(\d+)\| ?(.*)")
_TAKEN = re.compile(r"lines? (\d+)(?:-(\d+))?")
_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*\s*$")


def extracted(question: str, says_what_it_is: str) -> str:
    """The answer to a request for an extract (template extract/1)."""
    body, _, known = question.partition(f"{BEGIN}\n")[2].partition(f"\n{END}")
    lines = [(int(each[1]), each[2]) for each in map(_LINE.match, body.split("\n")) if each]
    taken = set(_taken(known))
    said = list(placed([(number, "" if number in taken else line) for number, line in lines]))
    sorted_out = [(kind, each) for each in said if (kind := kind_of(each.text, not each.ends))]
    lists: dict[str, list[dict[str, object]]] = {
        "decisions": [], "assumptions": [], "tasks": [], "open_questions": [],
    }  # fmt: skip
    for kind, each in sorted_out[:MOST]:
        lists[kind].append(_entry(kind, each))
    entities: dict[str, str] = {}
    for each in said:
        for name in names(each.text):
            entities.setdefault(name.casefold(), name)
    headings = (heading[1] for _, line in lines if (heading := _HEADING.match(line)))
    extract = {
        "title": next(headings, ""),
        "objective": "",
        "summary": _summary(says_what_it_is, len(lines), len(sorted_out)),
        **lists,
        "entities": [*entities.values()],
    }
    return json.dumps(extract, ensure_ascii=False, indent=1)


def _taken(known: str) -> Iterator[int]:
    """The lines that the question, below the document, names as taken already."""
    said = known.partition("Taken already")[2].partition(".\n")[0]
    for first, last in _TAKEN.findall(said):
        yield from range(int(first), int(last or first) + 1)


def _entry(kind: str, said: Placed) -> dict[str, object]:
    span = str(said.first) if said.first == said.last else f"{said.first}-{said.last}"
    entry: dict[str, object] = {"text": said.text, "lines": span, "quote": said.text}
    return {**entry, **of_task(said.text)} if kind == "tasks" else entry


def _summary(says_what_it_is: str, lines: int, found: int) -> str:
    left = f" {found - MOST} more stay out: it proposes {MOST} at most." if found > MOST else ""
    return (
        f"{says_what_it_is}. It understood nothing of the {lines} lines: beside what was taken "
        f"word for word it copied {min(found, MOST)} sentences and sorted them by single words in "
        f"them.{left}"
    )
