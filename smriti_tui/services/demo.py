"""The demo: a Space with a story in a throw-away database (DESIGN 10.25).

Everything is written through the services and the one door, so that it verifies like any other
store. The recorded turns say who spoke; the answers after the mount come from the demo model and
have real stored contexts.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain import demo_story as story
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.demo_story import StoryClaim, StorySession
from smriti_tui.domain.durations import later
from smriti_tui.domain.events import (
    BranchOpened,
    ClaimTaken,
    NoteAdded,
    SessionOpened,
    SpaceCreated,
    TurnAdded,
)
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import MAIN, Door
from smriti_tui.domain.values import parse_utc, utc_text
from smriti_tui.providers.catalog import DEMO_SCRIPTED, ModelRouter
from smriti_tui.providers.demo import DemoModel
from smriti_tui.services import Services
from smriti_tui.services.caller import Caller
from smriti_tui.services.chat import ChatService
from smriti_tui.services.checkpoints import CheckpointService
from smriti_tui.services.contexts import ContextService
from smriti_tui.services.models import Limits, ModelChoice
from smriti_tui.services.sessions import SessionService
from smriti_tui.store.database import Store

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config

RECORDED = "recorded"
"""Shown as the model of the answers that no model here gave."""
TICK_S = 41
"""Between one moment of the story and the next."""

Open = Callable[["Config", Door], AbstractContextManager[Services]]


@dataclass(frozen=True)
class DemoPlace:
    """Where the demo begins: its Space, and the session with a checkpoint mounted."""

    space: SpaceId
    session: SessionId


@dataclass(frozen=True)
class Demo:
    """An open demo; `config` keeps everything that is written in the demo's folder."""

    services: Services
    config: Config
    place: DemoPlace


@contextmanager
def open_demo(open_services: Open, config: Config, door: Door = "tui") -> Iterator[Demo]:
    """Services on a seeded demo database in a temporary folder, which goes at exit.

    `open_services` is `bootstrap.open_services`. Of `config` the looks and keys count; database,
    home, settings file, actor and models are the demo's own.
    """
    folder = Path(tempfile.mkdtemp(prefix="smriti-demo-"))
    try:
        own = demo_config(config, folder)
        with open_services(own, door) as services:
            yield Demo(services, own, seed_demo(services))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def demo_config(config: Config, folder: Path) -> Config:
    """The settings of a demo that lives in `folder`."""
    return replace(
        config,
        home=folder,
        config_file=folder / "config.toml",
        database_url=str(folder / "demo.db"),
        actor=story.YOU,
        space=None,
        chat_model=DEMO_SCRIPTED,
        background_model=DEMO_SCRIPTED,
    )


def seed_demo(services: Services) -> DemoPlace:
    """Writes the story into an empty database; its times lie in the days before the store's now.

    Not for an event loop's thread: it writes, and runs a loop of its own.

    Raises:
        Conflict: the demo Space is there already. StoreError: the database failed.
    """
    clock = _Clock(parse_utc(services.caller.store.now()))
    store = Store(str(services.caller.store.path), clock.tick)
    try:
        writer = _Writer(store, clock, services.caller.door)
        _tell(writer)
    finally:
        store.close()
    return DemoPlace(story.SPACE, story.MAIN_SESSION.id)


class _Clock:
    """The story's time: set back by hand, and a little later at each look."""

    def __init__(self, present: datetime) -> None:
        self._present = present
        self._at = present

    def back(self, *, days: float = 0, hours: float = 0, minutes: float = 0) -> None:
        """From now on, that long before the present."""
        self._at = self._present - timedelta(days=days, hours=hours, minutes=minutes)

    def tick(self) -> str:
        self._at = min(self._at + timedelta(seconds=TICK_S), self._present)
        return utc_text(self._at)


