"""The person's own editor: the text goes there and comes back, whatever the editor does."""

from __future__ import annotations

import os
import re
import signal
import stat
import sys
from pathlib import Path

import pytest

from smriti_tui.editor import FOLDER, command
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, settle, workspace
from tests.ui.pty_app import PtyApp, children, patience

EDITOR = r"""
import os, signal, sys, time
mode, path = open({folder!r} + "/mode").read(), sys.argv[-1]
assert sys.argv[1:-1] == ["--wait", "two words"], sys.argv
assert os.stat(path).st_mode & 0o777 == 0o600 and path.endswith(".md")
assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700
text = open(path).read()
print("EDITING", mode, repr(text), flush=True)
time.sleep(0.4)
if mode == "good":
    open(path, "w").write(text.upper() + "\nsecond line\n")
elif mode == "fails":
    open(path, "w").write("not wanted"); sys.exit(3)
elif mode == "deletes":
    os.unlink(path)
elif mode == "latin":
    open(path, "wb").write("größe".encode("latin-1"))
elif mode == "waits":
    time.sleep(60)
elif mode == "dirty":
    open(path, "w").write("from a dirty one")
    print("\x1b[?1049h\x1b[?1000h\x1b[?2004h\x1b(0\x1b[5;10r\x1b[?7l\x1b[?25l", end="", flush=True)
    import tty; tty.setraw(0); os.kill(os.getpid(), signal.SIGKILL)
"""


def letters(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", text)


class Session:
    """The program with an editor that does what is written in a file."""

    def __init__(self, app: PtyApp, folder: Path) -> None:
        self.app = app
        self.folder = folder

    def edit(self, mode: str, words: str) -> None:
        """Opens the editor and waits for what is to be seen when it is back."""
        (self.folder / "mode").write_text(mode)
        self.app.send(b"\x07")
        self.app.wait_for(f"EDITING {mode}")
        self.back(words)

    def back(self, words: str) -> None:
        """Waits until the program has the screen again and shows some words."""
        self.app.wait_until(lambda: "EDITING" not in self.app.text() and words in self.app.text())

    def kept(self) -> list[str]:
        """What lies in the files that were not taken back."""
        return [path.read_bytes().decode("latin-1") for path in (self.folder / FOLDER).iterdir()]


def started(house: House) -> PtyApp:
    script = house.folder / "my editor.py"
    script.write_text(EDITOR.format(folder=str(house.folder)))
    own = f"{sys.executable} '{script}' --wait 'two words'"
    return PtyApp(house.folder, env={"EDITOR": own, "VISUAL": ""})


def test_the_screen_comes_back_whatever_the_editor_did(house: House) -> None:
    house.seed()
    with started(house) as app:
        app.wait_for("demo/scripted")
        app.send(b"half a thought")
        app.wait_for("half a thought")
        session = Session(app, house.folder)
        session.edit("good", "second line")
        assert "HALF A THOUGHT" in app.text()
        assert session.kept() == []
        app.send(b"\x1a")  # One edit: taken back at once.
        app.wait_for("half a thought")
        session.edit("fails", "ended with 3")
        assert session.kept() == ["not wanted"]
        session.edit("deletes", "is gone")
        session.edit("latin", "no UTF-8")
        assert sorted(session.kept()) == ["größe", "not wanted"]
        assert "half a thought" in app.text()
        session.edit("dirty", "ended with -9")
        assert "from a dirty one" in session.kept()
        app.send(b"!")
        app.wait_for("half a thought!")
        app.send(b"\x0e")  # A dialog: its field holds one line.
        app.wait_for("New session")
        app.send(b"a title")
        app.wait_for("a title")
        session.edit("good", "A TITLE second line")
        app.wait_for("became one")
        app.send(b"\x1b")
        app.read(0.3)
        app.send(b"\x11")
        assert app.ended_after()[1] == 0
        assert app.is_given_back()


def test_ctrl_c_belongs_to_the_editor_and_a_killed_program_leaves_the_file(house: House) -> None:
    house.seed()
    with started(house) as app:
        app.wait_for("demo/scripted")
        app.send(b"half a thought")
        app.wait_for("half a thought")
        session = Session(app, house.folder)
        (house.folder / "mode").write_text("waits")
        app.send(b"\x07")
        app.wait_for("EDITING waits")
        app.read(0.6)
        app.send(b"\x03")
        session.back("nothing was changed")
        assert session.kept() == []
        app.send(b"\x07")
        app.wait_for("EDITING waits")
        (editor,) = children(app.pid)
        os.kill(app.pid, signal.SIGKILL)
        os.kill(editor, signal.SIGKILL)
    with started(house) as app:
        app.wait_for("never taken back")
        (path,) = (house.folder / FOLDER).iterdir()
        assert path.read_text() == "half a thought"
        assert letters(path.name) in letters(app.text())  # It is long: lines may break in it.
        app.wait_for("Unsent text of an earlier run", 5 * patience())


def test_which_editor_it_is() -> None:
    assert command({"VISUAL": "code --wait", "EDITOR": "nano"}) == ["code", "--wait"]
    assert command({"VISUAL": " ", "EDITOR": "'my editor' -x"}) == ["my editor", "-x"]
    with pytest.raises(ValueError, match="quotation"):
        command({"EDITOR": "'open"})


async def test_without_a_terminal_or_an_editor_it_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.seed()
    monkeypatch.setenv("EDITOR", "")
    async with house.app() as pilot:
        await pilot.press("a")
        for named, words in (
            ("/bin/true", "no terminal here"),
            ("no-such-editor", "no-such-editor was not found"),
            ("'open", "an open quotation mark"),
        ):
            monkeypatch.setenv("VISUAL", named)
            await pilot.press("ctrl+g")
            await settle(pilot)
            assert words in workspace(pilot).query_one(NoticeBar).words
            assert workspace(pilot).query_one(Prompt).text == "a"
    assert list((house.folder / FOLDER).iterdir()) == []
    assert stat.S_IMODE((house.folder / FOLDER).stat().st_mode) == 0o700
