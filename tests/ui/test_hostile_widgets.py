"""Every widget that shows text, fed with text that nobody would write: nothing raises, nothing of
it reaches the terminal as a command, and each row keeps its width."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.history import TreeRow
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import Artifact, Session, Space, Task
from smriti_tui.screens.copyables import Copyable
from smriti_tui.screens.dialogs.artifact import ArtifactDialog
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.dialogs.copy_menu import CopyMenu
from smriti_tui.screens.dialogs.error import ErrorDialog
from smriti_tui.screens.dialogs.rename import RenameDialog
from smriti_tui.screens.full import TitleLine
from smriti_tui.text import ControlFilter, literal, literal_line
from smriti_tui.widgets.artifact_list import ArtifactList
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane, CheckpointsView
from smriti_tui.widgets.fields import Field, LineInput, TextField
from smriti_tui.widgets.footer_bar import FooterBar, FooterKey, FooterKeys
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.item_editor import ItemEditor
from smriti_tui.widgets.literal_view import LiteralView, Section
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.offer_list import OfferList
from smriti_tui.widgets.pane_tabs import PaneTabs, Tab
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.widgets.spaces_pane import SpacesPane, SpacesView
from smriti_tui.widgets.transcript import Transcript
from smriti_tui.widgets.transcript_model import Folded, Notice, Rule, TurnView
from tests.ui.hostile import BATCHES, faults

WHEN = "2026-03-02T14:00:00.000000Z"
Feed = Callable[[Any, str], object]


class Host(App[None]):
    """One widget below a border with a title."""

    CSS_PATH = [str(styles_dir() / name) for name in ("transcript.tcss", "workspace.tcss")]  # noqa: RUF012
    CSS = "#box { border: round white; height: 1fr; }"

    def __init__(self, make: Callable[[], Widget]) -> None:
        super().__init__()
        self.made = make()

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield self.made

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlFilter()]


@dataclass(frozen=True)
class Case:
    """A widget, and how a text gets into it."""

    make: Callable[[], Widget]
    feed: Feed


def _space(name: str) -> Space:
    return Space(SpaceId("s1"), name, name, None, WHEN, WHEN)


def _session(title: str) -> Session:
    return Session(SessionId("c1"), SpaceId("s1"), None, title, 1, 3, WHEN, WHEN)


def _row(text: str) -> tuple[Row, ...]:
    pieces = (Piece(text), Piece(text, "muted"))
    return (Row("a", (RowLine(pieces, text), RowLine((Piece("x"),), text))),)


def _checkpoint(text: str) -> TreeRow:
    return TreeRow(
        CheckpointId("a" * 64), SpaceId("s1"), BranchId("b"), text, text, text, WHEN, (),
        1, 2, 3, 1, 0, 0, 1, milestone=text,
    )  # fmt: skip


def _turns(pane: Transcript, text: str) -> None:
    turn = TurnView(1, "user", text, text, meta=text, clock=text, note=text, hint=text)
    answer = TurnView(2, "assistant", "assistant", text, reasoning=text, status="cut", note=text)
    out = TurnView(1, "user", "you", text, stays_out=True)
    pane.show([Folded(text, 1, 1, (out,), text), Rule(text), turn, answer, Notice(text)], scope="a")


def _stream(pane: Transcript, text: str) -> None:
    """Sign by sign, so that a sequence is split wherever it can be."""
    pane.show([TurnView(1, "user", "you", "q")], scope=text[:2])
    pane.stream_begin(TurnView(2, "assistant", "assistant", "", status="running"))
    for sign in text:
        pane.stream_append(sign)
        pane.stream_reasoning(sign)
        pane._flush()
    pane.stream_end(TurnView(2, "assistant", "assistant", text))


def _border(box: Static, text: str) -> None:
    box.border_title = box.border_subtitle = literal_line(text)
    box.update(literal(text))


def _items(editor: ItemEditor, text: str) -> None:
    editor.show((Task("", text, intent_hint="test"), Task("", f"b{text}", status="done")))


CASES: dict[str, Case] = {
    "header": Case(
        HeaderBar, lambda bar, text: bar.change(space=text, branch=text, mode="HEAD", model=text)
    ),
    "title": Case(TitleLine, lambda line, text: _set(line, left=(text, text), right=text[:20])),
    "notice": Case(NoticeBar, lambda bar, text: bar.tell(text, text)),
    "footer": Case(
        FooterBar,
        lambda bar, text: _set(bar, keys=FooterKeys((FooterKey(text[:9], text, "app.help"),))),
    ),
    "tabs": Case(PaneTabs, lambda tabs, text: _set(tabs, tabs=(Tab(text, "a"), Tab("b", "c")))),
    "rows": Case(RowList, lambda rows, text: rows.show_rows(_row(text), empty=text)),
    "offers": Case(OfferList, lambda rows, text: rows.offer(text, "enter", _row(text))),
    "spaces": Case(
        SpacesPane,
        lambda pane, text: pane.show_spaces(
            SpacesView((_space(text),), {"s1": (_session(text),)}, space="s1", now=WHEN)
        ),
    ),
    "checkpoints": Case(
        CheckpointsPane,
        lambda pane, text: pane.show_checkpoints(
            CheckpointsView((_checkpoint(text),), branch=text, now=WHEN, in_space=True)
        ),
    ),
    "transcript": Case(Transcript, _turns),
    "stream": Case(Transcript, _stream),
    "literal": Case(LiteralView, lambda view, text: view.show([Section(text, text, "title")])),
    "border": Case(Static, _border),
    # What is typed stays as it is; a joiner at its end counts in two ways inside Textual's editor.
    "prompt": Case(Prompt, lambda prompt, text: prompt.put(text.replace("\u200d", ""))),
    "line": Case(LineInput, lambda line, text: line.fill(text)),
    "text": Case(TextField, lambda field, text: field.load_text(text.replace("\u200d", ""))),
    "field": Case(
        lambda: Field("x", "X", LineInput(hint="x\x1b[2J")), lambda field, text: field.fault(text)
    ),
    "items": Case(lambda: ItemEditor("tasks"), _items),
    "artifacts": Case(
        ArtifactList, lambda shown, text: shown.show((Artifact("1", text, text, text),))
    ),
    "toast": Case(
        Static, lambda box, text: box.app.notify(text, markup=False, title=text, timeout=0.2)
    ),
}


def _set(widget: Widget, **values: object) -> None:
    for name, value in values.items():
        setattr(widget, name, value)


FEW = settings(
    max_examples=2,  # The first is always the simplest there is.
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
MANY = settings(FEW, max_examples=60, derandomize=False)


async def fed(case: Case, texts: Sequence[str]) -> None:
    app = Host(case.make)
    async with app.run_test(size=(61, 18), notifications=True) as pilot:
        await pilot.pause()
        for text in texts:
            case.feed(app.made, text)
            await pilot.pause()
            assert faults(app) == [], repr(text)


@pytest.mark.parametrize("name", CASES)
def test_a_widget_shows_anything(name: str) -> None:
    FEW(given(BATCHES)(lambda texts: asyncio.run(fed(CASES[name], texts))))()


@pytest.mark.soak
@pytest.mark.parametrize("name", CASES)
def test_a_widget_shows_anything_for_long(name: str) -> None:
    MANY(given(BATCHES)(lambda texts: asyncio.run(fed(CASES[name], texts))))()


def _refuse(text: str) -> object:
    raise SmritiError(text, text)


DIALOGS: dict[str, Callable[[str], Screen[Any]]] = {
    "error": lambda text: ErrorDialog(SmritiError(text, text), what=text, log=text),
    "confirm": lambda text: ConfirmDialog(text, text, yes=text[:12], typed=text),
    "choice": lambda text: ChoiceDialog(text, text, (("a", text), ("b", text))),
    "rename": lambda text: RenameDialog(text, text, lambda _: _refuse(text)),
    "copy": lambda text: CopyMenu([Copyable(text, text, text), Copyable("b", "c")]),
    "artifact": lambda text: ArtifactDialog(Artifact("1", text, text, text)),
}


async def opened(name: str, texts: Sequence[str]) -> None:
    app = Host(lambda: Static("below"))
    async with app.run_test(size=(80, 24)) as pilot:
        for text in texts:
            app.push_screen(DIALOGS[name](text))
            await pilot.pause()
            assert faults(app) == [], repr(text)
            if name == "rename":
                await pilot.press("enter")
                await app.workers.wait_for_complete()
                await pilot.pause()
                assert faults(app) == [], repr(text)
            with suppress(IndexError):
                app.pop_screen()
            await pilot.pause()


@pytest.mark.parametrize("name", DIALOGS)
def test_a_dialog_shows_anything(name: str) -> None:
    FEW(given(BATCHES)(lambda texts: asyncio.run(opened(name, texts))))()
