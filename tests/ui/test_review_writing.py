"""The follow-up of a review where its branch has moved on, or its changes clash."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from smriti_tui.domain.model import Checkpoint
from smriti_tui.screens.compare import CompareScreen
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.review.form import FollowUpForm
from tests.support import content
from tests.ui.house import House, notes, on_top, settle, until
from tests.ui.reviewing import ANSWER, Told, at_work, head_of, house_of, opened
from tests.ui.screens_host import has_all, press, text_of
from tests.ui.test_review_screen import texts


def another_head(house: House, told: Told) -> Checkpoint:
    """Somebody saves on the branch: one decision as it was, one changed, one new."""
    with closing(house.open("cli", actor="bob")) as other:
        kept = told.checkpoint.body.decisions
        given = content("Bob's", "Bob's own")
        given = type(given)(
            title="Bob's", objective="Find things", decisions=(*kept, *given.decisions),
            entities=("Tantivy", "bob"),
        )  # fmt: skip
        return other.services.checkpoints.create(told.space.id, given).checkpoint


async def test_a_head_that_came_is_told_and_the_changes_are_made_on_it(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house) as (_, pilot, services, told):
        await opened(pilot, told)
        await press(pilot, "a", "w")
        # It comes while the title is being typed.
        head = another_head(house, told)
        await press(pilot, "enter")
        assert on_top(pilot, ChoiceDialog)
        assert head_of(services, told, "main") == head
        words = ["main has moved on", "bob saved", "Bob's own", "What you accepted is kept."]
        assert has_all(text_of(pilot), words) == []
        await press(pilot, "1", "enter")
        found = head_of(services, told, "main")
        assert found.body.parents == (head.id,)
        assert [item.state for item in found.body.decisions] == ["retired", "live", "live"]
        assert told.checkpoint.id[:7] in (found.body.decisions[0].reason or "")
        assert found.body.entities == ("Tantivy", "bob")
        assert found.title == "Review of Keep FTS5; load test ok"


async def test_it_goes_beside_and_is_merged_then(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house) as (_, pilot, services, told):
        screen = await opened(pilot, told)
        await press(pilot, "a")
        another_head(house, told)
        await until(pilot, lambda: "main has moved on" in texts(screen, "#review-follow"))
        await press(pilot, "w", "3")
        assert has_all(text_of(pilot), ["main-beside", "that begins at"]) == []
        await press(pilot, "enter")
        await until(pilot, lambda: on_top(pilot, CompareScreen))
        await settle(pilot)
        beside = head_of(services, told, "main-beside")
        assert beside.body.parents == (told.checkpoint.id,)
        assert "MERGE main-beside" in text_of(pilot)
        await press(pilot, "escape")


async def test_changes_that_clash_are_named_and_not_written(tmp_path: Path) -> None:
    house, model = house_of(tmp_path)
    one = ANSWER["findings"][0]
    back = {"change": "retire", "item": "D2", "by": "D1", "text": None}
    other = {**one, "kind": "other", "text": "The other way.", "suggestion": back}
    model.says = json.dumps({"findings": [one, other]})
    async with at_work(house) as (app, pilot, _, told):
        screen = await opened(pilot, told)
        await press(pilot, "a", "a", "w")
        assert app.screen is screen
        assert has_all(texts(screen, "#review-follow"), ["! not made:"]) == []
        assert "1 change cannot be made" in text_of(pilot)
        await press(pilot, "escape", "z")
        await until(pilot, lambda: screen.findings[1].outcome == "open")
        assert "! not made" not in texts(screen, "#review-follow")


async def test_d_opens_the_follow_up_as_a_form(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house) as (app, pilot, services, told):
        await opened(pilot, told)
        await press(pilot, "d")
        assert "Nothing is accepted yet" in notes(pilot)
        await press(pilot, "a", "d")
        assert on_top(pilot, FollowUpForm)
        words = ["Review of Keep FTS5", "retired", 'replaced by "The rebuild runs as a job"']
        assert has_all(text_of(pilot), words) == []
        # What is typed is kept, apart from the form of the Space.
        await press(pilot, "end", *" 2", "escape", "d")
        assert "ok 2" in text_of(pilot)
        await press(pilot, "escape", "ctrl+s")
        assert app.screen is app.workspace
        head = head_of(services, told, "main")
        assert (head.title[-4:], head.body.source) == ("ok 2", None)
        assert head.body.parents == (told.checkpoint.id,)
        assert [item.state for item in head.body.decisions] == ["retired", "live"]
