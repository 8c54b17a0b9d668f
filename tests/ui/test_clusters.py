"""What the eye sees as one sign is passed, deleted and drawn as one, in prompt and fields."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from smriti_tui.widgets.clusters import ClusterText, cluster_around
from smriti_tui.widgets.fields import LineInput, TextField
from smriti_tui.widgets.prompt import Prompt

FAMILY, HEART, ACCENT, NAMASTE = "👩‍👩‍👧", "❤️", "e\u0301", "नमस्ते"
SIGNS = (FAMILY, HEART, ACCENT, "स्ते", "क्षि", "🇩🇪", "👍🏽", "漢", "ก็", "x")


class Fields(App[None]):
    def compose(self) -> ComposeResult:
        yield Prompt(id="prompt")
        yield TextField(widget_id="field")
        yield LineInput(widget_id="line", select=False)


def value(widget: Prompt | TextField | LineInput) -> str:
    return widget.value if isinstance(widget, LineInput) else widget.text


def fill(widget: Prompt | TextField | LineInput, text: str) -> None:
    """Puts a text in; the cursor stands at its end."""
    if isinstance(widget, LineInput):
        widget.fill("")
        widget.fill(text)
    else:
        widget.load_text(text)
        widget.move_cursor(widget.document.end)


async def put(pilot: Pilot[None], name: str, text: str) -> Prompt | TextField | LineInput:
    """Gives a field the focus and a text."""
    widget = pilot.app.query_one(f"#{name}")
    assert isinstance(widget, Prompt | TextField | LineInput)
    widget.focus()
    fill(widget, text)
    await pilot.pause()
    return widget


def act(widget: Prompt | TextField | LineInput, *actions: str) -> None:
    """What the editor's own keys are bound to, or a sign that is typed."""
    for action in actions:
        if len(action) == 1:
            if isinstance(widget, LineInput):
                widget.insert_text_at_cursor(action)
            else:
                widget.replace(action, *widget.selection, maintain_selection_offset=False)
        else:
            name, _, select = action.partition(" ")
            getattr(widget, f"action_{name}")(*((True,) if select else ()))


@pytest.mark.parametrize("name", ["prompt", "field", "line"])
async def test_keys_pass_and_take_whole_signs(name: str) -> None:
    home = "home" if name == "line" else "cursor_line_start"
    async with Fields().run_test() as pilot:
        widget = await put(pilot, name, f"a{FAMILY}b")
        await pilot.press("left", "backspace")
        assert value(widget) == "ab"
        for sign in SIGNS:
            for keys, left in (
                (("cursor_left", "delete_left"), "ab"),
                ((home, "cursor_right", "delete_right"), "ab"),
                (("cursor_left", "cursor_left", "!", "cursor_right", "?"), f"a!{sign}?b"),
                (("cursor_left", "cursor_left select", "cut"), "ab"),
                ((home, "cursor_right", "cursor_right select", "cut"), "ab"),
            ):
                fill(widget, f"a{sign}b")
                act(widget, *keys)
                assert value(widget) == left, (sign, keys)
        fill(widget, NAMASTE)
        for left in ("नम", "न", ""):
            act(widget, "delete_left")
            assert value(widget) == left


@pytest.mark.parametrize("name", ["prompt", "field"])
async def test_up_and_down_never_stop_in_the_middle_of_a_sign(name: str) -> None:
    text = f"{FAMILY}{FAMILY}\n漢字\nabc"
    async with Fields().run_test() as pilot:
        widget = await put(pilot, name, text)
        for moves in ("uu", "luu", "lluu", "lu", "lluud"):
            fill(widget, text)
            names = {"u": "cursor_up", "l": "cursor_left", "d": "cursor_down"}
            act(widget, *(names[move] for move in moves), "Z")
            assert value(widget).replace("Z", "") == text
            assert not value(widget).partition("Z")[0].endswith("\u200d")


@pytest.mark.parametrize("name", ["prompt", "field", "line"])
async def test_a_cursor_on_a_wide_sign_keeps_the_grid(name: str) -> None:
    home = "home" if name == "line" else "cursor_line_start"
    async with Fields().run_test(size=(40, 24)) as pilot:
        widget = await put(pilot, name, "x")
        for text in (*(f"a{sign}b" for sign in SIGNS), FAMILY * 30, "漢" * 200, NAMASTE * 20):
            fill(widget, text)
            for move in (home, "cursor_right", "cursor_right"):
                act(widget, move)
                lines = [widget.render_line(y) for y in range(widget.size.height)]
                pieces = [segment.text for strip in lines for segment in strip]
                assert not any(piece.startswith(("\u200d", "\ufe0f", "\u0301")) for piece in pieces)
            await pilot.pause()
            strips = pilot.app.screen._compositor.render_strips()
            assert {strip.cell_length for strip in strips} == {40}, text[:9]


@settings(max_examples=200)
@given(st.lists(st.sampled_from([*SIGNS, " ", "\u200d", "\u0301", "a"]), max_size=30), st.data())
def test_clusters_are_those_of_the_whole_line(signs: list[str], data: st.DataObject) -> None:
    import regex

    line = "".join(signs)
    column = data.draw(st.integers(0, len(line)))
    start, end = cluster_around(line, column)
    whole = [found.span() for found in regex.finditer(r"\X", line)]
    assert (start, end) in [*whole, (len(line), len(line))]
    assert start <= column
    text = ClusterText(line)
    text.stylize("bold", column, column + 1)
    assert all((span.start, span.end) in whole for span in text.spans)
