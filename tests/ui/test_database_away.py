"""What the person sees when the database misbehaves: real files, real locks, a real small disk."""

from __future__ import annotations

import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from smriti_tui.store.engine import driver
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.prompt import Prompt
from tests.store.shim import shim_environ
from tests.ui.house import House, PacedModel, screen_text, settle, until, workspace
from tests.ui.pty_app import PtyApp


@contextmanager
def foreign_writer(house: House) -> Iterator[Any]:
    """Another program in the middle of a long transaction, without any lock of ours."""
    with closing(driver().connect(str(house.folder / "smriti.db"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")


async def test_a_write_that_waits_says_so_and_goes_on(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        bar = workspace(pilot).query_one(NoticeBar)
        with foreign_writer(house) as other:
            await pilot.press(*"hello", "enter")
            start = time.monotonic()
            await until(pilot, lambda: bar.display)
            assert time.monotonic() - start < 3
            assert "Waiting for the database" in screen_text(pilot)
            assert "esc gives up" in screen_text(pilot)
            other.execute("ROLLBACK")
        await settle(pilot)
        assert not bar.display
        assert "2 assistant" in screen_text(pilot)


async def test_esc_gives_a_wait_up_and_the_text_is_back(house: House) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        with foreign_writer(house):
            await pilot.press(*"hello", "enter")
            await until(pilot, lambda: "Waiting for the database" in screen_text(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: "given up" in screen_text(pilot))
            assert workspace(pilot).query_one(Prompt).text == "hello"
        await pilot.press("enter")
        await settle(pilot)
        assert len(house.model.calls) == 1
        assert not workspace(pilot).query_one(NoticeBar).display


async def test_a_dialog_says_what_it_waits_for(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("escape", "1", "k", "n", *"thesis")
        with foreign_writer(house):
            await pilot.press("enter")
            await until(pilot, lambda: "Waiting for the database" in screen_text(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: "was given up" in screen_text(pilot))
        await pilot.press("enter")
        await settle(pilot)
        assert "thesis" in screen_text(pilot)


def top_line(pilot: Pilot[int]) -> str:
    return screen_text(pilot).split("\n")[0]


def prompt(pilot: Pilot[int]) -> str:
    return workspace(pilot).query_one(Prompt).text


async def test_a_file_that_is_moved_away_and_back_loses_nothing(house: House) -> None:
    house.seed()
    path, away = house.folder / "smriti.db", house.folder / "away.db"
    async with house.app() as pilot:
        path.rename(away)
        await until(pilot, lambda: "OFFLINE" in top_line(pilot))
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert "What you type is kept" in screen_text(pilot)
        assert prompt(pilot) == "hello"
        away.rename(path)
        await until(pilot, lambda: "LIVE" in top_line(pilot))
        assert not workspace(pilot).query_one(NoticeBar).display
        await pilot.press("enter")
        await settle(pilot)
        assert len(house.model.calls) == 1
        assert list(house.folder.glob("unsent/*")) == []


async def test_what_is_typed_while_it_is_away_is_there_after_a_restart(house: House) -> None:
    house.seed()
    path, away = house.folder / "smriti.db", house.folder / "away.db"
    async with house.app() as pilot:
        await pilot.press(*"one")
        await settle(pilot)
        path.rename(away)
        await pilot.press(*" two")
    (kept,) = (house.folder / "unsent").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    (house.folder / "unsent" / kept.name.replace("-", "-9")).write_text("{")
    away.rename(path)
    async with house.app() as pilot:
        assert prompt(pilot) == "one two"
        await settle(pilot)
        assert not kept.exists()


async def test_another_database_in_its_place_is_named_and_read(
    house: House, tmp_path: Path
) -> None:
    house.seed()
    (tmp_path / "other").mkdir()
    other = House(tmp_path / "other", PacedModel())
    with closing(other.open("cli")) as opened:
        opened.services.spaces.create("billing-rewrite")
    async with house.app() as pilot:
        await pilot.press(*"hello")
        (other.folder / "smriti.db").replace(house.folder / "smriti.db")
        await until(pilot, lambda: "billing-rewrite" in screen_text(pilot))
        assert "Another database file stands in the place" in screen_text(pilot)
        assert prompt(pilot) == "hello"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of four megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


async def test_a_full_disk_is_said_and_the_text_is_kept(small_disk: Path) -> None:
    house = House(small_disk, PacedModel())
    house.seed()
    async with house.app() as pilot:
        filling = small_disk / "filling"
        with suppress(OSError), filling.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert "The disk is full" in screen_text(pilot)
        assert prompt(pilot) == "hello"
        filling.unlink()
        await pilot.press("enter")
        await settle(pilot)
        assert len(house.model.calls) == 1
        assert not workspace(pilot).query_one(NoticeBar).display


async def test_a_read_only_disk_is_read_and_writing_says_why(small_disk: Path) -> None:
    house = House(small_disk, PacedModel())
    house.seed()

    def remount(how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", str(small_disk)], check=True)

    remount("ro")
    async with house.app() as pilot:
        assert "READ ONLY" in top_line(pilot)
        assert "went wrong" not in screen_text(pilot)
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert "The database cannot be written" in screen_text(pilot)
        assert prompt(pilot) == "hello"
        await pilot.press("escape", "escape", "2", "enter")
        await settle(pilot)
        assert "State 2" in screen_text(pilot)
        await pilot.press("escape", "i")
        remount("rw")
        await pilot.press("enter")
        await until(pilot, lambda: "LIVE" in top_line(pilot))
        await settle(pilot)
        assert len(house.model.calls) == 1


def test_a_disk_without_shared_memory_is_named_once_and_works(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with PtyApp(home, env=shim_environ(tmp_path, SHIM_NO_MMAP="1")) as app:
        app.wait_for("Start an empty Space")
        app.send(b"2")
        app.wait_for("New Space")
        app.send(b"thesis\r")
        app.wait_for("no shared memory for a write-ahead log")
        assert "`smriti doctor` tells more" in " ".join(app.text().split())
        app.send(b"\x1b")
        app.wait_until(lambda: "shared memory" not in app.text())
        app.send(b"hello\r")
        app.wait_for("2 assistant")
        assert "shared memory" not in app.text()
