"""A text that is taken out while the app is open is gone from it too."""

from __future__ import annotations

from contextlib import closing

from smriti_tui.services.redacting import RedactService
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, desk, screen_text, settle, until, workspace

SECRET = "the-secret-of-the-house"


async def test_the_transcript_shows_the_mark_and_the_next_send_has_it(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press(*f"use {SECRET}", "enter")
        await settle(pilot)
        assert SECRET in screen_text(pilot)
        with closing(house.open("cli", actor="codex")) as other:
            done = RedactService(other.services.caller, house.folder).take_out([SECRET])
            assert done.wiped
        await until(pilot, lambda: "use [redacted]" in screen_text(pilot), 5.0)
        await settle(pilot)
        assert SECRET not in screen_text(pilot)
        await pilot.press(*"and now", "enter")
        await settle(pilot)
        session = desk(pilot).place.session
        assert session is not None
        services = desk(pilot).services
        newest = services.sessions.turns(session)[-1].sequence_number
        sent = str(services.contexts.stored(session, newest).messages)
        assert "use [redacted]" in sent
        assert SECRET not in sent
        assert services.log.verify().difference is None
        assert workspace(pilot).query_one(Prompt).text == ""
    held = b"".join(path.read_bytes() for path in house.folder.rglob("*") if path.is_file())
    assert SECRET.encode() not in held
