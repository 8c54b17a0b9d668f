"""Markdown as styled lines: a pure function of text, width and signs.

What is typed is what is read: structure is drawn, but no word, address or sign other than those of
emphasis disappears. Fenced code and HTML are literal; blank lines stand where the source has them.
A block heavier than `BLOCK_LIMIT` that is no fence is shown as plain text, so that one block never
holds up the screen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.widgets.markdown_blocks import Block, cut_blocks
from smriti_tui.widgets.markdown_cells import MIN_WIDTH
from smriti_tui.widgets.markdown_inline import NESTING_LIMIT, inline_runs, make_parser
from smriti_tui.widgets.markdown_model import (
    BLANK,
    Line,
    MarkdownTheme,
    Run,
    Span,
    prefixed,
    wrap_runs,
)
from smriti_tui.widgets.markdown_table import Table, render_table

BLOCK_LIMIT = 30_000
"""A character weighs 1, a line break or opening bracket 20 more: some 60 ms of work at most."""
_ROOM = 8
_TASK = re.compile(r"\[[ xX]\](?= )")


@cache
def _parser() -> MarkdownIt:
    return make_parser()


def render_markdown(text: str, width: int, theme: MarkdownTheme) -> tuple[Line, ...]:
    """`text` as rows of at most `width` cells (`MIN_WIDTH` at least). Never raises."""
    lines: list[Line] = []
    for block in cut_blocks(clean(text)):
        if block.spaced and lines:
            lines.append(BLANK)
        lines.extend(render_block(block, width, theme))
    return tuple(lines)


def render_plain(text: str, width: int, style: str = "") -> tuple[Line, ...]:
    """`text` exactly as typed, wrapped at words."""
    rows = clean(text).split("\n")
    return tuple(line for row in rows for line in wrap_runs([Run(row, style)], width))


def is_heavy(block: Block) -> bool:
    """Whether a block is shown as plain text because of its weight."""
    text = block.text.rstrip("\n") + "\n"
    if text.lstrip(" ").startswith(("```", "~~~")):
        return False
    return len(text) + 20 * (text.count("\n") + text.count("[")) > BLOCK_LIMIT


def render_block(block: Block, width: int, theme: MarkdownTheme) -> list[Line]:
    """One top-level block of clean text, without blank lines at its ends."""
    width = max(width, MIN_WIDTH)
    text = block.text.rstrip("\n") + "\n"
    if is_heavy(block):
        return list(render_plain(text[:-1], width))
    tokens = _parser().parse(block.text)
    if any(token.level >= NESTING_LIMIT - 1 for token in tokens):
        return list(render_plain(text[:-1], width))
    return _Renderer(block.text.split("\n"), theme).siblings(SyntaxTreeNode(tokens).children, width)


class _Renderer:
    """Walks the tree of one block; each method gives the rows of one kind of node."""

    def __init__(self, source: Sequence[str], theme: MarkdownTheme) -> None:
        self._source = source
        self._theme = theme

    def siblings(self, nodes: Sequence[SyntaxTreeNode], width: int) -> list[Line]:
        lines: list[Line] = []
        for node in nodes:
            if lines and self._blank_before(node):
                lines.append(BLANK)
            lines.extend(self._node(node, width))
        return lines

    def _blank_before(self, node: SyntaxTreeNode) -> bool:
        first = node.map[0] if node.map else 0
        return first > 0 and not self._source[first - 1].strip(" \t>")

    def _node(self, node: SyntaxTreeNode, width: int) -> list[Line]:
        match node.type:
            case "paragraph":
                return _wrapped(_inline(node), width)
            case "heading":
                return self._heading(node, width)
            case "fence":
                return self._fence(node, width)
            case "code_block":
                return self._indented_code(node, width)
            case "blockquote":
                return self._quote(node, width)
            case "bullet_list" | "ordered_list":
                return self._list(node, width)
            case "table":
                return self._table(node, width)
            case "hr":
                return [Line((Span(self._theme.rule * width, "rule", source=node.markup),))]
            case _:
                return _literal(node.content, width, "html")

    def _heading(self, node: SyntaxTreeNode, width: int) -> list[Line]:
        lines = _inline(node, "heading")
        lines[0].insert(0, Run("#" * int(node.tag[1:]) + " ", "heading"))
        return _wrapped(lines, width)

    def _fence(self, node: SyntaxTreeNode, width: int) -> list[Line]:
        first, last = node.map or (0, 0)
        body = node.content.split("\n")[:-1] if node.content else []
        rows = wrap_runs([Run(clean_line(node.markup + node.info), "fence")], width, hard=True)
        for row in body:
            rows.extend(wrap_runs([Run(row, "code")], width, hard=True))
        if last - first == len(body) + 2:
            rows.append(Line((Span(node.markup, "fence"),)))
        return rows

    def _indented_code(self, node: SyntaxTreeNode, width: int) -> list[Line]:
        indent = Span("    ")
        if width - 4 < _ROOM:
            return _literal(node.content, width, "code", hard=True)
        lines = _literal(node.content, width - 4, "code", hard=True)
        return prefixed(lines, indent, indent)

    def _quote(self, node: SyntaxTreeNode, width: int) -> list[Line]:
        sign = f"{self._theme.quote} "
        if width - len(sign) < _ROOM:
            return [Line((Span(sign, "quote", source="> "),)), *self.siblings(node.children, width)]
        span = Span(sign, "quote", source="> ")
        return prefixed(self.siblings(node.children, width - len(sign)), span, span)

    def _list(self, node: SyntaxTreeNode, width: int) -> list[Line]:
        lines: list[Line] = []
        for item in node.children:
            if lines and self._blank_before(item):
                lines.append(BLANK)
            lines.extend(self._item(item, width))
        return lines

    def _item(self, item: SyntaxTreeNode, width: int) -> list[Line]:
        marker = f"{item.info}{item.markup}" if item.info else self._theme.bullet
        typed = f"{item.info}{item.markup} "
        task = _cut_task(item)
        if task:
            typed = f"{typed}{task} "
            marker = f"{marker} {task}" if item.info else task
        span = Span(f"{marker} ", "marker", source=typed)
        if width - len(span.text) < _ROOM:
            return [Line((span,)), *self.siblings(item.children, width)]
        lines = self.siblings(item.children, width - len(span.text)) or [BLANK]
        return prefixed(lines, span, Span(" " * len(span.text), source=" " * len(typed)))

    def _table(self, node: SyntaxTreeNode, width: int) -> list[Line]:
        first, last = node.map or (0, 0)
        rows = [list(row.children) for section in node.children for row in section.children]
        typed = [line for line in self._source[first:last] if line.strip(" \t>")]
        if any(_pipes(line) > len(rows[0]) + 1 for line in typed):
            return self._as_typed(typed, width)
        table = Table(
            [
                [_inline(cell, "" if number else "tablehead") for cell in row]
                for number, row in enumerate(rows)
            ],
            [str(cell.attrs.get("style", "")).removeprefix("text-align:") for cell in rows[0]],
        )
        return render_table(table, width, self._theme) or self._as_typed(typed, width)

    def _as_typed(self, rows: Sequence[str], width: int) -> list[Line]:
        """A table with cells beyond its head, or too many columns: no cell may be dropped."""
        return [line for row in rows for line in wrap_runs([Run(row, "code")], width)]


def _inline(node: SyntaxTreeNode, base: str = "") -> list[list[Run]]:
    tokens: list[Token] = []
    for child in node.children:
        if child.type == "inline" and child.token is not None:
            tokens.extend(child.token.children or [])
    return inline_runs(tokens, base)


def _wrapped(lines: Sequence[list[Run]], width: int) -> list[Line]:
    return [row for runs in lines for row in wrap_runs(runs or [Run("")], width)]


def _literal(text: str, width: int, style: str, *, hard: bool = False) -> list[Line]:
    rows = text.removesuffix("\n").split("\n")
    return [line for row in rows for line in wrap_runs([Run(row, style)], width, hard=hard)]


def _cut_task(item: SyntaxTreeNode) -> str:
    """The box of a task item, taken off its first words."""
    first = item.children[0] if item.children else None
    if first is None or first.type != "paragraph":
        return ""
    inline = first.children[0].token
    words = inline.children if inline is not None else None
    found = _TASK.match(words[0].content) if words and words[0].type == "text" else None
    if found is None or not words:
        return ""
    words[0].content = words[0].content[found.end() + 1 :]
    return found[0]


def _pipes(line: str) -> int:
    """Column signs of a typed table row, its outer ones always counted."""
    inner = line.strip(" \t>").replace("\\|", "")
    return inner.count("|") + (not inner.startswith("|")) + (not inner.endswith("|"))
