"""A merge on its screen: every way to answer, what is kept, what is written, what came between."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from smriti_tui.domain.model import Checkpoint
from smriti_tui.screens.compare import CompareScreen
from smriti_tui.screens.compare_asked import CompareAsked, Merged
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.dialogs.merge_text import MergeTextDialog, WriteMergeDialog
from smriti_tui.services import Services
from smriti_tui.widgets.fields import TextField
from smriti_tui.widgets.literal_view import LiteralView
from tests.support import content
from tests.ui.house import House, desk, on_top, settle, until, workspace
from tests.ui.merging import ENGINE, Lines, apart, given, merging_app, opened, says
from tests.ui.screens_host import SIZES, has_all, is_grid, press, text_of


def merging(lines: Lines) -> CompareAsked:
    return CompareAsked(b=lines.theirs.id, into=lines.ours.branch)


def result(screen: CompareScreen) -> str:
    """What the merge holds of the thing under the cursor."""
    found = screen.query_one("#compare-result", LiteralView).sections
    return "\n".join("".join(piece.text for piece in each.pieces) for each in found)


def head(services: Services, lines: Lines) -> Checkpoint:
    """The newest checkpoint of main."""
    (main,) = [b for b in services.spaces.branches(lines.space.id) if b.name == "main"]
    assert main.head is not None
    return services.checkpoints.get(main.head)


async def test_open_conflicts_are_told_and_nothing_is_chosen(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with merging_app(house) as (pilot, services, lines):
        screen = await opened(pilot, services, merging(lines))
        wanted = [
            f"into main {lines.ours.id[:7]}", f"base {lines.base.id[:7]}", "not written",
            "[1] Ours main", "[2] Theirs expl", "~ rewritten", "{+, up to 2 M docs+}",
            "retired by someone, or in a conflict: yes",
        ]  # fmt: skip
        assert has_all(text_of(pilot), wanted) == []
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await settle(pilot)
            wanted = ["MERGE expl", "3 of 3", ">! D1", "Result for D1", "(nothing chosen)"]
            assert has_all(text_of(pilot), wanted) == []
            assert is_grid(pilot)
        await says(pilot, "3 conflicts still open: D1, D2, bench.csv. Nothing was written.", "w")
        assert screen.row is not None
        assert screen.row.label == "D2"
        assert is_grid(pilot)
        await says(pilot, "take ours, theirs or neither", "3")
        assert head(services, lines).id == lines.ours.id


ANSWERS = {
    "1": (f"{ENGINE}, up to 2 M docs",),
    "2": ("Use Tantivy behind a thin service",),
    "3": (f"{ENGINE}, up to 2 M docs", "Use Tantivy behind a thin service"),
    "0": (),
}


async def test_a_conflict_is_settled_each_way_and_written_with_two_parents(house: House) -> None:
    async with merging_app(house) as (pilot, services, lines):
        came: list[Merged | None] = []
        screen = CompareScreen(services, merging(lines))
        pilot.app.push_screen(screen, came.append)
        await settle(pilot)
        for key, texts in ANSWERS.items():
            await pilot.press(key)
            for text in texts or ("(left out: neither side is taken)",):
                assert text in result(screen)
            assert len(screen.merging.plan.open if screen.merging else ()) == 2
        await press(pilot, "3", "n", "1", "n", "2")
        assert "0 of 3 conflicts open" in text_of(pilot)
        assert text_of(pilot).splitlines()[-1].startswith(" w Write")
        await press(pilot, "w")
        assert on_top(pilot, WriteMergeDialog)
        await press(pilot, "!", "enter")
        assert came[0] is not None
        made = came[0].checkpoint
        assert made.body.parents == (lines.ours.id, lines.theirs.id)
        assert made.title == "!"
        decided = [item.text for item in made.body.decisions]
        assert tuple(text for text in decided if text.startswith("Use")) == ANSWERS["3"]
        assert "Keep the old index for a month" not in decided
        assert "Theirs alone 日本" in decided
        assert made.body.tasks[0].status == "done"
        assert made.body.artifacts[0].content == "a,1\nb,9\nc,3\n"
        assert made.body.entities == ("fts5", "tantivy")
        assert services.merge_drafts.of_space(lines.space.id) == []
        assert services.log.verify().difference is None


async def test_a_text_of_ones_own_and_taking_back(house: House) -> None:
    async with merging_app(house, (80, 24)) as (pilot, services, lines):
        screen = await opened(pilot, services, merging(lines))
        await press(pilot, "e")
        assert on_top(pilot, MergeTextDialog)
        assert is_grid(pilot)
        await press(pilot, *" mine", "escape", "e")
        assert " mine" in text_of(pilot)
        await press(pilot, *" [/x]", "ctrl+s")
        assert result(screen) == f"{ENGINE}, up to 2 M docs mine [/x]"
        assert "* D1 solved: written" in " ".join(text_of(pilot).split())
        await press(pilot, "2")
        assert result(screen) == "Use Tantivy behind a thin service"
        await press(pilot, "z")
        assert result(screen).endswith("mine [/x]")
        await pilot.press("e")
        pilot.app.screen.query_one("#merge-text", TextField).text = " "
        assert "An empty text settles nothing" in await press(pilot, "ctrl+s")
        await press(pilot, "escape")
        kept = services.merge_drafts.of_space(lines.space.id)[0].answers
        assert [answer.text for answer in kept.values()] == [f"{ENGINE}, up to 2 M docs mine [/x]"]


async def test_left_it_is_kept_and_m_goes_on_after_a_restart(house: House) -> None:
    async with merging_app(house) as (pilot, services, lines):
        await press(pilot, "escape", "2")
        await says(pilot, "is itself the head of main. There is nothing to merge.", "M")
        desk(pilot).comparing.merge_line(lines.theirs.id)
        await settle(pilot)
        await press(pilot, "2", "n", "1")
        await says(pilot, "2 answers kept", "escape")
    async with merging_app(house, lines=lines) as (pilot, services, _):
        desk(pilot).comparing._reminded = None  # What was said at the start is gone by now.
        desk(pilot).comparing.remind()
        await says(pilot, "Unfinished merge of expl into main, 2 answers")
        workspace(pilot).action_run("merge.resume")
        await says(pilot, "Going on with 2 answers")
        await settle(pilot)
        assert "1 of 3 conflicts open" in text_of(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, CompareScreen)
        screen.action_run("merge.drop")
        await settle(pilot)
        assert "3 of 3 conflicts open" in text_of(pilot)
        assert services.merge_drafts.of_space(lines.space.id) == []
        await press(pilot, "escape")
        desk(pilot).comparing.merge_line(lines.theirs.id)
        await settle(pilot)
        await press(pilot, "z")
        assert "1 of 3 conflicts open" in text_of(pilot)


async def test_a_head_that_moved_is_told_and_planned_anew(house: House) -> None:
    async with merging_app(house) as (pilot, services, lines):
        screen = await opened(pilot, services, merging(lines))
        await press(pilot, "2", "n", "1", "n", "1")
        with closing(house.open("cli", "codex")) as other:
            more = given(lines.ours, "Came between", decisions=(
                replace(lines.ours.body.decisions[0], text="Another engine"),
                lines.ours.body.decisions[1],
            ))  # fmt: skip
            between = other.services.checkpoints.create(lines.space.id, more).checkpoint
        await until(pilot, lambda: "the head moved" in text_of(pilot))
        assert has_all(text_of(pilot), ['"Came between" by codex']) == []
        await press(pilot, "w", "enter")
        await until(pilot, lambda: on_top(pilot, ChoiceDialog))
        assert has_all(text_of(pilot), ["Nothing was written", "Came between"]) == []
        await says(pilot, "2 of 3 answers still fit", "1")
        await settle(pilot)
        assert screen.merging is not None
        assert screen.merging.merge.ours.id == between.id
        assert "1 of 3 conflicts open" in text_of(pilot)
        assert screen.row is not None
        assert screen.row.label == "D1"
        await press(pilot, "1", "w", "enter")
        assert head(services, lines).body.parents == (between.id, lines.theirs.id)


async def test_after_the_merge_it_asks_whether_the_branch_is_integrated(house: House) -> None:
    async with merging_app(house) as (pilot, services, lines):
        desk(pilot).comparing.merge_line(lines.theirs.id)
        await settle(pilot)
        await press(pilot, "1", "n", "1", "n", "1", "w", "enter")
        assert head(services, lines).body.parents == (lines.ours.id, lines.theirs.id)
        assert on_top(pilot, ConfirmDialog)
        assert has_all(text_of(pilot), ['Is "expl" integrated now?', ">No"]) == []
        await says(pilot, 'Branch "expl" is integrated.', "y")
        branches = {b.name: b for b in services.spaces.branches(lines.space.id)}
        assert branches["expl"].disposition == "integrated"


async def test_crossing_histories_ask_for_the_base(house: House) -> None:
    with closing(house.open("cli")) as other:
        services = other.services
        lines = apart(services)
        answers = {slot.id: "ours" for slot in services.merging.start(
            lines.ours.branch, lines.theirs.id).plan.open}  # fmt: skip
        assert answers
        fork = next(
            s.id for s in services.sessions.of_space(lines.space.id) if s.branch_name == "expl"
        )
        one = services.merging.write(lines.ours.id, lines.theirs.id, {}, side="ours")
        two = services.merging.write(lines.theirs.id, lines.ours.id, {}, side="ours", into="expl")
        assert fork
        assert two.body.parents == (lines.theirs.id, lines.ours.id)
    async with merging_app(house, lines=lines) as (pilot, services, _):
        screen = await opened(pilot, services, CompareAsked(b=two.id, into=one.branch))
        assert on_top(pilot, ChoiceDialog)
        assert has_all(text_of(pilot), ["2 common ancestors", "Tantivy", "Up to 2 M"]) == []
        await press(pilot, "2")
        assert screen.merging is not None
        assert screen.merging.merge.base is not None
        assert screen.merging.merge.base.id in (lines.ours.id, lines.theirs.id)
        base = screen.merging.merge.base.id
        if screen.merging.plan.open:
            await press(pilot, "1", "escape")
            await opened(pilot, services, CompareAsked(b=two.id, into=one.branch))
            again = pilot.app.screen
            assert isinstance(again, CompareScreen)
            assert again.merging is not None
            assert again.merging.merge.base is not None
            assert again.merging.merge.base.id == base
        await press(pilot, "escape")
        await opened(pilot, services, CompareAsked(b=two.id, a=one.id))
        assert "2 ancestors, their histories cross" in text_of(pilot)


async def test_unrelated_lines_merge_over_nothing(house: House) -> None:
    with closing(house.open("cli")) as other:
        services = other.services
        space = services.spaces.create("search-index")
        first = services.checkpoints.create(space.id, content("One", "A")).checkpoint
        # Another root in the same Space: a branch that begins at nothing.
        loose = services.checkpoints.create_on_new_branch(
            space.id, content("Two", "B"), branch="loose", start=None
        ).checkpoint
        lines = Lines(space, first, first, loose)
    async with merging_app(house, lines=lines) as (pilot, services, _):
        await opened(pilot, services, merging(lines))
        text = text_of(pilot)
        assert has_all(text, ["unrelated, no base", "+ D1 ours only", "+ D1 theirs only"]) == []
        assert "no conflicts" in text
        await press(pilot, "w", "enter")
        assert {item.text for item in head(services, lines).body.decisions} == {"A", "B"}


async def test_the_model_explains_when_asked_and_chooses_nothing(house: House) -> None:
    house.environ["SMRITI_BACKGROUND_MODEL"] = "demo/scripted"
    async with merging_app(house, (80, 24)) as (pilot, services, lines):
        screen = await opened(pilot, services, merging(lines))
        house.model.hold_after = 3
        screen.action_run("merge.explain")
        await until(pilot, lambda: "esc stops it" in text_of(pilot) and "I am" in text_of(pilot))
        assert has_all(text_of(pilot), ["The model's words demo/scripted"]) == []
        sent = "\n".join(message.content for message in house.model.calls[-1].messages)
        assert "Use Tantivy behind a thin service" in sent
        assert "Theirs alone" not in sent
        await press(pilot, "escape")
        assert "(stopped)" in text_of(pilot)
        assert on_top(pilot, CompareScreen)
        house.model.hold_after = None
        screen.action_run("merge.explain")
        await settle(pilot)
        assert "it never chooses" in text_of(pilot)
        assert "3 of 3" in text_of(pilot)
        assert is_grid(pilot)
        await press(pilot, "n")
        assert "The model's words" not in text_of(pilot)
        assert head(services, lines).id == lines.ours.id
