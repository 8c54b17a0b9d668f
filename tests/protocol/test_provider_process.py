"""The life of the provider process: what it prints, what it knows, how it ends. Fresh ones."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from smriti_tui.providers import wire
from smriti_tui.providers.base import Chunk, Loading, Message, ModelCall, TextDelta
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.providers.pipe import PROGRAM, ROOT, child_environment
from tests.fakes.llm_server import FakeLLMServer
from tests.protocol.calling import KEY, WIRES, Outcome, call_of, outcome_of


def gone(pid: int, within_s: float) -> bool:
    """Whether no such process is left after at most `within_s`; a zombie counts as gone."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def raw_replies(child: subprocess.Popen[bytes], want: int) -> Iterator[dict[str, object]]:
    """Every line that comes, each of which must be a message, until `want` calls have ended."""
    assert child.stdout is not None
    while want:
        line = child.stdout.readline()
        assert line, "the process ended"
        message = json.loads(line)
        assert isinstance(message, dict)
        want -= message["type"] in ("finished", "failed")
        yield message


def test_its_output_is_the_protocol_and_nothing_else(server: FakeLLMServer) -> None:
    """P13: banners, provider lists and warnings of the library reach neither pipe."""
    child = subprocess.Popen(
        [sys.executable, "-m", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**child_environment(os.environ), "PYTHONWARNINGS": "ignore"},
    )
    assert child.stdin is not None
    assert child.stderr is not None
    calls = [call_of(server, "anthropic", "echo"), call_of(server, "openai", "echo")]
    calls += [call_of(server, protocol, "unauthorized") for protocol in WIRES]
    calls += [call_of(server, "anthropic", "drop-mid-stream"), call_of(server, "openai", "reset")]
    calls.append(ModelCall("nosuch/model-x", (Message("user", "hi"),), 10))
    for number, call in enumerate(calls, 1):
        child.stdin.write(wire.encode(wire.chat(number, call)))
    child.stdin.flush()
    replies = list(raw_replies(child, len(calls)))
    assert replies[0] == {"type": "ready"}
    ended = {r["id"]: r["type"] for r in replies if r["type"] in ("finished", "failed")}
    assert ended == {1: "finished", 2: "finished", **dict.fromkeys(range(3, 8), "failed")}
    assert KEY not in json.dumps(replies)
    began = time.monotonic()
    rest, errors = child.communicate(timeout=5)
    assert time.monotonic() - began < 1
    assert (child.returncode, rest, errors) == (0, b"", b"")


def test_keys_are_in_neither_its_arguments_nor_its_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hostile = "from pathlib import Path\nPath(__file__ + '.ran').touch()\n"
    for name in ("json.py", "litellm.py", "asyncio.py"):
        (tmp_path / name).write_text(hostile)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("HF_TOKEN", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with ProviderProcess() as process:
        process.start()
        pid = process.pid
        assert pid is not None
        time.sleep(0.3)
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
        assert PROGRAM.encode() in arguments
        assert KEY.encode() not in environment + arguments
        assert b"OPENAI_BASE_URL" not in environment
        assert b"HTTPS_PROXY=" in environment
        assert os.getpgid(pid) != os.getpgid(0)
        began = time.monotonic()
        process.close()
        assert time.monotonic() - began < 1
        assert gone(pid, 0.1)
    assert list(tmp_path.glob("*.ran")) == []


async def told_when_begun(
    process: ProviderProcess, call: ModelCall, seen: asyncio.Event
) -> Outcome:
    """The outcome of `call`; `seen` is set when its first words come."""

    class Watching:
        async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
            async for chunk in process.stream(call):
                if isinstance(chunk, TextDelta):
                    seen.set()
                yield chunk

    return await outcome_of(Watching(), call)


async def test_it_loads_dies_and_is_started_anew(server: FakeLLMServer) -> None:
    with ProviderProcess() as process:
        before = process.pid
        assert before is None
        async with aclosing(process.stream(call_of(server, "openai", "echo", "never"))) as early:
            assert isinstance(await anext(early), Loading)
        first = await outcome_of(process, call_of(server, "openai", "echo"))
        assert first.text == "hello there"
        loading = [c.elapsed_s for c in first.chunks if isinstance(c, Loading)]
        assert loading == sorted(loading)
        assert len(loading) > 1
        assert process.ready
        assert [r["messages"][-1]["content"] for r in server.requests()] == ["hello there"]

        pid = process.pid
        assert pid is not None
        begun = [asyncio.Event(), asyncio.Event()]
        calls = [
            asyncio.create_task(
                told_when_begun(process, call_of(server, w, "slow", retries=2), seen)
            )
            for w, seen in zip(WIRES, begun, strict=True)
        ]
        await asyncio.gather(*(seen.wait() for seen in begun))
        os.kill(pid, signal.SIGKILL)
        killed = await asyncio.gather(*calls)
        assert [o.kind for o in killed] == ["child_died", "child_died"]
        assert all(o.text.startswith("alpha ") and not o.retries for o in killed)
        assert gone(pid, 1)

        again = await outcome_of(process, call_of(server, "anthropic", "echo"))
        assert again.text == "hello there"
        last = process.pid
        assert last not in (None, pid)
        began = time.monotonic()
        await process.aclose()
        assert time.monotonic() - began < 1
        assert last is not None
        assert gone(last, 0.1)


async def test_a_process_that_stopped_dead_is_killed_on_close(server: FakeLLMServer) -> None:
    process = ProviderProcess()
    process.start()
    pid = process.pid
    assert pid is not None
    call = asyncio.create_task(
        outcome_of(process, call_of(server, "openai", "echo", "x" * 300_000))
    )
    await asyncio.sleep(0.2)
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    await process.aclose()
    assert time.monotonic() - began < 1
    assert gone(pid, 0.2)
    outcome = await call
    assert outcome.kind == "child_died"
    assert "openai" in outcome.told


PARENT = """
import os, signal, sys, time
from smriti_tui.providers.child import ProviderProcess
process = ProviderProcess()
process.start()
print(process.pid, flush=True)
{then}
"""


@pytest.mark.parametrize(
    "then",
    ["os.kill(os.getpid(), signal.SIGKILL)", "sys.exit(0)", "raise RuntimeError('fault')"],
    ids=["killed", "left", "raised"],
)
def test_it_never_outlives_the_program_that_started_it(then: str) -> None:
    """While the library is loading, which is when it is hardest to stop."""
    parent = subprocess.run(
        [sys.executable, "-c", PARENT.format(then=f"time.sleep(0.4); {then}")],
        cwd=ROOT,
        capture_output=True,
        timeout=10,
        check=False,
    )
    assert gone(int(parent.stdout), 1.5)


def test_the_client_loads_no_provider_library() -> None:
    code = (
        "import sys, smriti_tui.providers.catalog\n"
        "heavy = ('litellm', 'httpx', 'openai', 'pydantic', 'textual')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert out.stdout == b"[]\n"
