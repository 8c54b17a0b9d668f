"""The event log on a screen: streams, live events, filters, views, and the tracker as a board."""

from __future__ import annotations

from contextlib import closing

import pytest
from textual.pilot import Pilot

from smriti_tui.domain.errors import StoreError
from smriti_tui.domain.render.log_events import event_document
from smriti_tui.domain.render.views import folded_text
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.log.board import Board
from smriti_tui.screens.log.dialogs import EventDialog, ItemDialog, StatusDialog
from smriti_tui.screens.log.reading import MOST, PAGE
from smriti_tui.screens.log.screen import LogScreen
from smriti_tui.services import Services
from smriti_tui.services.logs import LogService, NewEvent
from smriti_tui.widgets.row_list import RowList
from tests.ui.house import House, on_top, settle, until
from tests.ui.screens_host import HOSTILE, SIZES, has_all, is_grid, press, running, text_of


async def opened(pilot: Pilot[int]) -> str:
    await pilot.press("f5")
    await settle(pilot)
    assert on_top(pilot, LogScreen)
    return text_of(pilot)


def tracked(services: Services) -> None:
    for key, title in (("T1", "Rank the hits"), ("T2", f"Hostile {HOSTILE}")):
        services.tracking.create(title, key=key, priority="P0")
    services.tracking.create("Over already", key="T3", lane="done", status="done")


async def to_stream(pilot: Pilot[int], name: str) -> None:
    """The cursor of the streams goes to one, and its events are read."""
    rows = pilot.app.screen.query_one("#log-streams", RowList)
    rows.focus()
    assert rows.move_to(name)
    await settle(pilot)


def marked(board: Board) -> str:
    return str((board.item or {}).get("id", ""))


async def to_board(pilot: Pilot[int]) -> Board:
    await opened(pilot)
    await to_stream(pilot, "tracker")
    await press(pilot, "]")
    board = pilot.app.screen.query_one(Board)
    await until(pilot, lambda: board.item is not None)
    return board


@pytest.mark.parametrize("size", SIZES)
async def test_streams_and_events_stand_beside_each_other(
    house: House, size: tuple[int, int]
) -> None:
    async with running(house, size) as (app, pilot, services, told):
        base = len(app.screen_stack)
        text = await opened(pilot)
        newest = services.log.last_position()
        assert has_all(text, ["LOG", "all streams", "LIVE", "answer.ended", str(newest)]) == []
        assert is_grid(pilot)
        await to_stream(pilot, f"space/{told.space.id}")
        text = text_of(pilot)
        assert has_all(text, ["checkpoint.saved", "branch.opened", "v1"]) == []
        assert "answer.ended" not in text
        text = await press(pilot, "]")
        assert has_all(text, ["view", "Space"]) == []
        assert is_grid(pilot)
        await press(pilot, "escape")
        assert len(app.screen_stack) == base


async def test_what_others_write_shows_at_once_and_the_cursor_stays(house: House) -> None:
    async with running(house) as (_app, pilot, _services, _told):
        await opened(pilot)
        rows = pilot.app.screen.query_one("#log-events", RowList)
        rows.focus()
        with closing(house.open("cli", actor="codex")) as other:
            other.services.log.append("notes", [NewEvent("said", {"text": "from outside"})])
            await until(pilot, lambda: "from outside" in text_of(pilot))
            assert "LIVE" in text_of(pilot)
            newest = rows.cursor_key
            await press(pilot, "k")
            assert "not at the end" in text_of(pilot)
            marked = rows.cursor_key
            other.services.log.append("notes", [NewEvent("said", {"text": "once more"})])
            await until(pilot, lambda: "once more" in text_of(pilot))
            assert rows.cursor_key == marked != newest


