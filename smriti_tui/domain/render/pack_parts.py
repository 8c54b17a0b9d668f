"""What a context pack holds, before it is written in the form of its target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.document_quotes import lines_text
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.model import Artifact, Checkpoint, Evidence, Item, Session, Task, Turn
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.export_state import item_labels


@dataclass(frozen=True)
class Fact:
    """Something said of a pack or of an item. The name is ours, the value anybody's."""

    name: str
    value: str
    place: str = ""
    """Where the value was taken from."""


@dataclass(frozen=True)
class Entry:
    """An item with its label."""

    label: str
    text: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Group:
    """The items of one of `KINDS`."""

    kind: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Said:
    """A turn of a transcript."""

    number: int
    role: str
    text: str
    line: int = 1
    status: str = "complete"


@dataclass(frozen=True)
class Parts:
    """All of a pack; what is empty does not appear in it."""

    title: str
    what: str
    """`state` or `transcript`."""
    facts: tuple[Fact, ...] = ()
    left_out: tuple[str, ...] = ()
    objective: str = ""
    summary: str = ""
    groups: tuple[Group, ...] = ()
    entities: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    turns: tuple[Said, ...] = ()


# ---- a checkpoint ------------------------------------------------------------------------------


def checkpoint_parts(
    checkpoint: Checkpoint,
    space_name: str,
    labels: Mapping[str, str],
    left_out: tuple[str, ...] = (),
) -> Parts:
    """All that a checkpoint holds; `labels` name its items and artifacts by uid."""
    body = checkpoint.body
    groups = (
        Group(kind, tuple(_entry(item, labels) for item in item_list(body, kind))) for kind in KINDS
    )
    return Parts(
        body.title,
        "state",
        tuple(_origin(checkpoint, space_name)),
        left_out,
        body.objective,
        body.summary,
        tuple(group for group in groups if group.entries),
        body.entities,
        body.artifacts,
    )


def labels_of(checkpoint: Checkpoint) -> dict[str, str]:
    """What items and artifacts are called in a pack, by uid."""
    body = checkpoint.body
    return {each.id: f"artifact {each.label}" for each in body.artifacts} | item_labels(body)


def _origin(checkpoint: Checkpoint, space_name: str) -> Iterator[Fact]:
    body = checkpoint.body
    yield Fact("checkpoint", short(checkpoint.id))
    yield Fact("space", clean_line(space_name))
    yield Fact("branch", clean_line(checkpoint.branch_name))
    yield Fact("author", clean_line(body.author))
    yield Fact("saved", exact(body.created_at))
    if source := checkpoint.source:
        turns = "no turns"
        if source.first is not None:
            turns = f"turns {source.first} to {source.last}"
        yield Fact("made from", f"{turns} of session {short(source.session)}")
    if body.project_root:
        yield Fact("project root", clean_line(body.project_root))
    if body.git and (body.git.head or body.git.branch):
        where = [short(body.git.head)] if body.git.head else []
        where += [f"on {body.git.branch}"] if body.git.branch else []
        yield Fact("git", clean_line(" ".join(where)))


def _entry(item: Item | Task, labels: Mapping[str, str]) -> Entry:
    return Entry(labels[item.uid], item.text, tuple(_item_facts(item, labels)))


def _item_facts(item: Item | Task, labels: Mapping[str, str]) -> Iterator[Fact]:
    if isinstance(item, Task):
        yield Fact("status", item.status)
        if item.intent_hint:
            yield Fact("intent", item.intent_hint)
        if item.id:
            yield Fact("id", item.id)
        for other in item.blocked_by:
            yield Fact("blocked by", other)
    if item.state == "retired":
        yield Fact("retired", f"by {item.retired_by}" if item.retired_by else "no longer holds")
        if item.reason:
            yield Fact("reason", item.reason)
    for uid in item.rests_on:
        yield Fact("rests on", labels.get(uid, uid))
    for evidence in item.evidence:
        yield Fact("quote", evidence.quote, _place(evidence))


def _place(evidence: Evidence) -> str:
    check = evidence.check.replace("_", " ")
    if evidence.turn is not None:
        session = f" of session {short(evidence.session)}" if evidence.session else ""
        return f"turn {evidence.turn}{session}, {check}"
    if evidence.document_sha256:
        return f"document {short(evidence.document_sha256)} {lines_text(evidence.lines)}, {check}"
    return check


# ---- a transcript ------------------------------------------------------------------------------


def session_parts(
    session: Session,
    space_name: str | None,
    turns: Sequence[Turn],
    left_out: tuple[str, ...] = (),
) -> Parts:
    """The turns given, as they were said."""
    facts = [Fact("session", short(session.id))]
    if space_name is not None:
        facts.append(Fact("space", clean_line(space_name)))
    if session.branch_name:
        facts.append(Fact("branch", clean_line(session.branch_name)))
    facts.append(Fact("opened", exact(session.created_at)))
    held = f"{turns[0].sequence_number} to {turns[-1].sequence_number}" if turns else "none"
    facts.append(Fact("turns", f"{held} of {session.last_seq}"))
    if len({turn.line for turn in turns}) > 1:
        facts.append(Fact("lines", "turns of different lines did not see each other"))
    said = tuple(map(_said, turns))
    return Parts(session.label, "transcript", tuple(facts), left_out, turns=said)


def _said(turn: Turn) -> Said:
    return Said(turn.sequence_number, turn.role, turn.content, turn.line, turn.status)
