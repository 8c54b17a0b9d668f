"""Pane 1 in order: pins, archives, deleting, exports, titles by the background model."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from smriti_tui.domain.model import Session, Space
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.dialogs.export_space import ExportDialog
from smriti_tui.screens.dialogs.rename import RenameDialog
from smriti_tui.services.logs import StoredEvent
from smriti_tui.widgets.fields import LineInput
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.spaces_pane import SpacesPane
from tests.support import send
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace


def seeded(house: House) -> tuple[Space, list[Session]]:
    """The Space `search-index` with three sessions, and another one below it."""
    with closing(house.open("cli")) as opened:
        services = opened.services
        services.spaces.create("billing")
    space, first = house.seed()
    with closing(house.open("cli")) as opened:
        more = [opened.services.sessions.new(space.id, title=name) for name in ("two", "three")]
    return space, [first, *more]


def pane_of(pilot: object) -> SpacesPane:
    return workspace(pilot).query_one(SpacesPane)  # type: ignore[arg-type]


def rows(pilot: object) -> list[str]:
    """What stands in pane 1, line by line."""
    lines = (line for row in pane_of(pilot)._rows for line in row.lines)
    return ["".join(piece.text for piece in line.left).rstrip() for line in lines]


async def test_a_space_goes_only_after_its_name_was_typed(house: House) -> None:
    space, _ = seeded(house)
    async with house.app() as pilot:
        spaces = desk(pilot).services.spaces
        await pilot.press("escape", "1")
        pane_of(pilot).move_to(f"space:{space.id}")
        await pilot.press("D")
        await settle(pilot)
        assert "It holds 3 sessions and 2 checkpoints." in screen_text(pilot)
        await pilot.press("2")
        await settle(pilot)
        assert isinstance(pilot.app.screen, ConfirmDialog)
        for wrong in ((), ("S", *"earch-index"), (*"search-index", "space")):
            await pilot.press(*wrong, "enter")
            await settle(pilot)
            assert "That is another name." in screen_text(pilot)
            pilot.app.screen.query_one("#typed", LineInput).value = ""
        assert len(spaces.all()) == 2
        await pilot.press("escape")
        await settle(pilot)
        assert len(spaces.all()) == 2
        await pilot.press("D", "2")
        await settle(pilot)
        await pilot.press(*"search-index", "enter")
        await settle(pilot)
        assert [each.name for each in spaces.all()] == ["billing"]
        assert desk(pilot).tree.space_name == "billing"
        assert desk(pilot).place.session is None
        assert 'Deleted "search-index" with 2 checkpoints.' in notes(pilot)


async def test_a_name_that_is_written_in_another_way_is_the_same(house: House) -> None:
    async with house.app() as pilot:
        answers: list[bool | None] = []
        for name, typed in (("e\u0301te\u0301", "été"), ("a\x1bb", "a\u241bb")):
            pilot.app.push_screen(ConfirmDialog("Delete", typed=name), answers.append)
            await settle(pilot)
            pilot.app.screen.query_one("#typed", LineInput).value = typed
            await pilot.press("enter")
            await settle(pilot)
        assert answers == [True, True]


async def test_what_is_archived_folds_away_and_is_found_again(house: House) -> None:
    space, sessions = seeded(house)
    async with house.app() as pilot:
        await pilot.press("escape", "1")
        pane_of(pilot).move_to(f"session:{sessions[1].id}")
        await pilot.press("D", "1")
        await settle(pilot)
        assert "z undoes" in notes(pilot)
        assert rows(pilot)[1:] == [
            "v search-index", "  > three", "    first talk", "  > (archived: 1)", "> billing",
        ] or rows(pilot)[:4] == [
            "v search-index", "  > three", "    first talk", "  > (archived: 1)",
        ]  # fmt: skip
        assert pane_of(pilot).cursor_key == f"session:{sessions[0].id}"
        await pilot.press("down", "enter")
        await settle(pilot)
        assert "    two" in rows(pilot)
        await pilot.press("down")
        assert "archived, 0 turns" in screen_text(pilot)
        await pilot.press("left")
        await settle(pilot)
        assert pane_of(pilot).cursor_key == f"archived:{space.id}"
        pane_of(pilot).move_to(f"space:{space.id}")
        await pilot.press("D", "1")
        await settle(pilot)
        assert rows(pilot) == ["> billing", "> (archived: 1)"]
        assert desk(pilot).place.space == space.id
        pane_of(pilot).move_to("archived:spaces")
        await pilot.press("right")
        await settle(pilot)
        assert rows(pilot)[2:4] == ["v search-index", "  > three"]
    async with house.app() as pilot:
        assert rows(pilot)[1:4] == ["v (archived: 1)", "v search-index", "  > three"]
        assert "    two" in rows(pilot)
        pane_of(pilot).move_to(f"space:{space.id}")
        workspace(pilot).go("spaces")
        await pilot.press("D", "1")
        await settle(pilot)
        assert not desk(pilot).services.spaces.get(space.id).archived
        assert "(archived: 1)" not in rows(pilot)[-1]


async def test_pinned_sessions_stand_on_top_and_the_cursor_stays(house: House) -> None:
    _, sessions = seeded(house)
    async with house.app() as pilot:
        await pilot.press("escape", "1")
        pane = pane_of(pilot)
        pane.move_to(f"session:{sessions[0].id}")
        await pilot.press("p")
        await settle(pilot)
        shown = [row for row in rows(pilot) if row.endswith(("talk", "two", "three"))]
        assert shown == [" ^  first talk", "  > three", "    two"]
        assert pane.cursor_key == f"session:{sessions[0].id}"
        assert "pinned, 0 turns" in screen_text(pilot)
        assert 'Pinned "first talk". z undoes.' in notes(pilot)
        await pilot.press("p")
        await settle(pilot)
        assert not any("^" in row for row in rows(pilot))


async def test_deleting_the_open_session_leads_beside_it_with_what_was_typed(house: House) -> None:
    space, sessions = seeded(house)
    async with house.app() as pilot:
        assert desk(pilot).place.session == sessions[2].id
        await pilot.press(*"half a thought", "escape", "1")
        pane_of(pilot).move_to(f"session:{sessions[2].id}")
        await pilot.press("D", "escape")
        await settle(pilot)
        await pilot.press("D", "2")
        await settle(pilot)
        assert desk(pilot).place.session == sessions[1].id
        assert desk(pilot).place.space == space.id
        assert workspace(pilot).query_one(Prompt).text == "half a thought"
        assert 'Deleted "three" with 0 turns. The log keeps its events.' in notes(pilot)


async def test_what_answers_is_not_removed(house: House) -> None:
    space, sessions = seeded(house)
    house.model.hold_after = 2
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am" in screen_text(pilot))
        workspace(pilot).go("spaces")
        await pilot.pause()
        pane_of(pilot).move_to(f"session:{sessions[2].id}")
        await pilot.press("D")
        await until(pilot, lambda: "still on its way there" in notes(pilot))
        pane_of(pilot).move_to(f"space:{space.id}")
        await pilot.press("D")
        await until(pilot, lambda: "It holds" in screen_text(pilot))
        await pilot.press("2")
        await pilot.pause()
        await pilot.press(*"search-index", "enter")
        bar = workspace(pilot).query_one(NoticeBar)
        await until(pilot, lambda: "nothing was deleted" in bar.words)
        assert len(desk(pilot).services.spaces.all()) == 2
        house.model.go_on.set()
        await settle(pilot)


async def test_an_export_goes_where_it_says_and_replaces_nothing_unasked(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeded(house)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    async with house.app() as pilot:
        await pilot.press("escape", "1", "E")
        await settle(pilot)
        dialog = pilot.app.screen
        assert isinstance(dialog, ExportDialog)
        place = dialog.query_one("#export-to", LineInput)
        assert place.value == str(tmp_path / "here" / "search-index.md")
        await pilot.press("tab", "down")
        await settle(pilot)
        assert place.value == str(tmp_path / "here" / "search-index.json")
        await pilot.press("enter")
        await settle(pilot)
        written = tmp_path / "here" / "search-index.json"
        assert json.loads(written.read_text())["format"]
        bar = workspace(pilot).query_one(NoticeBar)
        assert f"Exported to {written}: 1 file written." in bar.words
        written.write_text("mine")
        await pilot.press("escape", "E")
        await settle(pilot)
        await pilot.press("tab", "down", "enter")
        await settle(pilot)
        assert "There is a file" in screen_text(pilot)
        assert written.read_text() == "mine"
        await pilot.press("enter")
        await settle(pilot)
        assert written.read_text() != "mine"
        await pilot.press("escape", "E")
        await settle(pilot)
        pilot.app.screen.query_one("#export-to", LineInput).value = "none/there.md"
        await pilot.press("enter")
        await settle(pilot)
        assert "There is no folder" in screen_text(pilot)
        pilot.app.screen.query_one("#export-to", LineInput).value = "bundle"
        await pilot.press("tab", "down", "down", "down", "enter")
        await settle(pilot)
        assert (tmp_path / "here" / "bundle" / "space.json").is_file()


async def test_a_title_comes_from_the_background_model(house: House) -> None:
    house.environ["SMRITI_BACKGROUND_MODEL"] = "demo/scripted"
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        await send(opened.services, session.id, "Which index do we take for the search?")
    async with house.app() as pilot:
        house.model.hold_after = 2
        workspace(pilot).action_run("session.title")
        await until(pilot, lambda: "sking demo/scripted for a title" in notes(pilot))
        workspace(pilot).action_run("session.title")
        await until(pilot, lambda: "Stopped. first talk keeps its title." in notes(pilot))
        house.model.hold_after = None
        workspace(pilot).action_run("session.title")
        await settle(pilot)
        sessions = desk(pilot).services.sessions
        assert sessions.get(session.id).title == "Which index do we take for"
        assert "Titled: " in notes(pilot)
        assert "Which index do" in screen_text(pilot)
        house.model.hold_after = 1
        workspace(pilot).action_run("session.title")
        await until(pilot, lambda: len(house.model.calls) == 4)
        await workspace(pilot).put_away()
        events = (e for e in desk(pilot).services.log.read(None) if isinstance(e, StoredEvent))
        ends = [event.body()["status"] for event in events if event.type == "request.ended"]
        assert ends == ["stopped", "complete", "stopped"]


async def test_a_title_is_suggested_while_one_renames(house: House) -> None:
    house.environ["SMRITI_BACKGROUND_MODEL"] = "demo/scripted"
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        await send(opened.services, session.id, "Which index do we take?")
    async with house.app() as pilot:
        sessions = desk(pilot).services.sessions
        workspace(pilot).action_run("edit.rename")
        await settle(pilot)
        house.model.hold_after = 1
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "esc Stop" in screen_text(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: "esc Back" in screen_text(pilot))
        assert isinstance(pilot.app.screen, RenameDialog)
        house.model.hold_after = None
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert pilot.app.screen.query_one("#new-name", LineInput).value == "Which index do we take"
        assert sessions.get(session.id).title == "first talk"
        sessions.rename(session.id, "theirs")
        await pilot.press("enter")
        await settle(pilot)
        assert "it is called 'theirs' now" in screen_text(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert sessions.get(session.id).title == "Which index do we take"


async def test_without_a_background_model_the_setting_is_named(house: House) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        await send(opened.services, session.id, "Which index?")
    async with house.app() as pilot:
        workspace(pilot).action_run("session.title")
        await settle(pilot)
        assert "background.model" in workspace(pilot).query_one(NoticeBar).words
