"""The STATE document: a Space as a person reads it, its structure safe from what it holds.

Nothing here depends on the present: times and deadlines are printed as they stand, no ages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from smriti_tui.domain.document_quotes import lines_text
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS, LETTERS, item_list
from smriti_tui.domain.model import (
    Artifact,
    Branch,
    Checkpoint,
    CheckpointBody,
    CheckpointSummary,
    Evidence,
    Item,
    Line,
    Note,
    Session,
    Source,
    Space,
    Task,
    Turn,
)
from smriti_tui.domain.render.export_markup import (
    block,
    bullet,
    code,
    fence,
    heading,
    inline,
    list_item,
)
from smriti_tui.domain.state_text import counted

TITLES: Mapping[str, str] = {
    "decisions": "Decisions",
    "assumptions": "Assumptions",
    "tasks": "Tasks",
    "open_questions": "Open questions",
}


# ---- Space and branches ------------------------------------------------------------------------


def space_text(space: Space, branches: Sequence[Branch]) -> str:
    """Title, description, facts and branches of a Space."""
    parts = [heading(1, inline(space.name)), "\n"]
    if space.description:
        parts += [block(space.description), "\n"]
    parts.append(f"- Space {code(space.id)}\n")
    if space.project_root:
        parts.append(f"- Project root {code(space.project_root)}\n")
    parts.append(f"- Created {inline(space.created_at)}, last changed {inline(space.changed_at)}\n")
    parts.append("\n## Branches\n\n")
    parts += [_branch_line(branch) for branch in branches]
    return "".join(parts)


def _branch_line(branch: Branch) -> str:
    head = f"head {code(short(branch.head))}" if branch.head else "no checkpoint yet"
    start = f", from {code(short(branch.start))}" if branch.start else ""
    return f"- **{inline(branch.name)}**: {branch.disposition}, {head}{start}\n"


# ---- checkpoints -------------------------------------------------------------------------------


def summaries_text(summaries: Iterable[CheckpointSummary]) -> str:
    """A line per checkpoint, in the order given."""
    return "".join(
        f"- {code(short(row.id))} {inline(row.title)}: {inline(row.branch_name)}, by "
        f"{inline(row.author)}, {inline(row.created_at)}, {_counts(row)}\n"
        for row in summaries
    )


def _counts(row: CheckpointSummary) -> str:
    return ", ".join(
        (
            counted(row.decisions, "decision"),
            counted(row.assumptions, "assumption"),
            f"{counted(row.tasks, 'task')} ({row.open_tasks} open)",
            counted(row.open_questions, "open question"),
            counted(row.artifacts, "artifact"),
        )
    )


def checkpoint_text(
    checkpoint: Checkpoint, notes: Sequence[Note], level: int = 2, prefix: str = ""
) -> str:
    """A whole checkpoint: nothing of it is cut."""
    body = checkpoint.body
    parts = [heading(level, prefix + inline(body.title)), "\n", *_facts(checkpoint), "\n"]
    for title, text in (("Objective", body.objective), ("Summary", body.summary)):
        if text:
            parts += [heading(level + 1, title), "\n", block(text), "\n"]
    labels = {a.id: f"artifact {inline(a.label)}" for a in body.artifacts} | item_labels(body)
    for kind in KINDS:
        if items := item_list(body, kind):
            parts += [heading(level + 1, TITLES[kind]), "\n"]
            parts += [_item(labels[item.uid], item, labels) for item in items]
            parts.append("\n")
    if body.entities:
        parts += [heading(level + 1, "Entities"), "\n"]
        parts += [bullet(name) for name in body.entities]
        parts.append("\n")
    for artifact in body.artifacts:
        parts += _artifact(artifact, level + 1)
    if notes:
        parts += [heading(level + 1, "Notes"), "\n", *map(_note, notes), "\n"]
    return "".join(parts).rstrip("\n") + "\n"


def item_labels(body: CheckpointBody) -> dict[str, str]:
    """Label (D1, A2 …) by uid of a checkpoint's items."""
    return {
        item.uid: f"{LETTERS[kind]}{number}"
        for kind in KINDS
        for number, item in enumerate(item_list(body, kind), 1)
    }


def _facts(checkpoint: Checkpoint) -> Iterator[str]:
    body = checkpoint.body
    yield f"- Checkpoint {code(checkpoint.id)}\n"
    yield f"- On branch {inline(checkpoint.branch_name)}, by {inline(body.author)}, "
    yield f"{inline(body.created_at)}\n"
    if body.parents:
        yield f"- After {', '.join(code(parent) for parent in body.parents)}\n"
    if checkpoint.source:
        yield f"- From {_source(checkpoint.source)}\n"
    if body.project_root:
        yield f"- Project root {code(body.project_root)}\n"
    if body.git and (body.git.head or body.git.branch):
        yield f"- Git {code(body.git.head or '')} on {code(body.git.branch or '')}\n"


def _source(source: Source) -> str:
    place = f"session {code(source.session)}, line {source.line}"
    if source.first is None:
        return f"{place}, no turns"
    return f"{place}, turns {source.first} to {source.last}"


