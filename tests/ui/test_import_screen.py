"""Importing in the app: choose, look, select, stop, open what came in."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from smriti_tui.domain.import_report import Watch
from smriti_tui.screens.importing.screen import ImportScreen
from smriti_tui.screens.importing.split import SplitDialog
from smriti_tui.services import Services
from smriti_tui.services.importing import Options
from smriti_tui.services.logs import NewEvent
from smriti_tui.widgets.fields import TextField
from smriti_tui.widgets.row_list import RowList
from tests.importers.reading import SAMPLES
from tests.ui.house import House, on_top, settle, until
from tests.ui.screens_host import HOSTILE, SIZES, has_all, is_grid, press, running, text_of


async def opened(pilot: Pilot[int], path: Path | None = None) -> ImportScreen:
    """The import screen, with what a file holds where one is given."""
    await press(pilot, "escape", "1")
    await press(pilot, "I")
    await until(pilot, lambda: on_top(pilot, ImportScreen))
    screen = pilot.app.screen
    assert isinstance(screen, ImportScreen)
    if path is not None:
        await pilot.press(*_typed(str(path)), "enter")
        await until(pilot, lambda: "marked" in text_of(pilot))
    return screen


def _typed(text: str) -> list[str]:
    names = {"/": "slash", ".": "full_stop", "-": "minus", "_": "underscore", " ": "space"}
    return [names.get(sign, sign) for sign in text]


def talks(folder: Path, *names: str) -> Path:
    """An export of Claude.ai with conversations of these names."""
    made: list[dict[str, Any]] = [
        {
            "uuid": name, "name": name,
            "chat_messages": [
                {"uuid": f"{name}-q", "sender": "human", "text": f"about {name}?"},
                {"uuid": f"{name}-a", "sender": "assistant", "text": f"{name} it is"},
            ],
        }
        for name in names
    ]  # fmt: skip
    path = folder / "talks"
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def titles(services: Services, space: Any) -> set[str]:
    return {session.title for session in services.sessions.of_space(space)}


@pytest.mark.parametrize("size", SIZES)
async def test_a_file_is_looked_at_and_comes_in(house: House, size: tuple[int, int]) -> None:
    async with running(house, size) as (_app, pilot, services, told):
        await opened(pilot, SAMPLES / "claude-code.jsonl")
        assert has_all(text_of(pilot), ["IMPORT", "[x] Retry policy", "3/3", "1 of 1 marked"]) == []
        assert is_grid(pilot)
        await press(pilot, "w")
        await until(pilot, lambda: "3 turns came in" in text_of(pilot))
        assert is_grid(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: "retry=2 is set" in text_of(pilot))
        assert "Retry policy" in titles(services, told.space.id)


async def test_only_what_is_marked_comes_in(house: House, tmp_path: Path) -> None:
    async with running(house) as (_app, pilot, services, told):
        await opened(pilot, talks(tmp_path, "one", "two", "three"))
        await press(pilot, "A")
        assert "0 of 3 marked" in text_of(pilot)
        await press(pilot, "w")
        assert "Nothing is marked" in text_of(pilot)
        await press(pilot, "escape", "j", "space")
        assert "1 of 3 marked, 2 turns" in text_of(pilot)
        await press(pilot, "w")
        await until(pilot, lambda: "2 turns came in" in text_of(pilot))
        found = titles(services, told.space.id)
        assert "two" in found
        assert not found & {"one", "three"}
        await press(pilot, "e", "enter")
        await until(pilot, lambda: "2 of 3 marked" in text_of(pilot))
        assert has_all(text_of(pilot), ["[ ] two", "known", "[x] one"]) == []


async def test_side_lines_come_in_on_request(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        before = len(services.sessions.of_space(told.space.id))
        await opened(pilot, SAMPLES / "chatgpt.json")
        await until(pilot, lambda: "Redis or memcached?" in text_of(pilot))
        await press(pilot, "s")
        assert "side lines too" in text_of(pilot)
        await press(pilot, "w")
        await until(pilot, lambda: "3 turns came in" in text_of(pilot))
        assert len(services.sessions.of_space(told.space.id)) == before + 2


async def test_what_is_no_conversation_is_told_and_what_was_typed_stays(
    house: House, tmp_path: Path
) -> None:
    page = tmp_path / "page"
    page.write_text("<html>no</html>", encoding="utf-8")
    async with running(house) as (_app, pilot, _services, _told):
        screen = await opened(pilot)
        await pilot.press(*_typed(str(page)), "enter")
        await until(pilot, lambda: "is of no format that is known" in text_of(pilot))
        assert screen.query_one("#import-path").value == str(page)  # type: ignore[attr-defined]
        await press(pilot, "escape")
        assert on_top(pilot, ImportScreen)
        await press(pilot, "escape")
        assert not on_top(pilot, ImportScreen)


async def test_a_look_can_be_stopped(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from smriti_tui.screens.importing import screen as module

    def endless(*args: Any) -> None:
        progress = args[-1]
        progress.stop.wait(20)
        from smriti_tui.domain.errors import Cancelled

        raise Cancelled("Stopped.")

    monkeypatch.setattr(module, "look", endless)
    async with running(house) as (_app, pilot, _services, _told):
        screen = await opened(pilot)
        await pilot.press("x", "enter")
        await until(pilot, lambda: "conversations found" in text_of(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: screen.query_one("#import-path").has_focus)
        assert on_top(pilot, ImportScreen)
        assert "Stopped" not in text_of(pilot)


async def test_hostile_conversations_drive_nothing(house: House, tmp_path: Path) -> None:
    path = talks(tmp_path, f"{HOSTILE} [bold]x[/bold]")
    async with running(house) as (_app, pilot, _services, _told):
        screen = await opened(pilot, path)
        assert is_grid(pilot)
        assert screen.query_one("#import-rows", RowList).row_count == 1
        await press(pilot, "w")
        await until(pilot, lambda: "2 turns came in" in text_of(pilot))
        await press(pilot, "enter")
        await settle(pilot)
        assert is_grid(pilot)


async def test_the_workspace_follows_an_import_beside_an_agent(
    house: House, tmp_path: Path
) -> None:
    """Another program imports, a third one appends, and the panes show both."""
    path = talks(tmp_path, *(f"talk {number}" for number in range(40)))
    async with running(house) as (_app, pilot, services, told):
        with closing(house.open("cli", actor="eve")) as other:
            importing = asyncio.create_task(
                asyncio.to_thread(
                    other.services.importing.run, told.space.id, [path], Options(), Watch()
                )
            )
            with closing(house.open("cli", actor="codex")) as agent:
                for number in range(20):
                    agent.services.log.append("notes", [NewEvent("said", {"n": number})])
                    await pilot.pause(0.01)
            report = await importing
        assert report.turns == 80
        await press(pilot, "escape", "1")
        await until(pilot, lambda: "talk 39" in text_of(pilot))
        assert is_grid(pilot)
        assert services.log.verify().difference is None


async def test_a_transcript_is_cut_by_hand(house: House, tmp_path: Path) -> None:
    path = tmp_path / "talk"
    path.write_text("Human: one\nAssistant: two\nHuman: three\n", encoding="utf-8")
    async with running(house) as (_app, pilot, services, told):
        await opened(pilot, path)
        assert "3/3" in text_of(pilot)
        await press(pilot, "S")
        await until(pilot, lambda: on_top(pilot, SplitDialog))
        field = pilot.app.screen.query_one("#split-text", TextField)
        assert field.text.count("====") == 6
        lines = field.text.split("\n")
        field.load_text("\n".join(["words before", *lines]))
        await press(pilot, "ctrl+s")
        assert "words stand before the first cut" in text_of(pilot)
        field.load_text("\n".join(lines[:4]) + "\nthree")
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "2/2" in text_of(pilot))
        await press(pilot, "w")
        await until(pilot, lambda: "2 turns came in" in text_of(pilot))
        session = services.sessions.of_space(told.space.id)[0]
        assert [turn.text for turn in services.sessions.turns(session.id)] == ["one", "two\nthree"]


async def test_what_has_no_labels_cannot_be_cut(house: House) -> None:
    async with running(house) as (_app, pilot, _services, _told):
        await opened(pilot, SAMPLES / "claude.json")
        await press(pilot, "S")
        assert "Only a transcript with labels" in text_of(pilot)
