"""What is taken from a document by rule: only under headings that say so, and word for word."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from smriti_tui.domain.document import MAX_CHARACTERS, read_document
from smriti_tui.domain.document_parts import Parts
from smriti_tui.domain.document_pieces import pieces
from smriti_tui.domain.document_quotes import DocumentQuotes, line_range
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.heading_fields import field_of
from smriti_tui.domain.quotes import folded
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.services.markdown_parts import parts_of

DOCUMENT = """\
---
title: "From the front"
---
# Search, notes

## Objective

Make search quick.
It must work offline.

## 2. Key decisions:

- Use **FTS5**, since it
  ships with SQLite
  * it is built in
  * it is small
- ~~Use Lucene~~
1) One writer

### Storage

- A file per Space

### Rejected alternatives

- MongoDB

**Assumptions:**

- The disk is local

Some talk.

- no assumption any more

## TODO

- [x] Write the parser
- [ ] Index
    - [ ] tokens
    - [X] ranks
- Plain

### Done

- Shipped

## Open Questions (2)

* Who owns it?
* [x] Is it small?

## Key terms

- **FTS5**: full text
- SQLite

## Anything

- under no field

src/app.py:

```python title="ignored"
def f():
\treturn "`"
```

    set in
\ttwice

> - quoted
>   ```sh
>   ls
>   ```

~~~
never closed
"""


def taken(text: str) -> Parts:
    return parts_of(read_document(text))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lists_below_headings_that_name_fields_are_taken(end: str) -> None:
    parts = taken(DOCUMENT.replace("\n", end))
    assert [(each.kind, each.text, each.first, each.last, each.status) for each in parts.items] == [
        (
            "decisions",
            "Use **FTS5**, since it ships with SQLite\n* it is built in\n* it is small",
            13, 16, "open",
        ),
        ("decisions", "One writer", 18, 18, "open"),
        ("decisions", "A file per Space", 22, 22, "open"),
        ("assumptions", "The disk is local", 30, 30, "open"),
        ("tasks", "Write the parser", 38, 38, "done"),
        ("tasks", "Index", 39, 39, "open"),
        ("tasks", "tokens", 40, 40, "open"),
        ("tasks", "ranks", 41, 41, "done"),
        ("tasks", "Plain", 42, 42, "open"),
        ("tasks", "Shipped", 46, 46, "done"),
        ("open_questions", "Who owns it?", 50, 50, "open"),
    ]  # fmt: skip
    assert parts.front is not None
    assert (parts.front.title, parts.heading) == ("From the front", "Search, notes")
    assert parts.objective == "Make search quick.\nIt must work offline."
    assert parts.entities == ("FTS5", "SQLite")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_code_blocks_are_artifacts_letter_by_letter(end: str) -> None:
    blocks = taken(DOCUMENT.replace("\n", end)).blocks
    assert [(each.type, each.label, each.first, each.last) for each in blocks] == [
        ("python", "ignored", 64, 67), ("text", "Anything", 69, 70), ("sh", "Anything (2)", 73, 75),
        ("text", "Anything (3)", 77, 78),
    ]  # fmt: skip
    assert blocks[0].content == f'def f():{end}\treturn "`"{end}'
    assert [each.content for each in blocks[1:]] == [
        "set in\ntwice\n",
        "ls\n",
        f"never closed{end}",
    ]


@pytest.mark.parametrize(
    ("info", "before", "kind", "label"),
    [
        ("", "", "text", "Lines 3 to 5"), ("js", "`lib/a.js`:", "js", "lib/a.js"),
        ("{.rust}", "", "rust", "Lines 3 to 5"), ("py:a/b.py", "", "py", "a/b.py"),
        ("yaml file=x.yml", "", "yaml", "x.yml"), ("src/a.go", "", "go", "src/a.go"),
        ("c++", "Some words.", "c++", "Lines 3 to 5"),
    ],
)  # fmt: skip
def test_a_block_is_called_by_its_fence_or_the_file_before_it(
    info: str, before: str, kind: str, label: str
) -> None:
    block = taken(f"{before}\n\n```{info}\nx\n```\n").blocks[0]
    assert (block.type, block.label, block.content) == (kind, label, "x\n")


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Decisions", "decisions"), ("1.2 **Decisions made**:", "decisions"),
        ("📌 To-do", "tasks"), ("Open questions (3)", "open_questions"), ("TL;DR", "summary"),
        ("Goal", "objective"), ("Decisions (rejected)", None), ("Rejected decisions", None),
        ("Our decisions about the decisions", None), ("", None), ("d" * 300, None),
    ],
)  # fmt: skip
def test_only_the_words_of_the_table_name_a_field(heading: str, field: str | None) -> None:
    assert field_of(heading) == field


