"""The state brief: where a Space is, for whoever goes on from there.

One text for the CLI, MCP and the app. Empty sections vanish. Decisions and open tasks are never
what a budget cuts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from smriti_tui.domain.budget import Fitted, Part, fitted
from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import LETTERS, item_list
from smriti_tui.domain.model import MAIN, Artifact, Checkpoint, Item, Space, Task
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.branches import divergence_text
from smriti_tui.domain.render.claims import overlap_line
from smriti_tui.domain.render.markdown import bullet, fence
from smriti_tui.domain.render.paths import with_tilde
from smriti_tui.domain.render.state_work import (
    branches_text,
    claims_text,
    drift_lines,
    freshness_text,
    signals_text,
)
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.state_view import StateView
from smriti_tui.domain.tasks import TaskView

PREVIEW_CHARACTERS = 800
SUMMARY_CHARACTERS = 280
MOST_NAMED = 8
FOOTER_TOKENS = 90
"""Kept free of a budget for the line that says what it left out."""
TOO_LONG = "This is longer than the budget: decisions and open tasks are never cut."


@dataclass(frozen=True)
class StateOptions:
    """How much of the state is wanted. `home` is what `~` stands for in paths."""

    compact: bool = False
    preview: bool = False
    stats: bool = False
    budget: int | None = None
    home: str | None = None


@dataclass(frozen=True)
class Brief:
    text: str
    tokens: int
    left_out: tuple[str, ...]
    fits: bool


def state_brief(view: StateView, options: StateOptions | None = None) -> Brief:
    """The brief as Markdown, cleaned, without a line feed at its end."""
    options = options or StateOptions()
    room = None if options.budget is None else max(options.budget - FOOTER_TOKENS, 0)
    made = fitted(list(_parts(view, options)), room)
    blocks = [made.text, _left_out_text(made, options)]
    if options.stats:
        blocks.append(_stats(view, options))
    whole = _joined(blocks)
    fits = options.budget is None or whole.tokens <= options.budget
    if not fits:
        whole = _joined([whole.text, TOO_LONG])
    return Brief(whole.text, whole.tokens, made.left_out, fits)


def _joined(blocks: Sequence[str]) -> Fitted:
    return fitted([Part((clean("\n\n".join(filter(None, blocks))),))], None)


def _left_out_text(made: Fitted, options: StateOptions) -> str:
    if not made.left_out:
        return ""
    names = list(made.left_out[:MOST_NAMED])
    if len(made.left_out) > MOST_NAMED:
        names.append(f"{len(made.left_out) - MOST_NAMED} parts more")
    tokens = "1 token" if options.budget == 1 else f"{options.budget:,} tokens"
    said = f"Left out to fit {tokens}: {'; '.join(names)}."
    return f"{said} Without --budget everything is shown."


def _parts(view: StateView, options: StateOptions) -> Iterator[Part]:
    head = view.head
    yield from _section("Freshness", freshness_text(view), rank=0)
    yield Part((_head(view, options),))
    yield from _section("Repository", drift_lines(view), rank=0)
    if head is not None:
        body = head.body
        yield from _section("Objective", body.objective.strip(), rank=0)
        yield from _summary(body.summary.strip())
        yield from _section("Decisions", _items(head, "decisions"), rank=0)
        yield from _items_part(head, "assumptions", "Assumptions", 2)
        yield from _items_part(head, "open_questions", "Open questions", 1)
        yield from _section("Open tasks", _tasks(view), rank=0)
        yield from _done(head)
        notes = [bullet(f"[{note.kind}] {note.text}".rstrip()) for note in view.notes]
        yield from _listed("Notes", notes, 5, "note")
        yield from _artifacts(head, options)
        names = ", ".join(map(clean_line, body.entities))
        yield from _section("Entities", names, 8, counted(len(body.entities), "entity name"))
    yield from _listed("Active branches", branches_text(view), 6, "branch line")
    yield from _section(
        "Differs from main", divergence_text(view.divergences), 5, "where branches differ"
    )
    yield from _listed("Active work", claims_text(view, options.home), 3, "claim")
    warnings = [bullet(overlap_line(each)) for each in view.overlaps]
    yield from _listed("Overlapping work", warnings, 2, "overlap")
    yield from _listed("Conflict signals", signals_text(view), 2, "signal")


def _section(heading: str, text: str, rank: int, left_out: str = "") -> Iterator[Part]:
    if text:
        whole = f"## {heading}\n\n{text}"
        yield Part((whole, ""), rank, (left_out or heading.lower(),)) if rank else Part((whole,))


def _listed(heading: str, lines: Sequence[str], rank: int, noun: str) -> Iterator[Part]:
    """A list that can be shortened to how many entries it has."""
    if lines:
        count = counted(len(lines), noun)
        whole = "\n".join((f"## {heading}", "", *lines))
        yield Part((whole, f"## {heading}\n\n{count}, not shown."), rank, (count,))


def _head(view: StateView, options: StateOptions) -> str:
    space, head = view.space, view.head
    lines = [f"# {clean_line(space.name)}", ""]
    if space.description.strip():
        lines += [space.description.strip(), ""]
    lines += _where(space, head, view.now, options.home)
    return "\n".join(lines)


def _where(space: Space, head: Checkpoint | None, now: str, home: str | None) -> Iterator[str]:
    root = space.project_root
    if root:
        yield f"Project root: {clean_line(with_tilde(root, home))}  "
    if head is None:
        yield f"There is no checkpoint on {MAIN} yet."
        return
    body = head.body
    made = f"Latest checkpoint: {short(head.id)} {clean_line(body.title)}, "
    made += f"by {clean_line(body.author)}, {age(body.created_at, now)}"
    if body.project_root and body.project_root != root:
        made += f", at {clean_line(with_tilde(body.project_root, home))}"
    yield made


def _summary(text: str) -> Iterator[Part]:
    if not text:
        return
    versions, left = [f"## Where we are\n\n{text}"], []
    if len(text) > SUMMARY_CHARACTERS:
        versions.append(f"{versions[0][: SUMMARY_CHARACTERS + 17].rstrip()} …")
        left.append(f"{len(text) - SUMMARY_CHARACTERS:,} characters of the summary")
    yield Part((*versions, ""), 4, (*left, "the summary"))


def _items(head: Checkpoint, kind: str) -> str:
    return "\n".join(_item_lines(head, kind))


def _item_lines(head: Checkpoint, kind: str) -> list[str]:
    return [
        bullet(f"{LETTERS[kind]}{number} {item.text}{_doubt(item)}")
        for number, item in enumerate(item_list(head.body, kind), 1)
        if item.state == "live"
    ]


def _items_part(head: Checkpoint, kind: str, heading: str, rank: int) -> Iterator[Part]:
    yield from _listed(heading, _item_lines(head, kind), rank, heading.lower().rstrip("s"))


def _doubt(item: Item | Task) -> str:
    """A person kept it though its words were not found."""
    kept = [each for each in item.evidence if each.kept_by]
    return f" (unverified, kept by {clean_line(kept[0].kept_by or '')})" if kept else ""


def _tasks(view: StateView) -> str:
    lines = [bullet(_task(each)) for each in view.tasks]
    if lines and view.free:
        names = ", ".join(_name(each) for each in view.free)
        lines += ["", f"Free to pick: {names}."]
    elif lines:
        lines += ["", "None of them is free to pick."]
    return "\n".join(lines)


def _task(view: TaskView) -> str:
    text = f"{view.label} {view.task.text}{task_marks(view.task)}{_doubt(view.task)}"
    if view.claims:
        agents = ", ".join(dict.fromkeys(clean_line(each.agent) for each in view.claims))
        text += f" (claimed by {agents})"
    return text


def task_marks(task: Task) -> str:
    """`[intent] (id: x) (done) → blocked by: y`, as far as it has them."""
    parts = [f" [{task.intent_hint}]"] if task.intent_hint else []
    parts += [f" (id: {clean_line(task.id)})"] if task.id else []
    parts += [" (done)"] if task.status == "done" else []
    if task.blocked_by:
        parts.append(f" → blocked by: {clean_line(', '.join(task.blocked_by))}")
    return "".join(parts)


def _name(view: TaskView) -> str:
    named = f" ({clean_line(view.task.id)})" if view.task.id else ""
    return f"{view.label}{named}"


def _done(head: Checkpoint) -> Iterator[Part]:
    lines = [
        bullet(f"{LETTERS['tasks']}{number} {task.text}{task_marks(task)}")
        for number, task in enumerate(head.body.tasks, 1)
        if task.state == "live" and task.status == "done"
    ]
    yield from _listed("Done tasks", lines, 7, "done task")


def _artifacts(head: Checkpoint, options: StateOptions) -> Iterator[Part]:
    artifacts = head.body.artifacts
    if not artifacts:
        return
    more = f"`smriti restore {short(head.id)}` shows them whole"
    hint = f", contents omitted; {more}" if options.compact else ""
    yield Part((f"## Artifacts ({len(artifacts)}{hint})",))
    for artifact in artifacts:
        name = f"### {clean_line(artifact.label)} ({clean_line(artifact.type)})"
        texts = [f"{name}\n\n{fence(clean(artifact.content))}"]
        left = []
        size = len(artifact.content)
        if size > PREVIEW_CHARACTERS:
            texts.append(f"{name}\n\n{fence(clean(_previewed(artifact)))}")
            left.append(f"{size - PREVIEW_CHARACTERS:,} characters of {clean_line(artifact.label)}")
        texts.append(name)
        left.append(f"the text of {clean_line(artifact.label)} ({size:,} characters)")
        first = len(texts) - 1 if options.compact else int(options.preview and len(texts) > 2)
        yield Part(tuple(texts[first:]), 9, tuple(left[first:]))


def _previewed(artifact: Artifact) -> str:
    size = len(artifact.content)
    cut = artifact.content[:PREVIEW_CHARACTERS]
    return f"{cut}\n[cut here: {PREVIEW_CHARACTERS:,} of {size:,} characters]"


def _stats(view: StateView, options: StateOptions) -> str:
    """What leaving the artifacts' texts out saves: the sizes of both texts as they would be."""
    count = len(view.head.body.artifacts) if view.head else 0
    if not count:
        return "Stats: there are no artifacts, so --compact saves nothing."
    plain = replace(options, stats=False, budget=None)
    full = len(state_brief(view, replace(plain, compact=False, preview=False)).text)
    compact = len(state_brief(view, replace(plain, compact=True)).text)
    saved = full - compact
    if saved <= 0:
        return f"Stats: {counted(count, 'artifact')}, too small for --compact to save anything."
    share = f"{100 * saved / full:.0f} %"
    verb = "left out" if options.compact else "that --compact would leave out"
    return (
        f"Stats: {counted(count, 'artifact')} {verb}, {saved:,} characters saved ({share}): "
        f"{full:,} in full, {compact:,} compact."
    )
