"""Pastes: one message, long ones folded, sent byte for byte; keys that come as fast as a paste."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from smriti_tui.domain.folds import Folds, folded, is_long, kept, known_spans, taken
from smriti_tui.pasting import PastingParser
from smriti_tui.widgets.fields import EditorLine
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, PacedModel, desk, screen_text, settle, until, workspace
from tests.ui.screens_host import running
from tests.ui.test_form import editor, opened_form

LONG = "".join(f"line {number} {'x' * 60}\n" for number in range(20_000))
TOKEN = "[pasted 20,000 lines, 1.4 MB #1]"


def prompt(pilot: Pilot[int]) -> Prompt:
    return workspace(pilot).query_one(Prompt)


async def feed(pilot: Pilot[int], raw: str) -> None:
    """What a terminal sends, through Textual's parser, at once as one read brings it."""
    for event in PastingParser().feed(raw):
        event.set_sender(pilot.app)
        pilot.app.post_message(event)
    await pilot.pause()


def asked(pilot: Pilot[int]) -> list[str]:
    session = desk(pilot).place.session
    assert session is not None
    return [
        turn.text for turn in desk(pilot).services.sessions.turns(session) if turn.role == "user"
    ]


async def test_a_bracketed_paste_is_one_message_while_an_answer_streams_too(house: House) -> None:
    house.seed()
    house.model.hold_after = 2
    async with house.app() as pilot:
        await pilot.press("q", "enter")
        await until(pilot, lambda: desk(pilot).sender.any_running)
        await feed(pilot, "\x1b[200~l1\r\nl2\rl3\n\nl5\x1b[201~")
        assert prompt(pilot).text == "l1\nl2\nl3\n\nl5"
        house.model.go_on.set()
        await settle(pilot)
        assert asked(pilot) == ["q"]
        await pilot.press("enter")
        await settle(pilot)
        assert asked(pilot) == ["q", "l1\nl2\nl3\n\nl5"]


async def test_lines_that_come_as_fast_keys_are_one_text_and_nothing_is_sent(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await feed(pilot, "first line\r\tsecond @D1\rthird\r")
        await pilot.pause(0.3)
        assert prompt(pilot).text == "first line\n\tsecond @D1\nthird\n"
        assert workspace(pilot).place == "prompt"
        assert asked(pilot) == []


async def test_one_fast_line_with_enter_behind_it_is_sent_after_a_moment(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await feed(pilot, "typed by a program\r")
        assert asked(pilot) == []
        await until(pilot, lambda: asked(pilot) == ["typed by a program"])
        assert prompt(pilot).text == ""


async def test_a_huge_paste_is_folded_sent_whole_and_comes_back_folded(tmp_path: Path) -> None:
    house = House(tmp_path, PacedModel())
    house.seed()
    async with house.app() as pilot:
        await pilot.press(*"see", "space")
        began = time.process_time()
        await feed(pilot, f"\x1b[200~{LONG}\x1b[201~")
        assert time.process_time() - began < 1.0
        assert prompt(pilot).document.text == f"see {TOKEN}"
        assert prompt(pilot).text == f"see {LONG}"
        began = time.process_time()
        await pilot.press("left", "right", "!")
        assert time.process_time() - began < 1.0
        assert prompt(pilot).document.text == f"see {TOKEN}!"
        await settle(pilot)
    async with house.app() as pilot:
        assert prompt(pilot).document.text == f"see {TOKEN}!"
        await pilot.press("backspace", "backspace")
        assert prompt(pilot).text == "see "
        prompt(pilot).undo()
        prompt(pilot).undo()
        assert prompt(pilot).text == f"see {LONG}!"
        workspace(pilot).action_run("prompt.unfold")
        assert prompt(pilot).document.text == f"see {LONG}!"
        prompt(pilot).undo()
        await pilot.press("enter")  # More than the demo model's window: back it comes, folded.
        await settle(pilot)
        assert "does not fit" in screen_text(pilot)
        assert prompt(pilot).document.text == f"see {TOKEN}!"


async def test_taking_back_a_paste_that_made_the_prompt_scroll(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("a")
        await feed(pilot, "\x1b[200~" + "line\r" * 60 + "\x1b[201~")
        await pilot.press("ctrl+z")
        assert prompt(pilot).text == "a"
        await pilot.press("ctrl+y", "b")
        assert prompt(pilot).text == "a" + "line\n" * 60 + "b"


async def test_what_is_sent_and_stored_of_a_fold_is_equal(house: House) -> None:
    house.seed()
    text = "".join(f"line {number} é\t@D1\n" for number in range(300))
    async with house.app() as pilot:
        await feed(pilot, f"\x1b[200~{text}\x1b[201~")
        await pilot.press("space", "x", "enter")
        await settle(pilot)
        assert asked(pilot) == [f"{text} x"]
        # What was pasted mentions nothing: it was not read before it was sent.
        assert house.model.calls[-1].messages[-1].content == f"{text} x"


@pytest.mark.parametrize("size", [4, 5, 7, 4096])
def test_a_paste_in_pieces_of_any_size_is_whole_and_keys_around_it_stay_keys(size: int) -> None:
    raw = "a\x1b[200~one\r\n\x1b[31m two\0\x1b[201~b\x1b[A"
    parser = PastingParser()
    found = [
        event
        for at in range(0, len(raw), size)
        for event in parser.feed(raw[at : at + size])
        if isinstance(event, events.Key | events.Paste)
    ]
    said = [event.text if isinstance(event, events.Paste) else event.key for event in found]
    assert said == ["a", "one\r\n\x1b[31m two", "b", "up"]


def test_folds_by_values() -> None:
    long = "a\n" * 300
    assert is_long(long)
    assert not is_long("a\n" * 199)
    folds, word = Folds().add(long)
    assert word == "[pasted 300 lines, 600 B #1]"
    assert folds.whole(f"x {word} {word}") == f"x {long} {long}"
    typed = "[pasted 300 lines, 601 B #1] [pasted 300 lines, 600 B #2]"
    assert folds.whole(typed) == typed
    shown = f"before {word} behind"
    spans = folds.spans(shown)
    whole = folds.whole(shown)
    assert [whole[start:end] for start, end in spans] == [long]
    assert taken(kept(whole, spans)) == (whole, spans)
    assert folded(whole, spans, Folds())[0] == shown
    assert known_spans(whole.replace("before", "after"), folds.parts) == ((6, 6 + len(long)),)
    assert taken("plain") == ("plain", ())
    assert taken("\x1efolds 5-2\nabc") == ("abc", ())
    assert taken("\x1efolds 0-9\nabc") == ("abc", ())


async def test_a_huge_paste_into_an_item_is_folded_and_taken_whole(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        form, _ = await opened_form(pilot, services, told)
        decisions = editor(form, "decisions")
        line = decisions.query_one(EditorLine)
        line.focus()
        await pilot.pause()
        app.post_message(events.Paste(LONG))
        await pilot.press("left", "right", "!")
        assert line.document.text == f"{TOKEN}!"
        await pilot.press("enter")
        await settle(pilot)
        assert decisions.items[-1].text == f"{LONG}!"
