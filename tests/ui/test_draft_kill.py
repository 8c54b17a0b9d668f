"""The draft and a program that is killed: in the middle of typing, of asking, of saving."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from contextlib import closing

import pytest

from tests.ui.house import House
from tests.ui.pty_app import PtyApp
from tests.ui.screens_host import Story, story

F2 = b"\x1bOQ"
ENV = {"SMRITI_BACKGROUND_MODEL": "demo/scripted"}


def told_in(house: House) -> Story:
    """A talk with a checkpoint in its middle; the demo model drafts turns 5 to 8."""
    with closing(house.open("cli")) as opened:
        return asyncio.run(story(opened.services))


def started(house: House) -> PtyApp:
    app = PtyApp(house.folder, env=ENV)
    app.wait_for("Then make the rebuild")
    return app


def kill(app: PtyApp) -> None:
    os.kill(app.pid, signal.SIGKILL)
    os.waitpid(app.pid, 0)


def ask(house: House, query: str) -> list[str]:
    with closing(sqlite3.connect(house.folder / "smriti.db")) as database:
        return [str(row[0]) for row in database.execute(query)]


def drafts(house: House) -> list[str]:
    """The drafts that are kept."""
    return ask(house, "SELECT text FROM unsent WHERE thing LIKE 'draft/%' AND text != ''")


def drafted(app: PtyApp) -> None:
    """Opens the draft and waits for what the model proposes."""
    app.send(F2)
    app.wait_for("t5 verified")


def test_what_was_being_typed_stands_there_again(house: House) -> None:
    told_in(house)
    with started(house) as app:
        drafted(app)
        app.send(b"ge")
        app.wait_for("^s Take")
        app.send(b" half a title")
        app.wait_until(lambda: any("half a title" in text for text in drafts(house)))
        kill(app)
    with started(house) as app:
        app.send(F2)
        app.wait_for("Taken over from a process that ended")  # It is told for some seconds.
        app.wait_for("half a title")
        app.send(b"\x13")
        app.wait_until(lambda: "t5 verified" in app.text() and "half a title" in app.text())
        # Asked once: what was there is not drafted again.
        assert len(ask(house, "SELECT id FROM request WHERE purpose = 'draft'")) == 1


def test_a_kill_while_the_model_is_asked_leaves_nothing_half_saved(house: House) -> None:
    told_in(house)
    with started(house) as app:
        app.send(F2)
        app.wait_until(lambda: bool(ask(house, "SELECT id FROM request WHERE purpose = 'draft'")))
        kill(app)
    assert drafts(house) == []
    with started(house) as app:
        drafted(app)
    with closing(house.open("cli")) as opened:
        assert opened.services.log.verify().difference is None
        assert [each.reason for each in opened.services.contexts.verify() if each.reason] == []


@pytest.mark.parametrize("delay_s", [0, 0.12])
def test_a_kill_while_it_is_saved_saves_all_or_nothing_and_never_twice(
    house: House, delay_s: float
) -> None:
    told = told_in(house)
    with started(house) as app:
        drafted(app)
        app.wait_until(lambda: bool(drafts(house)))
        app.send(b"w")
        time.sleep(delay_s)
        kill(app)
    after = f"SELECT id FROM checkpoint WHERE id != '{told.checkpoint.id}'"
    first = ask(house, after)
    assert len(first) < 2
    with started(house) as app:
        app.send(F2)
        if first:
            # Nothing waits to be saved again.
            app.wait_until(lambda: "nothing was said here" in app.text().replace("\n", " ")
                           or "is saved" in app.text())  # fmt: skip
        else:
            app.wait_for("t5 verified")
            app.send(b"w")
            app.wait_until(lambda: bool(ask(house, after)))
            app.wait_for("Saved")
    assert len(ask(house, after)) == 1
    with closing(house.open("cli")) as opened:
        assert opened.services.log.verify().difference is None
