"""Checkpoint content as people and agents hand it in: JSON with plain or structured items.

The input names fields of a checkpoint; what the store decides (space, parents, time, source) is not
among them. An unknown key is refused by name, so that nothing given is ever silently dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from smriti_tui.domain.codec import from_json, to_json
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import CheckpointId, RequestId, SpaceId, new_id
from smriti_tui.domain.items import with_uids
from smriti_tui.domain.model import Artifact, CheckpointBody, GitState, Item, Source, Task
from smriti_tui.domain.values import canonical, sha256

T = TypeVar("T")
MAX_TITLE = 300
MAX_UID = 200


@dataclass(frozen=True)
class CheckpointInput:
    """The content of a checkpoint before it has a place in the history. Items may lack a uid
    ("")."""

    title: str
    objective: str = ""
    summary: str = ""
    decisions: tuple[Item, ...] = ()
    assumptions: tuple[Item, ...] = ()
    tasks: tuple[Task, ...] = ()
    open_questions: tuple[Item, ...] = ()
    entities: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    author: str | None = None
    project_root: str | None = None
    git: GitState | None = None
    """Where the author's repository stood."""
    draft_request: RequestId | None = None
    """The request of the draft that it was made from."""


_ALIASES: Mapping[str, str] = {"message": "title", "author_agent": "author"}
_PLAIN = (
    "title", "objective", "summary", "entities", "author", "project_root", "git", "draft_request",
)  # fmt: skip
_TASK_ALIASES: Mapping[str, str] = {"intent_type": "intent_hint", "description": "text"}
_ITEM_ALIASES: Mapping[str, str] = {"description": "text"}


def parse_checkpoint(value: object) -> CheckpointInput:
    """The content of a JSON object (DESIGN 10.15).

    Raises:
        Invalid: not an object, an unknown or wrongly typed field, no title; `field` names it.
    """
    given = _renamed(value, _ALIASES, "the checkpoint")
    known = {field.name for field in fields(CheckpointInput)}
    for key in given:
        if key not in known:
            allowed = ", ".join(sorted(known))
            raise Invalid(f"Unknown field `{key}`.", f"A checkpoint has: {allowed}.", field=key)
    decisions = _each(given, "decisions", _item)
    assumptions = _each(given, "assumptions", _item)
    open_questions = _each(given, "open_questions", _item)
    tasks = _each(given, "tasks", _task)
    artifacts = _each(given, "artifacts", _artifact)
    plain = {key: value for key, value in given.items() if key in _PLAIN and value is not None}
    content = replace(
        from_json(CheckpointInput, {"title": "", **plain}),
        decisions=decisions,
        assumptions=assumptions,
        open_questions=open_questions,
        tasks=tasks,
        artifacts=artifacts,
    )
    return check_input(content)


def check_input(content: CheckpointInput) -> CheckpointInput:
    """The same content, if it can be saved.

    Raises:
        Invalid: no title, a title of several lines or too long; an id of a part that stands twice
            or is no plain line.
    """
    check_title(content.title.strip())
    _check_ids(content)
    return content


def check_title(title: str) -> str:
    """The same title. Raises: Invalid (empty, of several lines, or too long)."""
    if not title:
        raise Invalid("The checkpoint has no title.", "Give it a `title`.", field="title")
    if "\n" in title or len(title) > MAX_TITLE:
        raise Invalid(
            f"The title must be one line of at most {MAX_TITLE} characters.",
            "Put the rest into the summary.",
            field="title",
        )
    return title


def _check_ids(content: CheckpointInput) -> None:
    """One id, one part: labels, merges and `rests_on` go by it."""
    items: tuple[Item | Task, ...] = (
        *content.decisions,
        *content.assumptions,
        *content.tasks,
        *content.open_questions,
    )
    seen: set[str] = set()
    for uid in (*(item.uid for item in items), *(each.id for each in content.artifacts)):
        if uid in seen:
            raise Invalid(
                f"The id {uid!r} stands twice.", "Give each part its own, or none.", field="uid"
            )
        if uid and (not uid.strip() or not uid.isprintable() or len(uid) > MAX_UID):
            raise Invalid(
                f"The id {uid[:40]!r} is not one line of at most {MAX_UID} plain characters.",
                "Leave it out to get a new one.",
                field="uid",
            )
        if uid:
            seen.add(uid)


