"""The current surface and the metrics, as text and document. Every section is there, if only to say
that there is nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.current_view import MOST_TASKS, CurrentView
from smriti_tui.domain.ids import short
from smriti_tui.domain.metrics import Metrics
from smriti_tui.domain.model import MAIN, Space
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.claims import claim_document
from smriti_tui.domain.render.documents import Document, summary_document
from smriti_tui.domain.render.markdown import bullet
from smriti_tui.domain.render.state import task_marks
from smriti_tui.domain.render.state_document import look_document, task_document
from smriti_tui.domain.render.state_work import claims_text
from smriti_tui.domain.state_text import counted

SUMMARY_CHARACTERS = 280
MILESTONE_CHARACTERS = 180
SIGNS = {"warn": "!", "info": "-"}


def current_text(view: CurrentView, home: str | None) -> str:
    """Cleaned, without a line feed at its end."""
    state = view.state
    blocks = [f"# {clean_line(state.space.name)}", _direction(view), _counts(view)]
    for heading, lines in (
        ("Needs attention", [f"{SIGNS[each.level]} {clean_line(each.text)}"
                             for each in view.attention]),
        ("Active work", claims_text(state, home)),
        ("Milestones", list(_milestones(view))),
        ("Open tasks", list(_tasks(view))),
        ("Recent activity", list(_activity(view))),
    ):  # fmt: skip
        blocks.append("\n".join((f"## {heading}", "", *(lines or ["none"]))))
    return clean("\n\n".join(blocks))


def _direction(view: CurrentView) -> str:
    head = view.state.head
    if head is None:
        return f"Direction: none yet, there is no checkpoint on {MAIN}."
    body = head.body
    said = clean_line(body.objective or body.title)
    who = f"{short(head.id)} {clean_line(body.title)}, by {clean_line(body.author)}"
    lines = [f"Direction: {said}", f"From {who}, {age(body.created_at, view.state.now)}."]
    if body.summary.strip():
        lines.append(_cut(clean_line(body.summary), SUMMARY_CHARACTERS))
    return "\n".join(lines)


def _counts(view: CurrentView) -> str:
    state = view.state
    parts = [
        counted(state.space.checkpoints, "checkpoint"),
        counted(view.agents, "agent"),
        counted(len(state.claims), "active claim"),
        "1 active branch" if len(state.branches) == 1 else f"{len(state.branches)} active branches",
        counted(len(state.tasks), "open task"),
        counted(view.milestone_count, "milestone"),
    ]
    return f"{', '.join(parts)}."


def _milestones(view: CurrentView) -> Iterator[str]:
    for note in view.milestones:
        who = f"{clean_line(note.actor)}, {age(note.recorded_at, view.state.now)}"
        text = _cut(clean_line(note.text), MILESTONE_CHARACTERS)
        yield bullet(f"{short(note.checkpoint)} {text} ({who})")


def _tasks(view: CurrentView) -> Iterator[str]:
    for intent, tasks in view.tasks.items():
        yield f"{intent}:"
        for each in tasks[:MOST_TASKS]:
            yield bullet(f"{each.label} {clean_line(each.task.text)}{task_marks(each.task)}")
        if len(tasks) > MOST_TASKS:
            yield bullet(f"{len(tasks) - MOST_TASKS} more")


def _activity(view: CurrentView) -> Iterator[str]:
    for each in view.activity:
        mark = " [milestone]" if each.id in view.marked else ""
        when = age(each.created_at, view.state.now)
        yield bullet(
            f"{short(each.id)} {clean_line(each.title)} on {clean_line(each.branch_name)}, "
            f"by {clean_line(each.author)}, {when}{mark}"
        )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def current_document(view: CurrentView) -> Document:
    state, head = view.state, view.state.head
    return {
        "space": {"id": state.space.id, "name": state.space.name},
        "current_direction": {
            "objective": head.body.objective if head else None,
            "headline": head.title if head else None,
            "summary": _cut(head.body.summary, SUMMARY_CHARACTERS) if head else None,
            "checkpoint": head.id if head else None,
            "author": head.body.author if head else None,
            "updated_at": head.body.created_at if head else None,
        },
        "counts": {
            "checkpoints": state.space.checkpoints,
            "agents": view.agents,
            "active_claims": len(state.claims),
            "active_branches": len(state.branches),
            "open_tasks": len(state.tasks),
            "milestones": view.milestone_count,
        },
        "attention": [
            {"kind": each.kind, "level": each.level, "text": each.text, "ref": each.ref}
            for each in view.attention
        ],
        "active_work": [claim_document(each, state.now) for each in state.claims],
        "worktrees": list(map(look_document, state.worktrees)),
        "recent_milestones": [
            {"checkpoint": each.checkpoint, "text": each.text, "actor": each.actor,
             "recorded_at": each.recorded_at}
            for each in view.milestones
        ],
        "open_tasks_by_intent": {
            intent: [task_document(each) for each in tasks] for intent, tasks in view.tasks.items()
        },
        "recent_activity": [
            {**summary_document(each), "has_milestone": each.id in view.marked}
            for each in view.activity
        ],
    }  # fmt: skip


def metrics_text(space: Space, found: Metrics) -> str:
    """Lines of facts below three headings."""
    agents = ", ".join(f"{clean_line(name)} {count}" for name, count in found.agents.items())
    rate = "no claims resolved"
    if found.completion_rate is not None:
        rate = f"{100 * found.completion_rate:.0f} % of those that were ended are done"
    structured = counted(found.with_structured_tasks, "checkpoint")
    lines: Sequence[str] = (
        f"# Metrics of {clean_line(space.name)}",
        "",
        "## Coordination",
        "",
        bullet(counted(found.checkpoints, "checkpoint") + (f" ({agents})" if agents else "")),
        bullet(counted(found.cross_agent_continuations, "continuation") + " by another agent"),
        bullet(
            f"{counted(found.claims, 'claim')}: {found.claims_done} done, "
            f"{found.claims_abandoned} abandoned, {found.claims_unresolved} not ended; {rate}"
        ),
        bullet(f"{counted(found.claims_with_task_id, 'claim')} with a task id"),
        "",
        "## State",
        "",
        bullet(f"{found.average_decisions} decisions and {found.average_tasks} tasks a checkpoint"),
        bullet(f"{structured} with structured tasks"),
        bullet(f"{counted(found.with_task_ids, 'checkpoint')} with task ids"),
        bullet(f"{counted(found.milestones, 'milestone')}, {found.noise} marked as noise"),
        "",
        "## Branches",
        "",
        bullet(", ".join(f"{count} {name}" for name, count in found.branches.items())),
    )
    return clean("\n".join(lines))


def metrics_document(space: Space, found: Metrics, now: str) -> Document:
    return {
        "space_id": space.id,
        "space_name": space.name,
        "computed_at": now,
        "coordination": {
            "total_checkpoints": found.checkpoints,
            "unique_agents": len(found.agents),
            "agent_checkpoints": dict(found.agents),
            "cross_agent_continuations": found.cross_agent_continuations,
            "total_claims": found.claims,
            "claims_done": found.claims_done,
            "claims_abandoned": found.claims_abandoned,
            "claims_unresolved": found.claims_unresolved,
            "claims_with_task_id": found.claims_with_task_id,
            "claim_completion_rate": found.completion_rate,
        },
        "state_quality": {
            "avg_decisions_per_checkpoint": found.average_decisions,
            "avg_tasks_per_checkpoint": found.average_tasks,
            "checkpoints_with_structured_tasks": found.with_structured_tasks,
            "checkpoints_with_task_ids": found.with_task_ids,
            "milestone_count": found.milestones,
            "noise_count": found.noise,
        },
        "branches": dict(found.branches),
    }
