"""Pane 5: who works on what, as others write it while the app runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from smriti_tui.domain.durations import later
from smriti_tui.domain.ids import SpaceId, new_id
from smriti_tui.domain.model import Task
from smriti_tui.screens.dialogs.agent_text import AgentTextDialog
from smriti_tui.screens.dialogs.claim import EditClaimDialog, NewClaimDialog
from smriti_tui.services import Services
from smriti_tui.widgets.agents_pane import AgentsPane
from smriti_tui.widgets.pane_tabs import PaneTabs
from tests.support import content
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

Go = Pilot[int]


@contextmanager
def agent(house: House, name: str = "codex") -> Iterator[Services]:
    """Another program that writes into the same database."""
    with closing(house.open("cli", actor=name)) as opened:
        yield opened.services


async def to_agents(pilot: Go) -> AgentsPane:
    """The focus goes to pane 5."""
    await pilot.press("escape", "5")
    await settle(pilot)
    return workspace(pilot).query_one(AgentsPane)


def space_of(pilot: Go) -> SpaceId:
    found = desk(pilot).place.space
    assert found is not None
    return found


async def test_claims_of_others_come_and_go_while_an_answer_streams(house: House) -> None:
    house.seed()
    house.model.hold_after = 4
    async with house.app() as pilot:
        assert "Nobody has claimed" in screen_text(pilot)
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am not" in screen_text(pilot))
        with agent(house) as services:
            taken = services.claims.take(
                space_of(pilot), "2 M document load test", intent="test", task_id="load-1"
            )
            await until(pilot, lambda: "load test" in screen_text(pilot))
            text = screen_text(pilot)
            assert re.search(r"codex\s+test (4h|3h5\dm)", text)
            assert "task load-1" in text
            services.claims.end(taken.claim.id, "done")
            await until(pilot, lambda: "Ended lately" in screen_text(pilot))
        assert place_of(pilot) == "prompt"
        assert workspace(pilot).answers_running
        house.model.go_on.set()
        await settle(pilot)


async def test_the_earlier_claimant_hears_once_of_the_later_one(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        desk(pilot).services.claims.take(space_of(pilot), "src/index.py faster")
        with agent(house) as services:
            services.claims.take(space_of(pilot), "rewrite src/index.py")
            await until(pilot, lambda: "overlaps with yours" in notes(pilot))
            services.claims.take(space_of(pilot), "the manual")
            await until(pilot, lambda: "the manual" in screen_text(pilot))
        assert notes(pilot).count("overlaps with yours") == 1
        await until(pilot, lambda: "OVERLAP" in screen_text(pilot))
        pane = await to_agents(pilot)
        pane.move_to(next(row.key for row in pane._rows if row.key.startswith("sign:overlap")))
        await pilot.press("c")
        await settle(pilot)
        assert on_top(pilot, AgentTextDialog)
        assert "Earlier: ada" in screen_text(pilot)
        assert "Later: codex" in screen_text(pilot)


async def test_a_claim_is_made_changed_ended_and_undone(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        pane = await to_agents(pilot)
        claims = desk(pilot).services.claims
        await pilot.press("n")
        await pilot.pause()
        assert on_top(pilot, NewClaimDialog)
        await pilot.press(*"load test", "enter")
        await until(pilot, lambda: '"load test"' in screen_text(pilot))
        assert "z undoes" in notes(pilot)
        (made,) = claims.of_space(space_of(pilot))
        assert (made.agent, made.branch_name, made.intent) == ("ada", "main", "implement")
        assert pane.cursor_key == f"claim:{made.id}"
        await pilot.press("e")
        await pilot.pause()
        assert on_top(pilot, EditClaimDialog)
        await pilot.press(*"big test", "tab", "j", "tab", *"2d", "enter")
        await until(pilot, lambda: '"big test"' in screen_text(pilot))
        changed = claims.find(made.id)
        assert changed.intent == "review"
        assert changed.expires_at > later(made.expires_at, 24 * 3600)
        await pilot.press("space")
        await until(pilot, lambda: claims.find(made.id).status == "done")
        await settle(pilot)
        await pilot.press("space")
        await until(pilot, lambda: claims.find(made.id).status == "active")
        await settle(pilot)
        await pilot.press("D")
        await until(pilot, lambda: claims.find(made.id).status == "abandoned")
        await settle(pilot)
        await pilot.press("z")
        await until(pilot, lambda: claims.find(made.id).status == "active")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert on_top(pilot, AgentTextDialog)
        assert re.search(r"holds until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", screen_text(pilot))
        assert f"claim {made.id}" in screen_text(pilot)


async def test_a_bad_time_is_said_at_its_field_and_a_free_task_fills_scope_and_intent(
    house: House,
) -> None:
    space, _ = house.seed()
    with agent(house) as services:
        task = Task(uid=new_id(), text="write the job", id="job-1", intent_hint="test")
        body = content("With a task", "D1")
        services.checkpoints.create(space.id, replace(body, tasks=(task,)))
    async with house.app() as pilot:
        await to_agents(pilot)
        await pilot.press("n")
        await pilot.pause()
        await pilot.press("tab", "j")
        await pilot.pause()
        assert workspace(pilot).app.screen.query_one("#claim-scope").value == "write the job"  # type: ignore[attr-defined]
        line = workspace(pilot).app.screen.query_one("#claim-ttl")
        line.value = "soon"  # type: ignore[attr-defined]
        await pilot.press("enter")
        await settle(pilot)
        assert "is no span of time" in screen_text(pilot)
        line.value = "30m"  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: not on_top(pilot, NewClaimDialog))
        (made,) = desk(pilot).services.claims.of_space(space.id)
        assert (made.task_id, made.intent, made.scope) == ("job-1", "test", "write the job")


async def test_the_feed_tells_who_wrote_what_and_leads_there(house: House) -> None:
    space, _ = house.seed()
    async with house.app() as pilot:
        pane = await to_agents(pilot)
        await pilot.press("[")
        await settle(pilot)
        assert pane.tab == "Feed"
        assert "checkpoint" in screen_text(pilot)
        await pilot.press("j", "j")
        marked = pane.cursor_key
        with agent(house) as services:
            services.claims.take(space.id, "the manual")
            made = services.checkpoints.create(space.id, content("By codex", "D9")).checkpoint
            await until(pilot, lambda: f"checkpoint {made.id[:7]}" in screen_text(pilot))
        assert "claim" in screen_text(pilot)
        assert re.search(r"codex\s+cli \d\d:\d\d", screen_text(pilot))
        assert pane.cursor_key == marked
        await pilot.press("/", *"codex checkpoint", "enter")
        await settle(pilot)
        assert pane.hit_count == 1
        await pilot.press("enter")
        await settle(pilot)
        assert "By codex" in screen_text(pilot)
        assert not on_top(pilot, type(workspace(pilot)))


async def test_f4_shows_and_hides_by_the_width(house: House) -> None:
    house.seed()
    async with house.app((120, 36)) as pilot:
        screen = workspace(pilot)
        side, left = screen.query_one("#side"), screen.query_one("#left")

        def shown() -> tuple[bool, bool]:
            return left.display, side.display

        assert side.region.width == 30
        await pilot.press("f4")
        await settle(pilot)
        assert shown() == (True, False)
        assert place_of(pilot) == "prompt"
        await pilot.press("f4")
        await settle(pilot)
        assert shown() == (True, True)
        await pilot.resize_terminal(160, 48)
        await settle(pilot)
        assert side.region.width == 34
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        assert shown() == (True, False)
        chat = screen.query_one("#chat").region
        await pilot.press("f4")
        await settle(pilot)
        assert shown() == (False, True)
        assert screen.query_one("#chat").region == chat
        assert place_of(pilot) == "prompt"
        await pilot.press("escape", "1")
        await settle(pilot)
        assert shown() == (True, False)
        await pilot.press("\\")
        await settle(pilot)
        assert place_of(pilot) == "agents"
        await pilot.press("\\")
        await settle(pilot)
        assert place_of(pilot) == "spaces"
        assert shown() == (True, False)


@pytest.mark.parametrize("size", [(100, 30), (80, 24)])
async def test_the_focus_gets_there_each_time_though_its_pane_goes_first(
    house: House, size: tuple[int, int]
) -> None:
    house.seed()
    async with house.app(size) as pilot:
        await settle(pilot)
        await pilot.press("escape", "1")
        await settle(pilot)
        for _ in range(8):
            await pilot.press("\\")
            await settle(pilot)
            assert place_of(pilot) == "agents"
            await pilot.press("\\")
            await settle(pilot)
            assert place_of(pilot) == "spaces"


async def test_on_a_narrow_terminal_they_are_a_tab_that_counts(house: House) -> None:
    space, _ = house.seed()
    async with house.app((80, 24)) as pilot:
        with agent(house) as services:
            services.claims.take(space.id, "src/a.py")
            services.claims.take(space.id, "src/a.py and more")
        tabs = workspace(pilot).query_one(PaneTabs)
        await until(pilot, lambda: "5 Agents 2 !1" in screen_text(pilot))
        assert tabs.display
        await pilot.press("f4")
        await settle(pilot)
        assert place_of(pilot) == "agents"
        lines = [line for line in screen_text(pilot).split("\n") if '"src/a.py and more"' in line]
        assert len(lines) == 1
        assert "codex" in lines[0]
        assert "implement" in lines[0]
        await pilot.press("y")
        await pilot.press("f4")
        await pilot.pause()
        assert place_of(pilot) == "prompt"


@pytest.mark.parametrize("turned", [-7200, 7200])
async def test_a_clock_that_jumps_makes_no_odd_age(house: House, turned: int) -> None:
    house.seed()
    async with house.app() as pilot:
        with agent(house) as services:
            services.claims.take(space_of(pilot), "the manual", ttl_s=3600)
            await until(pilot, lambda: "the manual" in screen_text(pilot))
        part = desk(pilot).agents
        store = part._services.caller.store
        now = later(store.now(), turned)
        store._now = lambda: now
        part._tick()
        await settle(pilot)
        text = screen_text(pilot)
        assert "-" not in re.sub(r"[^\d-]", "", "".join(re.findall(r"(-?\d+[hm]) ", text)))
        if turned > 0:
            assert "expired" in text
        else:
            assert re.search(r"implement 1h\b", text)
            assert "just now" in text


async def test_rows_made_while_the_pane_was_hidden_are_made_again(house: House) -> None:
    with closing(house.open("cli")) as opened:
        space = opened.services.spaces.create("Search").id
        opened.services.claims.take(space, "a scope of several words that fit on one line")
    async with house.app((160, 48)) as pilot:
        before = screen_text(pilot)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        desk(pilot).agents.draw_again()  # as a minute that is over does
        await pilot.resize_terminal(160, 48)
        await settle(pilot)
        assert screen_text(pilot) == before
