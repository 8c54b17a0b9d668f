"""The bottom line: the next useful keys, at most seven, from the table of actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from smriti_tui.domain.clean import clean_line
from smriti_tui.messages import Act


class FooterKey(NamedTuple):
    """A key and what it does here."""

    key: str
    word: str
    action_id: str

    @property
    def text(self) -> str:
        """As it is shown."""
        return clean_line(f"{self.key} {self.word}")


class FooterKeys(NamedTuple):
    """What is offered here, and what always is (at the right edge)."""

    left: tuple[FooterKey, ...] = ()
    right: tuple[FooterKey, ...] = ()


GAP = 2


def fitting(keys: FooterKeys, width: int) -> FooterKeys:
    """As many keys as the width holds, the right ones first, then the left ones in order."""
    room = width - 2 - sum(cell_len(key.text) + GAP for key in keys.right)
    left: list[FooterKey] = []
    for key in keys.left:
        room -= cell_len(key.text) + GAP
        if room < 0:
            break
        left.append(key)
    return FooterKeys(tuple(left), keys.right)


def _line(keys: Sequence[FooterKey]) -> Content:
    parts = [
        Content.assemble((clean_line(key.key), "bold"), " ", clean_line(key.word)) for key in keys
    ]
    return Content(" " * GAP).join(parts)


class FooterBar(Widget):
    """One line; each key can be clicked."""

    DEFAULT_CSS = "FooterBar { height: 1; dock: bottom; }"

    keys: reactive[FooterKeys] = reactive(FooterKeys())

    def render(self) -> Content:
        """The line as it fits."""
        shown = fitting(self.keys, self.size.width)
        left, right = _line(shown.left), _line(shown.right)
        space = max(self.size.width - left.cell_length - right.cell_length - 2, 1)
        return Content(" ") + left + Content(" " * space) + right

    def on_click(self, event: events.Click) -> None:
        """Runs the action under the mouse."""
        width = self.size.width
        shown = fitting(self.keys, width)
        at = 1
        places = []
        for key in shown.left:
            places.append((at, key))
            at += cell_len(key.text) + GAP
        at = width - 1 - sum(cell_len(key.text) + GAP for key in shown.right) + GAP
        for key in shown.right:
            places.append((at, key))
            at += cell_len(key.text) + GAP
        for start, key in places:
            if start <= event.x < start + cell_len(key.text):
                self.post_message(Act(key.action_id))
                return