def _renamed(value: object, aliases: Mapping[str, str], what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Invalid(
            f"{what[:1].upper()}{what[1:]} must be a JSON object.",
            'For example {"title": "..."}.',
            field=what.strip("`") if "`" in what else None,
        )
    result: dict[str, object] = {}
    for key, entry in value.items():
        name = aliases.get(key, key)
        if name in result:
            raise Invalid(f"`{key}` is given twice.", f"`{key}` is read as `{name}`.", field=name)
        result[name] = entry
    return result


def _each(
    given: Mapping[str, object], name: str, read: Callable[[object, str], T]
) -> tuple[T, ...]:
    entries = given.get(name)
    if entries is None:
        return ()
    if not isinstance(entries, list | tuple):
        raise Invalid(f"`{name}` must be a list.", "Write it as [...].", field=name)
    return tuple(read(entry, f"{name}[{i}]") for i, entry in enumerate(entries))


def _item(value: object, where: str) -> Item:
    plain: dict[str, object] = {"text": value}
    if not isinstance(value, str):
        plain = _renamed(value, _ITEM_ALIASES, f"`{where}`")
    _only_known(Item, plain, where)
    plain.setdefault("uid", "")
    item = from_json(Item, plain, where)
    _need_text(item.text, where)
    return item


def _task(value: object, where: str) -> Task:
    plain: dict[str, object] = {"text": value}
    if not isinstance(value, str):
        plain = _renamed(value, _TASK_ALIASES, f"`{where}`")
    _only_known(Task, plain, where)
    blocked = plain.get("blocked_by")
    if blocked is None or isinstance(blocked, str):
        plain["blocked_by"] = [blocked] if blocked else []
    plain.setdefault("uid", "")
    task = from_json(Task, plain, where)
    _need_text(task.text, where)
    return task


def _artifact(value: object, where: str) -> Artifact:
    plain = _renamed(value, {}, where)
    _only_known(Artifact, plain, where)
    plain["id"] = plain.get("id") or new_id()
    plain["type"] = plain.get("type") or "text"
    plain["label"] = plain.get("label") or "Untitled"
    artifact = from_json(Artifact, plain, where)
    for name in ("label", "type"):
        if (size := len(getattr(artifact, name))) > MAX_TITLE:
            raise Invalid(
                f"`{where}.{name}` has {size:,} characters; {MAX_TITLE} are allowed.",
                "Put the rest into its content.",
                field=f"{where}.{name}",
            )
    return artifact


def _only_known(cls: type, plain: Mapping[str, object], where: str) -> None:
    known = [field.name for field in fields(cls)]
    for key in plain:
        if key not in known:
            raise Invalid(
                f"Unknown field `{where}.{key}`.",
                f"Known: {', '.join(known)}.",
                field=f"{where}.{key}",
            )


def _need_text(text: str, where: str) -> None:
    if not text.strip():
        raise Invalid(f"`{where}` has no text.", "Write it or leave it out.", field=where)


def checkpoint_id(body: CheckpointBody) -> str:
    """The id of a checkpoint: SHA-256 over its canonical body (DESIGN 10.15)."""
    return sha256(canonical(to_json(body)))


def body_of(
    content: CheckpointInput,
    before: CheckpointBody | None,
    *,
    space: SpaceId,
    parents: tuple[CheckpointId, ...] = (),
    author: str = "",
    created_at: str = "",
    source: Source | None = None,
) -> CheckpointBody:
    """What is stored of `content` that follows `before`; the content's own author comes first."""
    return CheckpointBody(
        space=space,
        parents=parents,
        title=content.title.strip(),
        author=content.author or author,
        created_at=created_at,
        objective=content.objective,
        summary=content.summary,
        decisions=with_uids(content.decisions, before.decisions if before else ()),
        assumptions=with_uids(content.assumptions, before.assumptions if before else ()),
        tasks=with_uids(content.tasks, before.tasks if before else ()),
        open_questions=with_uids(content.open_questions, before.open_questions if before else ()),
        entities=content.entities,
        artifacts=content.artifacts,
        project_root=content.project_root,
        source=source,
        git=content.git,
        draft_request=content.draft_request,
    )