async def test_a_filter_takes_words_types_and_actors(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        services.log.append("notes", [NewEvent("said", {"text": "needle"})])
        await opened(pilot)
        await press(pilot, "/", *"type:said", "space", *"needle")
        await until(pilot, lambda: "1 of 1 read" in text_of(pilot))
        rows = pilot.app.screen.query_one("#log-events", RowList)
        assert rows.row_count == 1
        await press(pilot, "enter")
        assert pilot.app.focused is rows
        await press(pilot, "escape")
        await until(pilot, lambda: rows.row_count > 10)
        await press(pilot, "/", *"by:nobody")
        await until(pilot, lambda: "No event that was read holds that" in text_of(pilot))
        await press(pilot, "escape", "escape")
        assert not on_top(pilot, LogScreen)


async def test_an_event_is_read_whole_and_copied(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        services.log.append("notes", [NewEvent("said", {"text": HOSTILE, "deep": {"n": [1]}})])
        await opened(pilot)
        pilot.app.screen.query_one("#log-events", RowList).focus()
        text = await press(pilot, "enter")
        assert on_top(pilot, EventDialog)
        assert has_all(text, ["Envelope", "stream: notes", "chain_sha256:"]) == []
        text = await press(pilot, "G")
        assert has_all(text, ["Payload", '"deep": {', "see [/x] and [bold]not[/]"]) == []
        assert is_grid(pilot)
        await press(pilot, "escape")
        await press(pilot, "y")
        assert '"stream": "notes"' in pilot.app.clipboard


async def test_a_long_log_is_read_by_pages(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        services.log.append("notes", [NewEvent("said", {"n": n}) for n in range(PAGE * 2 + 50)])
        await opened(pilot)
        rows = pilot.app.screen.query_one("#log-events", RowList)
        assert rows.row_count == PAGE + 1
        assert f"the newest {PAGE}" in text_of(pilot)
        rows.focus()
        await press(pilot, "g")
        await until(pilot, lambda: rows.row_count == PAGE * 2 + 1)
        marked = rows.cursor_key
        assert marked == str(services.log.last_position() - PAGE + 1)


async def test_a_view_goes_on_with_its_stream(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        append = services.log.append
        append("orchestrator_status", [NewEvent("phase_changed", {"phase": "build"})])
        await opened(pilot)
        await to_stream(pilot, "orchestrator_status")
        beside = text_of(pilot)
        assert has_all(beside, ["phase_changed", "Phase: build", "LIVE"]) == []
        text = await press(pilot, "]")
        assert "phase_changed" not in text.split("Folded", 1)[0]
        assert has_all(text, ["Phase: build", "Folded up to: orchestrator_status 1"]) == []
        append("orchestrator_status", [NewEvent("nobody_knows", {"x": 1})])
        await until(pilot, lambda: "Skipped 1 event" in text_of(pilot))
        await to_stream(pilot, "store")
        assert "No view folds this stream" in text_of(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_the_board_shows_the_lanes_that_have_room(
    house: House, size: tuple[int, int]
) -> None:
    async with running(house, size) as (_app, pilot, services, _told):
        tracked(services)
        board = await to_board(pilot)
        text = text_of(pilot)
        assert has_all(text, ["board", "proposed", "T1", "Rank the hits"]) == []
        assert is_grid(pilot)
        for _ in range(5):
            await press(pilot, "l")
        assert marked(board) == ""
        text = await press(pilot, "h")
        assert marked(board) == "T3"
        assert "Over already" in text
        assert is_grid(pilot)


async def test_items_are_made_changed_moved_and_put_away(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        tracked(services)
        board = await to_board(pilot)
        await press(pilot, ">")
        await until(pilot, lambda: services.tracking.get("T1")["lane"] == "ranked")
        await until(pilot, lambda: (board.lane, marked(board)) == ("ranked", "T1"))
        await press(pilot, "n")
        assert on_top(pilot, ItemDialog)
        await press(pilot, "enter")
        assert "The item has no title" in text_of(pilot)
        await press(pilot, *"Write", "enter")
        await until(pilot, lambda: on_top(pilot, LogScreen))
        await until(pilot, lambda: marked(board) not in ("T1", ""))
        key = marked(board)
        assert services.tracking.get(key)["lane"] == "ranked"
        await press(pilot, "e", "end", *" it", "enter")
        await until(pilot, lambda: services.tracking.get(key)["title"] == "Write it")
        await press(pilot, "space")
        await until(pilot, lambda: services.tracking.get(key)["status"] == "done")
        await until(pilot, lambda: board.lane == "done")
        await press(pilot, "space")
        await until(pilot, lambda: on_top(pilot, ConfirmDialog))
        await press(pilot, "y")
        await until(pilot, lambda: services.tracking.get(key)["status"] == "todo")
        await until(pilot, lambda: marked(board) == key)
        await press(pilot, "D", "enter")
        assert services.tracking.get(key)["status"] == "todo"
        await press(pilot, "D")
        await press(pilot, "y")
        await until(pilot, lambda: services.tracking.get(key)["status"] == "archived")
        await until(pilot, lambda: "Write it" not in text_of(pilot))
        assert services.log.verify().log.difference is None


async def test_a_status_is_set_with_a_note_in_one_event(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        tracked(services)
        await to_board(pilot)
        before = services.log.last_position()
        await press(pilot, "t")
        assert on_top(pilot, StatusDialog)
        await press(pilot, "ctrl+u", "enter")
        assert "The item has no status" in text_of(pilot)
        await press(pilot, *"blocked", "tab", *"waits", "enter")
        await until(pilot, lambda: services.tracking.get("T1")["status"] == "blocked")
        assert services.tracking.get("T1")["notes"] == "waits"
        assert services.log.last_position() == before + 1
        await until(pilot, lambda: "blocked: Rank" in text_of(pilot))


async def test_words_are_looked_for_further_back_than_is_shown(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        said = [NewEvent("said", {"text": "needle"})]
        said += [NewEvent("said", {"n": n}) for n in range(PAGE + 10)]
        services.log.append("notes", said)
        await opened(pilot)
        await press(pilot, "/", *"needle")
        rows = pilot.app.screen.query_one("#log-events", RowList)
        await until(pilot, lambda: rows.row_count == 1)


async def test_what_is_too_long_to_be_read_whole_says_so(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        services.log.append("notes", [NewEvent("said", {"n": n}) for n in range(MOST + 1)])
        await opened(pilot)
        await press(pilot, "/", *"said")
        rows = pilot.app.screen.query_one("#log-events", RowList)
        await until(pilot, lambda: "5,000 of the newest 5,000 read" in text_of(pilot))
        assert rows.row_count == PAGE + 1
        rows.focus()
        await press(pilot, "g")
        await until(pilot, lambda: rows.row_count == PAGE * 2 + 1)


async def test_the_facts_of_the_screen_stand_in_its_twins(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        tracked(services)
        await opened(pilot)
        await to_stream(pilot, "tracker")
        shown = text_of(pilot)
        events = [event_document(each) for each in services.log.read("tracker")]
        assert len(events) == 3
        for event in events:
            assert f"v{event['version']}" in shown
            assert {str(event["type"]), str(event["actor"])} <= set(shown.split())
        text = await press(pilot, "]")
        twin = folded_text(services.views.project("tracker"), services.caller.store.now())
        for fact in ("proposed", "T1", "Rank the hits", "T3", "Over already"):
            assert fact in twin
            assert has_all(text, [fact]) == []


async def test_what_others_move_moves_on_the_board(house: House) -> None:
    async with running(house) as (_app, pilot, services, _told):
        tracked(services)
        board = await to_board(pilot)
        with closing(house.open("cli", actor="codex")) as other:
            other.services.tracking.change("T1", {"lane": "in-progress"})
        await until(pilot, lambda: (board.lane, marked(board)) == ("in-progress", "T1"))


async def test_a_log_that_cannot_be_read_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(house) as (_app, pilot, _services, _told):

        def broken(self: LogService) -> object:
            raise StoreError("The database is gone.", "Bring it back.")

        with monkeypatch.context() as patch:
            patch.setattr(LogService, "streams", broken)
            text = await opened(pilot)
            assert has_all(text, ["The database is gone.", "It could not be read."]) == []
        await press(pilot, "/", "x")
        await press(pilot, "escape")
        await until(pilot, lambda: "all streams" in text_of(pilot))
