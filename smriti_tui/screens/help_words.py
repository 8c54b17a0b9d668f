"""What the help page says of a screen: three sentences, the keys here, the keys everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from textual.screen import Screen

from smriti_tui.keys import PLACE_NAMES, Action, KeyTable, Place, shown_key
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.screens.full import FullScreen
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.widgets.row_list import Piece, Row, RowLine, wrapped

HEADINGS: Mapping[Place, str] = {"everywhere": "Everywhere", "browse": "In every pane"}
AFTER_TYPING = "In every pane, after esc"
KEY_CELLS = 11


@dataclass(frozen=True)
class Section:
    """Some actions under a heading."""

    heading: str
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Page:
    """Everything the page says. No action stands in it twice."""

    title: str
    words: str
    here: tuple[Section, ...]
    everywhere: tuple[Section, ...]

    @property
    def text(self) -> str:
        """The whole page as text."""
        lines = [self.words] if self.words else []
        for section in (*self.here, *self.everywhere):
            lines += ["", section.heading, *map(key_line, section.actions)]
        return "\n".join(lines).strip()


def page_of(screen: Screen[Any], table: KeyTable) -> Page:
    """The page for what has the focus."""
    places, active = places_of(screen), active_ids(screen)
    names = dict(PLACE_NAMES)
    own = [place for place in places if place not in HEADINGS]
    title = screen.heading() if isinstance(screen, Dialog) else names[places[0]]
    workspace = isinstance(screen, WorkspaceScreen)
    seen: set[str] = set()

    def section(place: Place, heading: str) -> Section:
        actions = [action for action in table.here(place) if action.id not in seen]
        if not workspace and place in HEADINGS:
            actions = [action for action in actions if action.id in active]
        seen.update(action.id for action in actions)
        return Section(heading, tuple(sorted(actions, key=lambda action: not action.keys)))

    here = []
    for at, place in enumerate(own):
        first = "This pane" if workspace and place != "prompt" else "Here"
        here.append(section(place, first if at == 0 else names[place]))
    if not workspace:
        here = _with_more(here, active, table, seen)
    wide = [section("everywhere", HEADINGS["everywhere"])]
    typing = workspace and places[0] == "prompt"
    wide.append(section("browse", AFTER_TYPING if typing else HEADINGS["browse"]))
    return Page(title, help_words(screen), _filled(here), _filled(wide))


def _with_more(
    here: list[Section], active: set[str], table: KeyTable, seen: set[str]
) -> list[Section]:
    """A full screen also takes single actions of other places."""
    wide = set(HEADINGS)
    more = [
        action
        for action in table.actions
        if action.id in active and action.id not in seen and action.places[0] not in wide
    ]
    seen.update(action.id for action in more)
    first = here[0] if here else Section("Here", ())
    return [Section(first.heading, (*first.actions, *more)), *here[1:]]


def _filled(sections: Iterable[Section]) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.actions)


def places_of(screen: Screen[Any]) -> tuple[Place, ...]:
    """The places whose keys work where the focus is, that place first."""
    if isinstance(screen, WorkspaceScreen):
        hits: tuple[Place, ...] = ("filter",) if screen.filtering.shown else ()
        return (screen.place, *hits, "everywhere", "browse")
    if isinstance(screen, FullScreen):
        return screen.places
    return ("everywhere", "browse")


def active_ids(screen: Screen[Any]) -> set[str]:
    """The actions that have a key where the focus is."""
    found = (active.binding.id for active in screen.active_bindings.values())
    return {action_id for action_id in found if action_id}


def help_words(screen: Screen[Any]) -> str:
    """The sentences of the widget with the focus, of a pane around it, or of the screen."""
    focused = screen.focused
    for node in (*(focused.ancestors_with_self if focused is not None else ()), screen):
        words = getattr(node, "HELP", None)
        if isinstance(words, str) and words:
            return words
    return ""


def keys_of(action: Action) -> str:
    """Its keys as they are shown."""
    return " ".join(map(shown_key, action.keys)) or "(palette)"


def key_line(action: Action) -> str:
    """Keys and what they do."""
    keys = keys_of(action)
    return f"  {keys}{' ' * max(KEY_CELLS - cell_len(keys), 1)}{action.title}"


def key_rows(sections: Sequence[Section], *, brief: bool) -> tuple[Row, ...]:
    """The sections as rows; `brief` leaves out what stands behind a colon."""
    rows: list[Row] = []
    for section in sections:
        if rows:
            rows.append(Row(f"gap {section.heading}", (RowLine(()),), rests=False))
        head = RowLine((Piece(f" {section.heading}", "strong"),))
        rows.append(Row(f"head {section.heading}", (head,), rests=False))
        rows += [_key_row(action, brief) for action in section.actions]
    return tuple(rows)


def word_rows(words: str, width: int) -> tuple[Row, ...]:
    """The sentences as rows between which the cursor does not stop."""
    lines = [*wrapped(words, width), ""] if words else []
    return tuple(
        Row(f"words {at}", (RowLine((Piece(f" {line}"),)),), rests=False)
        for at, line in enumerate(lines)
    )


def _key_row(action: Action, brief: bool) -> Row:
    keys = keys_of(action)
    title = action.title.split(":")[0].split(";")[0] if brief else action.title
    pad = " " * max(KEY_CELLS - cell_len(keys), 1)
    return Row(action.id, (RowLine((Piece(f"  {keys}{pad}", "accent"), Piece(title))),))
