"""A turn, and the program's own log, in the person's pager: in a real terminal."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from smriti_tui.screens.paging import pager
from tests.support import send
from tests.ui.house import House
from tests.ui.pty_app import PtyApp, left_on

TEXT = "see [/x] \x1b]0;owned\x07 नमस्ते"
SHOWS = (
    '#!/bin/sh\nstat -c %a "$1" > "$OUT.mode"\ncat "$1" > "$OUT"\n'
    "echo IT STANDS HERE\nread answer\n"
)


def script(folder: Path) -> dict[str, str]:
    path = folder / "my-pager"
    path.write_text(SHOWS)
    path.chmod(0o755)
    return {"PAGER": str(path), "OUT": str(folder / "out")}


async def test_o_opens_the_turn_and_brings_the_screen_back(house: House, tmp_path: Path) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        await send(opened.services, session.id, TEXT)
    with PtyApp(house.folder, env=script(tmp_path)) as app:
        app.wait_for("2 assistant")
        app.send(b"\x1b")
        app.wait_for("i Write")
        app.send(b"ko")
        app.wait_for("IT STANDS HERE")
        assert left_on(app.output) == set()
        assert (tmp_path / "out").read_text() == "see [/x] ␛]0;owned␇ नमस्ते\n"
        assert (tmp_path / "out.mode").read_text().strip() == "600"
        app.read(0.4)
        app.send(b"\n")
        app.wait_until(lambda: b"1049" in left_on(app.output))
        app.read(0.5)
        assert "IT STANDS HERE" not in app.text()
        assert "2 assistant" in app.text()
        app.send(b"\x11")
        assert app.ended_after()[1] == 0
        assert app.is_given_back()


async def test_the_log_says_when_there_is_none_else_it_is_shown(
    house: House, tmp_path: Path
) -> None:
    house.seed()
    log = house.folder / "smriti-tui.log"
    with PtyApp(house.folder, env=script(tmp_path)) as app:
        app.wait_for("demo/scripted")
        app.send(b"\x10")
        app.wait_for("type to search")
        app.send(b"open the log")
        app.wait_for("Open the log")
        app.send(b"\r")
        app.wait_for("There is no log")
        log.write_text("2026-11-30 ERROR unexpected \x1b[2J\n")
        app.send(b"\x10")
        app.wait_for("type to search")
        app.send(b"open the log")
        app.wait_for("Open the log")
        app.send(b"\r")
        app.wait_for("IT STANDS HERE")
        assert (tmp_path / "out").read_text() == "2026-11-30 ERROR unexpected ␛[2J\n\n"
        app.send(b"\n")
        app.wait_until(lambda: b"1049" in left_on(app.output))


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({"PAGER": "most -s"}, ["most", "-s"]),
        ({"PAGER": "/usr/bin/less -F"}, ["/usr/bin/less", "-+F", "-+X", "-F"]),
        ({"PAGER": " ", "EDITOR": "nano"}, ["nano"]),
    ],
)
def test_the_pager_is_the_persons(environ: dict[str, str], wanted: list[str]) -> None:
    assert pager(environ) == wanted
