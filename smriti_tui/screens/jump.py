"""Jump mode: a letter or digit on every place that takes the focus; one key goes there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.geometry import Region, Size
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static, Tab, TabbedContent

from smriti_tui.config.light import styles_dir
from smriti_tui.screens.full import FullScreen
from smriti_tui.screens.places import NUMBERS, PANES, TABS, pane_of
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.pane_tabs import PaneTabs
from smriti_tui.widgets.transcript import Transcript

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
HEADER = {"space": "s", "mode": "x", "size": "c", "model": "t"}
"""Letters on the parts of the top line; where there is a key for it, that key's letter."""


@dataclass(frozen=True)
class Target:
    """A place, the key that leads to it, and where the key is drawn."""

    key: str
    x: int
    y: int
    go: Callable[[], object]


def targets_of(screen: Screen[Any]) -> tuple[Target, ...]:
    """All places of a screen that can be seen."""
    if isinstance(screen, WorkspaceScreen):
        return tuple(_workspace(screen))
    return tuple(_lettered(_stops(screen)))


def _stops(screen: Screen[Any]) -> Iterator[tuple[Region, Callable[[], object]]]:
    """What takes the focus, and tabs."""
    for tabs in screen.query(TabbedContent):
        for tab in tabs.query(Tab):
            if _seen(tab) and tab.id is not None:
                pane = tab.id.removeprefix("--content-tab-")
                yield tab.region, _show_tab(tabs, pane)
    if isinstance(screen, FullScreen):
        yield from screen.jumps()
    for widget in screen.focus_chain:
        if _seen(widget):
            yield widget.region, widget.focus


def _show_tab(tabs: TabbedContent, pane: str) -> Callable[[], None]:
    def show() -> None:
        tabs.active = pane

    return show


def _lettered(stops: Iterable[tuple[Region, Callable[[], object]]]) -> Iterator[Target]:
    for letter, (region, go) in zip(LETTERS, stops, strict=False):
        yield Target(letter, region.x, region.y, go)


def _seen(widget: Widget) -> bool:
    """Whether any of it is on the screen: its parents may have scrolled it away."""
    if not widget.is_on_screen or not widget.region.area:
        return False
    return bool(widget.screen.find_widget(widget).visible_region.area)


def _workspace(screen: WorkspaceScreen) -> Iterator[Target]:
    """Digits on the panes, or on their tabs; letters on all else."""
    tabs = screen.query_one(PaneTabs)
    starts = tabs.starts() if tabs.display else ()
    shown = pane_of(screen.place)
    for number, pane in enumerate(PANES):
        key, widget = str(NUMBERS[pane]), screen.query_one(f"#{pane}")
        go = _run(screen, TABS[number].action_id)
        if _seen(widget) and (pane == shown or not starts):
            yield Target(key, widget.region.x + 2, widget.region.y, go)
        elif starts:
            yield Target(key, starts[number], tabs.region.y, go)
    prompt = screen.query_one("#prompt")
    if _seen(prompt):
        yield Target("p", prompt.region.x + 2, prompt.region.y, _run(screen, "chat.write"))
    elif starts:  # It comes with the tab of the chat.
        end = starts[-1] + len(tabs.tabs[-1].title) + 2
        yield Target("p", end, tabs.region.y, _run(screen, "chat.write"))
    header = screen.query_one(HeaderBar)
    for name, x in header.starts():
        if name in HEADER:
            yield Target(HEADER[name], x, header.region.y, _press(header, name))
    yield from _turn(screen)


def _turn(screen: WorkspaceScreen) -> Iterator[Target]:
    """The turn with the cursor, where it is in view."""
    chat = screen.stop("chat")
    row = chat.cursor_row() if isinstance(chat, Transcript) and _seen(chat) else None
    if row is not None:
        yield Target("m", chat.region.x, chat.region.y + row, _run(screen, "nav.pane_3"))


def _run(screen: WorkspaceScreen, action_id: str) -> Callable[[], None]:
    return lambda: screen.action_run(action_id)


def _press(header: HeaderBar, name: str) -> Callable[[], None]:
    return lambda: header.press(name)


class JumpScreen(ModalScreen[Target | None]):
    """The keys, over the screen below, which stays as it is. Dismissed with the chosen place."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / "modals.tcss")
    ]

    def __init__(self, targets: Iterable[Target]) -> None:
        super().__init__()
        self._targets = {target.key: target for target in targets}
        self._drawn_at: Size | None = None

    def compose(self) -> ComposeResult:
        """One cell a place, and a line that says what this is."""
        for target in self._targets.values():
            sign = Static(f" {target.key} ", classes="jump--key", markup=False)
            sign.styles.offset = (max(target.x, 0), max(target.y, 0))
            yield sign
        yield Static(" Jump: press the letter or digit of a place   esc Back", id="jump-line")

    def on_key(self, event: events.Key) -> None:
        """A key of a place goes there; any other leaves."""
        event.stop()
        event.prevent_default()
        target = self._targets.get(event.character or "")
        if target is not None or event.key in ("escape", "ctrl+o"):
            self.dismiss(target)

    def on_click(self) -> None:
        """A click leaves."""
        self.dismiss(None)

    def on_resize(self, event: events.Resize) -> None:
        """At another size the places are elsewhere."""
        if self._drawn_at not in (None, event.size):
            self.dismiss(None)
        self._drawn_at = event.size


def open_jump(screen: Screen[Any]) -> None:
    """Shows the keys of a screen's places, and goes to the one that is chosen."""

    def chosen(target: Target | None) -> None:
        if target is not None:
            screen.call_later(target.go)

    screen.app.push_screen(JumpScreen(targets_of(screen)), chosen)
