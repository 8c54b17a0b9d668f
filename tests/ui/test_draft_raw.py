"""Answers that are no draft, or half of one: what can be used fills the editor, nothing typed is
lost, and the raw answer is shown with a way to ask again (P73)."""

from __future__ import annotations

import json

import pytest
from textual.pilot import Pilot

from smriti_tui.services import Services
from tests.ui.draft_answers import CRON, JOB, answer, draft_text, drafting, item, opened_draft
from tests.ui.house import House
from tests.ui.screens_host import HOSTILE, Story, has_all, is_grid, press

WHOLE = answer(decisions=[JOB])
FENCE = "```"
GOOD = {
    "fenced": f"{FENCE}json\n{WHOLE}\n{FENCE}",
    "behind prose and another fence": (
        f"Here is what I did:\n\n{FENCE}bash\nmake {{all}}\n{FENCE}\n\n"
        f"And the draft:\n{FENCE}json\n{WHOLE}\n{FENCE}\nShall I save it?"
    ),
    "with fences in its values": answer(
        decisions=[item("The rebuild is a job", "make the rebuild a job")],
        tasks=[item(f"Run\n{FENCE}sh\nmake\n{FENCE}", "make the rebuild a job")],
    ),
    "wrongly typed": json.dumps(
        {
            "title": ["Rebuild as a job"],
            "decisions": "The rebuild is a job",
            "tasks": ["Write it", {"description": "Test it", "turn": "t5", "quote": "a job"}, 7],
        }
    ),
}


@pytest.mark.parametrize("kind", GOOD)
async def test_an_answer_that_can_be_read_fills_the_editor(house: House, kind: str) -> None:
    async with drafting(house, GOOD[kind]) as (_app, pilot, services, told):
        text = await draft_text(pilot, services, told)
        assert has_all(text, ["The rebuild is a job", "4 Draft"]) == []
        if kind != "wrongly typed":
            assert has_all(text, ["Rebuild as a job", "t5 verified"]) == []
        else:
            assert has_all(text, ["Write it", "Test it"]) == []


async def typed_by_hand(pilot: Pilot[int], services: Services, told: Story) -> None:
    """A title and an item that the person wrote, over a first draft."""
    await opened_draft(pilot, services, told)
    await press(pilot, "g", "e", "ctrl+u", *"Mine", "ctrl+s")
    await press(pilot, "n", *"By hand", "ctrl+s")


BAD = {
    "refused": "Sorry, I can't help with that.",
    "cut before anything was whole": '{"title": "Cut off in the',
    "prose": "We decided to make the rebuild a job, and that is all there is to say.",
    "another object": '{"answer": 42}',
    "hostile": f"No. {HOSTILE}",
}


@pytest.mark.parametrize("kind", BAD)
async def test_an_answer_that_is_none_leaves_all_that_was_typed_and_is_shown(
    house: House, kind: str
) -> None:
    async with drafting(house, WHOLE, BAD[kind], answer("Newer", decisions=[JOB, CRON])) as (
        _app, pilot, services, told,
    ):  # fmt: skip
        await typed_by_hand(pilot, services, told)
        text = await press(pilot, "R")
        assert has_all(text, ["Mine", "By hand", "The rebuild is a job", "R asks again"]) == []
        shown = {"hostile": "see [/x] and [bold]not[/]"}.get(kind, BAD[kind][:20])
        assert has_all(text, [shown]) == []
        assert is_grid(pilot)
        text = await press(pilot, "R")
        assert has_all(text, ["Mine", "By hand", "Use cron", "UNVERIFIED"]) == []
        assert "R asks again" not in text


async def test_an_empty_answer_is_told_in_the_bar_and_changes_nothing(house: House) -> None:
    async with drafting(house, WHOLE, "") as (_app, pilot, services, told):
        await typed_by_hand(pilot, services, told)
        text = await press(pilot, "R")
        assert has_all(text, ["said nothing", "Mine", "By hand", "The rebuild is a job"]) == []


async def test_the_first_answer_may_be_none(house: House) -> None:
    async with drafting(house, BAD["refused"], WHOLE) as (_app, pilot, services, told):
        text = await draft_text(pilot, services, told)
        assert has_all(text, ["Sorry, I can't help with that.", "R asks again"]) == []
        text = await press(pilot, "R")
        assert has_all(text, ["Rebuild as a job", "t5 verified"]) == []
        assert "Sorry" not in text


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_what_came_whole_of_a_cut_answer_is_taken_and_the_rest_told(
    house: House, size: tuple[int, int]
) -> None:
    whole = answer(decisions=[JOB], tasks=[item("Write it", "make the rebuild")])
    cut = whole[: whole.index('"Write it"') + 4]
    async with drafting(house, cut, whole, size=size) as (_app, pilot, services, told):
        text = await draft_text(pilot, services, told)
        assert has_all(text, ["The rebuild is a job", "asks again"]) == []
        assert "Wri" not in text.split("Source")[0].replace("Write", "")
        text = await press(pilot, "R")
        assert has_all(text, ["Write it", "t5 verified"]) == []
        assert "asks again" not in text


async def test_nothing_is_saved_by_an_answer(house: House) -> None:
    async with drafting(house, WHOLE, BAD["prose"]) as (_app, pilot, services, told):
        await opened_draft(pilot, services, told)
        await press(pilot, "R")
        branch = services.spaces.branches(told.space.id)[0]
        assert branch.head == told.checkpoint.id
