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
    too_big: bool = False
    """Whether the next message does not fit and would not be sent."""
    cost: str = ""
    """What the session has cost so far, in words."""
    model: str = ""
    live: str = "LIVE"
    """LIVE, OFFLINE, READ ONLY."""
    clock: str = ""
    """Time of the last event."""
    draft: bool = False
    """Whether the session has a draft that is not saved."""
    demo: bool = False
    zoom: str = ""
    """TALL or FULL, while the pane with the focus has more room than usual."""


def count(number: int) -> str:
    """`940`, `2.1k`, `128k`: for headers."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 100_000 else f"{number // 1000}k"


def share(tokens: int, limit: int) -> str:
    """`2%` of the window: `<1%` is not nothing, and `100%` is really full."""
    percent = tokens * 100 / limit
    if 0 < percent < 1:
        return "<1%"
    return f"{int(percent) if percent >= 99 else round(percent)}%"


def _mode(view: HeaderView, wide: bool) -> str:
    mode = f"{view.mode}~" if view.moved else view.mode
    if not view.out:
        return mode
    turns = "turn stays" if view.out == 1 else "turns stay"
    return f"{mode}: {view.out} {turns} out" if wide else f"{mode}: {view.out} out"


def _size(view: HeaderView, level: int) -> str:
    """Size and share of the window of the next context."""
    if not view.mode:
        return ""
    if view.tokens is None:
        return "ctx unknown"
    size = count(view.tokens) if level > 2 else f"ctx {count(view.tokens)}"
    if view.too_big:
        return f"{size} too big"
    if not view.limit:
        return size
    part = share(view.tokens, view.limit)
    if level > 0:
        return f"{size} {part}{'?' if view.assumed else ''}"
    return f"{size}, {part} of {count(view.limit)}{' (assumed)' if view.assumed else ''}"


LEVELS = 4
"""Ways to say the same in fewer words."""
LEAST = 8
"""Cells in which the beginning of a part still says something."""


def _parts(view: HeaderView, level: int) -> list[tuple[str, str]]:
    space = clean_line(view.space)
    if cell_len(space) > NAME_CELLS:
        space = cut(space, NAME_CELLS)
    branch = clean_line(view.branch)
    parts = (
        ("demo", "DEMO" if view.demo else ""),
        ("space", space),
        ("branch", f"branch {branch}" if level < 2 and branch else branch),
        ("mode", _mode(view, level < 2)),
        ("draft", "4 Draft *" if view.draft else ""),
        ("size", _size(view, level)),
        ("cost", view.cost if view.mode else ""),
        ("model", clean_line(view.model)),
    )
    return [part for part in parts if part[1]]


def header_parts(view: HeaderView, width: int) -> tuple[list[tuple[str, str]], str]:
    """The parts from the left as (name, text), in as many words as there is room for and then cut
    from the right; and the right one."""
    wide = width >= WIDE
    gap = 3 if wide else 2
    live = f"{view.live} {view.clock}".strip() if wide else view.live
    live = f"{view.zoom}   {live}" if view.zoom else live
    room = width - cell_len(live) - 3
    parts: list[tuple[str, str]] = []
    for level in range(0 if wide else 2, LEVELS):
        parts = _parts(view, level)
        if sum(cell_len(text) + gap for _, text in parts) - gap <= room:
            break
    return _cut(parts, room, gap), live


def _cut(parts: list[tuple[str, str]], room: int, gap: int) -> list[tuple[str, str]]:
    kept: list[tuple[str, str]] = []
    for name, text in parts:
        if cell_len(text) > room:
            # Half a number would be another number.
            if room > LEAST and (not kept or name == "model"):
                kept.append((name, cut(text, room)))
            break
        kept.append((name, text))
        room -= cell_len(text) + gap
    return kept


BEHIND: Mapping[str, str] = {
    "space": "nav.pane_1", "branch": "nav.pane_2", "mode": "context.show",
    "draft": "nav.pane_4", "size": "context.show", "cost": "context.show", "model": "chat.model",
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
