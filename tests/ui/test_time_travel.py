"""Time travel in the app: the workspace as it was, read only, while the present goes on."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from smriti_tui.domain.errors import Invalid
from smriti_tui.screens.past.go_to import with_zone
from smriti_tui.screens.past.time_travel import TimeTravel
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.time_strip import TimeStrip
from tests.support import content, send
from tests.ui.house import House, desk, notes, on_top, place_of, screen_text, settle, until
from tests.ui.screens_host import HOSTILE, SIZES, is_grid


def past(pilot: Pilot[int]) -> TimeTravel:
    screen = pilot.app.screen
    assert isinstance(screen, TimeTravel)
    return screen


def at(pilot: Pilot[int]) -> int:
    return past(pilot).query_one(TimeStrip).view.here.position


def titles(pilot: Pilot[int]) -> list[str]:
    pane = pilot.app.screen.query_one(CheckpointsPane)
    return [checkpoint.title for checkpoint in pane.view.checkpoints]


async def keys(pilot: Pilot[int], *pressed: str) -> str:
    for key in pressed:
        await pilot.press(key)
    await settle(pilot)
    return screen_text(pilot)


def open_files(folder: Path) -> int:
    """Open files of the databases in a folder, in this process."""
    found = []
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.append(str(each.readlink()))
    return sum(each.startswith(str(folder)) for each in found)


async def test_t_goes_to_the_event_that_saved_the_checkpoint_under_the_cursor(
    house: House,
) -> None:
    space, _ = house.seed(checkpoints=3)
    with closing(house.open("cli")) as opened:
        saved = opened.services.checkpoints.of_space(space.id)
    async with house.app() as pilot:
        await pilot.press(*"half a thought")
        text = await keys(pilot, "escape", "2", "j", "T")
        assert at(pilot) == saved[1].position
        assert f"AT EVENT {saved[1].position}" in text
        assert "everything is as it was then" in text
        assert titles(pilot) == ["State 2", "State 1"]
        assert "half a thought" in str(past(pilot).query_one("#prompt", Static).content)
        assert "first talk" in text
        await keys(pilot, "h")
        assert titles(pilot) == ["State 1"]
        await keys(pilot, "l", "l")
        assert titles(pilot) == ["State 3", "State 2", "State 1"]
        await keys(pilot, "g")
        assert at(pilot) == 2  # after the store's own first event
        assert titles(pilot) == []
        assert "is the first event" not in notes(pilot)
        await keys(pilot, "h")
        assert "This is the first event of the Space." in notes(pilot)
        await keys(pilot, "L", "L", "H")
        assert at(pilot) == saved[2].position
        await keys(pilot, "G", "l")
        assert "This is now." in notes(pilot)
        await keys(pilot, "escape")
        assert place_of(pilot) == "checkpoints"
        assert pilot.app.screen.query_one(CheckpointsPane).cursor_key == saved[1].id
        assert pilot.app.screen.query_one(Prompt).text == "half a thought"


async def test_nothing_is_written_from_the_past_and_each_key_says_why(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        services = desk(pilot).services
        await keys(pilot, "escape", "2", "T", "h")
        before = services.log.last_position()
        for pane, pressed in (("1", "nD"), ("2", "mu"), ("3", "Rs}zi")):
            await keys(pilot, pane)
            for key in pressed:
                pilot.app.clear_notifications()
                await keys(pilot, key)
                said = f"This is event {at(pilot)}; esc goes back to now."
                assert said in notes(pilot), key
                assert on_top(pilot, TimeTravel), key
        pilot.app.clear_notifications()
        await keys(pilot, "ctrl+n", "ctrl+t")
        assert "esc goes back to now" in notes(pilot)
        assert services.log.last_position() == before
        panes = past(pilot).travel.panes
        assert panes is not None
        with pytest.raises(Invalid, match="read only"):
            panes.moment.services.spaces.create("never")


async def test_a_held_key_ends_where_it_should_and_leaves_nothing_open(house: House) -> None:
    house.seed(checkpoints=30)
    async with house.app() as pilot:
        await keys(pilot, "escape", "2")
        await keys(pilot, "T")
        start = at(pilot)
        for _ in range(28):
            await pilot.press("h")
        await settle(pilot)
        assert at(pilot) == start - 28
        assert len(titles(pilot)) == 2
        travel = past(pilot).travel
        assert len(travel._moments._open) == 1
        here = open_files(house.folder)
        await keys(pilot, "escape")
        assert not travel._moments._open
        # The present keeps a few connections of its own; those of the past are gone.
        assert open_files(house.folder) < here
        assert not [each for each in house.folder.iterdir() if "tmp" in each.name]


async def test_the_present_is_counted_and_nothing_moves(house: House) -> None:
    space, _ = house.seed()
    async with house.app() as pilot:
        await keys(pilot, "escape", "2", "T", "h")
        place, shown = at(pilot), titles(pilot)
        with closing(house.open("cli", actor="codex")) as opened:
            opened.services.checkpoints.create(space.id, content("From elsewhere", "D"))
            opened.services.spaces.create("another Space")
        await until(pilot, lambda: "1 newer event" in screen_text(pilot))
        assert (at(pilot), titles(pilot)) == (place, shown)
        await keys(pilot, "G")
        assert "From elsewhere" in titles(pilot)


async def test_an_answer_goes_on_in_the_present(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        house.model.hold_after = 2
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "esc stops" in screen_text(pilot))
        await pilot.press("tab", "2")  # esc would stop it.
        now = desk(pilot)
        await pilot.press("T")
        await until(
            pilot, lambda: on_top(pilot, TimeTravel) and past(pilot).travel.panes is not None
        )
        await pilot.press("h")
        house.model.hold_after = None
        house.model.go_on.set()
        await settle(pilot)
        assert on_top(pilot, TimeTravel)
        session = now.place.session
        assert session is not None
        assert now.services.sessions.turns(session)[-1].status == "complete"


async def test_a_fork_is_made_now_from_what_was_there_then(house: House) -> None:
    space, session = house.seed(checkpoints=1)
    with closing(house.open("cli")) as opened:
        await send(opened.services, session.id, "one")
        position = opened.services.log.last_position()
        await send(opened.services, session.id, "two")
        opened.services.checkpoints.create(space.id, content("Later", "D"), session=session.id)
    async with house.app() as pilot:
        await keys(pilot, "escape", "2", "T", "slash")
        await keys(pilot, *str(position), "enter")
        assert at(pilot) == position
        await keys(pilot, "f")
        assert not on_top(pilot, TimeTravel)
        found = desk(pilot)
        now = found.place.session
        assert now not in (None, session.id)
        assert now is not None
        turns = found.services.sessions.turns(now)
        assert [turn.text for turn in turns][:1] == ["one"]
        assert len(turns) == 2
        view = found.services.contexts.view(now)
        assert view.anchor is not None
        assert view.anchor.body.title == "State 1"
        await keys(pilot, "escape", "2", "T")
        start = found.services.moments.around(space.id, 0, 0, 0).here.position
        await keys(pilot, "g")
        await keys(pilot, "f")
        assert at(pilot) == start
        assert "neither a turn nor a checkpoint" in notes(pilot)


async def test_a_wrong_place_is_told_at_its_field(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await keys(pilot, "escape", "2", "T", "slash")
        text = await keys(pilot, *"99999", "enter")
        assert "There is no event 99999" in text
        text = await keys(pilot, "escape")
        assert on_top(pilot, TimeTravel)


def test_a_time_without_a_zone_is_this_machines() -> None:
    assert with_zone("812") == "812"
    assert with_zone("4c1e9a0") == "4c1e9a0"
    assert with_zone("2026-03-02T14:05:00Z") == "2026-03-02T14:05:00Z"
    assert with_zone("2026-03-02 14:05").startswith("2026-03-02T14:05:00")
    assert len(with_zone("2026-03-02 14:05")) > len("2026-03-02T14:05:00")


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_words_keep_the_grid(house: House, size: tuple[int, int]) -> None:
    with closing(house.open("cli", actor="[b] 日本語 \u202e")) as opened:
        services = opened.services
        space = services.spaces.create(f"S {HOSTILE}")
        session = services.sessions.new(space.id, title=f"T {HOSTILE}")
        await send(services, session.id, HOSTILE)
        services.checkpoints.create(space.id, content(HOSTILE, HOSTILE), session=session.id)
    async with house.app(size) as pilot:
        await keys(pilot, "escape", "2", "T")
        for key in "hhhhgG":
            text = await keys(pilot, key)
            assert is_grid(pilot)
            assert "AT EVENT" in text
            assert "TIME TRAVEL" in text
        text = await keys(pilot, "3")
        assert is_grid(pilot)
        assert "h l Event" in text


async def test_the_context_of_then_is_that_of_the_checkpoint_under_the_cursor(
    house: House,
) -> None:
    house.seed(checkpoints=3)
    async with house.app() as pilot:
        await keys(pilot, "escape", "2", "j", "T")
        marked = past(pilot).query_one(CheckpointsPane).view.checkpoints[0].id
        text = await keys(pilot, "2", "x")
        assert f"CONTEXT if {marked[:7]} were mounted" in text
