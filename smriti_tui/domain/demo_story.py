"""The story of the demo Space: sessions and checkpoints of a search feature, as plain data.

Nobody measured these numbers and nobody held this talk; it is told so that each part of the program
has something to show. Ids are fixed, so that pictures of the demo stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.demo_story_talk import (
    FRAME,
    HINDI,
    MOUNTED,
    SETTLE,
    SPIKE,
)
from smriti_tui.domain.ids import BranchId, SessionId, SpaceId
from smriti_tui.domain.model import Artifact, Intent, Item, Task

SPACE = SpaceId("5e0a9c31-7d24-4b86-9f13-2c84d0e6b7a1")
MAIN_BRANCH = BranchId("b7f2c6d8-1a95-4e03-8c47-90d3e5a1f264")
SPACE_NAME = "search-index"
SPACE_DESCRIPTION = "Full-text search for the document store: which engine, and why."

YOU, CODEX, CLAUDE = "you", "codex", "claude-code"
EXPLORE = "explore/tantivy"
NOTE_ID = "d1c4a7e0-53b8-4f69-a2d7-6e0b9f81c352"


@dataclass(frozen=True)
class StorySession:
    id: SessionId
    title: str
    turns: tuple[str, ...]
    """Question, answer, question, answer …: recorded ones, that no model here was asked for."""


@dataclass(frozen=True)
class StoryClaim:
    id: str
    agent: str
    scope: str
    intent: Intent
    task_id: str | None
    hours: int


CLAIMS = (
    StoryClaim(
        "8c14e0b9-25d7-4f3a-9e60-41b7d2a8c593", CLAUDE, "run the rebuild as a job, index/build.py",
        "implement", "rebuild-2", 3,
    ),
    StoryClaim(
        "b30d7f62-6e1a-4c85-8f29-d95a04e7b1c6", CODEX, "time the swap in index/build.py", "test",
        None, 4,
    ),
)  # fmt: skip
"""Taken an hour ago, one after the other."""

MAIN_SESSION = StorySession(
    SessionId("3f9a1c27-84de-4d60-b5a3-17c2e9f0d846"),
    "Search without a server",
    FRAME + SETTLE,
)
SPIKE_SESSION = StorySession(
    SessionId("a86d2f15-0b3e-4c97-8e41-f5d07b92c6e8"), "Tantivy, a spike", SPIKE
)
HINDI_SESSION = StorySession(
    SessionId("c05be7d4-96f1-4a28-bd3c-8a1f64e2907d"), "Search words in Hindi", HINDI
)
MOUNTED_QUESTIONS = MOUNTED
"""Asked after the mount; the demo model answers them."""
FRAME_TURNS = len(FRAME)
UNSAVED_TURNS = len(FRAME + SETTLE)


def _uid(number: int) -> str:
    return f"1d7c{number:04x}-6a3f-4e52-9b80-c4f1a2d5e736"


D_FTS5, D_ONE_FILE, D_TOKENIZER, D_REBUILD, D_JOB = (_uid(n) for n in range(1, 6))
A_WRITER, A_SIZE, A_WINDOW = (_uid(n) for n in range(11, 14))
T_SIZES, T_LIST, T_ENGINES, T_TESTDATA, T_REBUILD, T_SNIPPETS, T_LOAD, T_JOB = (
    _uid(n) for n in range(21, 29)
)
Q_TYPO, Q_LEAVE, Q_RANK = (_uid(n) for n in range(31, 34))
TABLE_ID = "74e1f8b6-2d09-4c5a-a3e7-b60c9d815f42"


def _rebuild_table() -> str:
    """Rebuild times by number of documents, over 2,000 characters, so that a context clips it."""
    rows = ["documents,index_mb,rebuild_s,query_p50_ms,query_p95_ms,note"]
    for step in range(1, 61):
        documents = step * 50_000
        seconds = round(documents / 46_500 * (1 + step / 150), 1)
        note = "over the one-minute window" if seconds > 60 else "within the window"
        row = (documents, round(documents * 0.00052, 1), seconds, 3 + step // 8, 9 + step // 3)
        rows.append(",".join(map(str, row)) + f",{note}")
    return "\n".join(rows)


REBUILD_TABLE = Artifact(TABLE_ID, "csv", "Rebuild times by corpus size", _rebuild_table())

_SIZES = Task(T_SIZES, "Count the documents and their sizes", intent_hint="investigate")
_LIST = Task(T_LIST, "List what people search for today", intent_hint="investigate")
_ENGINES = Task(
    T_ENGINES,
    "Compare engines that need no server",
    intent_hint="investigate",
    blocked_by=(T_SIZES,),
)
_TYPO = Item(Q_TYPO, "Must a search forgive typing errors?")
_WRITER = Item(A_WRITER, "There is a single writer at any time")
_SIZE = Item(A_SIZE, "There are at most 2 M documents")

FRAME_CHECKPOINT = CheckpointInput(
    title="Frame the search work",
    objective="Find any document by its words in under 50 ms, without a service to run.",
    summary=(
        "The store holds about 400,000 short documents and grows. People search by a few words and "
        "expect the newest first. Nobody on the team wants to look after another server."
    ),
    assumptions=(_WRITER, _SIZE),
    tasks=(_SIZES, _LIST, _ENGINES),
    open_questions=(_TYPO, Item(Q_RANK, "Is the newest or the best match first?")),
    entities=("document store", "search box"),
)

_FTS5 = Item(D_FTS5, "Use SQLite FTS5, no search server", rests_on=(A_WRITER, A_SIZE))
_ONE_FILE = Item(D_ONE_FILE, "Keep the index in a file of its own", rests_on=(D_FTS5,))
_TOKENIZER = Item(
    D_TOKENIZER,
    "Tokenise with unicode61 and keep the marks of Devanagari:\n"
    "- remove_diacritics 0\n"
    "- categories 'L* N* Co Mn Mc'",
    rests_on=(D_FTS5,),
)
_REBUILD = Item(
    D_REBUILD, "Rebuild the index as a whole, each night", rests_on=(A_SIZE, A_WINDOW, TABLE_ID)
)
_WINDOW = Item(A_WINDOW, "A rebuild of one minute at night disturbs nobody")
_LEAVE = Item(Q_LEAVE, "What would make us leave FTS5?")
_SNIPPETS = Task(T_SNIPPETS, "Show snippets with the words marked", intent_hint="implement")
_LOAD = Task(
    T_LOAD,
    "Load test with 2 M documents",
    id="load-1",
    intent_hint="test",
    rests_on=(A_SIZE,),
)

CHOICE_CHECKPOINT = CheckpointInput(
    title="Choose FTS5, no server",
    objective=FRAME_CHECKPOINT.objective,
    summary=(
        "FTS5 answers in a few milliseconds at our size and lives in a file that we back up "
        "already. The price is a rebuild that takes longer as the corpus grows; up to 2 M "
        "documents it fits into a minute."
    ),
    decisions=(_FTS5, _ONE_FILE, _TOKENIZER, _REBUILD),
    assumptions=(_WRITER, _SIZE, _WINDOW),
    tasks=(
        Task(T_SIZES, _SIZES.text, intent_hint="investigate", status="done"),
        Task(T_TESTDATA, "Make a corpus of 2 M documents for tests", intent_hint="test"),
        Task(T_REBUILD, "Write the rebuild", id="rebuild-1", intent_hint="implement"),
        _SNIPPETS,
        _LOAD,
    ),
    open_questions=(_LEAVE,),
    entities=("FTS5", "unicode61", "index file"),
    artifacts=(REBUILD_TABLE,),
)

SPIKE_CHECKPOINT = CheckpointInput(
    title="Engine spike",
    objective="See what Tantivy would give that FTS5 does not.",
    summary=(
        "Tantivy indexes in segments, so there is no full rebuild, and it forgives typing errors. "
        "It adds a native library to every build and a second store to back up."
    ),
    decisions=(
        Item(
            D_FTS5,
            "Use Tantivy in the process, no search server",
            rests_on=(A_WRITER,),
        ),
        _ONE_FILE,
    ),
    assumptions=(_WRITER, _SIZE),
    tasks=(Task(_uid(29), "Build the wheel on every platform we ship", intent_hint="implement"),),
    open_questions=(_TYPO,),
    entities=("Tantivy",),
)

KEPT_CHECKPOINT = CheckpointInput(
    title="Keep FTS5; load test ok",
    objective=FRAME_CHECKPOINT.objective,
    summary=(
        "With 2 M made-up documents the slowest of 10,000 searches took 31 ms. The rebuild took 58 "
        "s, so there is next to no room left: it becomes a job that can run at any time."
    ),
    decisions=(
        _FTS5,
        _ONE_FILE,
        _TOKENIZER,
        Item(D_REBUILD, "Rebuild the index as a whole, on demand", rests_on=(A_SIZE, TABLE_ID)),
        Item(D_JOB, "Swap a rebuilt index in by renaming the file", rests_on=(D_ONE_FILE,)),
    ),
    assumptions=(_WRITER, _SIZE, _WINDOW),
    tasks=(
        Task(T_JOB, "Run the rebuild as a job", id="rebuild-2", intent_hint="implement"),
        _SNIPPETS,
    ),
    open_questions=(_LEAVE,),
    entities=("FTS5", "unicode61", "index file", "load test"),
    artifacts=(REBUILD_TABLE,),
)

MILESTONE = "Engine settled; what follows is building it."
