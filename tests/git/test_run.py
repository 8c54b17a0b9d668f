"""Calling git: bounded, deaf, and nothing is left behind."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from smriti_tui.domain.errors import GitError
from smriti_tui.git.run import run
from tests.git.repository import repository

HANGING = """#!/bin/sh
sleep 300 &
echo $! > "$GRANDCHILD"
sleep 300
"""


@pytest.fixture
def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program named git in front of the real one, to be written by the test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "git"


def script(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (OSError, IndexError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_time_is_limited_and_grandchildren_go_too(
    tmp_path: Path, fake_git: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "pid"
    monkeypatch.setenv("GRANDCHILD", str(note))
    script(fake_git, HANGING)
    began = time.monotonic()
    with pytest.raises(GitError) as error:
        run(tmp_path, "status", limit_s=0.5)
    assert error.value.code == "git_late"
    assert time.monotonic() - began < 5
    assert gone(int(note.read_text()))


def test_output_without_end_is_refused(tmp_path: Path, fake_git: Path) -> None:
    script(fake_git, "#!/bin/sh\nyes\n")
    with pytest.raises(GitError, match="more than"):
        run(tmp_path, "status", limit_s=20)


def test_without_git_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError) as error:
        run(tmp_path, "status")
    assert error.value.code == "git_missing"


def test_a_repositorys_own_programs_do_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository(tmp_path / "r")
    proof = tmp_path / "proof"
    program = made.path / ".git" / "evil"
    program.write_text(f"#!/bin/sh\ntouch '{proof}'\n")
    program.chmod(0o755)
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        hook = made.path / ".git" / "hooks" / name
        hook.write_text(program.read_text())
        hook.chmod(0o755)
    made.git("config", "core.fsmonitor", str(program))
    proof.unlink(missing_ok=True)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert run(made.path, "status", "--porcelain").code == 0
    assert run(made.path, "worktree", "add", "-b", "x", str(tmp_path / "w")).code == 0
    assert not proof.exists()


def test_it_takes_no_lock_when_it_reads(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    before = (made.path / ".git" / "index").stat().st_mtime_ns
    os.utime(made.path / "file")
    run(made.path, "status", "--porcelain=v2")
    assert (made.path / ".git" / "index").stat().st_mtime_ns == before


@pytest.mark.parametrize("pipe", ["kept open", "closed"])
def test_what_git_leaves_behind_a_read_is_neither_waited_for_nor_left(
    tmp_path: Path, fake_git: Path, monkeypatch: pytest.MonkeyPatch, pipe: str
) -> None:
    note = tmp_path / "pid"
    monkeypatch.setenv("GRANDCHILD", str(note))
    away = "" if pipe == "kept open" else ">/dev/null 2>&1"
    script(fake_git, f'#!/bin/sh\nsleep 300 {away} &\necho $! > "$GRANDCHILD"\necho said\n')
    began = time.monotonic()
    assert run(tmp_path, "status", limit_s=20).out == b"said\n"
    assert time.monotonic() - began < 5
    assert gone(int(note.read_text()))


def test_a_git_that_writes_may_take_its_locks_away(tmp_path: Path, fake_git: Path) -> None:
    lock = tmp_path / "index.lock"
    script(fake_git, f"#!/bin/sh\ntrap 'rm {lock}; exit 1' TERM\ntouch {lock}\nsleep 300 & wait\n")
    with pytest.raises(GitError):
        run(tmp_path, "add", limit_s=0.5, writes=True)
    assert not lock.exists()


def test_input_of_any_size_is_given(tmp_path: Path) -> None:
    made = repository(tmp_path / "r")
    text = b"".join(b"%d\n" % number for number in range(200_000))
    made.path.joinpath("big").write_bytes(text)
    done = run(made.path, "hash-object", "--stdin", given=text)
    assert done.text.strip() == made.git("hash-object", "big")
