"""The Markdown renderer: nothing is lost, nothing is wider than the width, nothing raises."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smriti_tui.domain.clean import clean
from smriti_tui.widgets.markdown_blocks import Block
from smriti_tui.widgets.markdown_cells import clusters, wrap
from smriti_tui.widgets.markdown_lines import (
    BLOCK_LIMIT,
    render_block,
    render_markdown,
    render_plain,
)
from smriti_tui.widgets.markdown_model import (
    ASCII_THEME,
    UNICODE_THEME,
    Line,
    MarkdownTheme,
    Run,
    Span,
    copy_lines,
    wrap_runs,
)
from smriti_tui.widgets.markdown_stream import MarkdownStream

FAMILY = "\U0001f469‍\U0001f469‍\U0001f467"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\ud800-\udfff]")

SCRAPS = st.sampled_from(
    [
        *"[]()<>!*_`~#-+|\\&;:\"' \t\n0127ax",
        "\n\n", "```", "~~~", "```py\n", "[/]", "\n===\n", "\n---\n", "\n[a]: <b> 'c'\n",
         "\n```\n", "- ", "1. ", "> ", "# ", "| a | b |\n|---|---|\n",
        "[x](http://a \"t\")", "[red]a[/blue]", "[@click=app.quit]",
        "![i](u)", "<div>", "<!--", "-->",
        "&#27;", "&#x9b;", "&amp;", "[a]: /u\n", "- [x] ", "***", "    ",
        "  \n", "word", "longer words here ",
        "\x1b]52;c;eA==\x07", "\x9b31m", "\r", "\r\n",
        "\x00", "\x7f", "\ud800", "\u202e", "\u2028", "\ufeff",
        "漢字かな", FAMILY, "❤️", "❤", "\ufe0f", "\u200d", "é",
        "\u0301", "नमस्ते", "مرحبا", "🇩🇪", "🇩", "👍🏽", "1️⃣",
    ]
)  # fmt: skip
SOUP = st.lists(SCRAPS, max_size=40).map("".join)
WIDTHS = st.integers(4, 60)


def shown(text: str, width: int = 40, theme: MarkdownTheme = ASCII_THEME) -> list[str]:
    return [line.text.rstrip() for line in render_markdown(text, width, theme)]


def copied(lines: tuple[Line, ...]) -> str:
    return copy_lines((line, 0, None) for line in lines)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text)


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("# A *b*\n## C", ["# A b", "## C"]),
        ("one\ntwo\n\n\nthree", ["one", "two", "", "three"]),
        ("- a\n  - b\n    1. c\n- d", ["- a", "  - b", "    1. c", "- d"]),
        ("7) x\n8) y", ["7) x", "8) y"]),
        ("- [x] done\n- [ ] open", ["[x] done", "[ ] open"]),
        ("- a\n\n- b", ["- a", "", "- b"]),
        ("> a\n> > b", ["> a", "> > b"]),
        ("a\n\n***\n\nb", ["a", "", "-" * 40, "", "b"]),
        ("[t](http://a/b \"c\") <http://d>", ['t (http://a/b "c") http://d']),
        ("![alt](pic.png)", ["image: alt (pic.png)"]),
        ("see [/srv/app/x] and [/] then [red]a[/blue]", [
            "see [/srv/app/x] and [/] then", "[red]a[/blue]"]),
        (r"C:\[dir] bad\[ \(x\) [$x] [[a]]", [r"C:\[dir] bad\[ \(x\) [$x] [[a]]"]),
        ("&lt; &#27; &amp;", ["&lt; &#27; &amp;"]),
        ("~~old~~ `code` **b** _i_", ["~~old~~ `code` b i"]),
        ("<b>x</b>\n\n<div>\n y", ["<b>x</b>", "", "<div>", " y"]),
        ("[a]: http://hidden.example", ["[a]: http://hidden.example"]),
        ("```py\n[x]\n\n  y", ["```py", "[x]", "", "  y"]),
        ("```py\nx\n```\nafter", ["```py", "x", "```", "after"]),
        ("    code\n\ntext", ["    code", "", "text"]),
    ],
)  # fmt: skip
def test_each_kind_of_block(source: str, rows: list[str]) -> None:
    assert shown(source) == rows


def test_fenced_code_is_folded_and_copies_as_typed() -> None:
    source = "```\n\tmake " + "x" * 30 + "\n\n  y\n```"
    lines = render_markdown(source, 20, UNICODE_THEME)
    assert max(line.cells for line in lines) <= 20
    assert copied(lines) == source


def test_a_wrapped_paragraph_copies_as_one_line() -> None:
    source = (
        "> - the rebuild runs as a job, not inside a request\n> - [x] and a test with 2 M documents"
    )
    lines = render_markdown(source, 24, UNICODE_THEME)
    assert len(lines) > 4
    assert copied(lines) == source


def test_a_table_has_aligned_columns_and_shrinks() -> None:
    source = "| name | 漢字 |\n|:--|--:|\n| " + "long words in a cell " * 3 + "| 1 |\n| x | 22 |"
    lines = render_markdown(source, 30, ASCII_THEME)
    assert {line.cells for line in lines} == {30}
    assert lines[1].text.count("-+-") == 1
    assert lines[-1].text.endswith("22")
    assert {line.text.index("|") for line in lines if "-+-" not in line.text} == {24}


def test_a_wrapped_table_row_copies_cell_by_cell() -> None:
    source = "| a | b |\n|---|---|\n| one two three four | five six seven eight |"
    lines = render_markdown(source, 18, UNICODE_THEME)
    assert len(lines) > 4
    assert copied(lines).endswith("one two three four | five six seven eight")


def test_no_cell_beyond_the_head_is_dropped() -> None:
    assert "three" in "".join(shown("|a|b|\n|-|-|\n|one|two|three|"))
    wide = "|" + "a|" * 30 + "\n|" + "-|" * 30 + "\n|" + "b|" * 30
    assert "".join(shown(wide, 20)).count("b") == 30


def test_ascii_signs_are_ascii() -> None:
    source = "- a\n\n> q\n\n---\n\n|a|b|\n|-|-|\n|1|2|"
    assert all(line.text.isascii() for line in render_markdown(source, 30, ASCII_THEME))
    assert "•" in render_markdown(source, 30, UNICODE_THEME)[0].text


def test_a_cluster_is_never_split() -> None:
    for sign in (FAMILY, "❤️", "é", "🇩🇪", "👍🏽", "1️⃣", "漢"):
        for lead in range(6):
            for line in render_markdown("a" * lead + sign * 9, 5, UNICODE_THEME):
                assert line.text.replace(sign, "").strip("a") == ""


def test_a_mark_of_another_style_is_measured_with_its_sign() -> None:
    runs = [Run("❤", "em"), Run("\ufe0f x"), Run("\U0001f469", "em"), Run("\u200d\U0001f467", "a")]
    (line,) = wrap_runs(runs, 20)
    assert line.cells == 6
    assert [span.style for span in line.spans] == ["em", "", "em"]


def test_deep_nesting_keeps_its_words() -> None:
    for sign in ("> ", "- ", "1. "):
        for depth in (15, 30, 200):
            rows = render_markdown(sign * depth + "deep", 24, UNICODE_THEME)
            assert "deep" in rows[-1].text
            assert max(line.cells for line in rows) <= 24


@given(SOUP, WIDTHS)
@settings(max_examples=300, deadline=None)
def test_any_text_is_rendered_within_the_width_and_harmless(text: str, width: int) -> None:
    for line in (*render_markdown(text, width, UNICODE_THEME), *render_plain(text, width)):
        assert line.cells <= width
        assert CONTROL.search(line.text) is None


@given(SOUP, WIDTHS)
@settings(max_examples=200, deadline=None)
def test_no_word_is_lost_and_none_is_added(text: str, width: int) -> None:
    source = copied(render_markdown(text, width, UNICODE_THEME))
    assert "".join(words(source)).replace("image", "") == "".join(words(_plain(text)))


def _plain(text: str) -> str:
    """`text` as plain rows copy it: with its control characters made visible."""
    return copied(render_plain(text, 1000)).replace("image", "")


@given(SOUP, WIDTHS)
@settings(max_examples=200, deadline=None)
def test_plain_text_copies_exactly_as_typed(text: str, width: int) -> None:
    typed = copied(render_plain(text, 10_000)).rstrip(" \t")
    assert copied(render_plain(text, width)).rstrip(" \t") == typed


@given(SOUP, WIDTHS, st.lists(st.integers(1, 9), min_size=1, max_size=8))
@settings(max_examples=400, deadline=None)
def test_any_chunking_ends_in_the_same_rows(text: str, width: int, sizes: list[int]) -> None:
    stream = MarkdownStream(width, UNICODE_THEME)
    at, turn = 0, 0
    while at < len(text):
        stream.feed(text[at : at + sizes[turn % len(sizes)]])
        rows = [stream.line(index) for index in range(stream.height)]
        assert max((row.cells for row in rows), default=0) <= width
        at += sizes[turn % len(sizes)]
        turn += 1
    assert stream.finish() == render_markdown(text, width, UNICODE_THEME)
    assert stream.text == text
    assert [stream.line(index) for index in range(stream.height)] == list(
        render_markdown(text, width, UNICODE_THEME)
    )


@given(SOUP, WIDTHS, st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_line_that_grows_breaks_where_the_whole_would(text: str, width: int, hard: bool) -> None:
    row = clean(text).replace("\n", " ")
    start = 0
    cuts: list[tuple[int, int, int]] = []
    for end in range(len(row) + 1):
        *done, last = [
            (start + cut.start, start + cut.end, start + cut.after)
            for cut in wrap(row[start:end], width, hard=hard)
        ]
        cuts.extend(done)
        start = last[0]
    assert [cut[:2] for cut in cuts] == [cut[:2] for cut in wrap(row, width, hard=hard)][:-1]


@given(SOUP)
def test_clusters_cover_the_text(text: str) -> None:
    row = clean(text).replace("\n", " ")
    parts = clusters(row)
    assert "".join(row[part.start : part.end] for part in parts) == row
    assert all(left.end == right.start for left, right in pairwise(parts))


BLOCKS = st.sampled_from(
    [
        "para *graph*\nmore", "# head", "- a\n- b\n\n  c",
        "1. x\n\n   ```\n   y\n\n   z\n   ```\n2. w", "> q\n> r",
        "```\ncode\n\n- no\n```", "    in\n\n    dent", "|a|b|\n|-|-|\n|1|2|", "---",
        "title\n=====", "* a\n\n* b\n\ntext",

        "- ~~~\n  x\n  ~~~", "text\n- list\n\n- list", "10) a\n    - b\n\n    c",
    ]
)  # fmt: skip


@given(st.lists(BLOCKS, max_size=6), WIDTHS)
@settings(max_examples=150, deadline=None)
def test_blocks_cut_apart_read_as_the_whole_would(blocks: list[str], width: int) -> None:
    text = "\n\n".join(blocks)
    whole = render_block(Block(text + "\n", False), width, UNICODE_THEME)
    assert list(render_markdown(text, width, UNICODE_THEME)) == whole


def test_a_huge_block_stays_plain_and_whole() -> None:
    source = "- *item* with words\n" * (BLOCK_LIMIT // 40 + 1)
    lines = render_markdown(source, 60, UNICODE_THEME)
    assert copied(lines) == source.rstrip("\n")


@pytest.mark.parametrize("soup", ["[", "![", "- *b*\n", "> ", "*a_", "<", "|", "`", "[a]("])
def test_no_soup_takes_long(soup: str) -> None:
    began = time.process_time()
    render_markdown(soup * (100_000 // len(soup)), 76, UNICODE_THEME)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("kind", ["fence", "paragraph", "list", "spaces", "marks"])
def test_a_chunk_costs_the_same_after_a_hundred_thousand_characters(kind: str) -> None:
    lead, unit = {
        "fence": ("```\n", "x = 1\n"),
        "paragraph": ("", "lorem "),
        "list": ("", "- a *b*\n"),
        "spaces": ("a", "     "),
        "marks": ("a", "\u0301" * 9),
    }[kind]
    stream = MarkdownStream(60, UNICODE_THEME)
    stream.feed(lead)
    spent: list[float] = []
    for _ in range(10):
        began = time.process_time()
        for _ in range(10_000 // len(unit)):
            stream.feed(unit)
        spent.append(time.process_time() - began)
    # The collector may come in any one of them.
    assert min(spent[-3:]) < 6 * min(spent) + 0.05
    assert copied(stream.finish()).count(unit.strip() or " ") > 1000


def test_spans_know_their_source() -> None:
    line = Line(
        (Span("• ", "marker", source="- "), Span("a"), Span("    ", source="\t"), Span("b"))
    )
    assert line.source() == "- a\tb"
    assert line.source(2, 3) == "a"
    assert line.source(4) == "\tb"


@given(st.lists(st.tuples(SCRAPS, st.sampled_from(["", "em", "code"])), max_size=12), WIDTHS)
@settings(max_examples=200, deadline=None)
def test_runs_of_any_style_stay_within_the_width(parts: list[tuple[str, str]], width: int) -> None:
    runs = [Run(clean(text).replace("\n", " "), style) for text, style in parts] or [Run("")]
    lines = wrap_runs(runs, width)
    assert all(line.cells <= width for line in lines)
    assert all("\t" not in line.text for line in lines)
    assert copied(tuple(lines)).rstrip() == "".join(run.text for run in runs).rstrip()
