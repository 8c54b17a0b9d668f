"""Random lives in which answers are asked for once more by their stored context: the server gets
what it got for the other answer, to the byte, and nothing else of the life changes."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from smriti_tui.domain.errors import Conflict
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services.sides import OneChange
from tests.fakes.llm_server import FakeLLMServer
from tests.services.test_isolation_on_the_wire import WORD, Life
from tests.services.wire import Told, environ
from tests.support import ended, opened_services

OTHERS = ["send", "send", "retry", "stop", "fail", "cut", "mount", "unmount", "checkpoint", "agent",
          "choose", "undo"]  # fmt: skip
moves = st.lists(
    st.tuples(
        st.sampled_from([*OTHERS, *["beside"] * 8]),
        st.sampled_from(["one", "two"]),
        st.integers(0, 10**6),
    ),
    min_size=4,
    max_size=18,
)
Messages = list[dict[str, str]]


def joined(messages: Messages) -> list[tuple[str, str]]:
    """Neighbours of one role as one: over one of the two protocols they arrive so."""
    found: list[tuple[str, str]] = []
    for each in messages:
        if found and found[-1][0] == each["role"]:
            found[-1] = (each["role"], found[-1][1] + each["content"])
        else:
            found.append((each["role"], each["content"]))
    return found


class SidesLife(Life):
    """A life that remembers what the server got for each answer."""

    got: dict[int, Messages]
    wire: dict[int, str]

    def _check(self, before: int, model: str, question: int) -> None:
        super()._check(before, model, question)
        self._remember(model)

    def _remember(self, model: str) -> None:
        number = len(self.book.turns) + 1
        self.got[number] = self.server.requests()[-1]["messages"]
        self.wire[number] = model

    async def do_beside(self, model: str, pick: int) -> None:
        book = self.book
        able = [n for n in self.got if n <= len(book.turns) and book.turns[n - 1].word]
        if not able:
            return
        other = able[-1 - pick % min(len(able), 3)]
        model = "two" if self.wire[other] == "one" else "one"
        steps = self.services.chat.beside(self.session, other, OneChange(model=model))
        if not self._possible(other):
            before = self.services.log.last_position()
            with pytest.raises(Conflict):
                await ended(steps)
            assert self.services.log.last_position() == before
            return
        answer = self.word("answer")
        self.server.script({"text": answer})
        book.undone.clear()
        turn = await ended(steps)
        assert joined(self.server.requests()[-1]["messages"]) == joined(self.got[other])
        question = book.turns[other - 1].question or 0
        if (choice := book._choice(question)) is not None:
            book.chosen.setdefault(question, choice)
        self._remember(model)
        book.turns.append(Told(book.line, answer, question, "complete"))
        assert turn.sequence_number == len(book.turns)

    def _possible(self, other: int) -> bool:
        """Whether it is an answer to the last question above the floor, and no turn that it was
        given lies below that."""
        book = self.book
        told = book.turns[other - 1]
        sent = {word for each in self.got[other] for word in WORD.findall(each["content"])}
        below = {turn.word for turn in book.turns[: book.floor] if turn.word}
        return told.question == book.last_question() and not sent & below


async def live(
    steps: list[tuple[str, str, int]], process: ProviderProcess, server: FakeLLMServer
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="sides-"))
    settings_of = environ(folder, server.openai_base, server.anthropic_base)
    router = ModelRouter(process)
    try:
        with opened_services(folder, environ=settings_of, provider=router, door="tui") as services:
            life = SidesLife(services, server, None, folder, settings_of)
            life.got, life.wire = {}, {}
            for step in steps:
                await life.move(*step)
            assert services.log.verify().difference is None
            assert [v for v in services.contexts.verify(life.session) if v.reason] == []
    finally:
        shutil.rmtree(folder)


def run_lives(examples: int, process: ProviderProcess, server: FakeLLMServer) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(moves)
    def lives(steps: list[tuple[str, str, int]]) -> None:
        server.clear()
        asyncio.run(live(steps, process, server))

    lives()


def test_the_same_bytes_and_the_same_choice(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    run_lives(15, warm_process, server)


@pytest.mark.soak
def test_the_same_bytes_and_the_same_choice_for_long(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    run_lives(300, warm_process, server)
