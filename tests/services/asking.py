"""A session that asks the provider server through the real library, over either protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.model import Turn
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services import Services
from smriti_tui.services.steps import ChatStep, Ended, Retrying, Started, TextDelta
from tests.fakes.llm_server import FakeLLMServer
from tests.support import opened_services

KEY = "sk-test-Zq81mPv0xLkT42"
WIRES = ("openai", "anthropic")


CONFIG = """
[[models]]
alias = "big-openai"
model = "openai/count:window=big"
context_tokens = 2000000

[[models]]
alias = "big-anthropic"
model = "anthropic/count:window=big"
context_tokens = 2000000

[[models]]
alias = "small"
model = "openai/echo:window=small"
context_tokens = 700
reply_tokens = 100
"""


def wire_environ(server: FakeLLMServer, **more: str) -> dict[str, str]:
    """Settings with which `openai/SCENARIO` and `anthropic/SCENARIO` reach the server, their window
    assumed."""
    return {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": server.openai_base,
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": server.anthropic_base,
        "SMRITI_CHAT_MODEL": "openai/echo",
        "SMRITI_RETRIES": "0",
        "SMRITI_TIMEOUT_S": "10",
        **more,
    }


@dataclass
class Asked:
    """All that a send yielded."""

    started: Started | None = None
    arrived: str = ""
    retries: list[Retrying] = field(default_factory=list)
    answer: Turn | None = None

    @property
    def turn(self) -> Turn:
        assert self.answer is not None
        return self.answer

    @property
    def kind(self) -> str | None:
        """Kind of the fault that the stored answer tells of."""
        return self.turn.error.kind if self.turn.error else None


async def follow(steps: AsyncIterator[ChatStep]) -> Asked:
    """A send to its end."""
    asked = Asked()
    async for step in steps:
        if isinstance(step, Started):
            asked.started = step
        elif isinstance(step, TextDelta):
            asked.arrived += step.text
        elif isinstance(step, Retrying):
            asked.retries.append(step)
        elif isinstance(step, Ended):
            asked.answer = step.turn
    return asked


@dataclass(frozen=True)
class Asking:
    """One session in one Space, and the server that it asks."""

    services: Services
    server: FakeLLMServer
    space: SpaceId
    session: SessionId

    async def send(self, text: str, model: str = "openai/echo", **more: object) -> Asked:
        steps = self.services.chat.send(self.session, text, model=model, **more)  # type: ignore[arg-type]
        return await follow(steps)

    @property
    def turns(self) -> list[Turn]:
        return self.services.sessions.turns(self.session)

    @property
    def received(self) -> list[dict[str, str]]:
        """Messages of the last call that the server got."""
        messages: list[dict[str, str]] = self.server.requests()[-1]["messages"]
        return messages

    def proved(self) -> None:
        """Log, tables and every stored request hold."""
        prove(self.services)


def prove(services: Services) -> None:
    """Log, tables, every stored request and every checkpoint of a store hold."""
    assert services.log.verify().difference is None
    assert [verdict for verdict in services.contexts.verify() if verdict.reason] == []
    assert [check for check in services.checkpoints.verify() if check.faults] == []


Start = Callable[..., Asking]
Beside = Callable[..., AbstractContextManager[Services]]


@contextmanager
def asking_in(
    folder: Path, process: ProviderProcess, server: FakeLLMServer, **environ: str
) -> Iterator[Asking]:
    """Opens services in `folder` with one session; `environ` adds settings."""
    server.clear()
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "config.toml"
    config.write_text(CONFIG, encoding="utf-8")
    settings = wire_environ(server, SMRITI_CONFIG=str(config), **environ)
    with opened_services(folder, environ=settings, provider=ModelRouter(process)) as services:
        space = services.spaces.create("alpha").id
        yield Asking(services, server, space, services.sessions.new(space).id)
