"""What people do all day, each with at most three keys from the workspace.

One starts where one reads, in the chat. Words are typed between the keys and count as none:

- ask the model: `i` words `enter`; see exactly what is sent: `x`; ask again: `R`
- mount a checkpoint: `2` `m`; back to HEAD: `u`; undo that: `z`; copy its id: `2` `y`
- new session: `ctrl+n` `enter`; switch to another one: `1` `G` `enter`
- rename: `1` `e` words `enter`; fold a Space from its session: `1` `left` `left`
- search and go to the hit: `ctrl+f` words `enter`; choose the model: `ctrl+t` words `enter`
- anything else by its name: `:` words `enter`
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.pilot import Pilot

from smriti_tui.domain.window import LineView
from smriti_tui.screens.context import ContextScreen
from smriti_tui.screens.search import SearchScreen
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.widgets.spaces_pane import SpacesPane
from tests.ui.house import (
    House,
    desk,
    notes,
    on_top,
    place_of,
    screen_text,
    settle,
    until,
    workspace,
)

MOST = 3


@dataclass(frozen=True)
class Words:
    """Text that is typed; no key of a task."""

    text: str


async def do(pilot: Pilot[int], *steps: str | Words) -> None:
    """Does a task from the chat."""
    assert sum(isinstance(step, str) for step in steps) <= MOST
    workspace(pilot).go("chat")
    await settle(pilot)
    for step in steps:
        await pilot.press(*(step.text if isinstance(step, Words) else [step]))
        await settle(pilot)


def view(pilot: Pilot[int]) -> LineView:
    look = desk(pilot).place.look
    assert look is not None
    return look.view


def texts(pilot: Pilot[int]) -> list[str]:
    look = desk(pilot).place.look
    assert look is not None
    return [turn.text for turn in look.turns]


async def test_asking_looking_and_asking_again(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await do(pilot, "i", Words("needle"), "enter")
        assert texts(pilot)[0] == "needle"
        assert len(house.model.calls) == 1
        await do(pilot, "x")
        assert on_top(pilot, ContextScreen)
        assert "CONTEXT of answer 2" in screen_text(pilot)
        await pilot.press("escape")
        await do(pilot, "R")
        assert len(house.model.calls) == 2
        await do(pilot, "ctrl+t", Words("contra"), "enter")
        assert desk(pilot).place.model == "demo/contrarian"
        await do(pilot, "ctrl+f", Words("needle"))
        assert on_top(pilot, SearchScreen)
        await until(pilot, lambda: "needle" in screen_text(pilot).split("\n")[5])
        await do_in_place(pilot, "enter")
        assert on_top(pilot, WorkspaceScreen)
        assert place_of(pilot) == "chat"
        await do(pilot, "colon", Words("zoom this pane: n"), "enter")
        assert "TALL" in screen_text(pilot)


async def do_in_place(pilot: Pilot[int], key: str) -> None:
    await pilot.press(key)
    await settle(pilot)


async def test_mounting_going_back_and_undoing(house: House) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        await do(pilot, "2", "m")
        assert view(pilot).mode == "RESTORED"
        await do(pilot, "u")
        assert view(pilot).mode != "RESTORED"
        await do(pilot, "z")
        await until(pilot, lambda: view(pilot).mode == "RESTORED")
        await do(pilot, "2", "y")
        assert "64 characters" in notes(pilot)


async def test_sessions_and_names(house: House) -> None:
    _, first = house.seed()
    async with house.app() as pilot:
        await do(pilot, "ctrl+n", "enter")
        assert desk(pilot).place.session not in (None, first.id)
        await do(pilot, "1", "G", "enter")
        assert desk(pilot).place.session == first.id
        assert place_of(pilot) == "chat"
        await do(pilot, "1", "e", Words("renamed"), "enter")
        assert "renamed" in screen_text(pilot)
        assert "first talk" not in screen_text(pilot)
        await do(pilot, "1", "left", "left")
        assert workspace(pilot).query_one(SpacesPane).row_count == 1
