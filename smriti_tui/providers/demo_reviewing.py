"""The demo models' review of a state: words compared, and no more.

It finds questions whose words mostly stand in a decision, and entities that are named nowhere else.
A contradiction or something unsaid it cannot see, so it never tells of one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from smriti_tui.domain.reply_json import read_object
from smriti_tui.providers.base import Message
from smriti_tui.providers.demo_sentences import words

SHARE = 0.6
"""Of a question's words, that stand in one decision."""
FEWEST = 2
"""Words that both must have."""

Entry = Mapping[str, str]


def reviewed(messages: Sequence[Message], says_what_it_is: str) -> str:
    """The answer to a request for a review (template review/1); the state stands in `messages`."""
    found = read_object("\n".join(each.content for each in messages), ("decisions", "entities"))
    state = found.value if found else {}
    findings = [*_resolved(state, says_what_it_is), *_unused(state, says_what_it_is)]
    return json.dumps({"findings": findings}, ensure_ascii=False, indent=1)


def _resolved(state: Mapping[str, object], says: str) -> Iterator[dict[str, object]]:
    decisions = _entries(state, "decisions")
    for question in _entries(state, "open_questions"):
        asked = words(question["text"])
        for decision in decisions:
            both = asked & words(decision["text"])
            if len(both) < FEWEST or len(both) < SHARE * len(asked):
                continue
            label, by = question["label"], decision["label"]
            yield {
                "kind": "resolved_question",
                "items": [label, by],
                "text": f"Most words of {label} stand in {by}, which may answer it.",
                "why": f"{says}. Both say: {', '.join(sorted(both))}.",
                "suggestion": {"change": "retire", "item": label, "by": by, "text": None},
            }
            break


def _unused(state: Mapping[str, object], says: str) -> Iterator[dict[str, object]]:
    texts = [str(state.get(name) or "") for name in ("title", "objective", "summary")]
    for kind in ("assumptions", "decisions", "tasks", "open_questions"):
        texts += [each["text"] for each in _entries(state, kind)]
    told = "\n".join(texts).casefold()
    for entity in _entries(state, "entities"):
        if entity["text"].casefold() in told:
            continue
        yield {
            "kind": "unused_entity",
            "items": [entity["label"]],
            "text": f"{entity['text']} is named nowhere else in the state.",
            "why": f"{says}. I looked for it letter by letter in every text.",
            "suggestion": {
                "change": "drop_entity", "item": entity["label"], "by": None, "text": None,
            },
        }  # fmt: skip


def _entries(state: Mapping[str, object], kind: str) -> list[Entry]:
    given = state.get(kind)
    return [
        {"label": str(each.get("label", "")), "text": str(each.get("text", ""))}
        for each in (given if isinstance(given, list) else ())
        if isinstance(each, dict)
    ]
