"""What rests on an item, as text and document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Task
from smriti_tui.domain.reach import ARTIFACTS, ClaimReached, Elsewhere, Reach, Reached, Target
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.render.markdown import bullet, indented
from smriti_tui.domain.state_text import counted

LINKS = {"rests_on": "rests on", "blocked_by": "is blocked by"}


def reach_document(reach: Reach) -> Document:
    """For `--json`: everything by id, with the labels of its own checkpoint beside it."""
    target = reach.target
    return {
        "checkpoint": reach.checkpoint.id,
        "item": {
            "kind": target.kind, "uid": target.uid, "label": target.label, "text": target.text,
        },
        "here": [_reached_document(each) for each in reach.here],
        "elsewhere": [
            {
                "branch": each.branch,
                "checkpoint": each.checkpoint,
                "title": each.title,
                "label": each.label,
                "reached": [_reached_document(found) for found in each.reached],
            }
            for each in reach.elsewhere
        ],
        "claims": [
            {
                "claim": each.claim.id,
                "agent": each.claim.agent,
                "scope": each.claim.scope,
                "task_id": each.claim.task_id,
                "base": each.claim.base,
                "why": each.why,
                "label": each.label,
            }
            for each in reach.claims
        ],
    }  # fmt: skip


def _reached_document(found: Reached) -> Document:
    return {
        "kind": found.kind,
        "label": found.label,
        "on": found.on,
        "link": found.link,
        "steps": found.steps,
        "item": to_json(found.item),
    }


def reach_text(reach: Reach) -> str:
    """Markdown: the item, then what rests on it, here, on other branches, and in claims."""
    name, found = name_of(reach.target), reach.checkpoint
    lines = [f"# What rests on {name}", "", f"{short(found.id)} {clean_line(found.title)}", ""]
    if not reach.here:
        lines.append("Nothing in this checkpoint.")
    lines += (_bullet(each) for each in reach.here)
    for head in reach.elsewhere:
        lines += ["", f"## {clean_line(head.branch)}, {short(head.checkpoint)} "
                      f"{clean_line(head.title)}", "", bullet(stands_words(head))]  # fmt: skip
        lines += (_bullet(each) for each in head.reached)
    if reach.claims:
        lines += ["", "## Claims", ""]
        lines += (bullet(claim_words(each)) for each in reach.claims)
    return clean("\n".join(lines))


def name_of(target: Target) -> str:
    """`A2 At most 2 M documents`; an artifact by its label."""
    if target.kind == ARTIFACTS:
        return f"artifact {clean_line(target.label)}"
    return f"{target.label} {clean_line(target.text)}"


def _bullet(found: Reached) -> str:
    return bullet(f"{found.label} {indented(found.item.text)} ({link_words(found)})")


def link_words(found: Reached) -> str:
    """`rests on A2`, with what became of a task that is done."""
    done = ", done" if isinstance(found.item, Task) and found.item.status == "done" else ""
    return f"{LINKS[found.link]} {clean_line(found.on)}{done}"


def stands_words(head: Elsewhere) -> str:
    """Whether the thing itself is there."""
    return f"still there as {clean_line(head.label)}" if head.label else "not there itself"


def claim_words(found: ClaimReached) -> str:
    """Whose claim it is, on what, and why it leans on the thing."""
    claim = found.claim
    whose = f"{short(claim.id)} {clean_line(claim.agent)} ({claim.intent})"
    return f"{whose}: {clean_line(claim.scope)}: {claim_why(found)}"


def claim_why(found: ClaimReached) -> str:
    """Why a claim leans on the thing."""
    label, base = clean_line(found.label), found.claim.base
    if found.why == "base":
        return f"it began at {short(base or '')}, where {label} stands"
    return f"its task is {label}" if found.why == "task" else f"its scope names {label}"


# ---- in one line -------------------------------------------------------------------------------


def reach_line(
    here: Sequence[Reached], there: Sequence[Elsewhere], claims: Sequence[ClaimReached]
) -> str:
    """`D4 Keep FTS5, D7 Rebuild nightly here; D2 on explore/tantivy`; empty where nothing does. A
    claim that only began where the thing stands is left out: that says little."""
    parts = [f"{_shortened(_named(here))} here"] if here else []
    parts += [
        f"{_shortened(each.label for each in head.reached)} on {clean_line(head.branch)}"
        for head in there
        if head.reached
    ]
    naming = [each for each in claims if each.why != "base"]
    if naming:
        agents = dict.fromkeys(clean_line(each.claim.agent) for each in naming)
        parts.append(f"{counted(len(naming), 'claim')} of {_shortened(agents)}")
    return "; ".join(parts)


MOST_NAMED = 4
MOST_TEXT = 40
"""Characters of an item's text in a line that names several."""


def _named(found: Sequence[Reached]) -> Iterator[str]:
    for each in found:
        text = clean_line(each.item.text)
        yield f"{each.label} {text if len(text) <= MOST_TEXT else f'{text[:MOST_TEXT]}...'}"


def _shortened(words: Iterable[str]) -> str:
    found = list(words)
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return f"{', '.join(found[:MOST_NAMED])}{more}"
