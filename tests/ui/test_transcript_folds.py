"""Opening a fold keeps its line and shows its turns; the scroll bar says where the view is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from smriti_tui.widgets.markdown_model import ASCII_THEME, UNICODE_THEME, MarkdownTheme
from smriti_tui.widgets.transcript import Transcript
from smriti_tui.widgets.transcript_live import LiveTurn
from smriti_tui.widgets.transcript_model import Entry, Folded, Rule
from tests.ui.transcript_host import ENTRIES, Host, many, rows, turn

LONG = "\n\n".join("words " * 30 for _ in range(3))
OUT = tuple(
    replace(turn(number, f"old {number}\n\n{LONG}"), stays_out=True) for number in range(101, 113)
)
FOLD = Folded("turns 101-112 stay out", 101, 112, OUT, hint="x: why")
WORDS = "turns 101-112 stay out"


def line_of(pane: Transcript, words: str) -> int:
    """The row of the view with these words; -1 if none."""
    return next((at for at, row in enumerate(rows(pane)) if words in row), -1)


async def test_on_the_last_line_the_first_turns_come_into_view() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        pane = app.transcript
        pane.show([*many(30), FOLD])
        await pilot.pause()
        assert isinstance(pane.selected_entry, Folded)
        pane.action_toggle_fold()
        await pilot.pause()
        shown = rows(pane)
        at = line_of(pane, WORDS)
        assert 0 < at <= len(shown) // 2
        assert "101 you   not sent" in shown[at + 1]
        assert "old 101" in shown[at + 2]
        assert isinstance(pane.selected_entry, Folded)


async def test_a_short_fold_moves_no_more_than_it_needs() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        pane = app.transcript
        few = (replace(turn(101, "one"), stays_out=True), replace(turn(102, "b"), stays_out=True))
        pane.show([*many(30), Folded("turns 101-102 stay out", 101, 102, few)])
        await pilot.pause()
        pane.action_toggle_fold()
        await pilot.pause()
        shown = rows(pane)
        assert "stay out" in shown[-7]
        assert line_of(pane, "102 you") > line_of(pane, "101 you") > 0


@pytest.mark.parametrize("before", [0, 2, 6, 40])
async def test_elsewhere_the_line_stays_where_it_is(before: int) -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        pane = app.transcript
        entries: Sequence[Entry] = [*many(before), Rule("here"), FOLD, *many(before + 3)[before:]]
        pane.show(entries)
        await pilot.pause()
        for _ in range(4):
            if isinstance(pane.selected_entry, Folded):
                break
            pane.action_cursor_up()
        await pilot.pause()
        at = line_of(pane, WORDS)
        assert at >= 0
        pane.action_toggle_fold()
        await pilot.pause()
        now = line_of(pane, WORDS)
        assert now == at or len(rows(pane)) // 2 - 1 <= now < at
        assert rows(pane)[now].startswith(">")
        assert "old 101" in rows(pane)[now + 2]
        pane.action_toggle_fold()
        await pilot.pause()
        assert rows(pane)[line_of(pane, WORDS)].startswith(">")


async def test_a_short_chat_stays_at_its_top() -> None:
    app = Host()
    async with app.run_test(size=(80, 40)) as pilot:
        pane = app.transcript
        pane.show([FOLD, *ENTRIES[1:]])
        await pilot.pause()
        pane.action_top()
        pane.action_toggle_fold()
        pane.show([FOLD, *ENTRIES[1:]])
        await pilot.pause()
        assert line_of(pane, WORDS) == 0
        assert pane.scroll_offset.y == 0
        assert rows(pane)[0].startswith(">")


async def test_the_thumb_is_at_the_end_when_the_view_is() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        pane = app.transcript
        pane.show(many(300))
        await pilot.pause()
        await pilot.pause()
        assert pane.follows
        assert pane.vertical_scrollbar.position == pane.scroll_y == pane.max_scroll_y > 0
        pane.show([turn(1, "short")], scope="short")
        await pilot.pause()
        assert not pane.show_vertical_scrollbar
        pane.show(many(80), scope="long")
        await pilot.pause()
        await pilot.pause()
        assert pane.vertical_scrollbar.position == pane.scroll_y == pane.max_scroll_y > 0


@pytest.mark.parametrize("theme", [UNICODE_THEME, ASCII_THEME])
def test_an_open_list_has_the_signs_of_a_finished_one(theme: MarkdownTheme) -> None:
    live = LiveTurn(turn(1, "", "assistant"), 34, theme)
    live.feed("```\n- one\n```\n\n- one is long enough to be wrapped - here\n")
    live.feed("* two\n**bold** x\n-3\n- ")
    shown = [live.line(row) for row in range(live.height)]
    texts = [line.text.strip() for line in shown]
    sign = theme.bullet
    assert "- one" in texts
    start = texts.index(f"{sign} one is long enough to be")
    assert texts[start : start + 6] == [
        f"{sign} one is long enough to be",
        "wrapped - here",
        f"{sign} two",
        "**bold** x",
        "-3",
        sign,
    ]
    assert shown[start + 2].source().strip() == "* two"


@pytest.mark.parametrize("fence", ["```", "~~~py"])
def test_an_open_fence_is_left_alone(fence: str) -> None:
    live = LiveTurn(turn(1, "", "assistant"), 34, UNICODE_THEME)
    live.feed(f"{fence}\n- one\n- two")
    assert {"- one", "- two"} <= {live.line(row).text.strip() for row in range(live.height)}
