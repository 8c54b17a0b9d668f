"""A turn that is still being written, and the mouse selection over what is there."""

from __future__ import annotations

import re
from dataclasses import replace

from textual.pilot import Pilot

from smriti_tui.widgets.transcript_model import Entry, Rule
from tests.ui.transcript_host import Host, many, rows, turn

P05 = (
    "Here is the plan, in a paragraph.\n\n"
    "```python\ndef f(x):\n    y = x\n\n    return y\n# end\n```\n\n"
    "| a | b |\n|---|---|\n| one | two |\n\n```sh\nmake run\nmake test"
)


def words(text: str) -> list[str]:
    return re.findall(r"[\w#]+", text)


async def drawn(pilot: Pilot[None]) -> None:
    """Waits for the next repaint of the stream."""
    await pilot.pause(0.06)


async def test_what_is_shown_is_what_arrived_at_every_step() -> None:
    app = Host()
    async with app.run_test(size=(80, 40)) as pilot:
        pane = app.transcript
        pane.show([turn(1, "go")])
        live = turn(2, "", "assistant")
        pane.stream_begin(live)
        for at in range(0, len(P05), 3):
            pane.stream_append(P05[at : at + 3])
            if at % 15 == 0:
                await drawn(pilot)
                assert words(_body(rows(pane))) == words(P05[: at + 3])
                assert pane.turn_text(2) == P05[: at + 3]
        ended = replace(live, text=P05)
        pane.stream_end(ended)
        await pilot.pause()
        final = rows(pane)
        assert words(_body(final)) == words(P05.replace("---|---", ""))
        pane.show([turn(1, "go"), ended])
        await pilot.pause()
        assert rows(pane) == final
        pane.show([turn(1, "other")], scope="elsewhere")
        pane.show([turn(1, "go"), ended])
        app.theme = "textual-light"
        await pilot.pause()
        assert rows(pane) == final


def _body(shown: list[str]) -> str:
    """The text below the second turn's head, without what was drawn around it."""
    at = next(index for index, row in enumerate(shown) if row[1:].strip().startswith("2 assistant"))
    kept = [row for row in shown[at + 1 :] if row.strip() != "..." and "┼" not in row]
    return "\n".join(kept).replace("|---|---|", "")


async def test_the_view_follows_only_from_its_end() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.transcript
        pane.show(many(40))
        await pilot.pause()
        pane.stream_begin(turn(41, "", "assistant"))
        for number in range(30):
            pane.stream_append(f"line {number}\n\n")
        await drawn(pilot)
        assert "    line 29" in rows(pane)
        pane.scroll_to(y=pane.scroll_offset.y - 7, animate=False)
        await pilot.pause()
        before = rows(pane)
        for number in range(30, 60):
            pane.stream_append(f"line {number}\n\n")
        await drawn(pilot)
        assert rows(pane)[:-1] == before[:-1]
        pane.action_bottom()
        await pilot.pause()
        pane.stream_append("the end")
        await drawn(pilot)
        assert "    the end" in rows(pane)


async def test_pieces_are_drawn_together() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.transcript
        pane.stream_begin(turn(1, "", "assistant"))
        pane.stream_append("a")
        await drawn(pilot)
        for _ in range(50):
            pane.stream_append("b")
        assert pane.turn_text(1) == "a" + "b" * 50
        assert "b" not in "".join(rows(pane))
        await drawn(pilot)
        assert "    a" + "b" * 50 in rows(pane)


async def test_resizing_while_it_streams_keeps_place_and_text() -> None:
    app = Host()
    async with app.run_test(size=(100, 30)) as pilot:
        pane = app.transcript
        pane.show(many(60))
        await pilot.pause()
        pane.reveal(31)
        await pilot.pause()
        top = rows(pane)[0].replace(">", " ")
        pane.stream_begin(turn(61, "", "assistant"))
        sent = ""
        for step, size in enumerate([(100, 30), (60, 16), (80, 24), (200, 50), (100, 30)]):
            await pilot.resize_terminal(*size)
            for number in range(20):
                sent += f"word{step}x{number} "
                pane.stream_append(f"word{step}x{number} ")
            await drawn(pilot)
            assert rows(pane)[0].replace(">", " ")[:12] == top[:12]
            assert pane.turn_text(61) == sent
        pane.action_bottom()
        await pilot.pause()
        assert words("\n".join(rows(pane)))[-100:] == words(sent)[-100:]


