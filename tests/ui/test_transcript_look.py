"""What the chat pane looks like: harmless with any text, readable in any theme, at any size."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.color import Color as RichColor
from textual.app import App, ComposeResult
from textual.content import Content
from textual.filter import LineFilter
from textual.widgets import Static

from smriti_tui.text import ControlFilter
from smriti_tui.widgets.transcript_model import Entry, Folded, Notice, Rule
from smriti_tui.widgets.transcript_paint import STYLE_NAMES
from tests.ui.transcript_host import CONTROL, ENTRIES, OUT, Host, raw_rows, rows, turn

EIGHTY = (80, 24)

HOSTILE = (
    "see [/srv/app/x] and [/] then [red]a[/blue] [@click=app.quit]q[/] ok \x1b]52;c;cHduZWQ=\x07 "
    "\x1b]0;owned\x07 \x1b[2J \x9b31m end "
    "\u202e\ud800\x00 \x7f\r漢字 \U0001f469‍\U0001f469‍\U0001f467 ❤️ é नमस्ते"
)


async def test_hostile_text_is_only_words() -> None:
    app = Host()
    entries: list[Entry] = [
        Folded(HOSTILE, 1, 1, OUT[:1], hint=HOSTILE),
        Rule(HOSTILE),
        replace(turn(2, HOSTILE, label=HOSTILE), meta=HOSTILE, clock=HOSTILE),
        replace(
            turn(3, HOSTILE, "assistant"),
            reasoning=HOSTILE,
            status="cut",
            note=HOSTILE,
            hint=HOSTILE,
        ),
        Notice(HOSTILE),
    ]
    async with app.run_test(size=(80, 60)) as pilot:
        pane = app.transcript
        pane.show(entries)
        await pilot.pause()
        pane.action_cursor_down()
        pane.action_toggle_fold()
        pane.stream_begin(turn(4, "", "assistant"))
        for character in HOSTILE:
            pane.stream_append(character)
            pane.stream_reasoning(character)
        await pilot.pause(0.1)
        for row in raw_rows(pane):
            assert CONTROL.search(row) is None
        for y in range(pane.size.height):
            assert pane.render_line(y).cell_length == pane.size.width
        text = "\n".join(rows(pane))
    assert "see [/srv/app/x] and [/] then [red]a[/blue] [@click=app.quit]q[/]" in text
    assert "]52;c;cHduZWQ=" in text


async def test_no_colour_and_every_theme_keep_the_same_words() -> None:
    app = Host()
    async with app.run_test(size=EIGHTY) as pilot:
        pane = app.transcript
        pane.show(ENTRIES)
        await pilot.pause()
        before = rows(pane)
        for theme in ("textual-light", "ansi-dark", "ansi-light", "nord"):
            app.theme = theme
            await pilot.pause()
            assert rows(pane) == before


async def test_every_style_can_be_read_in_every_theme() -> None:
    app = Host()
    async with app.run_test(size=EIGHTY) as pilot:
        for theme in app.available_themes:
            if theme.startswith("ansi-"):  # the terminal's own colours are not known here
                continue
            app.theme = theme
            await pilot.pause()
            for name in STYLE_NAMES:
                style = app.transcript.rich_style + app.transcript.named_style(name)
                assert style.color is not None
                assert style.bgcolor is not None
                assert _contrast(style.color, style.bgcolor) >= 4.5, (theme, name)


def _contrast(first: RichColor, second: RichColor) -> float:
    """The ratio of relative luminances (WCAG 2)."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: RichColor) -> float:
    parts = [channel / 255 for channel in color.get_truecolor()]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


async def test_without_colour_the_screen_holds_the_same_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pictures: list[list[str]] = []
    for value in ("", "1"):
        monkeypatch.setenv("NO_COLOR", value)
        app = Host()
        async with app.run_test(size=EIGHTY) as pilot:
            app.transcript.show(ENTRIES)
            await pilot.pause()
            strips = app.transcript.render_lines(app.transcript.size.region)
            pictures.append([strip.text for strip in strips])
    assert pictures[0] == pictures[1]
    assert ">14 assistant" in "".join(pictures[0])


async def test_the_net_catches_what_a_widget_lets_through() -> None:
    class Netted(App[None]):
        def compose(self) -> ComposeResult:
            yield Static(Content("a\x1b]0;owned\x07 \x9bz"))

        def get_line_filters(self) -> list[LineFilter]:
            return [*super().get_line_filters(), ControlFilter()]

    app = Netted()
    async with app.run_test(size=(40, 5)) as pilot:
        await pilot.pause()
        widget = app.query_one(Static)
        strips = widget.render_lines(widget.size.region)
    assert strips[0].text.startswith("a")
    assert all(CONTROL.search(strip.text) is None for strip in strips)
    assert [strip.cell_length for strip in strips] == [40]


@pytest.mark.parametrize("size", [(60, 16), (20, 9), (8, 8), (3, 7), (1, 7), (80, 6)])
async def test_no_size_is_too_small_to_be_drawn(size: tuple[int, int]) -> None:
    app = Host()
    async with app.run_test(size=EIGHTY) as pilot:
        app.transcript.show([*ENTRIES, turn(15, HOSTILE, "assistant")])
        app.transcript.stream_begin(turn(16, "", "assistant"))
        app.transcript.stream_append(HOSTILE)
        await pilot.resize_terminal(*size)
        app.transcript.action_half_up()
        app.transcript.action_top()
        app.transcript.action_toggle_fold()
        await pilot.resize_terminal(*EIGHTY)
        app.transcript.action_top()
        await pilot.pause()
        assert rows(app.transcript)[0].startswith(">  turns 1-12 stay out")
