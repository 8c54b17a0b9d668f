"""Markdown that arrives in pieces: what stands on the screen stays, and its end is the whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smriti_tui.domain.clean import clean
from smriti_tui.widgets import markdown_lines
from smriti_tui.widgets.clean_pieces import PieceCleaner
from smriti_tui.widgets.markdown_lines import render_markdown
from smriti_tui.widgets.markdown_model import UNICODE_THEME
from smriti_tui.widgets.markdown_stream import MarkdownStream
from smriti_tui.widgets.transcript_live import LiveTurn
from tests.ui.test_markdown_lines import SOUP, WIDTHS
from tests.ui.transcript_host import turn

SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=8)


def pieces(text: str, sizes: list[int]) -> Iterator[str]:
    at, number = 0, 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        yield text[at : at + size]
        at, number = at + size, number + 1


@pytest.fixture(scope="module")
def light_blocks() -> Iterator[None]:
    """Makes nearly every block one that is too heavy for Markdown."""
    patch = pytest.MonkeyPatch()
    patch.setattr(markdown_lines, "BLOCK_LIMIT", 12)
    yield
    patch.undo()


@given(SOUP, SIZES)
@settings(max_examples=300, deadline=None)
def test_pieces_are_cleaned_as_the_whole(text: str, sizes: list[int]) -> None:
    cleaner = PieceCleaner()
    shown = "".join(cleaner.feed(piece) for piece in pieces(text, sizes))
    assert shown + cleaner.finish() == clean(text)


@given(SOUP, WIDTHS, SIZES)
@settings(max_examples=300, deadline=None)
@pytest.mark.usefixtures("light_blocks")
def test_heavy_blocks_end_in_the_rows_of_the_whole(text: str, width: int, sizes: list[int]) -> None:
    stream = MarkdownStream(width, UNICODE_THEME)
    for piece in pieces(text, sizes):
        stream.feed(piece)
    assert stream.finish() == render_markdown(text, width, UNICODE_THEME)


@given(SOUP, st.integers(12, 60), SIZES, st.booleans())
@settings(max_examples=300, deadline=None)
def test_rows_that_are_said_to_stay_do_stay(
    text: str, width: int, sizes: list[int], opened: bool
) -> None:
    live = LiveTurn(turn(2, "", "assistant"), width, UNICODE_THEME)
    live.opened = opened
    shown = [live.line(row) for row in range(live.height)]
    for number, piece in enumerate(pieces(text, sizes)):
        thought = piece if number % 3 == 1 else ""
        same = live.grow("" if thought else piece, thought)
        now = [live.line(row) for row in range(live.height)]
        assert now[:same] == shown[:same]
        assert same < len(now)
        shown = now


def test_a_finished_heavy_block_is_not_laid_out_again(light_blocks: None) -> None:
    stream = MarkdownStream(40, UNICODE_THEME)
    stream.feed("words and more words\n" * 4)
    rows = [stream.line(index) for index in range(stream.height)]
    stream.feed("\n\nanother\n")
    assert all(stream.line(index) is row for index, row in enumerate(rows))
