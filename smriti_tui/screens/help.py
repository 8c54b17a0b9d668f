"""Help for what has the focus: three sentences, its keys, and the keys that work everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from smriti_tui.config.light import styles_dir
from smriti_tui.keys import PLACE_NAMES, Action, KeyTable, Place, shown_key
from smriti_tui.screens.full import FullScreen
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.text import literal


def key_lines(actions: Sequence[Action]) -> list[str]:
    """Keys and what they do, in columns."""
    keys = [" ".join(map(shown_key, action.keys)) or "(palette)" for action in actions]
    width = max(map(cell_len, keys), default=0)
    return [f"  {key:<{width}}  {action.title}" for key, action in zip(keys, actions, strict=True)]


def help_text(words: str, places: Sequence[Place], table: KeyTable) -> str:
    """The whole page."""
    names = dict(PLACE_NAMES)
    lines = [words, ""] if words else []
    for place in places:
        actions = table.here(place)
        if actions:
            lines += [names[place], *key_lines(actions), ""]
    return "\n".join(lines).rstrip()


def places_of(screen: Screen[object]) -> tuple[Place, ...]:
    """The places whose keys work where the focus is; the rest of the panes follow."""
    if isinstance(screen, WorkspaceScreen):
        panes: tuple[Place, ...] = ("spaces", "checkpoints", "chat", "prompt")
        others = tuple(place for place in panes if place != screen.place)
        if screen.place == "prompt":
            return ("prompt", "everywhere", "browse", *others)
        return (screen.place, "browse", "everywhere", *others)
    if isinstance(screen, FullScreen):
        return screen.places
    return ("everywhere",)


def help_words(screen: Screen[object]) -> str:
    """The sentences of the widget with the focus, of a pane around it, or of the screen."""
    focused = screen.focused
    for node in (*(focused.ancestors_with_self if focused is not None else ()), screen):
        words = getattr(node, "HELP", None)
        if isinstance(words, str) and words:
            return words
    return ""


class HelpScreen(ModalScreen[None]):
    """A page over the screen below; esc leads back."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / "modals.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,question_mark", "dismiss", "Close"),
        Binding("j,down", "scroll('scroll_down')", "Down"),
        Binding("k,up", "scroll('scroll_up')", "Up"),
        Binding("g,home", "scroll('scroll_home')", "First"),
        Binding("G,end", "scroll('scroll_end')", "Last"),
        Binding("ctrl+d,pagedown", "scroll('page_down')", "Page down"),
        Binding("ctrl+u,pageup", "scroll('page_up')", "Page up"),
        Binding("colon,ctrl+p", "palette", "Commands"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    @classmethod
    def for_screen(cls, screen: Screen[object], table: KeyTable) -> HelpScreen:
        """The page for what has the focus on `screen`."""
        places = places_of(screen)
        title = f"Help: {dict(PLACE_NAMES)[places[0]]}"
        return cls(title, help_text(help_words(screen), places, table))

    @property
    def text(self) -> str:
        """What the page says."""
        return self._text

    def compose(self) -> ComposeResult:
        """One text that scrolls."""
        with Vertical(id="help") as box:
            box.border_title = self._title
            box.border_subtitle = "esc Close   : Commands"
            with VerticalScroll(id="help-scroll"):
                yield Static(literal(self._text))

    def action_scroll(self, name: str) -> None:
        """Scrolls the page."""
        getattr(self.query_one("#help-scroll", VerticalScroll), f"action_{name}", lambda: None)()

    def action_palette(self) -> None:
        """From here to the list of every action."""
        app = self.app
        self.dismiss(None)
        act = getattr(app, "act", None)
        if act is not None:
            app.call_later(act, "app.palette")
