"""The chat pane at work: what it draws, where it stays, what it tells."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from smriti_tui.widgets.markdown_model import ASCII_THEME
from smriti_tui.widgets.transcript import Transcript
from smriti_tui.widgets.transcript_model import Folded, TurnView
from tests.ui.transcript_host import ANSWER, ENTRIES, Host, many, rows, turn

EIGHTY = (80, 24)


async def test_a_session_looks_like_the_drawing() -> None:
    app = Host(ASCII_THEME)
    async with app.run_test(size=(63, 30)) as pilot:
        app.transcript.show(ENTRIES)
        await pilot.pause()
        shown = rows(app.transcript)
    assert shown[0] == "   turns 1-12 stay out (before the boundary)           x: why"
    assert "restored to 4c1e9a0" in shown[1]
    assert shown[1].replace("restored to 4c1e9a0", "").strip("- ") == ""
    assert shown[2] == " 13 you" + " " * 49 + "13:58"
    assert shown[3:9] == [
        "    Do we still need a server?",
        "",
        ">14 assistant   demo/scripted   ctx 7be0   1.9k tokens   $0.00"[:62],
        "    I would keep FTS5.",
        "",
        "    - the rebuild runs as a job",
    ]
    assert shown[10] == "    4 turns since the last checkpoint.  d drafts one."


@pytest.mark.parametrize("width", [20, 40, 50, 60, 100])
async def test_facts_leave_the_head_from_the_right(width: int) -> None:
    app = Host()
    async with app.run_test(size=(width, 24)) as pilot:
        app.transcript.show([ANSWER])
        await pilot.pause()
        head = rows(app.transcript)[0]
    whole = ">14 assistant   demo/scripted   ctx 7be0   1.9k tokens   $0.00"
    assert len(head) <= width
    assert whole.startswith(head.removesuffix("14:01").rstrip())
    assert head.endswith("14:01") == (width in (40, 50, 100))


@pytest.mark.parametrize(
    ("status", "note", "words"),
    [
        ("running", "", "..."),
        ("stopped", "", "stopped by you; what arrived is kept   R asks again"),
        ("cut", "the connection dropped", "the connection dropped   R asks again"),
        (
            "failed",
            "no key for openai",
            "failed; no answer arrived: no key for openai   R asks again",
        ),
    ],
)
async def test_every_status_has_words(status: str, note: str, words: str) -> None:
    app = Host()
    hint = "" if status == "running" else "R asks again"
    view = replace(turn(2, "Agr", "assistant"), status=status, note=note, hint=hint)  # type: ignore[arg-type]
    async with app.run_test(size=(100, 24)) as pilot:
        app.transcript.show([view])
        await pilot.pause()
        shown = rows(app.transcript)
    assert shown[1] == "    Agr"
    assert shown[2].endswith(words)


async def test_ten_thousand_turns_are_a_handful_of_nodes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = Host()
    turns = many(10_000)
    async with app.run_test(size=(120, 36)) as pilot:
        began = time.perf_counter()
        app.transcript.show(turns)
        spent = time.perf_counter() - began
        await pilot.pause()
        with capsys.disabled():
            print(f"\n10,000 turns shown in {spent * 1000:.0f} ms")  # noqa: T201
        assert app.nodes() < 50
        assert "answer 10000" in "\n".join(rows(app.transcript))
        assert app.transcript.selected_number == 10_000
        app.transcript.action_top()
        await pilot.pause()
        assert rows(app.transcript)[:2] == [">1 you".replace(">1", "> 1"), "    question 1"]


async def test_scrolling_up_through_guessed_heights_never_jumps() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        app.transcript.show(many(400))
        await pilot.pause()
        before = rows(app.transcript)
        for _ in range(120):
            app.transcript.scroll_to(y=app.transcript.scroll_offset.y - 3, animate=False)
            await pilot.pause()
            now = rows(app.transcript)
            assert _unmarked(now[3:]) == _unmarked(before[:-3])
            before = now


def _unmarked(shown: list[str]) -> list[str]:
    return [row.replace(">", " ", 1) if row.startswith(">") else row for row in shown]


async def test_new_entries_keep_the_place_unless_the_view_is_at_the_end() -> None:
    app = Host()
    turns = many(60)
    async with app.run_test(size=EIGHTY) as pilot:
        app.transcript.show(turns)
        await pilot.pause()
        assert app.transcript.follows
        app.transcript.show([*turns, turn(61, "the newest")])
        await pilot.pause()
        assert "    the newest" in rows(app.transcript)
        app.transcript.scroll_to(y=40, animate=False)
        await pilot.pause()
        before = rows(app.transcript)
        app.transcript.show([*turns, turn(61, "the newest"), turn(62, "newer still")])
        await pilot.pause()
        assert rows(app.transcript)[:-1] == before[:-1]
        assert rows(app.transcript)[-1].endswith(" 3 new lines below")
        assert not app.transcript.follows


async def test_the_cursor_goes_by_turns_and_says_so() -> None:
    app = Host()
    async with app.run_test(size=EIGHTY) as pilot:
        pane = app.transcript
        pane.show(ENTRIES)
        await pilot.pause()
        pane.action_cursor_up()
        pane.action_cursor_up()
        await pilot.pause()
        assert isinstance(pane.selected_entry, Folded)
        pane.action_cursor_down()
        pane.action_cursor_down()
        pane.action_cursor_down()
        await pilot.pause()
        numbers = [
            message.number for message in app.heard if isinstance(message, Transcript.TurnSelected)
        ]
        assert numbers == [13, 13, 14]
        assert next(row for row in rows(pane) if row[0:1] == ">").startswith(">14 assistant")


async def test_pages_take_the_cursor_along() -> None:
    app = Host()
    async with app.run_test(size=EIGHTY) as pilot:
        pane = app.transcript
        pane.show(many(100))
        await pilot.pause()
        for _ in range(6):
            pane.action_half_up()
            await pilot.pause()
            assert any(row.startswith(">") for row in rows(pane))
        assert pane.selected_number is not None
        assert pane.selected_number < 100
        for _ in range(8):
            pane.action_half_down()
        await pilot.pause()
        assert pane.follows
        pane.action_bottom()
        assert pane.selected_number == 100


async def test_a_fold_opens_to_turns_that_are_marked_as_not_sent() -> None:
    app = Host()
    async with app.run_test(size=EIGHTY) as pilot:
        pane = app.transcript
        pane.show(ENTRIES)
        await pilot.pause()
        pane.action_top()
        pane.action_toggle_fold()
        await pilot.pause()
        shown = rows(pane)
        assert shown[0].startswith(">  turns 1-12 stay out")
        assert shown[1] == "  1 you   not sent"
        assert shown[2] == "    old 1"
        assert "dim" not in shown
        pane.show(ENTRIES)
        assert rows(pane)[1] == "  1 you   not sent"
        pane.action_toggle_fold()
        await pilot.pause()
        assert "restored" in rows(pane)[1]
        toggled = [(m.key, m.opened) for m in app.heard if isinstance(m, Transcript.FoldToggled)]
        assert toggled == [("fold:1", True), ("fold:1", False)]


async def test_the_mouse_selects_opens_and_asks() -> None:
    app = Host()
    async with app.run_test(size=EIGHTY) as pilot:
        pane = app.transcript
        pane.show(ENTRIES)
        await pilot.pause()
        await pilot.click(pane, offset=(10, 2))
        assert pane.selected_number == 13
        await pilot.click(pane, offset=(36, 5))
        await pilot.click(pane, offset=(72, 0))
        await pilot.pause()
        asked = [m.number for m in app.heard if isinstance(m, Transcript.ContextAsked)]
        assert asked == [14, None]
        await pilot.click(pane, offset=(10, 0))
        assert rows(pane)[1] == "  1 you   not sent"


async def test_reasoning_is_one_line_until_it_is_opened() -> None:
    app = Host()
    view = replace(turn(2, "so", "assistant"), reasoning="first\nsecond [/]\n")
    async with app.run_test(size=EIGHTY) as pilot:
        pane = app.transcript
        pane.show([view])
        await pilot.pause()
        assert rows(pane)[1:3] == ["    + thought for 2 lines", "    so"]
        pane.action_toggle_fold()
        await pilot.pause()
        assert rows(pane)[1:5] == [
            "    - thought for 2 lines", "      first", "      second [/]", "    so"]  # fmt: skip
        await pilot.click(pane, offset=(8, 1))
        assert rows(pane)[2] == "    so"


async def test_a_cited_turn_can_be_brought_into_view() -> None:
    app = Host()
    async with app.run_test(size=EIGHTY) as pilot:
        pane = app.transcript
        pane.show([*ENTRIES[:-1], *(turn(number, f"q {number}") for number in range(15, 90))])
        await pilot.pause()
        assert pane.reveal(40)
        assert pane.selected_number == 40
        assert "    q 40" in rows(pane)
        assert pane.reveal(7)
        assert "    old 7" in rows(pane)
        assert pane.selected_number == 7
        assert not pane.reveal(500)


async def test_the_turns_own_text_is_given_as_stored() -> None:
    app = Host()
    view: TurnView = turn(1, "a\tb \x1b[2J \r\n  c ")
    async with app.run_test(size=EIGHTY) as pilot:
        app.transcript.show([view])
        await pilot.pause()
        assert app.transcript.turn_text() == view.text
        assert app.transcript.turn_text(1) == view.text
        assert app.transcript.turn_text(9) is None