async def test_a_reload_in_the_middle_keeps_the_stream() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.transcript
        running = replace(turn(2, "", "assistant"), status="running")
        entries: list[Entry] = [turn(1, "go"), running]
        pane.show(entries)
        pane.stream_begin(running)
        pane.stream_append("half ")
        await drawn(pilot)
        pane.show([Rule("moved"), turn(1, "go"), replace(running, text="ha")])
        pane.stream_append("done")
        await drawn(pilot)
        assert "    half done" in rows(pane)
        pane.show([turn(1, "go")])
        await pilot.pause()
        assert "    half done" in rows(pane)
        ended = replace(running, text="half done", status="stopped", hint="R asks again")
        pane.stream_end(ended)
        await pilot.pause()
        assert "    stopped by you; what arrived is kept   R asks again" in rows(pane)
        pane.show([turn(1, "go"), ended])
        await pilot.pause()
        assert "    half done" in rows(pane)
        assert sum("2 assistant" in row for row in rows(pane)) == 1


async def test_thinking_is_counted_while_it_streams() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.transcript
        pane.stream_begin(turn(1, "", "assistant"))
        pane.stream_reasoning("one\ntw")
        await drawn(pilot)
        assert "    + thinking for 2 lines" in rows(pane)
        pane.action_toggle_fold()
        pane.stream_reasoning("o\nthree")
        pane.stream_append("so")
        await drawn(pilot)
        assert rows(pane)[1:6] == [
            "    - thought for 3 lines",
            "      one",
            "      two",
            "      three",
            "    so",
        ]
        pane.stream_end(replace(turn(1, "so", "assistant"), reasoning="one\ntwo\nthree"))
        await pilot.pause()
        assert rows(pane)[1:6] == [
            "    - thought for 3 lines",
            "      one",
            "      two",
            "      three",
            "    so",
        ]


async def test_dragging_selects_the_source_words() -> None:
    app = Host()
    long = (
        "- the rebuild runs as a **job**, not inside a request, and keeps\n"
        "\t[/] tabs 漢字\n\n```\n\tx\n```"
    )
    async with app.run_test(size=(40, 24)) as pilot:
        pane = app.transcript
        pane.show([turn(1, "first question"), turn(2, long, "assistant")])
        await pilot.pause()
        assert rows(pane)[4] == "    • the rebuild runs as a job, not"
        await pilot.mouse_down(pane, offset=(10, 1))
        await pilot.hover(pane, offset=(30, 9))
        await pilot.mouse_up(pane, offset=(30, 9))
        await pilot.pause()
        picked = pane.selected_text()
        assert picked.startswith("question\n")
        assert "- the rebuild runs as a job, not inside a request, and keeps\n" in picked
        assert picked.endswith("```\n\tx")
        assert app.screen.get_selected_text() == picked
        assert any(
            segment.style is not None and segment.style.bgcolor is not None
            and segment.style.bgcolor != pane.rich_style.bgcolor
            for segment in pane.render_line(4)
        )  # fmt: skip


async def test_a_selection_survives_corrected_heights() -> None:
    app = Host()
    async with app.run_test(size=(60, 20)) as pilot:
        pane = app.transcript
        pane.show(many(300))
        await pilot.pause()
        await pilot.mouse_down(pane, offset=(4, 2))
        await pilot.hover(pane, offset=(40, 6))
        await pilot.mouse_up(pane, offset=(40, 6))
        await pilot.pause()
        picked = pane.selected_text()
        assert picked
        for _ in range(20):
            pane.scroll_to(y=pane.scroll_offset.y - 5, animate=False)
            await pilot.pause()
        assert pane.selected_text() == picked


async def test_what_comes_below_the_view_is_counted_until_one_goes_there() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = app.transcript
        pane.show(many(40))
        await pilot.pause()
        pane.stream_begin(turn(41, "", "assistant"))
        await pilot.pause()
        pane.scroll_to(y=pane.scroll_offset.y - 7, animate=False)
        await pilot.pause()
        assert "below" not in "\n".join(rows(pane))
        # The first line takes the place of none: the live turn had its head, sign and blank row.
        pane.stream_append("a\n\nb\n\nc")
        await drawn(pilot)
        assert rows(pane)[-1].endswith(" 5 new lines below")
        assert "below" not in "\n".join(rows(pane)[:-1])
        pane.stream_append(" and more")
        await drawn(pilot)
        assert rows(pane)[-1].endswith(" 5 new lines below")
        await pilot.click(pane, offset=(pane.new_lines_at + 1, pane.size.height - 1))
        await pilot.pause()
        assert pane.follows
        assert "below" not in "\n".join(rows(pane))
        assert "    c and more" in rows(pane)
