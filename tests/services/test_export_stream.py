"""A long export holds little at a time, shows one state, and is never seen half written."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.domain.events import TurnAdded
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.services import Services
from smriti_tui.services.export_files import write_file
from tests.support import opened_services

TURNS = 6_000
WORDS = "as many words as somebody says at once, roughly. " * 27
PEAK_BYTES = 8 * 1024 * 1024
"""Of memory, above what a thousand turns take; the words alone are 8 MB, and written ten times."""

Long = tuple[Services, SpaceId, SessionId]


def _fill(services: Services, session: SessionId, first: int, last: int) -> None:
    with services.caller.write() as scope:
        for number in range(first, last + 1):
            text = f"{number}: {WORDS}"
            turn = TurnAdded(number, 1, "user", text, text)
            scope.append(f"session/{session}", turn)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Long]:
    with opened_services(tmp_path_factory.mktemp("long")) as services:
        space = services.spaces.create("Long")
        session = services.sessions.new(space.id, title="Talk")
        _fill(services, session.id, 1, TURNS)
        yield services, space.id, session.id


MEASURE = """
import resource, sys
from pathlib import Path
from tests.support import opened_services

def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

home, out, short, long = sys.argv[1:]
with opened_services(Path(home)) as services:
    exporting = services.exporting
    for space in (short, long):
        before = peak()
        chosen = exporting.select(space=space)
        for name in ("md", "json", "jsonl"):
            exporting.to_file(chosen, name, Path(out) / f"{space}.{name}")
        exporting.to_folder(chosen, Path(out) / space)
print(peak() - before)
"""


def test_memory_does_not_grow_with_the_history(long: Long, tmp_path: Path) -> None:
    services, space, _ = long
    short = services.spaces.create("Short")
    _fill(services, services.sessions.new(short.id, title="Talk").id, 1, 1000)
    home = services.caller.store.path.parent
    command = [sys.executable, "-c", MEASURE, str(home), str(tmp_path), short.id, space]
    told = subprocess.run(command, check=True, timeout=120, capture_output=True, text=True)
    written = [path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()]
    assert sum(written) > 4 * TURNS * len(WORDS)
    assert int(told.stdout) < PEAK_BYTES


def test_an_export_shows_one_state_while_others_write(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        space = services.spaces.create("Busy")
        session = services.sessions.new(space.id, title="Talk")
        _fill(services, session.id, 1, 600)
        texts = services.exporting.text(services.exporting.select(space=space.id), "json")
        read = [next(texts) for _ in range(40)]
        script = (
            "import sys\n"
            "from pathlib import Path\n"
            "from tests.services.test_export_stream import _fill\n"
            "from tests.support import opened_services\n"
            "with opened_services(Path(sys.argv[1]), actor='other') as services:\n"
            "    _fill(services, sys.argv[2], 601, 650)\n"
        )
        command = [sys.executable, "-c", script, str(tmp_path), session.id]
        subprocess.run(command, check=True, timeout=60)
        value = json.loads("".join([*read, *texts]))
        (held,) = value["state"]["spaces"][0]["sessions"]
        assert len(held["turns"]) == 600
        assert held["last_seq"] == 600
        assert len(value["events"]) == 603
        assert services.sessions.get(session.id).last_seq == 650


def test_the_file_is_the_old_one_until_the_new_one_is_whole(long: Long, tmp_path: Path) -> None:
    services, space, _ = long
    target = tmp_path / "STATE.md"
    target.write_text("the last one\n", encoding="utf-8")
    target.chmod(0o640)
    seen: set[str] = set()

    def watched() -> Iterator[str]:
        chosen = services.exporting.select(space=space)
        for number, text in enumerate(services.exporting.text(chosen, "md")):
            if number % 1000 == 0:
                seen.add(target.read_text(encoding="utf-8"))
            yield text

    write_file(target, watched())
    assert seen == {"the last one\n"}
    assert target.stat().st_size > TURNS * len(WORDS)
    assert target.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["STATE.md"]
