"""Copying tells the truth: with real programs on a path of our own, and a real tmux."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from smriti_tui.clipboard import OSC_BYTES, Clipboard, osc52

TEXT = "see \x1b]52;c;x\x07 नमस्ते \x9b31m\n\x1b\\ end"
TAKES = '#!/bin/sh\ncat > "$OUT"\n'
HOLDS = TAKES + "sleep 30 &\necho $! > $OUT.pid\n"
HANGS = "#!/bin/sh\nexec sleep 30\n"
FAILS = "#!/bin/sh\nexit 1\n"


def machine(folder: Path, tools: dict[str, str], **env: str) -> dict[str, str]:
    """The environment of a machine with just these programs."""
    for name, script in tools.items():
        path = folder / name
        path.write_text(script)
        path.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin", "OUT": str(folder / "out"), **env}


def clipboard(env: dict[str, str], **options: object) -> Clipboard:
    def which(name: str) -> str | None:
        return shutil.which(name, path=env["PATH"].split(":")[0])

    return Clipboard(env, which=which, **{"platform": "linux", **options})  # type: ignore[arg-type]


def decoded(sequence: str) -> str:
    found = re.search(r"52;c;([A-Za-z0-9+/=]*)\x07", sequence)
    assert found is not None
    return base64.b64decode(found[1]).decode()


@pytest.mark.parametrize(
    ("name", "display"),
    [("wl-copy", "WAYLAND_DISPLAY"), ("xclip", "DISPLAY"), ("xsel", "DISPLAY")],
)
def test_a_program_of_the_system_gets_the_very_text(
    tmp_path: Path, name: str, display: str
) -> None:
    sent = clipboard(machine(tmp_path, {name: TAKES}, **{display: ":0"})).copy(TEXT)
    assert (sent.done, sent.words, sent.sequence) == (True, f"Copied {{what}} with {name}.", "")
    assert (tmp_path / "out").read_text() == TEXT


def test_one_that_leaves_a_holder_behind_is_not_waited_for_and_keeps_no_terminal(
    tmp_path: Path,
) -> None:
    start = time.monotonic()
    clipboard(machine(tmp_path, {"xclip": HOLDS}, DISPLAY=":0")).copy(TEXT)
    assert time.monotonic() - start < 1.5
    pid = int((tmp_path / "out.pid").read_text())
    try:
        links = {str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()}
        assert links == {"/dev/null"} or not any("pts" in link for link in links)
        assert os.getsid(pid) != os.getsid(0)
    finally:
        os.kill(pid, 9)


def test_one_that_hangs_or_fails_is_left_for_the_terminal_and_named(tmp_path: Path) -> None:
    env = machine(tmp_path, {"wl-copy": HANGS, "xclip": FAILS}, DISPLAY=":0", WAYLAND_DISPLAY="w")
    start = time.monotonic()
    sent = clipboard(env, timeout_s=0.2).copy(TEXT)
    assert time.monotonic() - start < 2
    assert sent.words.startswith("xclip failed. Sent {what} to the terminal (OSC 52)")
    assert decoded(sent.sequence) == TEXT


def test_over_ssh_the_clipboard_of_the_other_machine_is_left_alone(tmp_path: Path) -> None:
    env = machine(tmp_path, {"xclip": TAKES}, DISPLAY=":0", SSH_CONNECTION="a 1 b 2")
    sent = clipboard(env).copy(TEXT)
    assert not (tmp_path / "out").exists()
    assert "some ignore it: Y writes a file" in sent.words
    assert decoded(sent.sequence) == TEXT


def test_windows_below_linux_gets_its_own_encoding(tmp_path: Path) -> None:
    clipboard(machine(tmp_path, {"clip.exe": TAKES}, WSL_DISTRO_NAME="Debian")).copy("नम")
    assert (tmp_path / "out").read_bytes().decode("utf-16") == "नम"


def test_more_than_a_terminal_takes_is_not_sent_and_said(tmp_path: Path) -> None:
    env = machine(tmp_path, {})
    assert clipboard(env).copy("x" * OSC_BYTES).sequence
    sent = clipboard(env).copy("x" * (OSC_BYTES + 1))
    assert not sent.done
    assert sent.sequence == ""
    assert "Not copied" in sent.words
    assert "Y writes a file" in sent.words


def test_screen_gets_it_in_pieces_that_it_passes_on(tmp_path: Path) -> None:
    sent = clipboard(machine(tmp_path, {}, STY="1.pts-0")).copy("é" * 2000)
    pieces = re.findall(r"\x1bP(.*?)\x1b\\", sent.sequence, re.DOTALL)
    assert max(map(len, pieces)) <= 768
    assert "".join(f"\x1bP{piece}\x1b\\" for piece in pieces) == sent.sequence
    assert decoded("".join(pieces)) == "é" * 2000


def test_no_text_ends_the_sequence_early() -> None:
    for wrap in ("", "tmux", "screen"):
        whole = osc52(TEXT.encode(), wrap)
        assert whole.count("\x07") == 1
        assert "\x1b]52;c;x" not in whole.replace("\x1b\x1b", "\x1b").replace("52;c;c2", "")


@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")
def test_a_real_tmux_gets_it_into_its_buffer(tmp_path: Path) -> None:
    socket = str(tmp_path / "s")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}

    def tmux(*words: str) -> str:
        command = ["tmux", "-S", socket, "-f", "/dev/null", *words]
        return subprocess.run(command, env=env, capture_output=True, text=True).stdout

    tmux("new", "-d", "-s", "it", "sleep 60")
    try:
        inside = {**env, "TMUX": f"{socket},1,0"}
        sent = clipboard({**inside, "PATH": f"{tmp_path}:{env['PATH']}"}).copy("a\nनम")
        assert "Copied {what} into tmux" in sent.words
        assert tmux("show-buffer") == "a\nनम"
        tmux("set-environment", "-t", "it", "SSH_CONNECTION", "a 1 b 2")
        over = machine(tmp_path, {"xclip": TAKES}, DISPLAY=":0")
        over["PATH"] = f"{tmp_path}:{env['PATH']}"
        clipboard({**inside, **over}).copy("by ssh")
        assert not (tmp_path / "out").exists()
        assert tmux("show-buffer") == "by ssh"
    finally:
        tmux("kill-server")
