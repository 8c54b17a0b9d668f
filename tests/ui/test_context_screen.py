"""The context inspector: what it says is what is sent, part by part."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual._compositor import Compositor
from textual.widgets import ContentSwitcher

from smriti_tui.domain.context import context_sha256
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Message
from smriti_tui.domain.render.context_rows import PartRow, left_rows, part_rows
from smriti_tui.domain.render.context_text import context_text, left_out_text
from smriti_tui.screens.checkpoint_view import CheckpointView
from smriti_tui.screens.context import ContextScreen
from smriti_tui.screens.context_reading import ContextAsked
from smriti_tui.services import Services
from smriti_tui.services.inspecting import Inspector
from smriti_tui.widgets.literal_view import CHUNK, LiteralView, pieces
from smriti_tui.widgets.row_list import RowList
from tests.support import send
from tests.ui.house import House, settle, until
from tests.ui.screens_host import SIZES, has_all, is_grid, press, running, shown, story, text_of


def inspector(services: Services) -> Inspector:
    return Inspector(services.contexts, services.chat, services.sessions)


def assembled(rows: tuple[PartRow, ...]) -> list[Message]:
    """The messages again, from the parts as they are shown."""
    system = [row.pieces[0].text for row in rows if row.pieces[0].role == "system"]
    turns = [
        Message(piece.role, piece.text)
        for row in rows
        for piece in row.pieces
        if piece.role != "system"
    ]
    return [*([Message("system", "\n\n".join(system))] if system else []), *turns]


async def test_the_parts_are_the_very_messages(house: House) -> None:
    with closing(house.open()) as opened:
        told = await story(opened.services)
        look = inspector(opened.services)
        for facts in (
            look.answer(told.session.id, 4),
            look.answer(told.session.id, 8),
            look.next_send(told.session.id, "What else?"),
            look.mounting(told.checkpoint.id, session=told.session.id),
        ):
            assert context_sha256(assembled(part_rows(facts))) == facts.sha256
        assert look.answer(told.session.id, 8).verified


async def test_what_is_shown_before_is_what_is_sent(house: House) -> None:
    with closing(house.open()) as opened:
        told = await story(opened.services)
        look = inspector(opened.services)
        before = look.next_send(told.session.id, "What else?")
        answer = await send(opened.services, told.session.id, "What else?")
        after = look.answer(told.session.id, answer.sequence_number)
        assert not before.sent
        assert after.stored_sha256 == before.sha256 == after.sha256
        assert after.params == before.params
        assert left_rows(before) == left_rows(after)
        assert after.usage is not None


async def test_mounting_changes_nothing(house: House) -> None:
    with closing(house.open()) as opened:
        told = await story(opened.services)
        facts = inspector(opened.services).mounting(told.checkpoint.id, session=told.session.id)
        assert facts.placeholder
        assert [row.what for row in left_rows(facts)][:1] == ["turns 1 to 8"]
        services = opened.services
        assert services.sessions.get(told.session.id).current_line == 1
        services.sessions.mount(told.session.id, told.checkpoint.id)
        now = inspector(services).next_send(told.session.id, "")
        assert now.messages == facts.messages
        assert left_rows(now) == left_rows(facts)


@pytest.mark.parametrize("size", SIZES)
async def test_a_stored_answer(house: House, size: tuple[int, int]) -> None:
    async with running(house, size) as (app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, "search-index", answer=8))
        text = await shown(pilot, screen)
        assert screen.facts is not None
        assert has_all(text, ["[Sent 8]", "verified", "Left out 8", "state: 2 decisions"]) == []
        assert is_grid(pilot)
        assert isinstance(app.focused, RowList)
        out = await press(pilot, "]")
        assert has_all(out, ["[Left out 8]", "turns 1 to 4", "in the checkpoint"]) == []
        request = await press(pilot, "]")
        assert has_all(request, ["demo/scripted", "(demo: of the demo model)", "chat/1"]) == []
        verify = await press(pilot, "]")
        proof = "".join(
            section.text for section in screen.query_one("#ctx-verify", LiteralView).sections
        )
        assert screen.facts.sha256 in proof
        assert "[Verify]" in verify
        assert is_grid(pilot)
        await press(pilot, "escape")
        assert app.screen is app.workspace


async def test_list_and_text_stand_side_by_side_or_as_tabs(house: House) -> None:
    async with running(house, (120, 36)) as (_app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=8))
        text = await shown(pilot, screen)
        assert has_all(text, ["Text of part 1", "You take part", "How sure is this"]) == []
        text = await press(pilot, "j", "j", "j")
        assert has_all(text, ["Text of part 4", "- D1 Use SQLite FTS5, no search server"]) == []
        assert "[/x] and [bold]not[/]" in text
        assert "␛]0;title␇" in text
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "Text of part 4" not in text_of(pilot)
        text = await press(pilot, "enter")
        assert has_all(text, ["Text of part 4", "- D1 Use SQLite FTS5"]) == []
        text = await press(pilot, "escape")
        assert "[Sent 8]" in text
        assert screen.query_one("#ctx-sent", RowList).cursor_key == "part:4"


async def test_the_first_frame_waits_for_the_parts_but_not_for_long(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bool] = []
    draw = Compositor.render_update

    def noted(self: Compositor, *args: Any, **more: Any) -> object:
        if isinstance(screen := app.screen, ContextScreen):
            drawn.append(screen.facts is not None)
        return draw(self, *args, **more)

    async with running(house) as (app, pilot, services, told):
        monkeypatch.setattr(Compositor, "render_update", noted)
        monkeypatch.setattr(ContextScreen, "HOLD_S", 20.0)
        await shown(pilot, ContextScreen(services, ContextAsked(told.session.id, answer=8)))
        assert drawn
        assert all(drawn)
        monkeypatch.setattr(ContextScreen, "HOLD_S", 0.02)
        monkeypatch.setattr(ContextScreen, "_load", lambda self: None)
        assert "Reading the context ..." in await shown(
            pilot, ContextScreen(services, ContextAsked(told.session.id, answer=8))
        )
        await until(pilot, lambda: not drawn[-1])


async def test_before_a_send_it_says_not_sent(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        asked = ContextAsked(told.session.id, "search-index", message="How [/b] so?")
        text = await shown(pilot, ContextScreen(services, asked))
        assert has_all(text, ["CONTEXT of the next send", "not sent", "(your next message)"]) == []
        text = await press(pilot, "G")
        assert "How [/b] so?" in text
        text = await press(pilot, "V")
        assert "nothing to compare with" in text


async def test_nothing_typed_is_said(house: House) -> None:
    async with running(house, (80, 24)) as (_app, pilot, services, told):
        text = await shown(pilot, ContextScreen(services, ContextAsked(told.session.id)))
        assert "(nothing typed yet)" in text


async def test_another_writer_moves_the_next_context(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, message="x"))
        await shown(pilot, screen)
        before = screen.facts
        with closing(house.open("cli", "codex")) as other:
            await send(other.services, told.session.id, "By another")
        assert before is not None
        await until(pilot, lambda: screen.facts is not None and screen.facts != before)
        assert screen.facts is not None
        assert screen.facts.sha256 != before.sha256
        assert screen.query_one("#ctx-sent", RowList).cursor_key == "part:1"


def exports(folder: Path) -> list[Path]:
    return sorted(folder.glob("smriti-context-*.json"))


async def test_export_copy_compare_and_origin(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with running(house) as (app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=6))
        await shown(pilot, screen)
        assert screen.facts is not None
        await press(pilot, "E", "E")
        files = exports(tmp_path)
        assert len(files) == 2
        assert files[0].stat().st_mode & 0o777 == 0o600
        exported = json.loads(files[0].read_text(encoding="utf-8"))
        messages = [Message(m["role"], m["content"]) for m in exported["messages"]]
        assert context_sha256(messages) == exported["context_sha256"] == screen.facts.sha256
        await press(pilot, "y")
        assert app.clipboard == screen.facts.sha256
        text = await press(pilot, "c")
        assert has_all(text, ["[Compare]", "= turn 5", "+ turn 7"]) == []
        screen.tab = "sent"
        await settle(pilot)
        await press(pilot, "j", "o")
        assert type(app.screen) is CheckpointView
        await press(pilot, "escape")
        assert app.screen_stack[-1] is screen


async def test_a_changed_store_is_told(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=8))
        await shown(pilot, screen)
        assert screen.facts is not None
        screen.facts = replace(screen.facts, stored_sha256="0" * 64)
        await settle(pilot)
        text = text_of(pilot)
        assert has_all(text, ["DIFFERS", "NOT the stored 0000 0000", "smriti log verify"]) == []


async def test_a_context_that_cannot_be_read_is_told(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, services, _told):
        gone = SessionId("00000000-0000-4000-8000-00000000dead")
        text = await shown(pilot, ContextScreen(services, ContextAsked(gone, answer=2)))
        assert has_all(text, ["This request cannot be shown", "has no turn 2"]) == []
        await press(pilot, "escape", "escape")
        assert app.screen is app.workspace


async def test_the_screens_facts_occur_in_its_text_twin(house: House) -> None:
    with closing(house.open()) as opened:
        told = await story(opened.services)
        facts = inspector(opened.services).answer(told.session.id, 8)
        twin = context_text(facts)
        assert facts.sha256 in twin
        for left in facts.left_out:
            assert left_out_text(left) in twin
        for row in part_rows(facts)[:-2]:
            assert row.what in twin
            assert row.sha256[:4] in twin


async def test_large_parts_are_mounted_by_and_by(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        large = "".join(f"line {number}\n" for number in range(20_000))
        asked = ContextAsked(told.session.id, message=large)
        screen = ContextScreen(services, asked)
        await shown(pilot, screen)
        await press(pilot, "G")
        view = screen.query_one("#context-text", LiteralView)
        assert len(view.children) < 8
        assert view.sections[-1].text == large
        text = await press(pilot, "tab", "G")
        assert "line 19999" in text


def test_pieces_lose_nothing() -> None:
    lines = "".join(f"{number} abc\n" for number in range(3000))
    assert "\n".join(pieces(lines)) == lines
    one = "x" * (CHUNK * 3 + 5)
    assert "".join(pieces(one)) == one
    assert list(pieces("")) == [""]


async def test_words_hold_without_colour(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(house, (80, 24)) as (_app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=8))
        text = await shown(pilot, screen)
        assert has_all(text, ["[Sent 8]", "verified"]) == []
        assert screen.query_one("#context-list", ContentSwitcher).current == "ctx-sent"
