"""The story of the quickstart Space: two agents at work on one project, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.model import Artifact, Item, NoteKind, Task

SPACE_NAME = "smriti-demo"
MARKER = "Made by `smriti quickstart`; `smriti quickstart --remove` takes it away."
UNFINISHED = "Being made by `smriti quickstart`."
CODEX, CLAUDE = "codex", "claude-code"
EXPLORE = "explore/token-bucket"
CLAIM_TTL_S = 720 * 3600


@dataclass(frozen=True)
class StoryClaim:
    agent: str
    scope: str
    intent: str
    task_id: str
    done: bool


_HEADER = Item("", "Answer 429 with a Retry-After header")
_WINDOW = Item("", "Count requests in a sliding window of one minute per key")
_REDIS = Item("", "Keep the counters in the process; one process serves each key")
_DRY = Item("", "Run a week in dry mode, where nothing is refused and everything is counted")
_STICKY = Item("", "The balancer sends a key to the same process every time")
_CLOCK = Item("", "The machines' clocks differ by less than a second")
_TESTS = Task("", "Test the limits at the edge of the window", id="edge-tests", intent_hint="test")
_DOCS = Task("", "Tell clients how to wait", id="client-docs", intent_hint="docs")
_CODE = Task("", "Write the limiter", id="limiter", intent_hint="implement")
_ROLL = Task(
    "", "Turn dry mode off", id="roll-out", intent_hint="implement", blocked_by=("edge-tests",)
)

MAIN_STORY: tuple[tuple[str, CheckpointInput], ...] = (
    (
        CODEX,
        CheckpointInput(
            title="Frame the rate limit",
            objective="No client can take the API down for the others.",
            summary="Two outages last month came from one client in a loop. A limit per key helps.",
            decisions=(_HEADER,),
            assumptions=(_CLOCK,),
            tasks=(_CODE, _TESTS),
            open_questions=(Item("", "What do we count: requests, or what they cost?"),),
            entities=("API gateway", "Retry-After"),
        ),
    ),
    (
        CODEX,
        CheckpointInput(
            title="Sliding window, in the process",
            objective="No client can take the API down for the others.",
            summary="A sliding window has no burst at the minute's border, and needs no store.",
            decisions=(_HEADER, _WINDOW, _REDIS),
            assumptions=(_CLOCK, _STICKY),
            tasks=(_CODE, _TESTS, _DOCS),
            open_questions=(Item("", "Is 600 a minute right for paying clients?"),),
            artifacts=(
                Artifact(
                    "limits", "csv", "limits.csv",
                    "plan,per_minute\nfree,60\nteam,600\nlarge,3000\n",
                ),
            ),
        ),
    ),
    (
        CLAUDE,
        CheckpointInput(
            title="Limiter written, dry mode first",
            objective="No client can take the API down for the others.",
            summary="The limiter counts and refuses nothing yet. Three clients would be refused.",
            decisions=(_HEADER, _WINDOW, _REDIS, _DRY),
            assumptions=(_CLOCK, _STICKY),
            tasks=(Task("", _CODE.text, id="limiter", intent_hint="implement", status="done"),
                   _TESTS, _DOCS, _ROLL),
            open_questions=(Item("", "Is 600 a minute right for paying clients?"),),
        ),
    ),
    (
        CODEX,
        CheckpointInput(
            title="Edge of the window tested",
            objective="No client can take the API down for the others.",
            summary="At the border of the window one request too many came through; it is mended.",
            decisions=(_HEADER, _WINDOW, _REDIS, _DRY,
                       Item("", "Round the window up, so that a limit is never exceeded")),
            assumptions=(_CLOCK, _STICKY),
            tasks=(Task("", _TESTS.text, id="edge-tests", intent_hint="test", status="done"),
                   _DOCS, _ROLL),
            open_questions=(Item("", "Is 600 a minute right for paying clients?"),),
        ),
    ),
)  # fmt: skip
"""Who saved what on main, oldest first."""

FORK: tuple[str, CheckpointInput] = (
    CLAUDE,
    CheckpointInput(
        title="Token bucket, a try",
        objective="See whether short bursts can be allowed.",
        summary="A bucket lets a client save up; support could not tell anybody what the limit is.",
        decisions=(_HEADER, Item("", "Refill a bucket of tokens per key instead of a window")),
        assumptions=(_CLOCK,),
    ),
)
FORK_FROM = 1
"""The checkpoint of main that the fork began at, counted from 0."""

NOTES: tuple[tuple[int, NoteKind, str], ...] = (
    (0, "noise", "Superseded by the next one."),
    (2, "note", "Three clients would be refused: we have written to them."),
    (3, "milestone", "The limiter is ready for dry mode."),
)
"""Checkpoint of main, kind, text."""

CLAIMS = (
    StoryClaim(CODEX, "test the limits at the edge of the window", "test", "edge-tests", True),
    StoryClaim(CLAUDE, "write the page for clients", "docs", "client-docs", False),
)
