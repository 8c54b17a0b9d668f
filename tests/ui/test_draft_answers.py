"""Asking for a draft: progress, stopping, answers that are none; no turns, no model."""

from __future__ import annotations

import json
from pathlib import Path

from smriti_tui.domain.errors import ProviderError
from smriti_tui.screens.checkpoint_form import CheckpointForm
from smriti_tui.screens.context import ContextScreen
from smriti_tui.screens.draft.screen import DraftScreen
from smriti_tui.services.unsent import UnsentService
from smriti_tui.widgets.literal_view import LiteralView
from tests.support import content
from tests.ui.draft_host import JOB, MIXED, drafting, item, reply
from tests.ui.house import notes, on_top, settle, until
from tests.ui.screens_host import has_all, press, text_of


def source(screen: DraftScreen) -> str:
    """What the Source pane holds."""
    sections = screen.query_one("#draft-source", LiteralView).sections
    return "\n".join(f"{each.label}\n{each.text}" for each in sections)


async def test_it_can_be_stopped_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async with drafting(tmp_path, MIXED, keys=()) as it:
        pilot = it.pilot
        it.model.hold_after = 1
        await pilot.press("f2")
        await until(pilot, lambda: bool(it.model.asked))
        await until(pilot, lambda: "esc stops it" in text_of(pilot))
        await pilot.press("n")  # Writing goes on meanwhile.
        await pilot.press("escape")
        await pilot.pause()
        await press(pilot, "escape")
        assert "Stopped" in notes(pilot)
        assert it.state.requests == ()
        assert isinstance(pilot.app.screen, DraftScreen)
        await press(pilot, "escape")
        held = UnsentService(it.services.caller).take(f"draft/{it.told.session.id}")
        assert held.text == ""


async def test_drafting_again_keeps_edits_and_a_failed_one_leaves_all(tmp_path: Path) -> None:
    fault = ProviderError("The model is away.", "Ask again later.", kind="connection")
    again = reply(decisions=[item("The rebuild runs as a job", JOB)], title="Other")
    refusal = "I cannot do that. \x1b[31m"
    async with drafting(tmp_path, MIXED, fault, refusal, again) as it:
        pilot = it.pilot
        await it.to("Use a cron entry")
        await press(pilot, "space")
        before = it.state
        text = await press(pilot, "R")
        assert "The model is away" in text
        assert it.state == before
        text = await press(pilot, "escape", "R")
        assert "The answer is no draft" in text
        assert it.state == before
        it.screen.panes.rows.move_to("title")
        await settle(pilot)
        assert has_all(source(it.screen), ["R asks again", "I cannot do that."]) == []
        assert "\x1b" not in source(it.screen)
        await press(pilot, "escape", "R")
        texts = [each.text for each in it.state.of("decisions")]
        assert texts == ["Use a cron entry", "The rebuild runs as a job"]
        assert it.entry("Use a cron entry").evidence[0].kept_by == "ada"
        assert it.state.title == "Other"
        assert it.state.of("tasks") == ()


async def test_of_a_broken_answer_what_came_whole_is_used_and_the_rest_told(tmp_path: Path) -> None:
    whole = reply(decisions=[item("A job", JOB), item("Another", JOB)])
    cut = whole[: whole.index('"Another"') + 4]
    async with drafting(tmp_path, cut) as it:
        assert [each.text for each in it.state.of("decisions")] == ["A job"]
        assert "breaks off" in text_of(it.pilot)
        it.screen.panes.rows.move_to("title")
        await settle(it.pilot)
        assert has_all(source(it.screen), ["R asks again", '"title": "Rebuild as a job"']) == []


async def test_without_turns_no_call_is_made_and_the_form_is_near(tmp_path: Path) -> None:
    async with drafting(tmp_path, keys=()) as it:
        pilot = it.pilot
        everything = content("All of it", "D")
        it.services.checkpoints.create(it.told.space.id, everything, session=it.told.session.id)
        text = await press(pilot, "f2")
        assert has_all(text, ["Since the last checkpoint nothing was said", "by hand"]) == []
        assert it.model.asked == []
        await press(pilot, "n")
        assert isinstance(pilot.app.screen, CheckpointForm)


async def test_without_a_model_it_says_so_and_one_writes_by_hand(tmp_path: Path) -> None:
    async with drafting(tmp_path, environ={}) as it:
        pilot = it.pilot
        assert "background" in text_of(pilot)
        await press(pilot, "escape", "n", *"By hand", "ctrl+s", "w")
        assert "The checkpoint has no title" in text_of(pilot)
        assert it.screen.key == "title"
        await press(pilot, "escape", "e", "T", "ctrl+s", "ctrl+s")
        made = it.services.checkpoints.of_space(it.told.space.id)[0]
        body = it.services.checkpoints.get(made.id).body
        assert (body.title, body.decisions[0].text, body.draft_request) == ("T", "By hand", None)
        assert body.source is not None
        assert body.source.last == 8


async def test_the_request_is_shown_with_its_raw_answer(tmp_path: Path) -> None:
    async with drafting(tmp_path, MIXED) as it:
        pilot = it.pilot
        text = await press(pilot, "x")
        assert isinstance(pilot.app.screen, ContextScreen)
        assert has_all(text, ["CONTEXT of a draft request", "verified"]) == []
        assert "Use SQLite FTS5" not in "".join(m.content for m in it.model.asked[0].messages[:2])
        await press(pilot, "]", "]")
        facts = pilot.app.screen.facts
        assert facts is not None
        assert json.loads(facts.raw or "") == json.loads(MIXED)
        assert "raw answer" in text_of(pilot)
        await press(pilot, "escape")
        assert on_top(pilot, DraftScreen)
