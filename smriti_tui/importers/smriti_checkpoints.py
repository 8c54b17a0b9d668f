"""Checkpoints, notes and claims of the original Smriti under the names that they have here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from smriti_tui.domain.imported import DumpedCheckpoint, DumpedClaim, DumpedNote, moment
from smriti_tui.importers.values import as_text, list_in, object_in, text_in

Row = dict[str, Any]
JSON_FIELDS: Final = (
    "decisions", "assumptions", "tasks", "open_questions", "entities", "artifacts",
    "context_blob", "metadata",
)  # fmt: skip
INTENTS: Final = frozenset({"implement", "review", "investigate", "docs", "test"})
MAX_TITLE: Final = 300


def checkpoints(rows: list[Row]) -> Iterator[DumpedCheckpoint]:
    """In the order in which they can be saved: parents first, else by time."""
    waiting = {str(row["id"]): row for row in sorted(rows, key=_age)}
    for name in list(waiting):
        line: list[str] = []
        here: str | None = name
        while here is not None and here in waiting and here not in line:
            line.append(here)
            here = text_in(waiting[here], "parent_commit_id") or None
        for each in reversed(line):
            yield _checkpoint(waiting.pop(each))


def _age(row: Row) -> str:
    return moment(row.get("created_at")) or ""


def _checkpoint(row: Row) -> DumpedCheckpoint:
    message = text_in(row, "message").strip()
    title = message.split("\n", 1)[0].strip()[:MAX_TITLE] or "Untitled"
    summary = text_in(row, "summary")
    if title != message and message:
        summary = "\n\n".join(part for part in (message, summary) if part)
    content: dict[str, object] = {
        "title": title,
        "objective": text_in(row, "objective"),
        "summary": summary,
        "decisions": _texts(row, "decisions"),
        "assumptions": _texts(row, "assumptions"),
        "open_questions": _texts(row, "open_questions"),
        "tasks": [each for each in map(_task, list_in(row, "tasks")) if each],
        "entities": _texts(row, "entities"),
        "artifacts": list(_artifacts(row)),
        "project_root": text_in(row, "project_root") or None,
    }
    state = object_in(object_in(row, "context_blob"), "repo_state")
    if text_in(state, "head"):
        content["git"] = {
            "head": text_in(state, "head"),
            "branch": text_in(state, "branch") or None,
        }
    return DumpedCheckpoint(
        source_id=str(row["id"]),
        hash=text_in(row, "commit_hash"),
        parent=text_in(row, "parent_commit_id") or None,
        branch=text_in(row, "branch_name") or "main",
        content=content,
        author=text_in(row, "author_agent", "author_type") or "unknown",
        created_at=moment(row.get("created_at")),
        notes=tuple(_notes(row)),
    )


def _texts(row: Row, name: str) -> list[str]:
    found = (as_text(each).strip() for each in list_in(row, name))
    return [each for each in found if each]


def _task(value: object) -> dict[str, object] | None:
    """A text, or an object with what is known of it; other keys go behind the text."""
    if not isinstance(value, dict):
        text = as_text(value).strip()
        return {"text": text} if text else None
    text = text_in(value, "text", "description").strip()
    if not text:
        return {"text": as_text(value)} if value else None
    blocked = value.get("blocked_by")
    labels = blocked if isinstance(blocked, list) else [blocked] if blocked else []
    task: dict[str, object] = {
        "text": text,
        "blocked_by": [as_text(each) for each in labels],
        "status": "done" if value.get("status") == "done" else "open",
    }
    if name := text_in(value, "id"):
        task["id"] = name
    if text_in(value, "intent_hint") in INTENTS:
        task["intent_hint"] = text_in(value, "intent_hint")
    return task


def _artifacts(row: Row) -> Iterator[dict[str, object]]:
    seen: set[str] = set()
    for number, each in enumerate(list_in(row, "artifacts"), 1):
        if not isinstance(each, dict):
            continue
        name = text_in(each, "id") or f"artifact-{number}"
        name = " ".join(name.split())[:200] if name.isprintable() else f"artifact-{number}"
        if name in seen:
            name = f"{name[:190]}-{number}"
        seen.add(name)
        yield {
            "id": name,
            "type": text_in(each, "type") or "text",
            "label": text_in(each, "label") or "Untitled",
            "content": as_text(each.get("content")),
        }


def _notes(row: Row) -> Iterator[DumpedNote]:
    for each in list_in(object_in(row, "metadata"), "notes"):
        text = text_in(each, "text", "content", "note")
        kind = text_in(each, "kind", "type")
        if text or kind == "noise":
            kept = kind if kind in ("note", "milestone", "noise") else "note"
            author = text_in(each, "author", "actor")
            yield DumpedNote(kept, f"{text} ({author})" if author and text else text)


def claims(rows: list[Row]) -> Iterator[DumpedClaim]:
    """The oldest first."""
    for row in sorted(rows, key=lambda row: moment(row.get("claimed_at")) or ""):
        scope, until = text_in(row, "scope").strip(), moment(row.get("expires_at"))
        if not scope or until is None:
            continue
        intent = text_in(row, "intent_type")
        status = text_in(row, "status")
        yield DumpedClaim(
            source_id=str(row["id"]),
            agent=text_in(row, "agent") or "unknown",
            scope=" ".join(scope.split())[:500],
            intent=intent if intent in INTENTS else "implement",
            branch=text_in(row, "branch_name") or "main",
            status=status if status in ("active", "done", "abandoned") else "abandoned",
            expires_at=until,
            task_id=text_in(row, "task_id") or None,
            base=text_in(row, "base_commit_id") or None,
        )
