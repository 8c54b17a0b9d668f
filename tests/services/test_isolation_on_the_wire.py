"""Random lives of a session through real litellm: what the server received against an oracle.

Every turn, checkpoint and artifact carries a word of its own. A word that must not arrive is a
leak, one that must and does not is a loss.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from smriti_tui.domain.drafted import Drafted
from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import Artifact
from smriti_tui.providers.base import TextDelta
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services import Services
from smriti_tui.services.sessions import SessionService
from smriti_tui.services.undoing import Undone
from tests.fakes.llm_server import FakeLLMServer
from tests.services.second_process import SecondProcess, crash_in_send
from tests.services.wire import Book, environ
from tests.support import content, ended, opened_services

WORD = re.compile(r"[a-z]+\d+zz")
MOVES = [
    "send",
    "send",
    "send",
    "send",
    "other",
    "retry",
    "retry",
    "stop",
    "fail",
    "cut",
    "mount",
    "mount",
    "unmount",
    "checkpoint",
    "checkpoint",
    "agent",
    "choose",
    "crash",
    "undo",
    "undo",
    "undo",
    "redo",
    "redo",
    "draft",
    "draft",
]
moves = st.lists(
    st.tuples(
        st.sampled_from(MOVES),
        st.sampled_from(["one", "two", "one", "two", "small"]),
        st.integers(0, 10**6),
    ),
    min_size=3,
    max_size=22,
)


class Life:
    """One session driven by moves, its book kept beside it."""

    def __init__(
        self,
        services: Services,
        server: FakeLLMServer,
        other: SecondProcess | None,
        folder: Path,
        environ: dict[str, str],
    ) -> None:
        self.services = services
        self.folder = folder
        self.environ = environ
        self.server = server
        self.other = other
        self.book = Book()
        # Through another door: the session is not the person's to take away again.
        maker = SessionService(replace(services.caller, door="cli"))
        self.space: SpaceId = services.spaces.create("life").id
        self.session: SessionId = maker.new(self.space).id
        self.checkpoints: dict[str, CheckpointId] = {}
        self.count = 0

    def word(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}zz"

    async def move(self, name: str, model: str, pick: int) -> None:
        await getattr(self, f"do_{name}")(model, pick)

    # ---- asking ------------------------------------------------------------------------------

    async def do_send(self, model: str, pick: int) -> None:
        await self._ask(model, [{"text": self.word("answer")}], "complete")

    async def do_other(self, model: str, pick: int) -> None:
        """Another process sends in this session."""
        assert self.other is not None
        question, answer = self.word("asked"), self.word("answer")
        self.server.script({"text": answer})
        before = len(self.server.requests())
        number = self.book.ask(question, mine=False)
        status = await asyncio.to_thread(self.other.send, self.session, question, model)
        assert status == "complete"
        self._check(before, model, number)
        self.book.answer(number, answer, "complete")

    async def do_fail(self, model: str, pick: int) -> None:
        await self._ask(model, [{"status": 500, "message": "no"}], "failed")

    async def do_cut(self, model: str, pick: int) -> None:
        word = self.word("answer")
        reply = {"chunks": [f"{word} ", "and ", "more ", "words "], "drop_after": 2}
        await self._ask(model, [{**reply, "text": f"{word} and "}], "cut")

    async def _ask(self, model: str, replies: list[dict[str, object]], status: str) -> None:
        question = self.word("asked")
        self.server.script(*replies)
        before = len(self.server.requests())
        number = self.book.ask(question)
        turn = await ended(self.services.chat.send(self.session, f"{question}?", model=model))
        assert turn.status == status, turn.error
        self._check(before, model, number)
        self.book.answer(number, str(replies[0].get("text", "")).split(" ")[0], status)

    async def do_retry(self, model: str, pick: int) -> None:
        number = self.book.last_question()
        if number is None:
            return
        answer = self.word("answer")
        self.server.script({"text": answer})
        before = len(self.server.requests())
        self.book.undone.clear()
        turn = await ended(self.services.chat.retry(self.session, model=model))
        assert turn.question == number
        self._check(before, model, number)
        self.book.answer(number, answer, "complete")

    async def do_stop(self, model: str, pick: int) -> None:
        """Stopped after the first words; what arrived counts as the answer."""
        answer, question = self.word("answer"), self.word("asked")
        pieces = [f"{answer} ", *["slow "] * 50]
        self.server.script({"chunks": pieces, "delay": 0.02})
        before = len(self.server.requests())
        number = self.book.ask(question)
        steps = self.services.chat.send(self.session, question, model=model)
        async for step in steps:
            if isinstance(step, TextDelta):
                break
        await steps.aclose()
        self._check(before, model, number)
        stored = self.services.sessions.turns(self.session, number + 1)[0]
        assert (stored.status, stored.text.split()[0]) == ("stopped", answer)
        self.book.answer(number, answer, "stopped")

    async def do_crash(self, model: str, pick: int) -> None:
        """A process dies between storing a send and the first word of its answer."""
        question = self.word("asked")
        number = self.book.ask(question, mine=False)
        before = len(self.server.requests())
        await asyncio.to_thread(
            crash_in_send, self.folder, self.environ, self.session, question, model
        )
        assert len(self.server.requests()) == before
        self.book.answer(number, "", "failed")

    async def do_draft(self, model: str, pick: int) -> None:
        """A draft gets the turns that a checkpoint would be made from, and no word of any other
        turn or checkpoint; a quote of what it did not get is not taken for said."""
        wanted = self.book.expected(len(self.book.turns) + 1)
        before = len(self.server.requests())
        steps = self.services.drafting.draft(self.session, model="two" if pick % 2 else "one")
        if not wanted:
            with pytest.raises(Invalid, match="nothing was said"):
                await anext(steps)
            assert len(self.server.requests()) == before
            return
        words = [turn.word for turn in self.book.turns if turn.word] + sorted(self.checkpoints)
        quoted = [{"text": f"It is {word}", "quote": word, "turn": 1} for word in words]
        self.server.script({"text": json.dumps({"title": "T", "decisions": quoted})})
        made = [step async for step in steps][-1]
        assert isinstance(made, Drafted)
        messages = self.server.requests()[-1]["messages"]
        assert len(self.server.requests()) == before + 1
        assert [word for each in messages for word in WORD.findall(each["content"])] == wanted
        for cited in made.items:
            said = cited.checked.check in ("found", "assistant_only")
            assert said == (cited.item.quote in wanted), cited

    # ---- everything else ---------------------------------------------------------------------

    async def do_mount(self, model: str, pick: int) -> None:
        if self.checkpoints:
            name = sorted(self.checkpoints)[pick % len(self.checkpoints)]
            self.services.sessions.mount(self.session, self.checkpoints[name])
            self.book.mount(name)

    async def do_unmount(self, model: str, pick: int) -> None:
        if self.book.line != 1:
            self.services.sessions.unmount(self.session)
            self.book.unmount()

    async def do_checkpoint(self, model: str, pick: int) -> None:
        branch = f"b{self.count}" if self.book.needs_branch() else None
        name = self._save(session=self.session, branch=branch)
        self.book.saved(name, branch or "")

    async def do_agent(self, model: str, pick: int) -> None:
        """Somebody else moves the head of main, from no session."""
        name = self._save()
        self.book.home[name] = "main"
        self.book.heads["main"] = name
        self.book.undone.clear()

    def _save(self, **more: object) -> str:
        name, decided, attached = (self.word(kind) for kind in ("title", "decided", "attached"))
        artifact = Artifact(name, "text", "notes", attached)
        given = replace(content(name, decided), artifacts=(artifact,), entities=(f"e{name}",))
        saved = self.services.checkpoints.create(self.space, given, **more)  # type: ignore[arg-type]
        self.checkpoints[name] = saved.checkpoint.id
        return name

    async def do_choose(self, model: str, pick: int) -> None:
        floor, line = self.book.floor, self.book.line
        able = [
            number
            for number, turn in enumerate(self.book.turns, 1)
            if turn.question and turn.question > floor and turn.line == line and turn.word
        ]
        if able:
            number = able[pick % len(able)]
            self.services.chat.choose(self.session, number)
            self.book.choose(number)

    async def do_undo(self, model: str, pick: int) -> None:
        self._turn_back(self.book.undo(), self.services.undoing.undo)

    async def do_redo(self, model: str, pick: int) -> None:
        self._turn_back(self.book.redo(), self.services.undoing.redo)

    def _turn_back(self, wanted: bool | None, turn_back: Callable[[], Undone | None]) -> None:
        if wanted is False:
            with pytest.raises(Conflict):
                turn_back()
        else:
            assert (turn_back() is not None) is bool(wanted)

    # ---- checks ------------------------------------------------------------------------------

    def _check(self, before: int, model: str, question: int) -> None:
        requests = self.server.requests()
        assert len(requests) == before + 1
        messages = requests[-1]["messages"]
        words = [
            word
            for message in messages
            if message["role"] != "system"
            for word in WORD.findall(message["content"])
        ]
        asked = self.book.turns[question - 1].word
        wanted = [*self.book.expected(question), asked]
        if model == "small":
            wanted = wanted[len(wanted) - len(words) :]
        assert words == wanted
        assert words[-1] == asked
        self._check_state(messages)

    def _check_state(self, messages: list[dict[str, str]]) -> None:
        system = " ".join(m["content"] for m in messages if m["role"] == "system")
        found = set(WORD.findall(system))
        state = self.book.state
        if state is None:
            assert not found
            return
        start = int(re.sub(r"\D", "", state))
        assert found == {state, f"decided{start + 1}zz", f"attached{start + 2}zz"}


@pytest.fixture(scope="module")
def other_process(warm_process: ProviderProcess) -> Iterator[SecondProcess]:
    with SecondProcess() as process:
        yield process


async def live(
    steps: list[tuple[str, str, int]],
    process: ProviderProcess,
    server: FakeLLMServer,
    other: SecondProcess,
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="life-"))
    settings_of = environ(folder, server.openai_base, server.anthropic_base)
    router = ModelRouter(process)
    try:
        with opened_services(folder, environ=settings_of, provider=router, door="tui") as services:
            other.open(folder, settings_of)
            life = Life(services, server, other, folder, settings_of)
            for step in steps:
                await life.move(*step)
            assert services.log.verify().difference is None
            assert [v for v in services.contexts.verify(life.session) if v.reason] == []
            texts = [turn.text for turn in services.sessions.turns(life.session)]
            words = [turn.word for turn in life.book.turns]
            assert len(texts) == len(words)
            assert all(word in text for word, text in zip(words, texts, strict=True))
    finally:
        other.close_store()
        shutil.rmtree(folder)


def run_lives(
    examples: int, process: ProviderProcess, server: FakeLLMServer, other: SecondProcess
) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        # A shrunk life tells little more than its moves and costs minutes.
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(moves)
    def lives(steps: list[tuple[str, str, int]]) -> None:
        server.clear()
        asyncio.run(live(steps, process, server, other))

    lives()


def test_no_leak_and_no_loss(
    warm_process: ProviderProcess, server: FakeLLMServer, other_process: SecondProcess
) -> None:
    run_lives(15, warm_process, server, other_process)


@pytest.mark.soak
def test_no_leak_and_no_loss_for_long(
    warm_process: ProviderProcess, server: FakeLLMServer, other_process: SecondProcess
) -> None:
    run_lives(500, warm_process, server, other_process)
