"""Which headings of a document name a field of a checkpoint: a table, and nothing clever."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

DONE = "done"
"""The field of a heading below which tasks stand that are done."""

_TABLE: Mapping[str, str] = MappingProxyType(
    {
        "decisions": "decisions, decision, decided, key decisions, design decisions, "
        "decisions made, decision log, what we decided, what was decided, settled, resolutions",
        "assumptions": "assumptions, assumption, key assumptions, working assumptions, premises, "
        "taken for granted, what we assume, we assume",
        "tasks": "tasks, task, task list, open tasks, remaining tasks, todo, todos, to do, to dos, "
        "todo list, to do list, next steps, action items, actions, work items, follow ups",
        DONE: "done, completed, finished, done tasks, completed tasks, finished tasks",
        "open_questions": "open questions, open question, questions, question, open issues, "
        "open points, unresolved, unresolved questions, to be decided, tbd",
        "objective": "objective, objectives, goal, goals, aim, purpose, mission",
        "summary": "summary, overview, tl;dr, tldr, abstract, executive summary, in short",
        "entities": "entities, key entities, key terms, terms, glossary, names, people, systems",
    }
)
_FIELDS: Mapping[str, str] = MappingProxyType(
    {word.strip(): field for field, words in _TABLE.items() for word in words.split(",")}
)
_OTHERWISE = frozenset(
    {
        *("rejected", "discarded", "declined", "dropped", "withdrawn", "superseded", "obsolete"),
        *("deprecated", "outdated", "old", "previous", "past", "former", "alternative"),
        *("alternatives", "considered", "options", "option", "proposed", "pending", "examples"),
        *("example", "template", "not", "context", "background", "rationale", "why", "reason"),
        *("reasons", "consequences", "status", "notes", "risks", "pros", "cons"),
    }
)
"""Below a heading with one of these words stands something else than its field's name says."""
_MARKS = re.compile(r"[*_`~#:]+")
_NUMBER = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[ivx]{1,4}[.)]|[a-z][.)])\s+")
_BRACKET = re.compile(r"\s*[(\[][^)\]]*[)\]]$")
_MOST = 200
"""A longer heading is a sentence."""


def field_of(heading: str) -> str | None:
    """The field that a heading's words name: one of `KINDS`, objective, summary, entities or
    `DONE`; None for any other."""
    if len(heading) > _MOST or turns_away(heading):
        return None
    words = _MARKS.sub("", heading).casefold().replace("-", " ")
    words = re.sub(r"^[^\w]+", "", " ".join(words.split()))
    words = _BRACKET.sub("", _NUMBER.sub("", words)).rstrip(" .!")
    return _FIELDS.get(words)


def turns_away(heading: str) -> bool:
    """Whether what stands below is no longer what the heading above it names."""
    return not _OTHERWISE.isdisjoint(re.findall(r"\w+", heading[:_MOST].casefold()))


def is_label(paragraph: str) -> bool:
    """Whether a paragraph before a list stands for a heading: `Decisions:` or `**Decisions**`."""
    text = paragraph.strip()
    bold = len(text) > 4 and text[:2] in ("**", "__") and text.rstrip(":").endswith(text[:2])
    return "\n" not in text and (text.rstrip("*_").endswith(":") or bold)
