"""Borders stay in their columns in a real tmux, which counts some signs otherwise than Textual."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest
from rich.cells import cell_len

from smriti_tui.steady import steadied

ROWS = ("हिन्दी में लिखा हुआ", "தொடக்கம்", "plain words", "👍🏽 👩‍👩‍👧", "e\u0301 नमस्ते", "কি কো")
WIDTH = 40


def row(number: int, words: str) -> str:
    pad = " " * (WIDTH - cell_len(words) - 2)
    return f"\x1b[{number};1H\x1b[0m│\x1b[1m{words}\x1b[0m{pad}│"


@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")
def test_a_border_stays_where_it_is(tmp_path: Path) -> None:
    drawn = steadied("".join(row(number, words) for number, words in enumerate(ROWS, 1)))
    (tmp_path / "drawn").write_text(drawn)
    socket = str(tmp_path / "s")

    def tmux(*words: str) -> str:
        command = ["tmux", "-u", "-S", socket, "-f", "/dev/null", *words]
        env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        return subprocess.run(command, env=env, capture_output=True, text=True).stdout

    tmux("new", "-d", "-x", "60", "-y", "10", f"cat {tmp_path}/drawn; sleep 30")
    try:
        end = time.monotonic() + 10
        while tmux("capture-pane", "-p").count("│") < 2 * len(ROWS):
            assert time.monotonic() < end
            time.sleep(0.05)
        # A sign in the column of the border alone: tmux counts the cells, not this test.
        for number, words in enumerate(ROWS):
            line = tmux("capture-pane", "-p").split("\n")[number]
            assert words in line
            inside = line[1 : line.rindex("│")]
            assert len(inside) - len(inside.rstrip()) > 2
        assert _columns(tmux) == {WIDTH}
    finally:
        tmux("kill-server")


def _columns(tmux: object) -> set[int]:
    """Where tmux's own search finds the right borders."""
    assert callable(tmux)
    tmux("copy-mode")
    found = set()
    for number in range(len(ROWS)):
        tmux("send-keys", "-X", "history-top")
        tmux("send-keys", "-X", "top-line")
        for _ in range(number):
            tmux("send-keys", "-X", "cursor-down")
        tmux("send-keys", "-X", "end-of-line")
        found.add(int(tmux("display", "-p", "#{copy_cursor_x}").strip()))
    return found


def test_text_is_never_covered_and_plain_text_is_let_alone() -> None:
    full = "\x1b[1;1H│" + "कि" * 10 + "│"
    assert steadied(full) == full
    assert steadied("\x1b[1;1Hplain   │") == "\x1b[1;1Hplain   │"
    assert steadied("no move कि      │") == "no move कि      │"
    assert steadied("\x1b[3;5Hकि\x1b[0m    │") == "\x1b[3;5Hकि\x1b[0m    \x1b[10G│"
