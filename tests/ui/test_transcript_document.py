"""The column behind the chat pane: heights, folds, what is laid out and when."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.color import Color

from smriti_tui.text import ControlFilter, literal, literal_line, rich_literal
from smriti_tui.widgets.markdown_model import UNICODE_THEME
from smriti_tui.widgets.transcript_document import CACHED_ENTRIES, Document
from smriti_tui.widgets.transcript_heights import HeightIndex
from smriti_tui.widgets.transcript_model import Entry, Folded, Rule, TupleSource, TurnView
from smriti_tui.widgets.transcript_turns import DISPLAY_BREAKS, DISPLAY_LIMIT, render_entry
from tests.ui.transcript_host import many, turn

HEIGHTS = st.lists(st.integers(1, 9), max_size=60)


@given(HEIGHTS, HEIGHTS, st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30)), max_size=20))
def test_heights_agree_with_a_plain_list(
    first: list[int], more: list[int], changes: list[tuple[int, int]]
) -> None:
    index, plain = HeightIndex(first), list(first)
    for height in more:
        index.append(height)
        plain.append(height)
    for at, height in changes:
        if plain:
            index.set(at % len(plain), height)
            plain[at % len(plain)] = height
    assert index.total == sum(plain)
    starts = [sum(plain[:at]) for at in range(len(plain) + 1)]
    assert [index.offset(at) for at in range(len(plain) + 1)] == starts
    for at, height in enumerate(plain):
        assert index.find(starts[at]) == (at, 0)
        assert index.find(starts[at] + height - 1) == (at, height - 1)


class Lazy:
    """A source that remembers which entries it was asked for."""

    def __init__(self, count: int) -> None:
        self._count = count
        self.asked: set[int] = set()

    def count(self) -> int:
        return self._count

    def key(self, index: int) -> str:
        return f"turn:{index + 1}"

    def stamp(self, index: int) -> Hashable:
        return 0

    def entry(self, index: int) -> Entry:
        self.asked.add(index)
        return turn(index + 1, f"text {index + 1}\n" * (index % 7 + 1))

    def size(self, index: int) -> tuple[int, int]:
        return 40, 2


def make(entries: list[Entry], width: int = 60) -> Document:
    document = Document(UNICODE_THEME)
    document.load(TupleSource(entries), "s")
    document.resize(width)
    return document


def test_only_what_is_in_view_is_asked_for() -> None:
    source = Lazy(10_000)
    document = Document(UNICODE_THEME)
    document.load(source, "s")
    document.resize(80)
    assert source.asked == set()
    top = document.bottom(30)
    assert min(source.asked) > 9_980
    document.settle(top // 2, 30)
    assert len(source.asked) < 60


def test_the_cache_is_bounded() -> None:
    document = make(list(many(1000)))
    for index in range(len(document)):
        document.block(index)
    assert len(document._cache) == CACHED_ENTRIES


@given(st.integers(0, 5000), st.integers(1, 40))
def test_a_settled_view_is_measured_and_stays(top: int, view: int) -> None:
    document = make(list(many(200)))
    settled = document.settle(top, view)
    assert 0 <= settled <= max(document.total - view, 0)
    assert document.settle(settled, view) == settled


def test_unchanged_entries_keep_their_height_and_rows() -> None:
    turns = many(50)
    document = make(list(turns))
    document.bottom(40)
    before = document.block(49)
    document.load(TupleSource([*turns[:-1], replace(turns[-1], note="")]), "s")
    assert document.block(49) is before
    document.load(TupleSource([*turns[:-1], replace(turns[-1], text="changed")]), "s")
    assert document.block(49) is not before
    assert any("changed" in document.block(49).line(row).text for row in range(3))


def test_a_fold_counts_its_turns_only_when_open() -> None:
    out = tuple(replace(number, stays_out=True) for number in many(500))
    document = make([Folded("turns 1-500 stay out", 1, 500, out), Rule("r"), turn(501, "x")])
    assert len(document) == 3
    assert document.toggle(0)
    assert len(document) == 503
    entry = document.entry(7)
    assert isinstance(entry, TurnView)
    assert entry.number == 7
    assert document.block(7).tone == "out"
    assert document.toggle(0) is False
    assert len(document) == 3
    assert document.toggle(1) is None


def test_a_giant_turn_says_what_is_not_drawn() -> None:
    view = turn(1, "word " * (DISPLAY_LIMIT // 4))
    rendered = render_entry(view, 80, UNICODE_THEME, opened=False)
    assert "50000 more characters are not drawn here; o opens the whole turn" in "".join(
        line.text for line in rendered.lines
    )


def test_a_turn_of_very_many_lines_is_cut_too() -> None:
    rendered = render_entry(turn(1, "a\n" * 20_000), 80, UNICODE_THEME, opened=False)
    assert rendered.height < DISPLAY_BREAKS + 10
    assert "30001 more characters" in rendered.lines[-2].text


def test_text_from_outside_is_no_markup() -> None:
    said = "[/] [red]a[/blue] \x1b[2J \u202e\tb\n[@click=app.quit]"
    assert literal(said).plain == "[/] [red]a[/blue] ␛[2J <U+202E>\tb\n[@click=app.quit]"
    assert "\n" not in literal_line(said).plain
    assert isinstance(rich_literal(said), Text)
    assert rich_literal(said).plain == literal_line(said).plain


@given(st.lists(st.text(max_size=12), max_size=6))
def test_the_net_lets_no_control_character_through_and_moves_no_column(texts: list[str]) -> None:
    control = Segment("\x1b[2J", None, ((1, 2),))  # type: ignore[arg-type]
    segments = [*(Segment(text, Style(bold=True)) for text in texts), control]
    shown = ControlFilter().apply(segments, Color(0, 0, 0))
    assert shown[-1] is control
    for before, after in zip(segments[:-1], shown[:-1], strict=True):
        assert before.cell_length == after.cell_length
        assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in after.text)


def test_the_net_shows_a_sign_where_a_space_can_give_way() -> None:
    (segment,) = ControlFilter().apply([Segment("a\x1bb\x07    |")], Color(0, 0, 0))
    assert segment.text == "a␛b␇  |"
    (segment,) = ControlFilter().apply([Segment("a\x1bb|")], Color(0, 0, 0))
    assert segment.text == "ab|"
