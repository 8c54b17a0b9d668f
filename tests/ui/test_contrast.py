"""Colours can be read in every theme: computed from what is really drawn, not from variables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES
from textual.widgets import Input, TextArea

from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.widgets.legible import TEXT, contrast
from smriti_tui.widgets.themes import theme_words, themes
from tests.ui.colours import faint_runs
from tests.ui.house import House, PacedModel
from tests.ui.tour import SCENES, back, stage, through

OURS = tuple(theme.name for theme in themes())
OTHERS = tuple(name for name, theme in BUILTIN_THEMES.items() if not theme.ansi)
HARD = ("textual-light", "solarized-dark", "solarized-light", "tokyo-night", "rose-pine-dawn")
"""Themes whose own words are faint."""
WIDELY = {"chat": OTHERS, "form": HARD}
"""Where the themes that are not ours are looked at, too."""
PARTS = (
    (Input, "input--cursor"), (Input, "input--selection"), (Input, "input--placeholder"),
    (TextArea, "text-area--cursor"), (TextArea, "text-area--selection"),
    (TextArea, "text-area--placeholder"),
)  # fmt: skip


async def faint_in(pilot: Pilot[int], names: tuple[str, ...]) -> dict[str, list[str]]:
    """What cannot be read, by theme."""
    found: dict[str, list[str]] = {}
    for name in names:
        pilot.app.theme = name
        await pilot.pause()
        faint = {*map(str, faint_runs(pilot)), *faint_parts(pilot)}
        if name in OURS:
            faint |= {f"256: {each}" for each in faint_runs(pilot, of_256=True)}
        if faint:
            found[name] = sorted(faint)
    return found


def faint_parts(pilot: Pilot[int]) -> Iterator[str]:
    """Cursor, selection and hint of what is typed in, which are not all there at one time."""
    for kind, part in PARTS:
        for widget in pilot.app.screen.query(kind).results():
            styles = widget.get_component_styles(part)
            ground = (widget.background_colors[1] + styles.background).with_alpha(1)
            ink = (ground + styles.color).with_alpha(1)
            if (ratio := contrast(ink, ground)) < TEXT:
                yield f"{part} {ratio:.2f} ({ink.hex} on {ground.hex})"


async def test_every_screen_can_be_read_in_our_themes_and_the_workspace_in_all(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, WorkspaceScreen)
        for name, keys in SCENES.items():
            await through(pilot, keys)
            if name == "chat":
                screen.tell("Something failed.", "Do this.")
                screen.say("A short note.")
                await pilot.pause()
            assert await faint_in(pilot, (*OURS, *WIDELY.get(name, ()))) == {}, name
            await back(pilot)


def test_the_picker_names_every_theme_that_there_is() -> None:
    assert set(theme_words()) == {*BUILTIN_THEMES, *OURS}


@pytest.mark.parametrize("name", ["ansi-dark", "ansi-light"])
async def test_the_terminal_s_own_colours_are_used_in_readable_pairs(
    tmp_path: Path, name: str
) -> None:
    """By the palette of xterm, on its black or white ground."""
    ground = Color(0, 0, 0) if name == "ansi-dark" else Color(255, 255, 255)
    xterm = {
        "ansi_bright_cyan": Color(0, 255, 255), "ansi_bright_green": Color(0, 255, 0),
        "ansi_bright_yellow": Color(255, 255, 0), "ansi_bright_red": Color(255, 0, 0),
        "ansi_blue": Color(0, 0, 238), "ansi_red": Color(205, 0, 0),
    }  # fmt: skip
    house = House(tmp_path, PacedModel())
    async with house.app() as pilot:
        pilot.app.theme = name
        found = pilot.app.get_css_variables()
        for key in ("text-primary", "text-accent", "text-warning", "text-error", "primary"):
            assert contrast(xterm[found[key]], ground) >= TEXT, key
        for key in ("text", "text-muted", "foreground", "foreground-muted", "primary-muted"):
            assert found[key] == "ansi_default"
