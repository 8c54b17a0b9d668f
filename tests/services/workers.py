"""Programs that work beside a test and may be killed: python -m tests.services.workers WORK FOLDER.

Settings come as JSON on the standard input. Each line that it prints tells of something that has
happened.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, new_id
from smriti_tui.providers.base import TextDelta
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.services import Services
from smriti_tui.services.steps import Ended, Started
from smriti_tui.store.eventlog import NewEvent
from tests.support import content, ended, opened_services, send


class Worker:
    """The test's end."""

    def __init__(self, work: str, folder: Path, environ: Mapping[str, str], **more: object) -> None:
        self.said: list[dict[str, Any]] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.services.workers", work, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._write({"environ": dict(environ), **more})

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        return self._process.pid

    def hear(self, what: str) -> dict[str, Any]:
        """Waits for a line of that kind."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(json.loads(line))
            if self.said[-1]["what"] == what:
                return self.said[-1]
        raise AssertionError(f"it ended without {what}: {self.said[-3:]}")

    def go(self, **more: object) -> None:
        self._write(more)

    def kill(self) -> float:
        """Kills it, reads what it had said, and tells when it was killed (monotonic)."""
        self._process.kill()
        moment = time.monotonic()
        out, _ = self._process.communicate()
        for line in out.splitlines():
            try:
                self.said.append(json.loads(line))
            except ValueError:
                # Cut in the middle of a line.
                continue
        return moment

    def _write(self, order: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()


# ---- the program -------------------------------------------------------------------------------


def say(what: str, **more: object) -> None:
    sys.stdout.write(json.dumps({"what": what, "at": time.monotonic(), **more}) + "\n")
    sys.stdout.flush()


def heard() -> dict[str, Any]:
    order: dict[str, Any] = json.loads(sys.stdin.readline())
    return order


async def ask(services: Services, order: dict[str, Any]) -> None:
    session = SessionId(order["session"])
    size = 0
    async for step in services.chat.send(session, order["text"], model=order["model"]):
        if isinstance(step, Started):
            say("stored", question=step.begun.question)
        elif isinstance(step, TextDelta):
            size += len(step.text)
            say("arrived", size=size)
        elif isinstance(step, Ended):
            say("ended", status=step.turn.status)


def sender(folder: Path, environ: dict[str, str]) -> None:
    """Has a provider process of its own, warm, and sends when told to."""
    router = ModelRouter()
    with opened_services(folder, environ=environ, provider=router) as services:
        asyncio.run(router.limits("openai/words"))
        say("ready", child=router._process.pid)
        asyncio.run(ask(services, heard()))
        say("done")
        heard()


class Commands:
    """Every writing command of the services, again and again; each is told once it has returned."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.space: SpaceId = services.spaces.create("victim").id
        self.session: SessionId = services.sessions.new(self.space).id
        self.saved: list[CheckpointId] = []

    def run(self) -> None:
        commands: list[Callable[[int], object]] = [
            self.append, self.space_made, self.space_changed, self.session_made, self.renamed,
            self.asked, self.saved_one, self.mounted, self.asked, self.chosen, self.saved_beside,
            self.unmounted, self.attached, self.deleted, self.unsent,
        ]  # fmt: skip
        say("ready", session=self.session, space=self.space)
        heard()
        for n in itertools.count():
            command = commands[n % len(commands)]
            say("done", command=command.__name__, n=n, result=command(n))

    def append(self, n: int) -> object:
        events = [NewEvent("t", {"n": n, "part": part}) for part in range(3)]
        return [event.version for event in self.services.log.append("tracker", events)]

    def space_made(self, n: int) -> object:
        return self.services.spaces.create(f"space {n}").id

    def space_changed(self, n: int) -> object:
        self.services.spaces.change(self.space, description=f"now {n}")
        return f"now {n}"

    def session_made(self, n: int) -> object:
        return self.services.sessions.new(self.space, title=f"session {n}").id

    def renamed(self, n: int) -> object:
        return self.services.sessions.rename(self.session, f"title {n}").title

    def asked(self, n: int) -> object:
        answer = asyncio.run(send(self.services, self.session, f"question {n}"))
        if n % 2:
            answer = asyncio.run(ended(self.services.chat.retry(self.session)))
        return answer.sequence_number

    def saved_one(self, n: int) -> object:
        on_line = self.services.contexts.view(self.session).line.line > 1
        self.saved.append(
            self.services.checkpoints.create(
                self.space,
                content(f"state {n}", f"decided {n}"),
                session=self.session,
                branch=new_id() if on_line else None,
            ).checkpoint.id
        )
        return self.saved[-1]

    def saved_beside(self, n: int) -> object:
        from smriti_tui.services.beside import BesideService

        beside = BesideService(self.services.checkpoints)
        start = self.saved[-1]
        made = beside.create(self.space, content(f"beside {n}"), branch=f"b{n}", start=start)
        return made.checkpoint.id

    def mounted(self, n: int) -> object:
        return self.services.sessions.mount(self.session, random.choice(self.saved)).line

    def unmounted(self, n: int) -> object:
        self.services.sessions.unmount(self.session)
        return None

    def chosen(self, n: int) -> object:
        turns = self.services.sessions.turns(self.session)
        return self.services.chat.choose(self.session, turns[-1].sequence_number).sequence_number

    def attached(self, n: int) -> object:
        fresh = self.services.sessions.new_fresh().id
        return self.services.sessions.attach(fresh, self.space).id

    def deleted(self, n: int) -> object:
        session = self.services.sessions.new(self.space).id
        self.services.sessions.delete(session)
        space = self.services.spaces.create("short").id
        self.services.spaces.delete(space)
        return [session, space]

    def unsent(self, n: int) -> object:
        self.services.caller.store.side.save_unsent("prompt/x", "me", f"typed {n}")
        return f"typed {n}"


def commander(folder: Path, environ: dict[str, str]) -> None:
    with opened_services(folder, environ=environ) as services:
        Commands(services).run()


async def race(services: Services, order: dict[str, Any], name: str) -> None:
    """Sends and appends in turn; a send is told with its numbers."""
    session = SessionId(order["session"])
    for n in range(order["rounds"]):
        events = [NewEvent("t", {"who": name, "n": n, "part": part}) for part in range(3)]
        stored = services.log.append("tracker", events)
        say("appended", versions=[event.version for event in stored])
        turn = await send(services, session, f"question {n} of {name}")
        assert turn.status == "complete"
        say("answered", question=turn.question, answer=turn.sequence_number, name=name, n=n)


def racer(folder: Path, environ: dict[str, str]) -> None:
    """Runs one race after the other, each in a folder of its own."""
    name = environ["NAME"]
    say("up")
    while (order := heard()).get("folder"):
        with opened_services(Path(order["folder"]), actor=name) as services:
            services.spaces.all()
            say("ready")
            heard()
            asyncio.run(race(services, order, name))
        say("done")


if __name__ == "__main__":
    from tests.services.drafter import drafter

    WORK = {"sender": sender, "commander": commander, "racer": racer, "drafter": drafter}
    WORK[sys.argv[1]](Path(sys.argv[2]), heard()["environ"])
