"""The demo models' draft of a checkpoint: sentences of the conversation, copied and sorted.

Which list a sentence goes to is told by plain words in it. Nothing is put in other words, so each
quote is found where it is said to stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from smriti_tui.providers.base import Message
from smriti_tui.providers.demo_sentences import names, sentences

MOST = 24
"""Sentences that are proposed; an answer of the demo models is short."""
TITLE_WORDS = 6

_ASSUMPTION = re.compile(
    r"\bassum(?:e[ds]?|ing|ptions?)\b|\bfor granted\b|\bsuppos(?:e|ing)\b", re.IGNORECASE
)
_TASK = re.compile(
    r"^(?:(?:then|and|please|now|next|also|to ?do:?|let['’]s|let us|we (?:will|should|must|need to)"
    r"|we['’]ll|you (?:should|could))[,:]? )*(?P<verb>write|add|test|check|measure|implement|fix"
    r"|document|review|investigate|compare|count)\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\blet['’]s\b|\blet us\b|\bwe(?: will|['’]ll| decide)\b|\bdecided\b|\bsettled\b|\bagreed\b"
    r"|^(?:(?:then|and|so|now|please|good|yes|ok)[,.:]? )*(?:use|keep|make|take|drop|choose)\b",
    re.IGNORECASE,
)
_INTENTS: Mapping[str, str] = MappingProxyType(
    {
        "test": "test", "check": "investigate", "measure": "investigate", "count": "investigate",
        "compare": "investigate", "investigate": "investigate", "implement": "implement",
        "fix": "implement", "document": "docs", "review": "review",
    }
)  # fmt: skip


@dataclass(frozen=True)
class _Point:
    kind: str
    text: str
    turn: int

    @property
    def entry(self) -> dict[str, object]:
        return {"text": self.text, "turn": self.turn, "quote": self.text}


def drafted(messages: Sequence[Message], numbers: Sequence[int], says_what_it_is: str) -> str:
    """The answer to a request for a draft (template draft/2); `messages` are the conversation's.

    Answers that a demo model gave itself are passed over: they tell what stood in its context, and
    nothing is settled by them. `says_what_it_is` begins them.
    """
    talk = [
        (number, each)
        for number, each in zip(numbers, messages, strict=False)
        if not each.content.startswith(says_what_it_is)
    ]
    found = list(_points(talk))
    points = list(dict.fromkeys(found))[:MOST]
    lists: dict[str, list[dict[str, object]]] = {
        "decisions": [], "assumptions": [], "tasks": [], "open_questions": [],
    }  # fmt: skip
    for point in points:
        lists[point.kind].append(_entry(point))
    draft = {
        "title": _title(talk),
        "objective": "",
        "summary": _summary(says_what_it_is, len(messages), len(points), len(found)),
        **lists,
        "entities": _entities(talk),
    }
    return json.dumps(draft, ensure_ascii=False, indent=1)


def _points(talk: Sequence[tuple[int, Message]]) -> Iterator[_Point]:
    for at, (number, message) in enumerate(talk):
        answered = any(later.role != message.role for _, later in talk[at + 1 :])
        for sentence in sentences(message.content):
            kind = kind_of(sentence, answered)
            if kind:
                yield _Point(kind, sentence, number)


def kind_of(sentence: str, answered: bool) -> str:
    """The list that a sentence goes to by its words, empty for none."""
    if sentence.endswith(("?", "\uff1f")):
        return "" if answered else "open_questions"
    if _ASSUMPTION.search(sentence):
        return "assumptions"
    if _TASK.match(sentence):
        return "tasks"
    return "decisions" if _DECISION.search(sentence) else ""


def _entry(point: _Point) -> dict[str, object]:
    if point.kind == "decisions":
        return {**point.entry, "rests_on": []}
    if point.kind != "tasks":
        return point.entry
    return {**point.entry, **of_task(point.text)}


def of_task(text: str) -> dict[str, object]:
    """What the fields of a task are by its first verb."""
    verb = _TASK.match(text)
    intent = _INTENTS.get(verb["verb"].lower()) if verb else None
    return {"intent_hint": intent, "blocked_by": [], "status": "open"}


def _title(talk: Sequence[tuple[int, Message]]) -> str:
    asked = next((each.content for _, each in talk if each.role == "user"), "")
    return " ".join(asked.split()[:TITLE_WORDS]).rstrip("?!.,;:")


def _entities(talk: Sequence[tuple[int, Message]]) -> list[str]:
    found: dict[str, str] = {}
    for _, each in talk:
        for sentence in sentences(each.content):
            for name in names(sentence):
                found.setdefault(name.casefold(), name)
    return [*found.values()]


def _summary(says_what_it_is: str, messages: int, points: int, found: int) -> str:
    left = f" {found - points} more stay out: it proposes {MOST} at most." if found > points else ""
    return (
        f"{says_what_it_is}. It understood nothing of the {messages} messages: it copied "
        f"{points} of their sentences and sorted them by single words in them.{left}"
    )
