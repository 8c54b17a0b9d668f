"""The continuation brief of a checkpoint: everything it holds, as Markdown.

One text for `restore`, `checkpoint show` and their MCP tools. It names no age, so the same
checkpoint gives the same text at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.document_quotes import lines_text
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS, LETTERS, item_list
from smriti_tui.domain.model import Artifact, Checkpoint, CheckpointBody, Evidence, Item, Note, Task
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.markdown import bullet, fence, indented
from smriti_tui.domain.reviewed import Reviewed

HEADINGS: Mapping[str, str] = {
    "decisions": "Decisions",
    "assumptions": "Assumptions",
    "tasks": "Tasks",
    "open_questions": "Open questions",
}


@dataclass(frozen=True)
class Section:
    """A heading of level 1 to 3 and what stands under it ("" for nothing)."""

    level: int
    heading: str
    text: str


def brief(
    checkpoint: Checkpoint,
    space_name: str,
    notes: Sequence[Note] = (),
    reviewed: Reviewed | None = None,
) -> str:
    """The whole checkpoint; empty sections vanish. Ends without a line feed, cleaned."""
    blocks: list[str] = []
    for section in brief_sections(checkpoint, space_name, notes, reviewed):
        blocks.append(f"{'#' * section.level} {section.heading}")
        blocks += [section.text] if section.text else []
    return clean("\n\n".join(blocks))


def brief_sections(
    checkpoint: Checkpoint,
    space_name: str,
    notes: Sequence[Note] = (),
    reviewed: Reviewed | None = None,
) -> list[Section]:
    """The brief in its parts, for those who draw the headings themselves; texts not cleaned."""
    body = checkpoint.body
    found = [Section(1, clean_line(body.title), _meta(checkpoint, space_name))]
    for heading, text in (("Objective", body.objective), ("Summary", body.summary)):
        if text.strip():
            found.append(Section(2, heading, text.strip("\n")))
    labels = _labels(body)
    for kind in KINDS:
        items = item_list(body, kind)
        if items:
            lines = "\n".join(_item(labels[item.uid], item, labels) for item in items)
            found.append(Section(2, HEADINGS[kind], lines))
    if body.entities:
        found.append(Section(2, "Entities", "\n".join(bullet(entity) for entity in body.entities)))
    if body.artifacts:
        found += [Section(2, "Artifacts", ""), *map(_artifact, body.artifacts)]
    if notes:
        found.append(Section(2, "Notes", "\n".join(map(_note, notes))))
    if reviewed is not None:
        found.append(Section(2, "Review", bullet(review_line(reviewed))))
    return found


def review_line(reviewed: Reviewed) -> str:
    """How many findings of the newest review are open, and whose it is."""
    review = reviewed.review
    by = clean_line(review.model) if review.model else "by rules alone"
    total = len(reviewed.findings)
    left = f"{len(reviewed.open)} of {total} findings open" if total else "nothing was found"
    return f"{left} ({by}, for {clean_line(review.actor)}, {exact(review.recorded_at)})"


def _meta(checkpoint: Checkpoint, space_name: str) -> str:
    body = checkpoint.body
    parents = ", ".join(map(short, body.parents)) or "none"
    lines = [
        f"Checkpoint {checkpoint.id}",
        f"Space {clean_line(space_name)}, branch {clean_line(checkpoint.branch_name)}, "
        f"by {clean_line(body.author)}, {exact(body.created_at)}, parents: {parents}",
    ]
    if body.project_root:
        lines.append(f"Project root: {clean_line(body.project_root)}")
    if body.git and (body.git.head or body.git.branch):
        where = [short(body.git.head)] if body.git.head else []
        where += [f"on {clean_line(body.git.branch)}"] if body.git.branch else []
        lines.append(f"Git: {' '.join(where)}")
    if source := checkpoint.source:
        turns = "no turns"
        if source.first is not None:
            turns = f"turns {source.first} to {source.last}"
        session = short(source.session)
        lines.append(f"Made from {turns} of session {session}, line {source.line}")
    return "  \n".join(lines)


def _labels(body: CheckpointBody) -> dict[str, str]:
    """Uid to the short label that counts a checkpoint's list."""
    return {
        item.uid: f"{LETTERS[kind]}{number}"
        for kind in KINDS
        for number, item in enumerate(item_list(body, kind), 1)
    }


def _item(label: str, item: Item | Task, labels: Mapping[str, str]) -> str:
    text = f"{label} {indented(item.text)}{_task_words(item)}"
    if item.state == "retired":
        why = f": {indented(item.reason)}" if item.reason else ""
        by = f" by {clean_line(item.retired_by)}" if item.retired_by else ""
        text += f" (retired{by}{why})"
    lines = [f"- {text}"]
    if item.rests_on:
        names = ", ".join(labels.get(uid, short(uid)) for uid in item.rests_on)
        lines.append(f"  - rests on {names}")
    lines += [f"  - {line}" for line in map(_evidence, item.evidence)]
    return "\n".join(lines)


def _task_words(item: Item | Task) -> str:
    if not isinstance(item, Task):
        return ""
    return "".join(_task_parts(item))


def _task_parts(task: Task) -> Iterator[str]:
    if task.intent_hint:
        yield f" [{task.intent_hint}]"
    if task.id:
        yield f" (id: {clean_line(task.id)})"
    if task.status == "done":
        yield " (done)"
    if task.blocked_by:
        yield f" → blocked by: {clean_line(', '.join(task.blocked_by))}"


def _evidence(evidence: Evidence) -> str:
    if evidence.turn is not None:
        session = f" of session {short(evidence.session)}" if evidence.session else ""
        place = f"turn {evidence.turn}{session}"
    else:
        place = f"document {short(evidence.document_sha256 or '')} {lines_text(evidence.lines)}"
    kept = f", kept by {clean_line(evidence.kept_by)}" if evidence.kept_by else ""
    check = evidence.check.replace("_", " ")
    return f'evidence: {place}, "{clean_line(evidence.quote)}" ({check}{kept})'


def _artifact(artifact: Artifact) -> Section:
    head = f"{clean_line(artifact.label)} ({clean_line(artifact.type)}, {short(artifact.id)})"
    return Section(3, head, fence(clean(artifact.content)))


def _note(note: Note) -> str:
    who = f"{clean_line(note.actor)}, {exact(note.recorded_at)}"
    return bullet(f"[{note.kind}] {note.text}") + f" ({who})"