class _Writer:
    """Writes as one of the story's people."""

    def __init__(self, store: Store, clock: _Clock, door: str) -> None:
        self.clock = clock
        self._store = store
        self._door = door

    def caller(self, actor: str) -> Caller:
        return Caller(self._store, actor, self._door if actor == story.YOU else "cli")

    def open_space(self) -> None:
        stream = f"space/{story.SPACE}"
        with self.caller(story.YOU).write() as scope:
            created = SpaceCreated(story.SPACE_NAME, story.SPACE_DESCRIPTION)
            scope.append(stream, created, expected_version=0)
            scope.append(stream, BranchOpened(story.MAIN_BRANCH, MAIN))

    def open_session(self, session: StorySession) -> None:
        with self.caller(story.YOU).write() as scope:
            opened = SessionOpened(session.title, story.SPACE, story.MAIN_BRANCH)
            scope.append(f"session/{session.id}", opened)

    def record(self, session: StorySession, first: int, last: int, line: int = 1) -> None:
        """Turns `first` to `last` of the recorded talk, questions at odd numbers."""
        with self.caller(story.YOU).write() as scope:
            for number in range(first, last + 1):
                text = session.turns[number - 1]
                turn = TurnAdded(number, line, "user", text, text)
                if number % 2 == 0:
                    turn = replace(turn, role="assistant", question=number - 1, model=RECORDED)
                scope.append(f"session/{session.id}", turn)

    def save(
        self,
        actor: str,
        content: CheckpointInput,
        session: SessionId | None = None,
        branch: str | None = None,
    ) -> CheckpointId:
        service = CheckpointService(self.caller(actor))
        made = service.create(story.SPACE, content, session=session, branch=branch)
        return made.checkpoint.id

    def mount(self, session: SessionId, checkpoint: CheckpointId) -> None:
        SessionService(self.caller(story.YOU)).mount(session, checkpoint)

    def note(self, checkpoint: CheckpointId, text: str) -> None:
        with self.caller(story.YOU).write() as scope:
            note = NoteAdded(story.NOTE_ID, checkpoint, text, "milestone")
            scope.append(f"space/{story.SPACE}", note)

    def claim(self, claim: StoryClaim, base: CheckpointId) -> None:
        with self.caller(claim.agent).write() as scope:
            taken = ClaimTaken(
                claim.id, claim.agent, claim.scope, claim.intent, story.MAIN_BRANCH,
                later(scope.now(), claim.hours * 3600), 1, claim.task_id, base,
            )  # fmt: skip
            scope.append(f"claims/{story.SPACE}", taken)

    def ask(self, session: SessionId, questions: tuple[str, ...]) -> None:
        """Sends to the demo model, at once and not at reading speed."""
        caller = self.caller(story.YOU)
        provider = ModelRouter(demo=DemoModel(pause_s=0))
        limits = Limits(self._store, provider)
        chat = ChatService(caller, ContextService(caller), limits, provider, _demo_choice)
        try:
            asyncio.run(_ask_all(chat, session, questions))
        finally:
            provider.close()


def _tell(writer: _Writer) -> None:
    talk, spike = story.MAIN_SESSION, story.SPIKE_SESSION
    writer.clock.back(days=3, hours=1)
    writer.open_space()
    writer.open_session(talk)
    writer.record(talk, 1, story.FRAME_TURNS)
    writer.save(story.YOU, story.FRAME_CHECKPOINT, talk.id)
    writer.clock.back(days=1, hours=3)
    writer.record(talk, story.FRAME_TURNS + 1, story.UNSAVED_TURNS)
    choice = writer.save(story.YOU, story.CHOICE_CHECKPOINT, talk.id)
    writer.note(choice, story.MILESTONE)
    writer.clock.back(days=1)
    writer.open_session(spike)
    writer.mount(spike.id, choice)
    writer.record(spike, 1, len(spike.turns), line=2)
    writer.save(story.CLAUDE, story.SPIKE_CHECKPOINT, spike.id, story.EXPLORE)
    writer.clock.back(hours=5)
    writer.open_session(story.HINDI_SESSION)
    writer.record(story.HINDI_SESSION, 1, len(story.HINDI_SESSION.turns))
    writer.clock.back(hours=2)
    kept = writer.save(story.CODEX, story.KEPT_CHECKPOINT)
    writer.clock.back(hours=1)
    for claim in story.CLAIMS:
        writer.claim(claim, kept)
    writer.clock.back(minutes=15)
    writer.mount(talk.id, choice)
    writer.ask(talk.id, story.MOUNTED_QUESTIONS)


def _demo_choice(name: str | None) -> ModelChoice:
    return ModelChoice(name or DEMO_SCRIPTED, DEMO_SCRIPTED)


async def _ask_all(chat: ChatService, session: SessionId, questions: tuple[str, ...]) -> None:
    for question in questions:
        async for _ in chat.send(session, question):
            pass
