"""What is marked with the mouse is what is copied: wide signs, joined signs, several turns."""

from __future__ import annotations

import random

from textual.pilot import Pilot

from smriti_tui.widgets.transcript import Transcript
from tests.ui.transcript_host import Host, turn

MIXED = "漢字かな and नमस्ते مرحبا 👩‍👩‍👧 é 🇩🇪 end"


def marked(pane: Transcript, row: int) -> str:
    """The signs of a row that are drawn as selected."""
    style = pane.screen.get_component_rich_style("screen--selection")
    return "".join(
        segment.text
        for segment in pane.render_line(row)
        if segment.style is not None and segment.style.bgcolor == style.bgcolor
    )


async def drag(pilot: Pilot[None], pane: Transcript, a: tuple[int, int], b: tuple[int, int]) -> str:
    await pilot.mouse_down(pane, offset=a)
    await pilot.hover(pane, offset=b)
    await pilot.mouse_up(pane, offset=b)
    await pilot.pause()
    return pane.selected_text()


async def test_a_part_of_a_row_of_wide_signs_copies_as_it_is_marked() -> None:
    app, chance = Host(), random.Random(5)
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.transcript
        pane.show([turn(1, MIXED), turn(2, "answer", "assistant")])
        await pilot.pause()
        for _ in range(25):
            left, right = sorted(chance.sample(range(4, 44), 2))
            picked = await drag(pilot, pane, (left, 1), (right, 1))
            assert picked == marked(pane, 1)
            assert picked in MIXED


async def test_from_one_turn_into_the_next_copies_what_stands_between() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.transcript
        pane.show([turn(1, MIXED), turn(2, "the answer is **漢字**, in\nfull", "assistant")])
        await pilot.pause()
        picked = await drag(pilot, pane, (6, 1), (7, 5))
        first, *between, last = picked.split("\n")
        assert first == MIXED[1:]
        assert "2 assistant" in between[1]
        assert between[2] == "the answer is 漢字, in"
        assert last == marked(pane, 5).strip()
        assert "full".startswith(last)
