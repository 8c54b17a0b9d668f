"""Another process on the same store, driven by JSON lines; also one that dies in mid-send.

python -m tests.services.second_process          answers commands until its input ends
python -m tests.services.second_process crash    stores one send and kills itself at once
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import TracebackType

from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.services import Services
from tests.support import content, opened_services, send


class SecondProcess:
    """The test's end. Its provider process stays warm over all stores it opens."""

    def __init__(self) -> None:
        self._process = _spawn([])

    def __enter__(self) -> SecondProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.stdin.close()  # type: ignore[union-attr]
        self._process.wait(20)

    def open(self, folder: Path, environ: dict[str, str]) -> None:
        self._ask({"op": "open", "folder": str(folder), "environ": environ})

    def send(self, session: SessionId, text: str, model: str) -> str:
        """Sends and waits for the answer; its status."""
        return str(self._ask({"op": "send", "session": session, "text": text, "model": model}))

    def do(self, service: str, verb: str, *arguments: object) -> None:
        """Any verb of a service that takes plain values."""
        self._ask({"op": "do", "service": service, "verb": verb, "arguments": arguments})

    def save(self, space: SpaceId, title: str) -> None:
        """A small checkpoint on main."""
        self._ask({"op": "save", "space": space, "title": title})

    def close_store(self) -> None:
        self._ask({"op": "close"})

    def _ask(self, command: dict[str, object]) -> object:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        if "error" in reply:
            raise AssertionError(reply["error"])
        return reply["result"]


def crash_in_send(
    folder: Path, environ: dict[str, str], session: SessionId, text: str, model: str
) -> None:
    """A process that dies between storing a send and its first word."""
    command = {
        "folder": str(folder),
        "environ": environ,
        "session": session,
        "text": text,
        "model": model,
    }
    process = _spawn(["crash"])
    process.communicate(json.dumps(command), timeout=60)
    assert process.returncode == -signal.SIGKILL


def _spawn(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.services.second_process", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


# ---- the program -------------------------------------------------------------------------------


def serve() -> None:
    with ExitStack() as warm:
        router = ModelRouter()
        warm.callback(router.close)
        opened = ExitStack()
        services: Services | None = None
        for line in sys.stdin:
            command = json.loads(line)
            try:
                result: object = None
                if command["op"] == "send" and services is not None:
                    session = SessionId(command["session"])
                    turn = asyncio.run(
                        send(services, session, command["text"], model=command["model"])
                    )
                    result = turn.status
                elif command["op"] == "do" and services is not None:
                    getattr(getattr(services, command["service"]), command["verb"])(
                        *command["arguments"]
                    )
                elif command["op"] == "save" and services is not None:
                    services.checkpoints.create(
                        SpaceId(command["space"]), content(command["title"], command["title"])
                    )
                else:
                    opened.close()
                    if command["op"] == "open":
                        services = opened.enter_context(_services(command, router))
            except Exception as error:  # noqa: BLE001 (the test's end raises it)
                sys.stdout.write(json.dumps({"error": repr(error)}) + "\n")
            else:
                sys.stdout.write(json.dumps({"result": result}) + "\n")
            sys.stdout.flush()


def _services(
    command: dict[str, object], router: ModelRouter | None = None
) -> AbstractContextManager[Services]:
    environ: dict[str, str] = command["environ"]  # type: ignore[assignment]
    return opened_services(
        Path(str(command["folder"])), environ=environ, actor="bob", provider=router
    )


async def _crash(services: Services, command: dict[str, str]) -> None:
    steps = services.chat.send(
        SessionId(command["session"]), command["text"], model=command["model"]
    )
    await anext(steps)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    if sys.argv[1:] == ["crash"]:
        given = json.loads(sys.stdin.read())
        with _services(given) as theirs:
            asyncio.run(_crash(theirs, given))
    else:
        serve()
