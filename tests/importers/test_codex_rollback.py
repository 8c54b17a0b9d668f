"""What was taken back in Codex is a side branch; a file that grows keeps its ids; memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from smriti_tui.domain.imported import Thread
from smriti_tui.importers import codex
from tests.importers.codex_records import call, event, message, meta, record, shown, typed
from tests.importers.support import json_lines, one, said, sample, source, whole

MAX_MEMORY = 150 << 20


def back(turns: object) -> dict[str, object]:
    return event("thread_rolled_back", num_turns=turns)


def asked(number: int) -> list[dict[str, object]]:
    return [typed(f"q{number}"), shown(f"a{number}")]


def read(folder: Path, *records: object) -> Thread:
    (thread,) = whole(codex.threads(source(folder, json_lines(meta(), *records))))
    return thread


def texts(thread: Thread) -> list[str]:
    return [turn.text for turn in thread.turns()]


def lines(thread: Thread) -> list[tuple[list[str], int]]:
    return [([turn.text for turn in each.turns()], each.own) for each in thread.branches]


def test_what_was_taken_back_is_a_branch(tmp_path: Path) -> None:
    thread = read(tmp_path, *asked(1), *asked(2), *asked(3), call("a", "1"), back(2), *asked(4))
    assert texts(thread) == ["q1", "a1", "q4", "a4"]
    assert lines(thread) == [(["q1", "a1", "q2", "a2", "q3", "a3"], 4)]
    assert thread.left_out["details of what was rolled back"] == 1


def test_taken_back_again_and_further(tmp_path: Path) -> None:
    thread = read(
        tmp_path, *asked(1), *asked(2), *asked(3), back(1), *asked(4), back(2), back(1), *asked(5)
    )
    assert texts(thread) == ["q5", "a5"]
    assert lines(thread) == [
        (["q1", "a1", "q2", "a2", "q3", "a3"], 6),
        (["q1", "a1", "q2", "a2", "q4", "a4"], 6),
    ]
    assert thread.title == "q5"


def test_more_than_there_is_takes_all_back(tmp_path: Path) -> None:
    thread = read(tmp_path, *asked(1), back(99))
    assert (texts(thread), thread.count, thread.title) == ([], 0, "q1")
    assert lines(thread) == [(["q1", "a1"], 2)]


def test_a_roll_back_without_a_number_takes_nothing_back(tmp_path: Path) -> None:
    for number in (0, -1, "2", None, True, 1.5):
        thread = read(tmp_path, *asked(1), back(number))
        assert (texts(thread), thread.branches) == (["q1", "a1"], ())


def test_a_long_session_of_roll_backs_is_read_in_time(tmp_path: Path) -> None:
    records = [each for n in range(1_500) for each in (*asked(n), *asked(n), back(1))]
    thread = one(codex.threads(source(tmp_path, json_lines(meta(), *records))))
    assert (thread.count, len(thread.branches)) == (3_000, 1_500)
    assert {each.own for each in thread.branches} == {2}


LONG = json_lines(
    meta(), message("user", "<environment_context>x"), record("turn_context", model="m"),
    message("user", "q1"), typed("q1"), call("a", "1"), shown("c1", "commentary"),
    message("assistant", "c1", phase="commentary"), shown("a1"), message("assistant", "a1"),
    message("user", "q2"), typed("q2"), shown("c2", "commentary"), message("user", "q3"),
    typed("q3"), record("compacted", message="sum"), shown("a3"), back(1), typed("q4"), shown("a4"),
)  # fmt: skip


def test_a_file_that_grows_keeps_its_turns(tmp_path: Path) -> None:
    for content in (LONG, sample("codex.jsonl"), sample("codex_old.jsonl")):
        (full,) = whole(codex.threads(source(tmp_path, content)))
        known = {turn.source_id: turn for turn in full.turns()}
        known |= {turn.source_id: turn for each in full.branches for turn in each.turns()}
        for cut in range(0, len(content), 7):
            for part in whole(codex.threads(source(tmp_path, content[:cut], "part"))):
                assert part.source_id == full.source_id
                for turn in part.turns():
                    assert turn.text == known[turn.source_id].text
                    assert turn.role == known[turn.source_id].role


def test_the_long_file_itself(tmp_path: Path) -> None:
    (thread,) = whole(codex.threads(source(tmp_path, LONG)))
    assert said(thread.turns()) == [
        ("user", "q1"), ("assistant", "a1"), ("user", "q2"), ("assistant", "c2"),
        ("user", "q4"), ("assistant", "a4"),
    ]  # fmt: skip


PROBE = """
import resource, sys
from pathlib import Path
from smriti_tui.importers import codex
from smriti_tui.importers.files import SourceFile

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

path = Path(sys.argv[1])
before = peak()
(thread,) = codex.threads(SourceFile(path, path.name))
found = sum(len(turn.details) for turn in thread.turns())
print(thread.count, found, (peak() - before) * (1 if sys.platform == "darwin" else 1024))
"""


def test_pictures_do_not_fill_the_memory(tmp_path: Path) -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64," + "iVBO" * (5 << 18)}
    found = {"type": "function_call_output", "call_id": "1", "output": [picture]}
    line = json.dumps(record("response_item", **found)).encode() + b"\n"
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        file.write(json_lines(meta(), typed("Look")))
        for _ in range(40):
            file.write(line)
        file.write(json_lines(shown("Seen.")))
    assert path.stat().st_size > 200 << 20
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(path)], capture_output=True, text=True, check=True
    )
    count, details, memory = map(int, done.stdout.split())
    assert (count, details) == (2, 80)
    assert memory < MAX_MEMORY