def _item(label: str, item: Item | Task, labels: Mapping[str, str]) -> str:
    parts = [list_item(f"**{label}**", item.text)]
    for line in _item_facts(item, labels):
        parts.append(f"  - {line}\n")
    parts += [_evidence(evidence) for evidence in item.evidence]
    return "".join(parts)


def _item_facts(item: Item | Task, labels: Mapping[str, str]) -> Iterator[str]:
    if isinstance(item, Task):
        done = "done" if item.status == "done" else "open"
        hint = f", {item.intent_hint}" if item.intent_hint else ""
        name = f", id {code(item.id)}" if item.id else ""
        yield f"{done}{hint}{name}"
        if item.blocked_by:
            yield f"blocked by {', '.join(code(other) for other in item.blocked_by)}"
    if item.state == "retired":
        by = f" by {inline(item.retired_by)}" if item.retired_by else ""
        yield f"retired{by}" + (f": {inline(item.reason)}" if item.reason else "")
    if item.rests_on:
        known = (labels.get(uid) or code(uid) for uid in item.rests_on)
        yield f"rests on {', '.join(known)}"


def _evidence(evidence: Evidence) -> str:
    place = ""
    if evidence.session:
        place = f" session {code(evidence.session)}, turn {evidence.turn}:"
    elif evidence.document_sha256:
        place = f" document {code(evidence.document_sha256)}, {lines_text(evidence.lines)}:"
    kept = f", kept by {inline(evidence.kept_by)}" if evidence.kept_by else ""
    return list_item(f"quoted ({evidence.check}{kept}),{place}", evidence.quote, indent="  ")


def _artifact(artifact: Artifact, level: int) -> Iterator[str]:
    yield heading(level, f"Artifact: {inline(artifact.label)}")
    yield f"\n- Type {inline(artifact.type)}, id {code(artifact.id)}, "
    yield f"{len(artifact.content):,} characters\n\n"
    yield fence(artifact.content, artifact.type)
    yield "\n"


def _note(note: Note) -> str:
    return list_item(f"{note.kind}, {inline(note.actor)}, {inline(note.recorded_at)}:", note.text)


# ---- sessions ----------------------------------------------------------------------------------


def session_text(session: Session, lines: Sequence[Line], level: int = 3) -> str:
    """Head of a session: where it lies and which lines it has."""
    parts = [heading(level, inline(session.title)), "\n", f"- Session {code(session.id)}"]
    if session.branch_name:
        parts.append(f" on branch {inline(session.branch_name)}")
    parts.append(f", {counted(session.last_seq, 'turn')}\n")
    parts.append(
        f"- Opened {inline(session.created_at)}, last changed {inline(session.changed_at)}\n"
    )
    if session.fork_checkpoint:
        parts.append(f"- Forked from checkpoint {code(short(session.fork_checkpoint))}\n")
    if session.fork_session:
        origin = f"turn {session.fork_turn} of session {code(short(session.fork_session))}"
        parts.append(f"- Forked after {origin}\n")
    for line in lines:
        if line.line > 1:
            anchor = code(short(line.anchor)) if line.anchor else "a deleted checkpoint"
            out = f"; turns up to {line.history_base_seq} stay out"
            parts.append(f"- Line {line.line}: mounted on {anchor}{out}\n")
    if session.current_line > 1:
        parts.append(f"- Now on line {session.current_line}\n")
    return "".join(parts)


def turn_text(turn: Turn, level: int = 4) -> str:
    """A turn: who, where it stands, and its words."""
    who = {"user": "question", "assistant": "answer", "system": "system"}[turn.role]
    to = f" to {turn.question}" if turn.question else ""
    parts = ["\n", heading(level, f"Turn {turn.sequence_number}: {who}{to}"), "\n"]
    parts.append(f"{_turn_facts(turn)}\n\n")
    parts.append(block(turn.text) if turn.text else "No text.\n")
    if turn.role == "user" and turn.content != turn.text:
        parts += ["\nWhat the model gets:\n\n", fence(turn.content, "markdown")]
    if turn.error:
        parts.append(f"\nFault ({inline(turn.error.kind)}): {inline(turn.error.message)}\n")
    return "".join(parts)


def _turn_facts(turn: Turn) -> str:
    facts = [f"{inline(turn.recorded_at)}, line {turn.line}"]
    if turn.model:
        facts.append(f"model {inline(turn.model)}")
    if turn.role == "assistant":
        facts.append(turn.status)
    if turn.chosen:
        facts.append(f"answer {turn.chosen} chosen")
    if turn.context_sha256:
        facts.append(f"context {code(turn.context_sha256)}")
    if turn.usage:
        used = turn.usage
        facts.append(f"{used.input_tokens:,} tokens in, {used.output_tokens:,} out")
    if turn.cost:
        facts.append(f"{inline(turn.cost.usd)} USD ({inline(turn.cost.source)})")
    if turn.copied_from:
        origin = turn.copied_from
        facts.append(f"copy of turn {origin.sequence_number} of {code(short(origin.session))}")
    return ", ".join(facts)


def streams_text(streams: Sequence[tuple[str, int]]) -> str:
    """The open streams and how many events each has; what is in them is in the other formats."""
    lines = [f"- {code(name)}: {counted(count, 'event')}\n" for name, count in streams]
    return "# Streams\n\n" + "".join(lines)
