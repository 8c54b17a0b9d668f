"""What another process does to what is open is told: who, what, and how to look (ux 4.2)."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot

from smriti_tui.domain.ids import CheckpointId
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.prompt import Prompt
from tests.services.second_process import SecondProcess
from tests.support import content
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace

TOLD_S = 5.0


@pytest.fixture(scope="module")
def one_process() -> Iterator[SecondProcess]:
    with SecondProcess() as process:
        yield process


@pytest.fixture
def other(one_process: SecondProcess, house: House) -> Iterator[SecondProcess]:
    """Another process on the house's database; its person is bob."""
    one_process.open(house.folder, {"SMRITI_HOME": str(house.folder)})
    yield one_process
    one_process.close_store()


def bars(pilot: Pilot[int]) -> tuple[HeaderBar, NoticeBar]:
    screen = workspace(pilot)
    return screen.query_one(HeaderBar), screen.query_one(NoticeBar)


async def smriti(house: House, *arguments: str) -> None:
    """The command, as codex gives it."""
    environ = {"PATH": os.environ.get("PATH", ""), "HOME": str(house.folder), "LANG": "C.UTF-8"}
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("smriti")),
        *arguments,
        env={**environ, "SMRITI_HOME": str(house.folder), "SMRITI_ACTOR": "codex"},
        stdin=asyncio.subprocess.DEVNULL,
    )
    assert await process.wait() == 0


async def test_a_head_that_another_process_moved_is_told_until_the_next_send(
    house: House, other: SecondProcess
) -> None:
    space, _ = house.seed()
    async with house.app() as pilot:
        header, bar = bars(pilot)
        before = header.view.mode
        assert before.startswith("HEAD ")
        await pilot.press(*"half")
        other.save(space.id, "Keep [b]FTS5")
        await until(pilot, lambda: bool(bar.words), TOLD_S)
        await settle(pilot)
        head = desk(pilot).services.checkpoints.of_space(space.id)[0].id
        assert f"bob saved {head[:7]} on main: Keep [b]FTS5." in bar.words
        assert "esc, then 2" in bar.words
        assert (header.view.mode, header.view.moved) == (before, True)
        assert f"{before}~" in screen_text(pilot).split("\n")[0]
        assert workspace(pilot).query_one(Prompt).text == "half"
        with closing(house.open("cli")) as mine:
            mine.services.checkpoints.create(space.id, content("Mine"))
        await until(pilot, lambda: "ada (cli) saved" in bar.words, TOLD_S)
        await pilot.press("enter")
        await settle(pilot)
        head = desk(pilot).services.checkpoints.of_space(space.id)[0].id
        assert (header.view.mode, header.view.moved) == (f"HEAD {head[:7]}", False)
        assert bar.words == ""


async def test_a_mounted_checkpoint_keeps_its_id_and_a_bar_that_needs_an_answer_stays(
    house: House, other: SecondProcess
) -> None:
    space, session = house.seed()
    async with house.app() as pilot:
        services = desk(pilot).services
        first = services.checkpoints.of_space(space.id)[0]
        services.sessions.mount(session.id, CheckpointId(first.id))
        await settle(pilot)
        header, bar = bars(pilot)
        await until(pilot, lambda: header.view.mode.startswith("RESTORED"), TOLD_S)
        workspace(pilot).tell("The settings have a fault.")
        other.save(space.id, "Newer")
        await until(pilot, lambda: header.view.moved, TOLD_S)
        await settle(pilot)
        assert header.view.mode == f"RESTORED {first.id[:7]}"
        assert "The settings have a fault." in bar.words
        assert "bob saved" in notes(pilot)
        services.sessions.unmount(session.id)
        await until(pilot, lambda: header.view.mode.startswith("HEAD"), TOLD_S)
        assert not header.view.moved


async def test_names_archives_and_deletions_by_another_process_are_told(
    house: House, other: SecondProcess
) -> None:
    space, session = house.seed()
    async with house.app() as pilot:
        services, place = desk(pilot).services, desk(pilot).here
        beside = services.sessions.new(space.id, title="beside")
        services.spaces.create("below")
        bar, prompt = workspace(pilot).query_one(NoticeBar), workspace(pilot).query_one(Prompt)
        await pilot.press(*"typed")
        other.do("sessions", "rename", session.id, "Search, \x1b]0;x\x07decided")
        await until(pilot, lambda: "bob renamed this session" in notes(pilot), TOLD_S)
        assert "\x1b" not in notes(pilot)
        other.do("spaces", "archive", space.id)
        await until(pilot, lambda: "bob archived this Space." in notes(pilot), TOLD_S)
        await smriti(house, "space", "rename", space.id, "search")
        await until(pilot, lambda: "codex renamed this Space" in notes(pilot), TOLD_S)
        await settle(pilot)
        assert screen_text(pilot).startswith(" search ")
        other.do("sessions", "archive", session.id)
        await until(pilot, lambda: "bob archived this session." in notes(pilot), TOLD_S)
        assert place.now.session == session.id
        other.do("sessions", "delete", session.id)
        await until(pilot, lambda: place.now.session == beside.id, TOLD_S)
        assert 'bob deleted the open session "Search,' in bar.words
        assert "What you had typed is in the prompt." in bar.words
        await settle(pilot)
        assert prompt.text == "typed"
        await smriti(house, "space", "delete", space.id, "--force", "--yes")
        await until(pilot, lambda: place.now.space not in (None, space.id), TOLD_S)
        await settle(pilot)
        assert 'codex deleted the open Space "search".' in bar.words
        assert desk(pilot).tree.space_name == "below"
        assert prompt.text == "typed"


async def test_what_this_process_does_is_no_news(house: House) -> None:
    space, session = house.seed()
    async with house.app() as pilot:
        services = desk(pilot).services
        services.sessions.rename(session.id, "mine")
        services.spaces.change(space.id, name="my-space")
        await until(pilot, lambda: "my-space" in screen_text(pilot), TOLD_S)
        await settle(pilot)
        assert notes(pilot) == ""
        assert workspace(pilot).query_one(NoticeBar).words == ""
