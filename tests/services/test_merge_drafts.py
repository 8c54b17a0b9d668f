"""Unfinished merges: what is kept, what of it still fits, and a conflict in a model's words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from smriti_tui.domain.errors import Conflict, ProviderError
from smriti_tui.domain.events import RequestEnded, RequestStored
from smriti_tui.domain.explain_text import ASK, MOST_CHARACTERS, PREAMBLE
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.merge_slots import Answer
from smriti_tui.domain.model import Checkpoint
from smriti_tui.providers.base import TextDelta
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.services import Services
from smriti_tui.services.background import Answered, Asked
from smriti_tui.services.explaining import Question
from smriti_tui.services.merging import Merge
from tests.services.asking import Beside
from tests.support import content, opened_services
from tests.ui.house import PacedModel

pytestmark = pytest.mark.contract


class Apart(NamedTuple):
    """Two conflicts between main and `expl`."""

    space: SpaceId
    ours: Checkpoint
    theirs: Checkpoint


@pytest.fixture
def apart(services: Services) -> Apart:
    return made_apart(services)


def made_apart(services: Services, long: str = "") -> Apart:
    space = services.spaces.create("alpha").id
    base = services.checkpoints.create(space, content("Base", "One", "Two")).checkpoint
    fork = services.forking.from_checkpoint(base.id, branch="expl")
    one, two = base.body.decisions

    def given(title: str, *texts: str) -> Checkpoint:
        items = (replace(one, text=texts[0]), replace(two, text=texts[1]))
        session = fork.session.id if title == "Theirs" else None
        changed = replace(content(title), decisions=items)
        return services.checkpoints.create(space, changed, session=session).checkpoint

    theirs = given("Theirs", f"One of theirs {long}".strip(), "Two of theirs")
    return Apart(space, given("Ours", "One of ours", "Two of ours"), theirs)


def start(services: Services, apart: Apart) -> Merge:
    return services.merging.start(apart.ours.branch, apart.theirs.id)


def slots(merge: Merge) -> list[str]:
    return [slot.id for slot in merge.plan.conflicts]


# ---- kept --------------------------------------------------------------------------------------


def test_answers_are_kept_as_given_by_whoever_asks_next(
    services: Services, apart: Apart, beside: Beside
) -> None:
    merge = start(services, apart)
    one, two = slots(merge)
    answers = {one: Answer("both"), two: Answer(text='mine "日本"\n\ud800x')}
    services.merge_drafts.keep(merge, {one: Answer("ours")})
    services.merge_drafts.keep(merge, answers)
    with beside() as again:
        (found,) = again.merge_drafts.of_space(apart.space)
        assert found.answers == {one: Answer("both"), two: Answer(text='mine "日本"\n\ufffdx')}
        assert (found.ours, found.theirs.id, found.into.name) == (
            apart.ours.id, apart.theirs.id, "main",
        )  # fmt: skip
        made = again.merging.write(apart.ours.id, apart.theirs.id, answers)
        assert made.body.decisions[-1].text == 'mine "日本"\n\ufffdx'
        assert all(not check.faults for check in again.checkpoints.verify(one=made.id))
        assert again.merge_drafts.of_space(apart.space) == []  # merged by another way
        again.merge_drafts.forget(merge)
        assert again.merge_drafts.of(merge) is None
    assert services.log.verify().difference is None


def test_thrown_away_it_is_no_unfinished_merge_and_is_found_again(
    services: Services, apart: Apart
) -> None:
    merge = start(services, apart)
    answers = {slots(merge)[0]: Answer("neither")}
    services.merge_drafts.throw_away(merge, answers)
    assert services.merge_drafts.of_space(apart.space) == []
    found = services.merge_drafts.of(merge)
    assert found is not None
    assert (found.thrown, found.answers) == (True, answers)
    services.merge_drafts.keep(merge, {})
    assert services.merge_drafts.of(merge) is None


def test_on_a_head_that_moved_answers_fit_where_all_sides_are_as_they_were(
    services: Services, apart: Apart
) -> None:
    merge = start(services, apart)
    one, two = slots(merge)
    answers = {one: Answer("ours"), two: Answer("theirs"), "decisions:gone": Answer("ours")}
    services.merge_drafts.keep(merge, answers)
    first, second = apart.ours.body.decisions
    more = replace(content("More"), decisions=(replace(first, text="One more"), second))
    between = services.checkpoints.create(apart.space, more).checkpoint
    with pytest.raises(Conflict) as caught:
        services.merging.write(
            apart.ours.id, apart.theirs.id, {one: answers[one], two: answers[two]}
        )
    assert caught.value.code == "stale_head"
    assert [each.id for each in services.merging.came(apart.ours.branch, apart.ours.id)] == [
        between.id
    ]
    again = start(services, apart)
    assert again.ours.id == between.id
    assert services.merge_drafts.of(again) is not None
    base = merge.base.id if merge.base else None
    fit = services.merging.still_fit(again, answers, apart.ours.id, base)
    assert fit == {two: Answer("theirs")}


def test_a_branch_without_a_checkpoint_takes_no_merge(services: Services, apart: Apart) -> None:
    other = services.spaces.create("beta").id
    (main,) = services.spaces.branches(other)
    with pytest.raises(Conflict) as caught:
        services.merging.start(main.id, apart.theirs.id)
    assert caught.value.code == "no_head"


# ---- explained ---------------------------------------------------------------------------------


@pytest.fixture
def model() -> PacedModel:
    return PacedModel()


@pytest.fixture
def asking(tmp_path: Path, model: PacedModel) -> Iterator[Services]:
    environ = {"SMRITI_BACKGROUND_MODEL": "demo/scripted"}
    router = ModelRouter(demo=model)
    with opened_services(tmp_path, environ=environ, provider=router) as services:
        yield services
    router.close()


def question(services: Services, apart: Apart) -> Question:
    return Question(
        apart.space, apart.ours.id, apart.theirs.id, start(services, apart).plan.open[0]
    )


def requests(services: Services) -> list[RequestStored | RequestEnded]:
    events = [stored.event() for stored in services.log.read(None) if hasattr(stored, "event")]
    return [each for each in events if isinstance(each, RequestStored | RequestEnded)]


async def test_the_model_gets_the_sides_of_one_conflict_and_the_request_is_stored(
    asking: Services, model: PacedModel
) -> None:
    apart = made_apart(asking, "x" * MOST_CHARACTERS)
    steps = [step async for step in asking.explaining.explain(question(asking, apart))]
    assert isinstance(steps[0], Asked)
    assert isinstance(steps[-1], Answered)
    assert "".join(s.text for s in steps if isinstance(s, TextDelta)) == steps[-1].text
    system, user = model.calls[-1].messages
    assert user.content == ASK
    assert system.content.startswith(PREAMBLE)
    for part in ("Version base (a decision, what both come from):\nOne", "One of ours"):
        assert part in system.content
    assert f"[cut here: {MOST_CHARACTERS:,} of" in system.content
    assert "Two of" not in system.content
    stored, ended = requests(asking)
    assert isinstance(stored, RequestStored)
    assert isinstance(ended, RequestEnded)
    assert (stored.purpose, stored.request) == ("explain", ended.request)
    assert stored.anchors == (apart.ours.id, apart.theirs.id)
    assert [left.label for left in stored.left_out] == ["version theirs"]
    assert (ended.status, ended.text) == ("complete", steps[-1].text)
    assert [verdict for verdict in asking.contexts.verify() if verdict.reason] == []
    assert asking.log.verify().difference is None


@pytest.mark.parametrize("hold_after", [1, 4])
async def test_stopped_it_is_ended_with_what_came(
    asking: Services, model: PacedModel, hold_after: int
) -> None:
    apart = made_apart(asking)
    model.hold_after = hold_after
    steps = asking.explaining.explain(question(asking, apart))
    come = asyncio.Event()

    async def follow() -> None:
        count = 0
        async for step in steps:
            count += isinstance(step, TextDelta)
            if count == hold_after:
                come.set()

    task = asyncio.create_task(follow())
    await come.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await steps.aclose()
    last = requests(asking)[-1]
    assert isinstance(last, RequestEnded)
    assert last.status == "stopped"
    assert last.text.startswith("I")


async def test_a_call_that_fails_is_ended_and_told(asking: Services, model: PacedModel) -> None:
    apart = made_apart(asking)
    model.faults.append(ProviderError("No.", "Later.", kind="server"))
    with pytest.raises(ProviderError):
        async for _ in asking.explaining.explain(question(asking, apart)):
            pass
    last = requests(asking)[-1]
    assert isinstance(last, RequestEnded)
    assert last.status == "failed"
    assert last.error is not None


async def test_without_a_background_model_nothing_is_stored(
    services: Services, apart: Apart
) -> None:
    with pytest.raises(ProviderError):
        async for _ in services.explaining.explain(question(services, apart)):
            pass
    assert requests(services) == []
