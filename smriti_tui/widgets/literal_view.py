"""Text shown exactly as it is: wrapped, scrollable, never read as markup, large texts by and by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from smriti_tui.domain.words import Piece, Sign
from smriti_tui.text import literal, literal_line

CHUNK = 4000
"""Characters of one mounted block; a long line is cut there, which shows as a line break."""
SIGNED: Mapping[Sign, str] = {"-": "$text-error bold", "+": "$text-success bold"}
AHEAD = 3
"""Blocks that are mounted beyond what was scrolled to."""


@dataclass(frozen=True)
class Section:
    """A text under a label of ours; either may be empty. `word` names its look (a CSS class)."""

    label: str = ""
    text: str = ""
    word: str = ""
    pieces: tuple[Piece, ...] = ()
    """The text in signed pieces, in the place of `text`: the signs have their colours."""


@dataclass(frozen=True)
class _Block:
    content: Content
    classes: str


class LiteralView(VerticalScroll, can_focus=True):
    """Sections below each other. Only what is near the view is mounted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Letters are the screen's: people may change them.
        Binding("end", "scroll_end", "Last", show=False),
    ]

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self._blocks: tuple[_Block, ...] = ()
        self._mounted = 0
        self._statics: list[Static] = []
        self._sections: tuple[Section, ...] = ()
        self._revealed: tuple[Section, ...] | None = None

    @property
    def sections(self) -> tuple[Section, ...]:
        """What is shown, in full, whether it is mounted yet or not."""
        return self._sections

    def show(self, sections: Sequence[Section]) -> None:
        """Shows `sections` from their start; the same ones again leave the scroll where it is."""
        if tuple(sections) == self._sections:
            return
        self._sections = tuple(sections)
        self._blocks = tuple(_blocks(self._sections))
        self.scroll_home(animate=False)
        self._take_over(self._blocks[:AHEAD])
        self._mount_more(AHEAD - self._mounted)
        # Small sections leave room for more than these.
        self.call_after_refresh(self._fill)

    def _take_over(self, blocks: Sequence[_Block]) -> None:
        """What is mounted shows these blocks: cheaper than mounting anew for every text."""
        kept = self._statics[: len(blocks)]
        for static, block in zip(kept, blocks, strict=False):
            static.set_classes(block.classes)
            static.update(block.content)
        for static in self._statics[len(blocks) :]:
            static.remove()
        self._statics = kept
        self._mounted = len(kept)

    def reveal(self, word: str) -> None:
        """Brings the first section of that look to the top, once for each time it is shown."""
        places = (at for at, block in enumerate(self._blocks) if word in block.classes.split())
        at = next(places, None)
        if at is None or self._revealed == self._sections:
            return
        self._revealed = self._sections
        if at >= self._mounted:
            self._mount_more(at + AHEAD - self._mounted)
        self.call_after_refresh(self._scroll_to_block, at)

    def _scroll_to_block(self, at: int) -> None:
        if at < len(self._statics):
            self.scroll_to_widget(self._statics[at], animate=False, top=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Mounts what comes next when the end of what is mounted comes near."""
        super().watch_scroll_y(old_value, new_value)
        if self._mounted < len(self._blocks) and self.max_scroll_y - new_value < self.size.height:
            self._mount_more(AHEAD)

    def on_resize(self) -> None:
        """A taller view may show more than is mounted."""
        self.call_after_refresh(self._fill)

    def action_scroll_end(self) -> None:
        """Goes to the end; mounts the rest for it."""
        self._mount_more(len(self._blocks))
        self.call_after_refresh(self.scroll_end, animate=False)

    def _fill(self) -> None:
        if self._mounted < len(self._blocks) and self.max_scroll_y == 0 and self.size.height:
            self._mount_more(AHEAD)
            self.call_after_refresh(self._fill)

    def _mount_more(self, count: int) -> None:
        blocks = self._blocks[self._mounted : self._mounted + count]
        self._mounted += len(blocks)
        if blocks:
            made = [Static(block.content, classes=block.classes) for block in blocks]
            self._statics += made
            self.mount_all(made)


def _blocks(sections: Sequence[Section]) -> Iterator[_Block]:
    for section in sections:
        word = f" {section.word}" if section.word else ""
        if section.label:
            yield _Block(literal_line(section.label), f"literal--label{word}")
        if section.text:
            for piece in pieces(section.text):
                yield _Block(literal(piece), f"literal--text{word}")
        if section.pieces:
            for part in _parts(section.pieces):
                yield _Block(_signed(part), f"literal--text{word}")


def _signed(told: Sequence[Piece]) -> Content:
    return Content("").join(
        literal(piece.text).stylize(SIGNED[piece.sign]) if piece.sign in SIGNED
        else literal(piece.text)
        for piece in told
    )  # fmt: skip


def _parts(told: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Signed pieces in blocks of about `CHUNK` characters, cut at line ends as `pieces` does."""
    part: list[Piece] = []
    size = 0
    for piece in told:
        for text in pieces(piece.text):
            if part and size + len(text) > CHUNK and part[-1].text.endswith("\n"):
                part[-1] = Piece(part[-1].sign, part[-1].text.removesuffix("\n"))
                yield part
                part, size = [], 0
            part.append(Piece(piece.sign, text))
            size += len(text)
            if size >= CHUNK:
                yield part
                part, size = [], 0
    if part:
        yield part


def pieces(text: str) -> Iterator[str]:
    """`text` in blocks of about `CHUNK` characters, cut at line ends where there are any.

    A line feed between two blocks is not part of either: the block border stands for it.
    """
    start = 0
    while len(text) - start > CHUNK:
        cut = text.rfind("\n", start + 1, start + CHUNK)
        if cut == -1:
            yield text[start : start + CHUNK]
            start += CHUNK
        else:
            yield text[start:cut]
            start = cut + 1
    yield text[start:]
