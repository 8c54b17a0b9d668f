"""Imports: 100,000 turns in batches beside a bare insert of the same, and how long others wait;
a session of a gigabyte with pictures, and how much memory it takes."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

from smriti_tui.domain.import_report import Watch
from smriti_tui.services.importing import Options
from smriti_tui.services.logs import NewEvent
from tests.bench.figures import Budget, Figure, compared, told
from tests.bench.programs import home_environment
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import services_at, words

TURNS = 100_000
IN_ONE = 100
ROUNDS = 3
LEAST = 5_000
WAIT_MS = 250
EACH_S = 0.1
"""Between two writes of the other program: ten in a second, as a busy agent."""
MEMORY_MB = 200
GIGABYTE = 1 << 30
PICTURE = 4 << 20


def importing(plan: Plan) -> list[Figure]:
    """Speed, waits and memory."""
    return [*_speed(plan), *_memory(plan)]


def _speed(plan: Plan) -> list[Figure]:
    turns = plan.size(TURNS)
    file = plan.new_folder("export") / "conversations.json"
    texts = _export(file, turns)
    say(f"  {turns:,} turns, {file.stat().st_size / 1e6:,.0f} MB")
    waits: list[float] = []
    found = interleaved(
        plan.rounds(ROUNDS),
        {"ours": lambda: _import(plan, file, turns, waits), "bare": lambda: _bare(plan, texts)},
    )
    return [
        compared(
            "importing", f"{turns:,} turns of an export, another program writing", "turns/s",
            found["ours"], "a bare insert of the same texts, 200 in a transaction", found["bare"],
            how="ratio",
        ),
        told(
            "importing", f"{turns:,} turns of an export", "turns/s", found["ours"],
            budget=Budget(LEAST, at_least=True),
        ),
        told(
            "importing", "worst wait of the other program's write", "ms",
            [max(waits, default=0.0)], budget=Budget(WAIT_MS), note=f"of {len(waits):,} writes",
        ),
    ]  # fmt: skip


def _export(file: Path, turns: int) -> list[str]:
    number = 0
    texts: list[str] = []
    with file.open("w", encoding="utf-8") as out:
        out.write("[")
        for talk in range(turns // IN_ONE):
            mapping: dict[str, object] = {}
            before: str | None = None
            for place in range(IN_ONE):
                number += 1
                name, text = f"m{talk}-{place}", f"{words(number, 60)} {number}"
                texts.append(text)
                role = "assistant" if place % 2 else "user"
                mapping[name] = {
                    "id": name, "parent": before,
                    "message": {
                        "author": {"role": role}, "create_time": 1767583900 + place,
                        "content": {"content_type": "text", "parts": [text]}, "recipient": "all",
                        "metadata": {"model_slug": "model-x"} if place % 2 else {},
                    },
                }  # fmt: skip
                before = name
            item = {"id": f"c{talk}", "title": f"Talk {talk}", "current_node": before}
            out.write("," * bool(talk) + json.dumps({**item, "mapping": mapping}))
        out.write("]")
    return texts


def _import(plan: Plan, file: Path, turns: int, waits: list[float]) -> float:
    """Turns in a second, while another program appends an event every 20 ms."""
    home = plan.new_folder("home")
    stop = threading.Event()
    with services_at(home) as services:
        space = services.spaces.create("Work").id
        beside = threading.Thread(target=_write_beside, args=(home, stop, waits))
        beside.start()
        start = time.perf_counter()
        report = services.importing.run(space, [file], Options(), Watch())
        took = time.perf_counter() - start
        stop.set()
        beside.join()
    assert report.turns == turns
    return turns / took


def _write_beside(home: Path, stop: threading.Event, waits: list[float]) -> None:
    """In a process of its own, which tells how long each write took."""
    code = (
        "import sys, time\n"
        "from tests.bench.importing import write_until_told\n"
        "write_until_told(sys.argv[1])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, env=home_environment(home),
    )  # fmt: skip
    stop.wait()
    out, _ = process.communicate("stop\n")
    waits += [float(line) for line in out.split()]


def write_until_told(home: str) -> None:
    """The other program."""
    told_to_stop = threading.Event()

    def wait() -> None:
        sys.stdin.readline()
        told_to_stop.set()

    threading.Thread(target=wait, daemon=True).start()
    with services_at(Path(home)) as services:
        services.log.append("notes", [NewEvent("said", {"n": 0})])
        while not told_to_stop.wait(EACH_S):
            start = time.perf_counter()
            services.log.append("notes", [NewEvent("said", {"n": 1})])
            print((time.perf_counter() - start) * 1000)


def _bare(plan: Plan, texts: list[str]) -> float:
    """The same texts into one table, in transactions of 200, as safe as ours."""
    path = plan.new_folder("bare") / "bare.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE turn (id INTEGER PRIMARY KEY, role TEXT, text TEXT)")
    start = time.perf_counter()
    for at in range(0, len(texts), 200):
        connection.execute("BEGIN IMMEDIATE")
        for text in texts[at : at + 200]:
            connection.execute("INSERT INTO turn (role, text) VALUES (?, ?)", ("user", text))
        connection.execute("COMMIT")
    took = time.perf_counter() - start
    connection.close()
    return len(texts) / took


# ---- memory --------------------------------------------------------------------------------------


def _memory(plan: Plan) -> list[Figure]:
    size = plan.size(GIGABYTE)
    file = plan.new_folder("session") / "session.jsonl"
    lines = _session(file, size)
    say(f"  a session of {lines:,} lines, {file.stat().st_size / 1e6:,.0f} MB")
    peak, took = _peak(plan.new_folder("home"), file)
    return [
        told(
            "importing", f"peak memory beyond start-up, a session of {size >> 20:,} MB", "MB",
            [peak], budget=Budget(MEMORY_MB),
        ),
        told("importing", f"the session of {size >> 20:,} MB", "MB/s", [size / 1e6 / took]),
    ]  # fmt: skip


def _session(file: Path, size: int) -> int:
    """Lines of Claude Code: a person, a model, its tools, and every tenth line a picture."""
    picture = "QUFB" * (PICTURE // 4)
    number, before = 0, None
    with file.open("w", encoding="utf-8") as out:
        while out.tell() < size:
            content: object = words(number, 60)
            kind = "user" if number % 2 == 0 else "assistant"
            if number % 10 == 4:
                content = [
                    {"type": "image",
                     "source": {"type": "base64", "media_type": "image/png", "data": picture}}
                ]  # fmt: skip
            elif kind == "assistant":
                content = [{"type": "text", "text": content}]
            name = f"u{number}"
            out.write(json.dumps({
                "type": kind, "uuid": name, "parentUuid": before, "sessionId": "s",
                "timestamp": f"2026-03-01T09:00:00.{number % 1000:03}Z", "cwd": "/p",
                "message": {"role": kind, "id": f"r{number}", "model": "m", "content": content},
            }) + "\n")  # fmt: skip
            before, number = name, number + 1
    return number


def _peak(home: Path, file: Path) -> tuple[float, float]:
    """Megabytes above what the program has before it reads, and seconds."""
    code = (
        "import sys\n"
        "from tests.bench.importing import measure_peak\n"
        "measure_peak(sys.argv[1], sys.argv[2])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(home), str(file)], capture_output=True, text=True,
        check=True, env=home_environment(home),
    )  # fmt: skip
    peak, took = done.stdout.split()
    return float(peak), float(took)


def measure_peak(home: str, file: str) -> None:
    """In a process of its own: imports a file, prints megabytes and seconds."""
    with services_at(Path(home)) as services:
        space = services.spaces.create("Work").id
        before = _highest_kb()
        start = time.perf_counter()
        services.importing.run(space, [Path(file)], Options(), Watch())
        took = time.perf_counter() - start
        peak = _highest_kb()
    print((peak - before) / 1024, took)


def _highest_kb() -> int:
    """The most memory that this process has had, in kB; what it was forked from does not count."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0
