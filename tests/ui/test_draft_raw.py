"""Answers that are no draft, or half of one: what can be used fills the editor, nothing typed is
lost, and the raw answer is shown with a way to ask again (P73)."""

from __future__ import annotations

import json

import pytest

from tests.ui.draft_answers import CRON, JOB, answer, draft_text, drafting, item, opened_draft
from tests.ui.house import House
from tests.ui.screens_host import HOSTILE, has_all, is_grid, press

WHOLE = answer(decisions=[JOB])
FENCE = "```"
FENCED = (
    f"{FENCE}json\n{WHOLE}\n{FENCE}",
    f"Here is what I did:\n\n{FENCE}bash\nmake {{all}}\n{FENCE}\n\n"
    f"And the draft:\n{FENCE}json\n{WHOLE}\n{FENCE}\nShall I save it?",
    answer(decisions=[JOB], tasks=[item(f"Run\n{FENCE}sh\nmake\n{FENCE}", "a job")]),
)
WRONGLY_TYPED = json.dumps(
    {
        "title": ["Rebuild as a job"],
        "decisions": "The rebuild is a job",
        "tasks": ["Write it", {"description": "Test it", "turn": "t5", "quote": "a job"}, 7],
    }
)
BAD = (
    "Sorry, I can't help with that.",
    '{"title": "Cut off in the',
    "We decided to make the rebuild a job, and that is all there is to say.",
    '{"answer": 42}',
    f"No. {HOSTILE}",
)


async def test_answers_that_can_be_read_fill_the_editor(house: House) -> None:
    async with drafting(house, *FENCED, WRONGLY_TYPED) as (_app, pilot, services, told):
        text = await draft_text(pilot, services, told)
        for _ in FENCED:
            wanted = ["Rebuild as a job", "The rebuild is a job", "t5 verified"]
            assert has_all(text, wanted) == []
            assert "asks again" not in text
            text = await press(pilot, "R")
        assert has_all(text, ["The rebuild is a job", "Write it", "Test it"]) == []
        # What cites nothing was not found either: it waits for a word.
        assert text.count("[?]") == 3


async def test_an_answer_that_is_none_leaves_all_that_was_typed_and_is_shown(house: House) -> None:
    good = answer("Newer", decisions=[JOB, CRON])
    async with drafting(house, WHOLE, *BAD, "", good) as (_app, pilot, services, told):
        screen, _ = await opened_draft(pilot, services, told)
        await press(pilot, "g", "e", "ctrl+u", *"Mine", "ctrl+s")
        await press(pilot, "n", *"By hand", "ctrl+s")
        # On an item that cites a turn the answer is shown all the same.
        await press(pilot, "g", *["down"] * 3)
        before = screen.state
        for bad in BAD:
            text = await press(pilot, "R")
            shown = "see [/x] and [bold]not[/]" if "bold" in bad else bad[:20]
            assert has_all(text, ["R asks again", shown]) == []
            assert is_grid(pilot)
            assert screen.state == before
        text = await press(pilot, "R")
        assert has_all(text, ["said nothing", "Mine", "By hand", "The rebuild is a job"]) == []
        assert screen.state == before
        text = await press(pilot, "R")
        assert has_all(text, ["Mine", "By hand", "Use cron", "UNVERIFIED"]) == []
        assert "asks again" not in text
        branch = services.spaces.branches(told.space.id)[0]
        assert branch.head == told.checkpoint.id


async def test_the_first_answer_may_be_none(house: House) -> None:
    async with drafting(house, BAD[0], WHOLE, size=(60, 16)) as (_app, pilot, services, told):
        text = await draft_text(pilot, services, told)
        assert has_all(text, ["no draft", "R asks again"]) == []
        assert is_grid(pilot)
        text = await press(pilot, "R")
        assert has_all(text, ["Rebuild as a job"]) == []
        assert "Sorry" not in text


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_what_came_whole_of_a_cut_answer_is_taken_and_the_rest_told(
    house: House, size: tuple[int, int]
) -> None:
    whole = answer(decisions=[JOB], tasks=[item("Write it", "make the rebuild")])
    cut = whole[: whole.index('"Write it"') + 4]
    async with drafting(house, cut, whole, size=size) as (_app, pilot, services, told):
        text = await draft_text(pilot, services, told)
        assert has_all(text, ["The rebuild is a job", "breaks off", "asks again"]) == []
        text = await press(pilot, "R")
        assert has_all(text, ["Write it", "t5 verified"]) == []
        assert "asks again" not in text
