"""Random lives that go back and forth between lines and answers: what the server received is what
an oracle with a stack of its own expects. See `test_isolation_on_the_wire`, where undo is one move
among many."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.child import ProviderProcess
from tests.fakes.llm_server import FakeLLMServer
from tests.services.test_isolation_on_the_wire import Life
from tests.services.wire import environ
from tests.support import opened_services

MOVES = [
    "send", "send", "retry", "mount", "mount", "mount", "unmount", "choose", "choose", "checkpoint",
    "undo", "undo", "undo", "undo", "undo", "redo", "redo", "redo",
]  # fmt: skip
moves = st.lists(st.tuples(st.sampled_from(MOVES), st.integers(0, 10**6)), min_size=15, max_size=30)


class Counting(Life):
    """Counts what became of undo and redo."""

    counted: Counter[tuple[str, bool | None]]

    async def do_undo(self, model: str, pick: int) -> None:
        before = len(self.book.deeds)
        await super().do_undo(model, pick)
        self.counted["undo", len(self.book.deeds) < before or (None if not before else False)] += 1

    async def do_redo(self, model: str, pick: int) -> None:
        before = len(self.book.undone)
        await super().do_redo(model, pick)
        self.counted["redo", len(self.book.undone) < before or (None if not before else False)] += 1


async def _live(
    steps: list[tuple[str, int]],
    process: ProviderProcess,
    server: FakeLLMServer,
    counted: Counter[tuple[str, bool | None]],
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="undo-"))
    set_up = environ(folder, server.openai_base, server.anthropic_base)
    try:
        with opened_services(
            folder, environ=set_up, provider=ModelRouter(process), door="tui"
        ) as services:
            life = Counting(services, server, None, folder, set_up)
            life.counted = counted
            for name in ("agent", "send", "retry", "agent"):
                await life.move(name, "one", 0)
            for name, pick in steps:
                await life.move(name, ("one", "two")[pick % 2], pick)
            for name in ("send", "mount", "undo", "send", "mount", "undo", "redo", "send"):
                await life.move(name, "one", 0)
            assert services.log.verify().difference is None
            assert [v for v in services.contexts.verify(life.session) if v.reason] == []
    finally:
        shutil.rmtree(folder)


def test_going_back_and_forth_leaks_nothing_and_loses_nothing(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    counted: Counter[tuple[str, bool | None]] = Counter()

    @settings(
        max_examples=7,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(moves)
    def lives(steps: list[tuple[str, int]]) -> None:
        server.clear()
        asyncio.run(_live(steps, warm_process, server, counted))

    lives()
    assert counted["undo", True] >= 14
    assert counted["redo", True] >= 7
