"""Without colour, box lines or motion: everything can still be read and told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from rich.color import Color
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from smriti_tui.app import SmritiApp
from smriti_tui.config.light import LightConfig, read_light
from smriti_tui.domain.model import TurnStatus
from smriti_tui.glyphs import ascii_drawing
from smriti_tui.widgets.carry_choice import CarryChoice
from smriti_tui.widgets.transcript import Transcript
from smriti_tui.widgets.transcript_model import TurnView
from tests.ui.house import House, PacedModel, settle, workspace
from tests.ui.snapshots.drawing import emphasis, words
from tests.ui.tour import SCENES, back, stage, through

SMALL = ("chat", "form", "settings", "palette")
"""Scenes that are looked at in the smallest size, too, where bars and cut words appear."""
ASCII = LightConfig(glyphs="ascii", motion=False)


STATES: Sequence[TurnStatus] = ("complete", "running", "stopped", "cut", "failed")


def looks(pilot: Pilot[int]) -> str:
    """Words and what is bold, reversed or underlined: all that is left without colour."""
    return f"{words(pilot)}\n{emphasis(pilot)}"


async def test_on_every_screen_all_drawing_is_ascii_and_nothing_has_a_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with stage(tmp_path, ASCII) as pilot:
        screen = workspace(pilot)
        for name, keys in SCENES.items():
            await through(pilot, keys)
            if name == "chat":
                screen.tell("Something failed.", "Do this.")
                screen.say("A short note.")
                await pilot.pause()
            if name in SMALL:
                await pilot.resize_terminal(60, 16)
                await settle(pilot)
                assert not_ascii(pilot) == [], name
                await pilot.resize_terminal(120, 36)
                await settle(pilot)
            assert not_ascii(pilot) == [], name
            assert set(inks(pilot)) <= {None, Color.default()}, name
            await back(pilot)


def not_ascii(pilot: Pilot[int]) -> list[str]:
    """Lines with other signs; all that is written in the stage's conversation is ASCII."""
    return [line for line in words(pilot).split("\n") if not line.isascii()]


def inks(pilot: Pilot[int]) -> Iterator[Color | None]:
    """Every colour that is drawn."""
    for strip in pilot.app.screen._compositor.render_strips():
        for segment in strip:
            if segment.style is not None:
                yield segment.style.color
                yield segment.style.bgcolor


async def test_the_focused_pane_has_another_border_in_ascii(tmp_path: Path) -> None:
    async with stage(tmp_path, ASCII) as pilot:
        await pilot.press("escape", "1")
        await pilot.pause()
        top = words(pilot).split("\n")[1]
        assert top.startswith("+= 1 Spaces")
        assert "+- 3 Chat" in top


async def test_glyphs_change_at_once_and_back(tmp_path: Path) -> None:
    async with stage(tmp_path) as pilot:
        full = words(pilot)
        assert not full.isascii()
        app = pilot.app
        assert isinstance(app, SmritiApp)
        app.take_look("ascii", motion=False)
        await pilot.pause()
        assert words(pilot).isascii()
        app.take_look("full", motion=False)
        await pilot.pause()
        assert words(pilot) == full


def test_letters_of_other_scripts_stay_and_columns_too() -> None:
    assert ascii_drawing("├─ \u0938\u094d\u092e\u0943\u0924\u093f ║ \u65e5\u672c …") == (
        "+- \u0938\u094d\u092e\u0943\u0924\u093f | \u65e5\u672c ."
    )


# ---- without colour ---------------------------------------------------------------------------


async def test_focus_cursor_selection_and_choices_are_told_by_more_than_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with stage(tmp_path) as pilot:
        seen = {}
        for name, keys in (
            ("spaces", ("escape", "1", "g")), ("second row", ("j",)), ("checkpoints", ("2",)),
            ("chat", ("3",)), ("prompt", ("i",)), ("typed", ("a", "b", "c")),
            ("cursor moved", ("left",)), ("selected", ("shift+left",)),
        ):  # fmt: skip
            await through(pilot, keys)
            seen[name] = looks(pilot)
        for one, other in combinations(seen, 2):
            assert seen[one] != seen[other], (one, other)
        await through(pilot, ("escape", "2", "n", "A"))
        form = pilot.app.screen
        states = [looks(pilot)]
        for widget in (form.query(TextArea).first(), form.query_one(CarryChoice)):
            widget.focus()
            await settle(pilot)
            states.append(looks(pilot))
        await pilot.press("space")
        await settle(pilot)
        states.append(looks(pilot))
        assert len(set(states)) == len(states)
        await back(pilot)
        await through(pilot, ("ctrl+t",))
        assert pilot.app.screen.query_one(Input).has_focus
        first = looks(pilot)
        assert ">" in first
        await pilot.press("down")
        await settle(pilot)
        assert looks(pilot) != first
        await back(pilot)
        transcript = pilot.app.screen.query_one(Transcript)
        turn = TurnView(2, "assistant", "assistant", "Some text", status="complete")
        seen = {}
        for status in STATES:
            transcript.show((replace(turn, status=status),))
            await pilot.pause()
            seen[status] = words(pilot)
        assert len(set(seen.values())) == len(STATES)


# ---- without motion ---------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["settings", "variable"])
async def test_nothing_moves_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    if by == "variable":
        monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
        light = read_light({"TEXTUAL_ANIMATIONS": "none", "HOME": str(tmp_path)})
    else:
        light = LightConfig(motion=False)
    async with stage(tmp_path, light, (100, 20)) as pilot:
        assert pilot.app.animation_level == "none"
        await through(pilot, ("escape", "3", "g"))
        transcript = pilot.app.screen.query_one(Transcript)
        transcript.scroll_end(animate=True)
        await pilot.pause()
        assert transcript.scroll_offset.y == transcript.max_scroll_y
        assert not pilot.app.animator.is_being_animated(transcript, "scroll_y")
        for keys in (("i",), ("ctrl+n",), ("app.settings",), ("app.theme",), ("ctrl+p",)):
            await through(pilot, keys)
            typed = [*pilot.app.screen.query(Input), *pilot.app.screen.query(TextArea)]
            assert [each for each in typed if each.cursor_blink] == []
            await back(pilot)


async def test_an_unknown_theme_and_glyphs_are_complained_about_by_name(tmp_path: Path) -> None:
    (tmp_path / ".config" / "smriti").mkdir(parents=True)
    (tmp_path / ".config" / "smriti" / "config.toml").write_text(
        "[ui]\ntheme = 'midnight'\n", encoding="utf-8"
    )
    house = House(tmp_path, PacedModel(), light=LightConfig(theme="midnight", motion=False))
    house.seed()
    async with house.app() as pilot:
        assert pilot.app.theme == "smriti-dark"
        told = workspace(pilot).query_one("NoticeBar").render()
        assert "There is no theme midnight" in str(told)
        assert "config.toml" in str(told)
