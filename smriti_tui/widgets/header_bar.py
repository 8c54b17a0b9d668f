"""The top line: where one is, what the next send holds, and whether the view is live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from smriti_tui.domain.clean import clean_line
from smriti_tui.messages import Act
from smriti_tui.widgets.row_list import cut

WIDE = 100
NAME_CELLS = 24


@dataclass(frozen=True, slots=True)
class HeaderView:
    """What the top line says; empty parts are left out."""

    space: str = ""
    branch: str = ""
    mode: str = ""
    """FRESH, HEAD 9b2f77d, RESTORED 4c1e9a0, FORKED 4c1e9a0."""
    out: int = 0
    """Turns of the session that stay out."""
    moved: bool = False
    """Whether another actor moved HEAD since one looked."""
    tokens: int | None = None
    """Size of the next context; None: unknown."""
    limit: int | None = None
    assumed: bool = False
    """Whether nobody knows the limit."""
    model: str = ""
    live: str = "LIVE"
    """LIVE, OFFLINE, READ ONLY."""
    clock: str = ""
    """Time of the last event."""
    demo: bool = False
    zoom: str = ""
    """TALL or FULL, while the pane with the focus has more room than usual."""


def count(number: int) -> str:
    """`940`, `2.1k`, `128k`: for headers."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 100_000 else f"{number // 1000}k"


def _mode(view: HeaderView, wide: bool) -> str:
    mode = f"{view.mode}~" if view.moved else view.mode
    if not view.out:
        return mode
    turns = "turn stays" if view.out == 1 else "turns stay"
    return f"{mode}: {view.out} {turns} out" if wide else f"{mode}: {view.out} out"


def _size(view: HeaderView, wide: bool) -> str:
    if not view.mode:
        return ""
    if view.tokens is None:
        return "ctx unknown" if wide else ""
    if not wide:
        return f"ctx {count(view.tokens)}"
    limit = "" if view.limit is None else f" of {count(view.limit)}"
    return f"ctx {count(view.tokens)}{limit}{' (assumed)' if view.assumed else ''}"


def header_parts(view: HeaderView, width: int) -> tuple[list[tuple[str, str]], str]:
    """The parts from the left as (name, text), cut from the right to fit; and the right one."""
    wide = width >= WIDE
    gap = 3 if wide else 2
    live = f"{view.live} {view.clock}".strip() if wide else view.live
    live = f"{view.zoom}   {live}" if view.zoom else live
    space = clean_line(view.space)
    if cell_len(space) > NAME_CELLS:
        space = cut(space, NAME_CELLS)
    branch = clean_line(view.branch)
    parts = [
        ("demo", "DEMO" if view.demo else ""),
        ("space", space),
        ("branch", f"branch {branch}" if wide and branch else branch),
        ("mode", _mode(view, wide)),
        ("size", _size(view, wide)),
        ("model", clean_line(view.model)),
    ]
    room = width - cell_len(live) - 3
    kept: list[tuple[str, str]] = []
    for name, text in parts:
        if not text:
            continue
        if cell_len(text) > room:
            if room > 8 and not kept:
                kept.append((name, cut(text, room)))
            break
        kept.append((name, text))
        room -= cell_len(text) + gap
    return kept, live


BEHIND: Mapping[str, str] = {
    "space": "nav.pane_1", "branch": "nav.pane_2", "mode": "context.show",
    "size": "context.show", "model": "chat.model",
}  # fmt: skip
"""Parts of the line that can be clicked, and the action behind each."""


class HeaderBar(Widget):
    """One line; each part can be clicked."""

    DEFAULT_CSS = "HeaderBar { height: 1; dock: top; }"

    view: reactive[HeaderView] = reactive(HeaderView(live=""))

    def change(self, **parts: object) -> None:
        """Changes some of what is said."""
        self.view = replace(self.view, **parts)  # type: ignore[arg-type]

    def render(self) -> Content:
        """The line as it fits."""
        width = self.size.width
        parts, live = header_parts(self.view, width)
        gap = " " * (3 if width >= WIDE else 2)
        shown = [Content.styled(text, "bold" if name == "mode" else "") for name, text in parts]
        left = Content(" ") + Content(gap).join(shown)
        space = max(width - left.cell_length - cell_len(live) - 1, 1)
        return left + Content(" " * space) + Content.styled(live, "bold")

    def on_click(self, event: events.Click) -> None:
        """Runs what stands behind the part under the mouse."""
        parts = header_parts(self.view, self.size.width)[0]
        for (name, start), (_, text) in zip(self.starts(), parts, strict=True):
            if start <= event.x < start + cell_len(text):
                self.press(name)

    def starts(self) -> tuple[tuple[str, int], ...]:
        """The parts that are shown, and the column where each begins."""
        gap = 3 if self.size.width >= WIDE else 2
        found: list[tuple[str, int]] = []
        at = 1
        for name, text in header_parts(self.view, self.size.width)[0]:
            found.append((name, at))
            at += cell_len(text) + gap
        return tuple(found)

    def press(self, name: str) -> None:
        """Mode and size lead to the inspector, the model to the model picker, the Space to its
        tree."""
        if (action_id := BEHIND.get(name)) is not None:
            self.post_message(Act(action_id))