def test_a_document_has_limits() -> None:
    assert len(read_document(f"\ufeff\n {'x' * MAX_CHARACTERS} \n").lines) == 2
    for text in ("x" * (MAX_CHARACTERS + 1), "", " \n\t", "\ufeff\0"):
        with pytest.raises(Invalid):
            read_document(text)
    assert read_document("a\0b\n").text == "ab\n"


_WORDS = st.text(st.sampled_from("abz é\u05d0\u202e*_`[]#~|漢"), max_size=12)
_LINES = st.one_of(
    st.sampled_from(
        ["", "# Decisions", "## Tasks", "### Open questions", "**Assumptions:**", "# x", "```py",
         "```", "~~~", "    code", "\tcode", "---", "Summary", "====", "> - [ ] q", "- [x]", "1. "]
    ),
    st.builds(lambda pad, mark, words: f"{pad}{mark}{words}",
              st.sampled_from(["", "  ", "    ", "\t"]),
              st.sampled_from(["- ", "* ", "1. ", "- [ ] ", "- [x] ", "> ", "", "- - "]), _WORDS),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_LINES, min_size=1, max_size=25), st.sampled_from(["\n", "\r\n", "\r"]))
@example(["# Decisions", "- a", "  > b", "  - c", "", "      d"], "\n")
def test_what_is_taken_is_a_part_of_the_document_at_its_lines(lines: list[str], end: str) -> None:
    text = end.join(lines)
    if not text.strip():
        return
    document = read_document(text)
    parts = parts_of(document)
    quotes = DocumentQuotes(document)
    for item in parts.items:
        there = folded(document.part(item.first, item.last))
        assert all(folded(line) in there for line in item.text.split("\n"))
        assert folded(item.quote) in there or quotes.check(item.quote, item.first).lines
    for block in parts.blocks:
        there = document.part(block.first, block.last)
        assert all(line.strip() in there for line in block.content.splitlines())


@settings(max_examples=60, deadline=None)
@given(st.lists(_LINES, min_size=1, max_size=40), st.integers(40, 400))
def test_pieces_hold_every_line_once_and_fit(lines: list[str], room: int) -> None:
    text = "\n".join([*lines, "w " * 500, "漢" * 300])
    document = read_document(text)
    cut = pieces(document, parts_of(document).borders, room)
    assert all(sum(text_tokens(part) + 3 for _, part in piece) <= room for piece in cut)
    whole: dict[int, str] = {}
    for number, part in (line for piece in cut for line in piece):
        whole[number] = whole.get(number, "") + part
    assert list(whole) == sorted(whole)
    for number, line in enumerate(document.lines, 1):
        assert whole.get(number, "") == line or not line.strip()


def test_a_section_goes_whole_where_it_fits() -> None:
    body = "\n".join(f"# Part {number}\n" + "words and words\n" * 8 for number in range(6))
    document = read_document(body)
    cut = pieces(document, parts_of(document).borders, 150)
    assert len(cut) > 2
    assert all(piece[0][1].startswith("# Part") for piece in cut)


@pytest.mark.parametrize(
    "text",
    ["`" * MAX_CHARACTERS, "- a\n" * 40_000, "> " * 99_999 + "a", "[a]: <b\n" * 25_000,
     "# Tasks\n" + "- [ ] a\n" * 24_000, "```\nx\n```\n" * 18_000, "\t- \x00\u202e" * 30_000],
)  # fmt: skip
def test_hostile_documents_take_no_time(text: str) -> None:
    began = time.process_time()
    taken(text)
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("quote", "line", "lines"),
    [
        ("Use **FTS5**, since it ships", 12, (13, 14)),
        ("use fts5, since it\n  ships", None, (13, 14)),
        ("13| - Use **FTS5**, since it\n14|   ships with SQLite", 13, (13, 14)),
        ("- [ ] Index", None, (39,)), ("it is small", 40, (16,)), ("MongoDB", 1, (26,)),
        ("ships with SQL", None, ()), ("Use Lucene too", None, ()), ("FTS", None, ()),
        ("", None, ()),
    ],
)  # fmt: skip
def test_a_quote_is_found_at_its_lines(
    quote: str, line: int | None, lines: tuple[int, ...]
) -> None:
    placed = DocumentQuotes(read_document(DOCUMENT)).check(quote, line)
    assert placed.lines == lines
    assert placed.check == ("found" if lines else "not_found")


def test_of_several_places_the_cited_one_counts_and_what_is_nowhere_has_a_nearest() -> None:
    quotes = DocumentQuotes(read_document("the same words\n\nthe same words\nmore\nThe same words"))
    assert [quotes.check("the same words", line).lines for line in (1, 3, 4, 9)] == [
        (1,), (3,), (3,), (5,)
    ]  # fmt: skip
    nearest = quotes.check("the very same words and more", 3).nearest
    assert nearest is not None
    assert (line_range(nearest.first, nearest.last), nearest.text) == ((1,), "same words")
