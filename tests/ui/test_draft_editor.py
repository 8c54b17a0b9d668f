"""The draft with AI: rows with their classes, keeping, editing, and what is saved (ux 4.4)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from smriti_tui.domain.draft import changed
from smriti_tui.screens.draft.dialogs import FieldsDialog
from smriti_tui.screens.draft.screen import DraftScreen
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.widgets.footer_bar import FooterBar
from tests.ui.draft_host import JOB, MIXED, drafting, item, reply
from tests.ui.house import notes, settle, workspace
from tests.ui.screens_host import SIZES, has_all, is_grid, press, text_of


async def test_a_draft_is_kept_and_dropped_and_saved_with_its_quotes(tmp_path: Path) -> None:
    async with drafting(tmp_path, MIXED) as it:
        pilot, head = it.pilot, it.told.checkpoint
        text = text_of(pilot)
        missing = has_all(text, [
            "3 kept, 2 need you", "t5 verified", "t7 UNVERIFIED", "rests on A1? a takes it",
            '"run it from cron" is not in turn 7', "t1 OUTSIDE what was drafted",
            "said by the assistant, not by you",
            "[implement] blocked by Load test", f"Carried over from {head.id[:7]}",
            "Save is possible when every [?] is kept or dropped.", "not given to the drafter",
            "nothing like it",
        ])  # fmt: skip
        assert missing == []
        text = await press(pilot, "w")
        assert "2 of the items need you" in text
        assert it.screen.entry == it.entry("Use a cron entry")
        await press(pilot, "escape", "space")
        await it.to("A server?")
        await press(pilot, "space", "space")
        await it.to("The rebuild runs as a job")
        await press(pilot, "a", "w")
        assert isinstance(pilot.app.screen, WorkspaceScreen)
        (made,) = [e for e in it.services.checkpoints.of_space(it.told.space.id) if e.id != head.id]
        body = it.services.checkpoints.get(made.id).body
        job, cron, *carried = body.decisions
        assert [each.uid for each in carried] == [each.uid for each in head.body.decisions]
        assert (cron.evidence[0].check, cron.evidence[0].kept_by) == ("not_found", "ada")
        assert job.rests_on == (body.assumptions[0].uid,)
        assert (body.tasks[0].intent_hint, body.open_questions) == ("implement", ())
        assert body.source is not None
        assert (body.source.first, body.source.last) == (5, 8)
        assert body.draft_request is not None
        assert "Saved" in notes(pilot)
        assert "4 Draft" not in text_of(pilot).split("\n")[0]


@pytest.mark.parametrize("size", SIZES)
async def test_it_fits_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with drafting(tmp_path, MIXED, size=size) as it:
        assert is_grid(it.pilot)
        text = text_of(it.pilot)
        words = ["4 Draft", "[?] D4 Use a cron entry", "UNVERIFIED", "space Keep"]
        assert has_all(text, words) == []
        footer = it.screen.query_one(FooterBar).keys
        assert size[0] > 80 or len(footer.left) + len(footer.right) == 7
        await it.to("The rebuild runs as a job")
        assert JOB in text_of(it.pilot)


async def test_an_item_is_edited_and_cited_again(tmp_path: Path) -> None:
    async with drafting(tmp_path, MIXED) as it:
        pilot = it.pilot
        await it.to("Use a cron entry")
        await press(pilot, "e")
        dialog = pilot.app.screen
        assert isinstance(dialog, FieldsDialog)
        assert "UNVERIFIED" in text_of(pilot)
        dialog.query_one("#draft-quote").load_text("THE   rebuild a job")  # type: ignore[attr-defined]
        dialog.query_one("#draft-turn").value = "x"  # type: ignore[attr-defined]
        text = await press(pilot, "ctrl+s")
        assert "A turn is a number" in text
        dialog.query_one("#draft-turn").value = "5"  # type: ignore[attr-defined]
        await settle(pilot)
        assert "Turn 5: verified" in text_of(pilot)
        await press(pilot, "ctrl+s")
        entry = it.entry("Use a cron entry")
        cited = entry.evidence[0]
        assert (entry.keep, cited.check, cited.turn) == ("kept", "found", 5)
        assert cited.session == it.told.session.id
        await press(pilot, "z")
        assert it.entry("Use a cron entry").keep == "asks"
        await press(pilot, "Z")
        assert it.entry("Use a cron entry").keep == "kept"


async def test_a_task_takes_its_fields_and_names_what_blocks_it(tmp_path: Path) -> None:
    async with drafting(tmp_path, MIXED) as it:
        pilot = it.pilot
        await it.to("Write the job")
        await press(pilot, "e")
        dialog = pilot.app.screen
        for name, value in (("id", "job"), ("intent", "cook"), ("status", "done")):
            dialog.query_one(f"#draft-{name}").value = value  # type: ignore[attr-defined]
        dialog.query_one("#draft-blocked_by").load_text("T1\nwho knows")  # type: ignore[attr-defined]
        assert "'cook' is none" in await press(pilot, "ctrl+s")
        dialog.query_one("#draft-intent").value = "test"  # type: ignore[attr-defined]
        await press(pilot, "ctrl+s")
        task = it.entry("Write the job")
        assert (task.id, task.intent_hint, task.status) == ("job", "test", "done")
        assert task.blocked_by == ("Load test", "who knows")


async def test_items_are_written_by_hand_retyped_and_moved(tmp_path: Path) -> None:
    async with drafting(tmp_path, MIXED) as it:
        pilot = it.pilot
        await it.to("Rebuilds are slow")
        await press(pilot, "n", *"One writer", "ctrl+s")
        mine = it.entry("One writer")
        assert (mine.kind, mine.keep, mine.evidence) == ("assumptions", "kept", ())
        assert it.screen.entry == mine
        assert "by hand" in text_of(pilot)
        await press(pilot, "<")
        assert [e.text for e in it.state.of("assumptions")] == ["One writer", "Rebuilds are slow"]
        await press(pilot, "t", "3")
        assert it.entry("One writer").kind == "open_questions"
        assert it.screen.entry == it.entry("One writer")
        await press(pilot, "z", "z", "z")
        assert [e.text for e in it.state.of("assumptions")] == ["Rebuilds are slow"]


async def test_what_is_carried_over_is_chosen_and_what_rests_on_it_told(tmp_path: Path) -> None:
    async with drafting(tmp_path, reply(decisions=[item("A job", JOB)])) as it:
        pilot, head = it.pilot, it.told.checkpoint
        rows = it.screen.panes.rows
        rows.move_to("carried")
        await press(pilot, "enter")
        old = head.body.decisions[0]
        job = it.entry("A job")
        it.screen.take(changed(it.state, replace(job, rests_on=(old.uid,))))
        rows.move_to(f"item:{old.uid}")
        text = await press(pilot, "space")
        assert "D3 rests on D1" in text
        assert f"Leaves out of {head.id[:7]}: 1 decision" in text
        assert "left out." not in await press(pilot, "space")
        it.screen.action_run("draft.carry_none")
        await settle(pilot)
        assert "2 decisions, 1 task, 1 artifact" in text_of(pilot)
        await press(pilot, "w")
        made = it.services.checkpoints.of_space(it.told.space.id)[0]
        body = it.services.checkpoints.get(made.id).body
        assert [each.text for each in body.decisions] == ["A job"]
        assert (body.tasks, body.artifacts) == ((), ())
        assert "left out" in notes(pilot)


async def test_digits_close_it_and_the_workspace_says_that_there_is_one(tmp_path: Path) -> None:
    async with drafting(tmp_path, MIXED) as it:
        pilot = it.pilot
        await press(pilot, "space", "1")
        assert workspace(pilot).place == "spaces"
        assert "4 Draft *" in text_of(pilot).split("\n")[0]
        await press(pilot, "4")
        assert isinstance(pilot.app.screen, DraftScreen)
        assert it.entry("Use a cron entry").evidence[0].kept_by == "ada"
        assert len(it.model.asked) == 1
        await press(pilot, "D")
        assert "4 Draft *" not in text_of(pilot)
        await press(pilot, "z")
        assert it.entry("Use a cron entry").evidence[0].kept_by == "ada"
        assert len(it.model.asked) == 1
        await it.to("The rebuild runs as a job")
        await press(pilot, "o")
        assert pilot.app.focused is it.screen.panes.source
        await press(pilot, "o")
        assert workspace(pilot).place == "chat"
