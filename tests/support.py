"""What many tests need: a store in a folder, services on it, a clock that moves by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from smriti_tui.bootstrap import build_services
from smriti_tui.config.settings import load_config
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Door, Item, Turn
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.demo import DemoModel
from smriti_tui.services import Services
from smriti_tui.services.steps import ChatStep, Ended
from smriti_tui.store.database import Store
from tests.opening import START, opened_store, ticking_clock

__all__ = [
    "START", "content", "ended", "opened_services", "opened_store", "send", "ticking_clock",
]  # fmt: skip


@contextmanager
def opened_services(
    folder: Path,
    *,
    environ: dict[str, str] | None = None,
    actor: str = "ada",
    door: Door = "cli",
    provider: ModelRouter | None = None,
    now: Callable[[], str] | None = None,
) -> Iterator[Services]:
    """Services on `folder/smriti.db` with the demo model without pauses, or a given provider; the
    clock ticks by itself, or is a given one."""
    settings = {
        "HOME": str(folder),
        "SMRITI_HOME": str(folder),
        "SMRITI_ACTOR": actor,
        "SMRITI_CHAT_MODEL": "demo/scripted",
        **(environ or {}),
    }
    config = load_config(environ=settings)
    router = provider or ModelRouter(demo=DemoModel(pause_s=0))
    store = Store(config.database_url, now or ticking_clock())
    try:
        yield build_services(config, store, router, door)
    finally:
        if provider is None:
            router.close()
        store.close()


async def ended(steps: AsyncIterator[ChatStep]) -> Turn:
    """The stored answer at the end of a send."""
    last: ChatStep | None = None
    async for step in steps:
        last = step
    assert isinstance(last, Ended)
    return last.turn


async def send(services: Services, session: SessionId, text: str, **more: object) -> Turn:
    return await ended(services.chat.send(session, text, **more))  # type: ignore[arg-type]


def content(title: str, *decisions: str) -> CheckpointInput:
    """A small checkpoint."""
    return CheckpointInput(title=title, decisions=tuple(Item("", text) for text in decisions))
