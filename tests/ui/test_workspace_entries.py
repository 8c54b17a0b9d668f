"""From stored turns to what is drawn, and the list of rows by itself."""

from __future__ import annotations

from contextlib import closing

from textual.app import App, ComposeResult

from smriti_tui.config.light import LightConfig
from smriti_tui.domain.errors import ProviderError
from smriti_tui.keys import key_table
from smriti_tui.screens.desk.desk import key_complaints
from smriti_tui.screens.desk.entries import FoldPages, Spot, entries
from smriti_tui.screens.desk.loads import load_session
from smriti_tui.services import Services
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.widgets.transcript_model import Entry, Folded, Notice, Rule, TurnView
from tests.support import content, ended, send
from tests.ui.house import House, workspace


def words(entry: Entry) -> str:
    if isinstance(entry, TurnView):
        return f"{entry.number} {entry.role}"
    return entry.text if isinstance(entry, Notice) else entry.label


def drawn(services: Services, session: str, window: tuple[tuple[int, int], ...] = ()) -> list[str]:
    look = load_session(services, session, None)  # type: ignore[arg-type]
    return [words(entry) for entry in entries(look, Spot(FoldPages(), window))]


async def test_folds_and_boundaries_follow_line_and_checkpoint(house: House) -> None:
    space, session = house.seed(checkpoints=1)
    with closing(house.open("cli")) as opened:
        services = opened.services
        await send(services, session.id, "one")
        saved = services.checkpoints.create(space.id, content("A", "D"), session=session.id)
        await send(services, session.id, "two")
        made = f"checkpoint {saved.checkpoint.id[:7]}"
        assert drawn(services, session.id) == [
            "turns 1-2 stay out (in the checkpoint)", made, "3 user", "4 assistant",
        ]  # fmt: skip
        services.sessions.mount(session.id, saved.checkpoint.id)
        restored = f"restored to {saved.checkpoint.id[:7]}"
        assert drawn(services, session.id) == ["turns 1-4 stay out (before the boundary)", restored]
        await send(services, session.id, "three")
        services.sessions.unmount(session.id)
        await send(services, session.id, "four")
        assert drawn(services, session.id) == [
            "turns 1-2 stay out (in the checkpoint)", made, "3 user", "4 assistant",
            "turns 5-6 stay out (on another line)", "7 user", "8 assistant",
        ]  # fmt: skip
        assert drawn(services, session.id, ((3, 4),))[2] == (
            "turns 3-4 stay out (does not fit the window)"
        )


async def test_an_answer_that_is_not_sent_is_folded_and_can_be_read(house: House) -> None:
    _, session = house.seed(checkpoints=0)
    with closing(house.open("cli")) as opened:
        services = opened.services
        house.model.faults.append(ProviderError("No.", "Again.", kind="server"))
        await send(services, session.id, "one")
        await ended(services.chat.retry(session.id))
        await ended(services.chat.retry(session.id))
        assert drawn(services, session.id) == [
            "1 user", "answer 2 failed", "answer 3 stays out (not chosen)",
            "4 assistant",
        ]  # fmt: skip
        look = load_session(services, session.id, None)
        fold = entries(look, Spot(FoldPages()))[2]
        assert isinstance(fold, Folded)
        assert fold.turns[0].text
        assert fold.turns[0].stays_out


async def test_turns_of_a_fold_are_asked_for_when_they_are_looked_at(house: House) -> None:
    space, session = house.seed(checkpoints=1)
    with closing(house.open("cli")) as opened:
        services = opened.services
        await send(services, session.id, "one")
        mounted = services.checkpoints.of_space(space.id)[0]
        services.sessions.mount(session.id, mounted.id)
        asked: list[str] = []
        pages = FoldPages(ask=lambda: asked.append("turns"))
        look = load_session(services, session.id, None)
        fold = entries(look, Spot(pages))[0]
        assert isinstance(fold, Folded)
        assert isinstance(entries(look, Spot(pages))[1], Rule)
        assert (len(fold.turns), pages.wanted) == (2, set())
        assert "being read" in fold.turns[1].text
        assert (pages.wanted, asked) == ({2}, ["turns"])
        pages.turns.update({turn.sequence_number: turn for turn in look.turns})
        fresh = entries(look, Spot(pages))[0]
        assert fresh != fold
        assert isinstance(fresh, Folded)
        assert fresh.turns[0].text == "one"


class Rows(App[None]):
    def compose(self) -> ComposeResult:
        yield RowList(empty="nothing")


def rows(*names: str) -> tuple[Row, ...]:
    return tuple(Row(name, (RowLine((Piece(name),)), RowLine(()))) for name in names)


async def test_the_cursor_stays_with_its_row_whatever_comes_and_goes() -> None:
    app = Rows()
    async with app.run_test(size=(40, 6)) as pilot:
        found = app.query_one(RowList)
        found.show_rows(rows(*"abcdef"))
        found.move_to("d")
        await pilot.pause()
        top = found.scroll_offset.y
        found.show_rows(rows(*"xyabcdef"))
        await pilot.pause()
        assert found.cursor_key == "d"
        assert found.scroll_offset.y == top + 4
        found.show_rows(rows(*"xyabcef"))
        assert found.cursor_key == "e"
        found.show_rows(())
        assert found.row_count == 0
        for action in ("cursor_down", "top", "bottom", "half_down", "open", "fold"):
            getattr(found, f"action_{action}")()
        found.show_rows(rows("only"))
        assert found.cursor_key == "only"


def test_wrong_keys_in_the_settings_are_told() -> None:
    table = key_table({"checkpoint.mount": "u", "no.such": "z"})
    assert key_complaints(table) == [
        "The key u of checkpoint.mount is taken by checkpoint.unmount; the default stays.",
        "There is no action no.such.",
    ]


async def test_own_keys_work_and_stand_in_the_footer(house: House) -> None:
    house.seed()
    keys = {"checkpoint.mount": "P", "chat.retry": "i"}
    house.light = LightConfig(motion=False, keys=keys)
    async with house.app() as pilot:
        assert "chat.retry" in workspace(pilot).query_one(NoticeBar).words
        await pilot.press("escape", "escape", "2", "P")
        await pilot.pause(0.3)
        assert "P Mount" in "".join(key.text for key in workspace(pilot).keys_here().left)
