"""The rows of the chat pane: which are in view, how they are painted, how a streaming turn grows.

The cursor, the keys and the mouse are the matter of `Transcript`, which is built on this.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from smriti_tui.widgets.markdown_model import UNICODE_THEME, MarkdownTheme
from smriti_tui.widgets.transcript_document import Anchor, Document
from smriti_tui.widgets.transcript_model import Entry, TranscriptSource, TupleSource, TurnView
from smriti_tui.widgets.transcript_paint import (
    ROWS_PER_ITEM,
    STYLE_NAMES,
    Look,
    Painted,
    StyleBook,
    chosen_part,
    copied,
    new_below,
)

REPAINT_S = 0.05
"""Pieces of an answer that come faster than this are drawn together."""


class TranscriptView(ScrollView, inherit_bindings=False):
    """Entries in a scrolling column of which only the visible rows are laid out.

    The view stays where it is put, and follows the end only while it is there.
    """

    ALLOW_SELECT = True
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"transcript--{name}" for name in STYLE_NAMES}

    def __init__(
        self,
        *,
        theme: MarkdownTheme = UNICODE_THEME,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._document = Document(theme)
        self._painted = Painted(StyleBook(self.named_style))
        self._base = Style.null()
        self._at_end = True
        self._seen: tuple[str, int] | None = None
        """The last entry, and its rows, when the view was at the end."""
        self._sign = ""
        self._placing = False
        self._pending: list[str] = []
        self._thoughts: list[str] = []
        self._flushed_at = 0.0
        self._flush_timer: Timer | None = None

    @property
    def follows(self) -> bool:
        """Whether the view is at its end and will stay there."""
        return self._at_end

    def show(self, entries: Sequence[Entry] | TranscriptSource, *, scope: str = "") -> None:
        """Takes the entries as they are now.

        `scope` names what they belong to (a session's id): in the same scope scroll, cursor, folds
        and a streaming turn are kept; another one starts at its end.
        """
        anchor, top = self._where()
        if scope != self._document.scope:
            self.forget_place()
        source = TupleSource(entries) if isinstance(entries, Sequence) else entries
        self._document.load(source, scope)
        self._settle(anchor, top)

    def forget_place(self) -> None:
        """Called when another scope is about to be shown."""
        self._seen = None
        self._pending.clear()
        self._thoughts.clear()
        self._at_end = True

    def use_theme(self, theme: MarkdownTheme) -> None:
        """Draws with other signs."""
        anchor, top = self._where()
        self._document.theme = theme
        self._document.relayout()
        self._settle(anchor, top, scaled=True)

    def cursor_index(self) -> int:
        """The entry with the cursor, or -1: none here."""
        return -1

    # The streaming turn

    def stream_begin(self, turn: TurnView) -> None:
        """Starts a turn whose text arrives in pieces; it takes the place of the entry with its
        number."""
        self._flush()
        anchor, top = self._where()
        self._document.begin(turn)
        self._settle(anchor, top)

    def stream_append(self, text: str) -> None:
        """A piece of the answer. Drawn at most 20 times a second."""
        self._pending.append(text)
        self._schedule()

    def stream_reasoning(self, text: str) -> None:
        """A piece of the model's thinking."""
        self._thoughts.append(text)
        self._schedule()

    def stream_end(self, turn: TurnView) -> None:
        """The turn as it is stored now: complete, stopped, cut or failed."""
        self._flush()
        anchor, top = self._where()
        self._document.end(turn)
        self._settle(anchor, top)

    def _schedule(self) -> None:
        if self._flush_timer is None:
            wait = self._flushed_at + REPAINT_S - monotonic()
            self._flush_timer = self.set_timer(max(wait, 0.001), self._flush)

    def _flush(self) -> None:
        if self._flush_timer is not None:
            self._flush_timer.stop()
            self._flush_timer = None
        live = self._document.live
        if not (self._pending or self._thoughts):
            return
        text, thoughts = "".join(self._pending), "".join(self._thoughts)
        self._pending.clear()
        self._thoughts.clear()
        if live is None:
            return
        self._flushed_at = monotonic()
        anchor, top = self._where()
        same = self._document.grow(text, thoughts)
        self._settle(anchor, top, same=same)

    # Place on the screen

    @property
    def _view(self) -> int:
        """Rows of the view, 0 before the first layout."""
        return self.size.height if self._room > 0 else 0

    @property
    def _room(self) -> int:
        """Columns beside the scroll bar, which has its place whether it is shown or not."""
        return self.scrollable_content_region.width

    def _where(self) -> tuple[Anchor | None, int]:
        top = self.scroll_offset.y
        return self._document.anchor(top), top

    def _settle(
        self, anchor: Anchor | None, top: int, *, scaled: bool = False, same: int = 0
    ) -> None:
        """Puts the view where it was before a change, or to the end if it was there; the first
        `same` rows of all have not changed."""
        if not self._view:
            return
        if not self._document.width:
            # It was given its size without a Resize, see `on_mount`.
            self._document.resize(self._room)
        if self._at_end:
            self._place(self._document.bottom(self._view), same)
        else:
            top = self._document.find(anchor, top, scaled=scaled)
            self._place(self._document.settle(top, self._view), same)

    def _place(self, top: int, same: int = 0) -> None:
        self._placing = True
        self._stretch()
        moved = top != self.scroll_offset.y
        self.scroll_to(y=top, animate=False, force=True)
        self._placing = False
        self._at_end = top >= self._document.total - self._view
        first = 0 if moved else max(same - top, 0)
        if self._at_end or self._seen is None:
            self.mark_seen()
        if (sign := new_below(self._unseen())) != self._sign:
            self._sign, first = sign, min(first, self._view - 1)
        if first < self._view:
            self.refresh(Region(0, first, self.size.width, self.size.height - first))

    def mark_seen(self, changed: str = "") -> None:
        """What comes below from here on is new. With the key of an entry that was opened or closed:
        only if that was the last one seen."""
        if changed and (self._seen is None or self._seen[0] != changed):
            return
        last = len(self._document) - 1
        self._seen = (self._document.key(last), self._document.span(last)[1]) if last >= 0 else None

    def _unseen(self) -> int:
        """Rows that came below while the view was elsewhere."""
        index = self._document.place(self._seen[0]) if self._seen is not None else -1
        if self._at_end or self._seen is None or index < 0:
            return 0
        return self._document.total - self._document.span(index)[0] - self._seen[1]

    @property
    def new_lines_at(self) -> int:
        """The column from which on the last row of the view says what is new below; its width if it
        does not."""
        return self.size.width - cell_len(self._sign)

    def _stretch(self) -> None:
        """Takes over how many rows there are.

        Textual lays the whole screen out anew after each change of `virtual_size`; that is needed
        only where the scroll bar comes or goes.
        """
        size = Size(self._room, self._document.total)
        if self.show_vertical_scrollbar != (size.height > self._view):
            self.virtual_size = size
        elif size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            if self.show_vertical_scrollbar:
                self.vertical_scrollbar.window_virtual_size = size.height

    def _scroll_to(self, *where: float | None, **how: Any) -> bool:
        """Never animated, whoever scrolls: a step of an animation lays rows out and scrolls by
        itself, which would break the animation off, and Textual does not take that."""
        return super()._scroll_to(*where, **{**how, "animate": False})

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lays out what came into view."""
        super().watch_scroll_y(old_value, new_value)
        if self._placing or round(old_value) == round(new_value) or not self._view:
            return
        self._place(self._document.settle(round(new_value), self._view))

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """A bar that comes does not know of the scrolling before it."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y

    def on_mount(self) -> None:
        """Textual sends no Resize to a widget that was repainted before its first layout."""
        self.call_after_refresh(self.on_resize)

    def on_resize(self) -> None:
        """Wraps anew at another width, around the row at the top of the view."""
        if not self._view:
            return
        anchor, top = self._where()
        rewrap = self._document.width != self._room
        if rewrap:
            self.screen.clear_selection()
            self._document.resize(self._room)
        followed = self._at_end
        self._settle(anchor, top, scaled=rewrap)
        # Where all fits for a while, the end is in view; what is read still stays there.
        self._at_end = self._at_end and followed

    # Selection

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The source words of a mouse selection."""
        return copied(self._document, selection), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Repaints with the new selection."""
        self.refresh()

    # Drawing

    def notify_style_update(self) -> None:
        """Forgets the styles of the old theme."""
        super().notify_style_update()
        self._painted.clear()

    def named_style(self, name: str) -> Style:
        """What the stylesheet says about one name, and nothing that it leaves to the pane."""
        component = f"transcript--{name}"
        own = self.get_component_rich_style(component, partial=True)
        # Only the full style has automatic and half transparent colours worked out.
        full = self.get_component_rich_style(component)
        return own + Style(
            color=full.color if own.color is not None else None,
            bgcolor=full.bgcolor if own.bgcolor is not None else None,
        )

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the view; the style below all of them is worked out once."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One row of the view, the last one below the sign for what is new."""
        strip = self._row(y)
        if not self._sign or y != self._view - 1:
            return strip
        sign = Segment(self._sign, self._base + self._painted.styles.style("below"))
        return Strip([*strip.crop(0, self.new_lines_at), sign], self.size.width)

    def _row(self, y: int) -> Strip:
        width, base = self.size.width, self._base
        found = self._document.locate(self.scroll_offset.y + y)
        if found is None or not self._document.width:
            return Strip.blank(width, base)
        item, row = found
        block = self._document.block(item)
        if row >= block.height:
            return Strip.blank(width, base)
        marked = (row == 0 or y == 0) and item == self.cursor_index()
        chosen = self._chosen(item, row)
        look = Look(block.line(row), block.tone, base, width, marked, chosen)
        return self._painted.strip(item * ROWS_PER_ITEM + row, look)

    def _chosen(self, item: int, row: int) -> tuple[int, int, Style] | None:
        """The selected part of a row, and its style."""
        selection = self.text_selection
        part = chosen_part(selection, item, row) if selection is not None else None
        if part is None:
            return None
        return (*part, self.screen.get_component_rich_style("screen--selection"))
