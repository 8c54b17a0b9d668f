"""The review screen: what it shows, and what a person makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.screens.context import ContextScreen
from smriti_tui.screens.desk.reviewing import open_words
from smriti_tui.screens.review.rows import WRITE, tab_line
from smriti_tui.widgets.literal_view import LiteralView
from tests.ui.house import notes, settle, until
from tests.ui.reviewing import HOSTILE, at_work, head_of, house_of, kind_here, opened
from tests.ui.screens_host import SIZES, has_all, is_grid, press, text_of


def texts(screen: object, name: str) -> str:
    """Everything in one of the panes, whether it is in view or not."""
    view = screen.query_one(name, LiteralView)  # type: ignore[attr-defined]
    return "\n".join(
        f"{part.label}\n{part.text}" + "".join(piece.text for piece in part.pieces)
        for part in view.sections
    )


@pytest.mark.parametrize("size", SIZES[:2])
async def test_r_asks_once_and_shows_what_model_and_rules_found(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    house, model = house_of(tmp_path)
    async with at_work(house, size) as (_, pilot, services, told):
        screen = await opened(pilot, told)
        assert model.asked == 1
        shown = text_of(pilot)
        assert has_all(shown, ["4 open of 4", "By the model", "! POSSIBLE CONTRADICTION"]) == []
        assert is_grid(pilot)
        assert kind_here(screen) == "contradiction"
        said = texts(screen, "#review-evidence")
        for words in (
            f"D1   since {told.checkpoint.id[:7]}", "The rebuild runs inside the request",
            't1 (you): "just rebuild when someone asks"   verified', "the words are in t3",
            "Both say where the rebuild runs.", "+ D1  retired, replaced by D2",
        ):  # fmt: skip
            assert words in said
        assert [each.finding.kind for each in screen.findings] == [
            "contradiction", "hidden_assumption", "unused_entity", "unverified_evidence",
        ]  # fmt: skip
        # Opened again, it is what is stored: nobody is asked.
        await press(pilot, "escape")
        assert pilot.app.screen is not screen
        again = await opened(pilot, told)
        assert (model.asked, len(again.findings)) == (1, 4)
        assert services.checkpoints.get(told.checkpoint.id) == told.checkpoint


async def test_accepting_walks_on_and_ends_at_writing(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house) as (app, pilot, services, told):
        screen = await opened(pilot, told)
        await press(pilot, "a")
        assert kind_here(screen) == "hidden_assumption"
        assert "retire D1, replaced by D2" in texts(screen, "#review-follow")
        # Dismissing needs a reason, at its field.
        await press(pilot, "D", "enter")
        assert "needs a reason" in text_of(pilot)
        await press(pilot, *"old", "enter")
        assert kind_here(screen) == "unused_entity"
        await press(pilot, "a", "a")
        assert screen.panes.rows.cursor_key == WRITE
        assert has_all(text_of(pilot), ["0 open of 4", "3 changes", "w Write"]) == []
        await press(pilot, "enter")
        assert "Review of Keep FTS5; load test ok" in text_of(pilot)
        await press(pilot, "enter")
        assert app.screen is app.workspace
        head = head_of(services, told, "main")
        assert head.body.parents == (told.checkpoint.id,)
        retired, kept = head.body.decisions
        assert (retired.state, kept.text) == ("retired", "The rebuild runs as a job")
        assert kept.evidence[0].turn == 3
        assert head.body.entities == ()
        assert f"Saved {head.id[:7]} on main" in notes(pilot)
        latest = services.reviewing.latest(told.checkpoint.id)
        assert latest is not None
        assert [each.outcome for each in latest.findings] == [
            "accepted", "dismissed", "accepted", "accepted",
        ]  # fmt: skip


async def test_undo_takes_back_and_editing_words_it(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house) as (_, pilot, _, told):
        screen = await opened(pilot, told)
        await press(pilot, "a")
        await press(pilot, "z")
        await until(pilot, lambda: screen.findings[0].outcome == "open")
        assert "Undone: accepted" in notes(pilot)
        assert "meanwhile" not in notes(pilot)
        await press(pilot, "Z")
        await until(pilot, lambda: screen.findings[0].outcome == "accepted")
        assert "retire D1, replaced by D2" in texts(screen, "#review-follow")
        await press(pilot, "z", "g")
        await until(pilot, lambda: screen.findings[0].outcome == "open")
        # Which decision goes: the other way around.
        await press(pilot, "e")
        assert has_all(text_of(pilot), ["Which item goes", "retire D2, replaced by D1"]) == []
        await press(pilot, "j", "j", "enter")
        change = screen.findings[0].change
        assert change is not None
        labels = [item.uid for item in told.checkpoint.body.decisions]
        assert (change.uid, change.by) == (labels[1], labels[0])
        # A text, typed behind what is there.
        await press(pilot, "e", *" soon", "ctrl+s")
        change = screen.findings[1].change
        assert change is not None
        assert (change.change, change.text) == ("add", "A job runner exists soon")
        assert screen.findings[1].outcome == "edited"
        # Nothing to word: said, and left as it is.
        await press(pilot, "e")
        assert "nothing to word" in notes(pilot)
        assert screen.findings[2].outcome == "open"


async def test_it_leads_to_sources_request_clipboard_and_tabs(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house) as (app, pilot, _, told):
        screen = await opened(pilot, told)
        shown = await press(pilot, "o")
        assert has_all(shown, ["D1 of", "Let us just rebuild when someone asks.", "session"]) == []
        await press(pilot, "escape", "x")
        assert isinstance(app.screen, ContextScreen)
        assert "review/1" in str(app.screen.facts)
        await press(pilot, "escape", "j", "y")
        assert app.clipboard == f"D2 {HOSTILE}"
        assert "\x1b" not in text_of(pilot)
        shown = await press(pilot, "]", "]")
        assert "[Hidden]" in shown
        assert "POSSIBLE CONTRADICTION" not in shown
        await press(pilot, "n")
        assert (screen.tab, kind_here(screen)) == ("all", "unused_entity")
        await press(pilot, "N", "N")
        assert kind_here(screen) == "contradiction"
        await press(pilot, "N")
        assert kind_here(screen) == "unverified_evidence"


async def test_narrow_it_is_two_tabs(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house, (60, 16)) as (_, pilot, _, told):
        screen = await opened(pilot, told)
        shown = await press(pilot, "enter")
        assert "Evidence" in shown
        assert "Findings" not in shown
        assert "Deterministic checks" in texts(screen, "#review-evidence")
        assert is_grid(pilot)
        await press(pilot, "a")  # works here too, and stays here
        assert "D2 needs" in text_of(pilot)
        assert "Findings" in await press(pilot, "escape")
        assert "Evidence" in await press(pilot, "tab")


async def test_what_is_open_is_told_in_pane_2(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house) as (_, pilot, services, told):
        key = told.checkpoint.id
        await opened(pilot, told)
        await press(pilot, "escape")
        await until(pilot, lambda: "~ review: 4 open" in text_of(pilot))
        latest = services.reviewing.latest(key)
        assert latest is not None
        for each in latest.findings:
            services.reviewing.settle(each.finding.id, "dismissed", reason="so")
        await until(pilot, lambda: "~ review" not in text_of(pilot))
        await settle(pilot)
    assert open_words({key: 1}) == f"~ review: 1 open finding on {key[:7]}"
    assert open_words({key: 1, told.checkpoint.id[::-1]: 2}).endswith("on 2 checkpoints")  # type: ignore[dict-item]


def test_tabs_fit_and_say_that_there_are_more() -> None:
    tabs = ("all", "contradiction", "hidden_assumption", "unused_entity", "broken_chain")
    assert tab_line(tabs, "all", 80).split() == [
        "[All]", "Contradiction", "Hidden", "Unused", "Chain",
    ]  # fmt: skip
    short = tab_line(tabs, "all", 30)
    assert short.endswith(">")
    last = tab_line(tabs, "broken_chain", 30)
    assert last.startswith("<")
    assert "[Chain]" in last
    assert max(len(short), len(last)) <= 30
