"""What the workspace says: where the words stand, and keys that work where one is."""

from __future__ import annotations

import pytest
from textual.widgets._toast import Toast

from smriti_tui.domain.errors import ProviderError
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, desk, notes, screen_text, settle, workspace


async def test_u_works_in_every_pane_and_m_says_where(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("escape", "m")
        await pilot.pause()
        assert "2 goes to Checkpoints; m mounts the one under the cursor." in notes(pilot)
        await pilot.press("2", "m")
        await settle(pilot)
        assert workspace(pilot).query_one(CheckpointsPane).view.mounted
        await pilot.press("3", "u")
        await settle(pilot)
        assert "Back on HEAD" in notes(pilot)
        assert "Unmount" not in "".join(key.text for key in workspace(pilot).keys_here().left)


async def test_a_letter_key_is_named_with_esc_while_one_types(house: House) -> None:
    house.seed()
    house.model.faults.append(ProviderError("The key was refused.", "Check it.", kind="auth"))
    async with house.app() as pilot:
        assert "What you type below" in screen_text(pilot)
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert "esc, then R asks again" in screen_text(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "esc, then R" not in screen_text(pilot)
        assert "R asks again" in screen_text(pilot)
        workspace(pilot).go("prompt")
        await settle(pilot)
        assert "esc, then R asks again" in screen_text(pilot)
        newest = desk(pilot).checkpoints.marked
        desk(pilot).mounts.mount(newest)
        await settle(pilot)
        assert "esc, then z undoes." in notes(pilot)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 36)])
async def test_short_notes_never_cover_the_prompt_and_are_two_at_most(
    house: House, size: tuple[int, int]
) -> None:
    house.seed()
    async with house.app(size) as pilot:
        for number in range(4):
            workspace(pilot).say(f"word {number} " + "and more of it " * 5)
        await pilot.pause()
        await pilot.pause()
        toasts = workspace(pilot).query(Toast)
        assert ["word 2" in notes(pilot), "word 3" in notes(pilot), len(toasts)] == [True, True, 2]
        prompt = workspace(pilot).query_one(Prompt).region
        assert [toast.region.overlaps(prompt) for toast in toasts] == [False, False]
        assert all(toast.region.y >= 1 for toast in toasts)
