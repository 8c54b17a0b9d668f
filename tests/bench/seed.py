"""Homes with a long history, written through the one door with the domain's own contexts."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from smriti_tui.bootstrap import open_services
from smriti_tui.config.settings import load_config
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.context import Context, ContextInput, assemble
from smriti_tui.domain.events import (
    AnswerEnded,
    AnswerStarted,
    Limit,
    RequestStored,
    TurnAdded,
)
from smriti_tui.domain.ids import CheckpointId, RequestId, SessionId, SpaceId, new_id
from smriti_tui.domain.model import Item, LineRun, Task, Turn, Usage
from smriti_tui.domain.window import LineView
from smriti_tui.services import Services
from smriti_tui.services.answers import this_process
from smriti_tui.store.scope import WriteScope
from tests.bench.programs import home_environment
from tests.bench.rounds import Plan, say

BATCH = 250
"""Sends in one transaction; the benchmark is not of seeding."""
WINDOW = 8_192
"""Tokens, as for a model whose window is not known (DESIGN 10.19)."""
MODEL = "demo/scripted"
LAST_WORDS: Final[Mapping[str, str]] = {
    "first": "endofthefirsttalk",
    "short": "endoftheshorttalk",
    "long": "endofthelongtalk",
}
"""Each ends the newest answer of its session and stands nowhere else: a screen that shows it shows
that answer. One word, so that no line breaks it."""


@dataclass(frozen=True)
class SeededHome:
    """A home with one Space, some checkpoints, a long and a short session."""

    path: Path
    space: SpaceId
    checkpoint: CheckpointId
    short: SessionId
    long: SessionId


def seeded_home(plan: Plan) -> SeededHome:
    """Built once per run: a session of 10,000 turns, one of 100, 20 checkpoints."""
    path = plan.folder / "seeded"
    facts = path / "facts.json"
    if not facts.exists():
        sends = plan.size(5_000)
        say(f"  a home with a session of {2 * sends:,} turns")
        home = _build(path, sends)
        facts.write_text(json.dumps(asdict(home), default=str), encoding="utf-8")
    found = json.loads(facts.read_text(encoding="utf-8"))
    return SeededHome(**{**found, "path": path})


@contextmanager
def services_at(home: Path) -> Iterator[Services]:
    """Services on the database of a home."""
    home.mkdir(parents=True, exist_ok=True)
    with open_services(load_config(environ=home_environment(home)), "cli") as services:
        yield services


def _build(path: Path, sends: int) -> SeededHome:
    with services_at(path) as services:
        space = services.spaces.create("Search index").id
        made = [services.checkpoints.create(space, checkpoint(n)).checkpoint for n in range(20)]
        sessions = {
            name: services.sessions.new(space, title=f"The {name} talk").id for name in LAST_WORDS
        }
        for name, count in (("first", 2), ("short", 50), ("long", sends)):
            add_sends(services, sessions[name], count, last=LAST_WORDS[name])
    return SeededHome(path, space, made[-1].id, sessions["short"], sessions["long"])


def checkpoint(number: int) -> CheckpointInput:
    """A checkpoint of an ordinary size: some 3 KB."""
    return CheckpointInput(
        title=f"Checkpoint {number}: which index",
        objective=words(number, 20),
        summary=words(number + 1, 120),
        decisions=tuple(Item("", words(n, 18)) for n in range(5)),
        assumptions=tuple(Item("", words(n + 50, 14)) for n in range(4)),
        tasks=tuple(Task("", words(n + 90, 10)) for n in range(6)),
        open_questions=tuple(Item("", words(n + 130, 12)) for n in range(3)),
    )


def words(number: int, count: int) -> str:
    """`count` words that differ from text to text, always the same for one `number`."""
    stock = (
        "index", "tokens", "reader", "merge", "latency", "segment", "query", "shard", "replica",
        "budget", "recall", "score", "writer", "page", "cache", "filter", "column", "vector",
    )  # fmt: skip
    return " ".join(stock[(number * 7 + i * i + i) % len(stock)] for i in range(count))


def question(number: int) -> str:
    return f"Question {number}: {words(number, 38)}?"


def answer(number: int) -> str:
    """About 90 words; every fourth holds a code block."""
    text = f"Answer {number}. {words(number, 45)}.\n\n{words(number + 3, 42)}."
    if number % 4 == 0:
        text += f"\n\n```python\ndef step_{number}(query: str) -> int:\n    return len(query)\n```"
    return text


def add_sends(
    services: Services,
    session: SessionId,
    count: int,
    *,
    window: int = WINDOW,
    model: str = MODEL,
    last: str = "",
) -> None:
    """Adds `count` questions with their stored requests and answers, as that many sends would."""
    view = services.contexts.view(session)
    talk = _Talk(session, view, Limit(window, "assumed", window // 4), model)
    for start in range(0, count, BATCH):
        end = min(start + BATCH, count)
        with services.caller.write() as scope:
            for number in range(start, end):
                words_of = last if number == count - 1 else ""
                talk.send(scope, question(number), f"{answer(number)} {words_of}".strip())


class _Talk:
    """A session that goes on, with as many of its turns at hand as a window can hold."""

    def __init__(self, session: SessionId, view: LineView, limit: Limit, model: str) -> None:
        self._model = model
        self._session = session
        self._stream = f"session/{session}"
        self._view = view
        self._limit = limit
        self._turns: deque[Turn] = deque(maxlen=limit.tokens // 40)
        self._texts: set[str] = set()
        self._owner = this_process()

    def send(self, scope: WriteScope, asked: str, answered: str) -> None:
        first = self._view.last_seq + 1
        context = self._context(asked)
        request = RequestId(new_id())
        line = self._view.line.line
        scope.append(self._stream, TurnAdded(first, line, "user", asked, asked))
        scope.append(self._stream, self._request(request, context))
        started = AnswerStarted(first + 1, line, first, request, self._model, self._owner)
        scope.append(self._stream, started)
        usage = Usage(context.estimate.tokens, len(answered) // 4)
        ended = AnswerEnded(
            first + 1, "complete", answered, finish="stop", model=self._model, usage=usage
        )
        now = scope.append(self._stream, ended).recorded_at
        self._remember(Turn(self._session, first, line, "user", asked, asked, "complete", now))
        said = Turn(
            self._session, first + 1, line, "assistant", answered, answered, "complete", now, first
        )
        self._remember(said)

    def _remember(self, turn: Turn) -> None:
        self._turns.append(turn)
        self._view = replace(self._view, last_seq=turn.sequence_number)

    def _context(self, asked: str) -> Context:
        view = self._view
        runs = (LineRun(1, view.last_seq, view.line.line),) if view.last_seq else ()
        tip = view.anchor.id if view.anchor else None
        return assemble(
            ContextInput(view, tuple(self._turns), runs, self._limit, asked, branch_tip=tip)
        )

    def _request(self, request: RequestId, context: Context) -> RequestStored:
        fresh: dict[str, object] = {
            key: text for key, text in context.texts.items() if key not in self._texts
        }
        self._texts.update(context.texts)
        return RequestStored(
            request=request,
            purpose="chat",
            model=self._model,
            limit=context.limit,
            estimate=context.estimate,
            template=context.template,
            segments=context.segments,
            left_out=context.left_out,
            context_sha256=context.sha256,
            line=self._view.line.line,
            anchors=tuple(found.id for found in self._view.scope),
            params={"max_tokens": context.limit.reserve},
            texts=fresh,
        )
