"""What tools take: types with the descriptions and limits that the input schemas show.

Where the services have a rule of their own, the schema only tells it: so a wrong value gets the
same error as on the command line. An empty text is an argument that is not given.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, WithJsonSchema

from smriti_tui.domain.checkpoint_input import MAX_TITLE, CheckpointInput, parse_checkpoint
from smriti_tui.domain.claims import MOST_SCOPE, MOST_TASK
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import OPEN_STREAM
from smriti_tui.domain.model import Disposition, Intent, NoteKind
from smriti_tui.domain.values import LARGEST, MAX_NAME
from smriti_tui.mcp.answers import MOST_TOKENS as MOST_TOKENS

MAX_ROWS, MAX_EVENTS = 1000, 1000
MAX_BUDGET = 1_000_000
_TEXT: Final = {"type": "string"}


def _items(what: str) -> dict[str, object]:
    return {"type": "array", "items": {"type": ["string", "object"]}, "description": what}


CONTENT_SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "description": "The checkpoint. What it leaves out of its parent's live items is retired. "
    "Items are texts or objects {text, uid?, rests_on?, state?, reason?}.",
    "required": ["title"],
    "additionalProperties": False,
    "properties": {
        "title": {"type": "string", "maxLength": MAX_TITLE, "description": "One line."},
        "objective": _TEXT,
        "summary": _TEXT,
        "decisions": _items("What is settled."),
        "assumptions": _items("What is taken for granted."),
        "tasks": _items("What is to do; also {id?, intent_hint?, blocked_by?, status?}."),
        "open_questions": _items("What is not settled."),
        "entities": {"type": "array", "items": _TEXT},
        "artifacts": {
            "type": "array",
            "items": {"type": "object"},
            "description": "Attached texts: objects {label, type, content}.",
        },
        "author": _TEXT,
        "project_root": _TEXT,
    },
}

SpaceName = Annotated[str, Field(description="A Space's name, id or id prefix.")]
NewName = Annotated[
    str, Field(description="One line.", json_schema_extra={"maxLength": MAX_NAME, "minLength": 1})
]
Description = Annotated[str, Field(description="What it is about.")]
ProjectRoot = Annotated[
    str, Field(description="The project's folder, absolute. Recorded only if given.")
]
CheckpointName = Annotated[
    str,
    Field(description="A checkpoint's id or a prefix of it.", json_schema_extra={"minLength": 4}),
]
BranchName = Annotated[str, Field(description="A branch of the Space.")]
SessionName = Annotated[str, Field(description="The session it is made from: id or prefix.")]
ExpectHead = Annotated[str, Field(description="Refuse if the branch's head is another one.")]
Carry = Annotated[
    Literal["all", "none"], Field(description="all: take the live items along that are left out.")
]
DryRun = Annotated[bool, Field(description="Show what would be saved; write nothing.")]
Author = Annotated[str, Field(description="Who wrote it.")]
FullArtifacts = Annotated[bool, Field(description="Do not clip long artifacts.")]
CommandId = Annotated[str, Field(description="A UUID; a repeat is safe.")]
Content = Annotated[object, WithJsonSchema(CONTENT_SCHEMA)]
Markdown = Annotated[
    str,
    Field(
        description="Free text in place of `content`: lists below headings such as Decisions and "
        "code blocks are taken word for word, the rest by the background model.",
    ),
]
KeepUnverified = Annotated[
    bool, Field(description="With `markdown`: keep items whose words are not in it.")
]
Payload = Annotated[
    object, WithJsonSchema({"type": "object", "description": "The fact: a JSON object."})
]
Rows = Annotated[int, Field(description="At most so many.", ge=1, le=MAX_ROWS)]
Stream = Annotated[str, Field(description="The stream's name.")]
OpenStream = Annotated[
    str,
    Field(
        description="An open stream; the product's own are refused.",
        json_schema_extra={"pattern": f"^{OPEN_STREAM.pattern}$"},
    ),
]
EventType = Annotated[str, Field(description="For example task.done.")]
EventId = Annotated[str, Field(description="The event's own UUID; repeating it is safe.")]
ExpectVersion = Annotated[
    int | None,
    Field(description="Refuse if the stream is at another version; 0: empty.", ge=0, le=LARGEST),
]
ViewName = Annotated[str, Field(description="The view's name.")]
Version = Annotated[
    int | None,
    Field(description="As it was after this version of its stream.", ge=1, le=LARGEST),
]
AllStreams = Annotated[bool, Field(description="All streams, by position, in place of `stream`.")]
After = Annotated[
    int,
    Field(description="Only what comes after this version (position for all).", ge=0, le=LARGEST),
]
Events = Annotated[int, Field(description="At most so many events.", ge=1, le=MAX_EVENTS)]


# ---- spaces, state and search --------------------------------------------------------------------

Confirm = Annotated[str, Field(description="The Space's exact name, once more.")]
Disposal = Annotated[Disposition, Field(description="What became of it.")]
Compact = Annotated[bool, Field(description="Artifacts by name alone.")]
Preview = Annotated[bool, Field(description="Only the beginning of each artifact.")]
MainOnly = Annotated[bool, Field(description="Nothing of branches, claims, worktrees.")]
Since = Annotated[str, Field(description="Say what came since this checkpoint.")]
Stats = Annotated[bool, Field(description="Say what compact saves.")]
Budget = Annotated[
    int, Field(description="Tokens to fit; what is left out is said.", ge=1, le=MAX_BUDGET)
]
Folder = Annotated[
    str, Field(description="Your working folder, absolute: says how its repository stands.")
]
SearchText = Annotated[str, Field(description="What to look for.")]
InSpace = Annotated[str, Field(description="Only in this Space; none: in all.")]
SearchKind = Literal[
    "turn", "checkpoint", "item", "decision", "assumption", "task", "question", "artifact",
    "note", "name",
]  # fmt: skip
Kinds = Annotated[Sequence[SearchKind], Field(description="Only these; none: all.")]
From = Annotated[str, Field(description="From then on: 2026-03-02, 36h, 7d, 2w.")]
Until = Annotated[str, Field(description="Up to then.")]

# ---- what is done to checkpoints -----------------------------------------------------------------

Cascade = Annotated[bool, Field(description="Its later checkpoints too; no session goes.")]
NoteText = Annotated[str, Field(description="What is to be noted; noise needs none.")]
KindOfNote = Annotated[NoteKind, Field(description="milestone: to be found; noise: to be skipped.")]
ReviewBy = Annotated[
    Literal["model", "rules", "last"],
    Field(description="Ask the model; rules alone; or show the last."),
]
ForkSource = Annotated[
    str, Field(description="A checkpoint, or SESSION:N for after turn N of a session.")
]
NewBranch = Annotated[str, Field(description="The new branch's name; none: one that is free.")]
MergeBase = Annotated[str, Field(description="Merge over this one of several common ancestors.")]
Answers = Annotated[
    dict[str, Any] | None,
    WithJsonSchema(
        {
            "type": "object",
            "description": "By conflict id: ours, theirs, both, neither or {text}.",
            "additionalProperties": {"type": ["string", "object"]},
        }
    ),
]
Side = Annotated[
    Literal["ours", "theirs", ""], Field(description="Taken in every conflict without an answer.")
]
Title = Annotated[
    str, Field(description="The merge's title.", json_schema_extra={"maxLength": 300})
]

# ---- claims, worktrees, packs --------------------------------------------------------------------

Scope = Annotated[
    str,
    Field(
        description="What you work on, with paths.",
        json_schema_extra={"maxLength": MOST_SCOPE, "minLength": 1},
    ),
]
WorkIntent = Annotated[Intent, Field(description="Kind of work.")]
TaskId = Annotated[
    str,
    Field(
        description="The task of a checkpoint that you take.",
        json_schema_extra={"maxLength": MOST_TASK},
    ),
]
Base = Annotated[str, Field(description="Checkpoint you start from; none: the branch's head.")]
WorktreeOf = Annotated[str, Field(description="Worktree you work in: id or prefix.")]
Ttl = Annotated[str, Field(description="How long: 30m, 4h, 2d.")]
ClaimName = Annotated[str, Field(description="The claim: id or prefix.")]
Abandoned = Annotated[bool, Field(description="You gave it up.")]
EveryClaim = Annotated[bool, Field(description="Ended and expired ones too.")]
GitBranch = Annotated[str, Field(description="The new git branch's name.")]
GitBase = Annotated[str, Field(description="Commit it starts at; none: the root's HEAD.")]
GitPath = Annotated[str, Field(description="Where it is made, absolute.")]
WorktreeName = Annotated[str, Field(description="The worktree: id or prefix.")]
EveryWorktree = Annotated[bool, Field(description="Closed ones too.")]
ForceClose = Annotated[bool, Field(description="Also when dirty (that is lost) or missing.")]
SkillHost = Annotated[
    Literal["claude-code", "codex", "generic"], Field(description="The agent host.")
]


def checkpoint_content(given: object) -> CheckpointInput:
    """The checked content of a checkpoint.

    Raises:
        Invalid: it is no object that a checkpoint can be made of; free text is none (code
            `not_structured`).
    """
    if isinstance(given, str):
        if not given.strip():
            raise Invalid("The content is empty.", "Give an object with a title.", field="content")
        raise Invalid(
            "The content is free text.",
            "Give it as `markdown`, or an object with title, objective, summary, decisions, "
            "assumptions, tasks and so on.",
            field="content",
            code="not_structured",
        )
    return parse_checkpoint(given)


def check_alone(content: object) -> None:
    """Raises: Invalid when there is content beside the Markdown."""
    if content is not None:
        raise Invalid(
            "There are both `content` and `markdown`.", "Give one of them.", field="content"
        )


def payload_object(given: object) -> dict[str, object]:
    """Raises: Invalid when it is no object."""
    if not isinstance(given, dict):
        raise Invalid(
            "The payload is not a JSON object.", "Give an object such as {}.", field="payload"
        )
    return given


def root_of(path: str) -> str | None:
    """A project root as it is recorded: absolute, links kept; none is none.

    Raises:
        Invalid: it means the server's own folder, which is nobody's.
    """
    if not path.strip():
        return None
    if Path(path).is_absolute():
        return path
    whole = os.path.abspath(path)  # noqa: PTH100 (resolves no links: the folder keeps its name)
    if Path(whole) == Path.cwd():
        raise Invalid(
            f"{path!r} is the server's own folder.", "Give the whole path.", field="project_root"
        )
    return whole
