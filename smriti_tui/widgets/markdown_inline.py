"""Inline Markdown as runs of styled words, one list per logical line.

Every character of the source but the signs of emphasis is shown: code keeps its backticks, an
escape its backslash, an entity its name, a link its address. A line break in the source stays one.
"""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from smriti_tui.domain.clean import clean_line
from smriti_tui.widgets.markdown_model import Run

NESTING_LIMIT = 40


class _LiteralAddresses(MarkdownIt):
    """Nothing shown can be clicked open, so addresses are kept as they were written."""

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link

    def validateLink(self, url: str) -> bool:
        return True


def make_parser() -> MarkdownIt:
    """CommonMark with tables and strikethrough, without reference definitions (they would hide
    words)."""
    parser = _LiteralAddresses("commonmark", {"maxNesting": NESTING_LIMIT})
    return parser.enable(["table", "strikethrough"]).disable(["reference", "text_join"])


def inline_runs(tokens: Sequence[Token], base: str = "") -> list[list[Run]]:
    """The logical lines of an inline token's children; `base` is the style of the block around
    them."""
    return _Inline(base).render(tokens)


_SIGNS = {"strong_open": "strong", "em_open": "em", "s_open": "strike", "link_open": "link"}


class _Inline:
    def __init__(self, base: str) -> None:
        self._lines: list[list[Run]] = [[]]
        self._styles = [base] if base else []
        self._links: list[tuple[Token, int, int]] = []

    def render(self, tokens: Sequence[Token]) -> list[list[Run]]:
        for token in tokens:
            if token.type in ("softbreak", "hardbreak"):
                self._lines.append([])
            elif token.type.endswith("_open"):
                self._open(token)
            elif token.type.endswith("_close"):
                self._close(token)
            else:
                self._leaf(token)
        return self._lines

    def _leaf(self, token: Token) -> None:
        match token.type:
            case "code_inline":
                self._add(f"{token.markup}{token.content}{token.markup}", "code")
            case "image":
                self._add("image: ", "address")
                self._add(token.content, "link")
                self._add(_address(token, "src"), "address")
            case "text_special":
                self._add(token.markup)
            case "html_inline":
                self._literal(token.content)
            case _:
                self._add(token.content)

    def _open(self, token: Token) -> None:
        if token.type == "s_open":
            self._add(token.markup, "strike")
        if token.type == "link_open":
            self._links.append((token, len(self._lines), len(self._lines[-1])))
        self._styles.append(_SIGNS[token.type])

    def _close(self, token: Token) -> None:
        self._styles.pop()
        if token.type == "s_close":
            self._add(token.markup, "strike")
        elif token.type == "link_close":
            opened, line, run = self._links.pop()
            shown = "".join(part.text for part in self._lines[-1][run:])
            repeats = line == len(self._lines) and shown == opened.attrs.get("href")
            if opened.info != "auto" and not (repeats and not opened.attrs.get("title")):
                self._add(_address(opened, "href"), "address")

    def _literal(self, text: str) -> None:
        for number, piece in enumerate(text.split("\n")):
            if number:
                self._lines.append([])
            self._add(piece, "html")

    def _add(self, text: str, extra: str = "") -> None:
        if text:
            names = [*self._styles, extra] if extra else self._styles
            self._lines[-1].append(Run(text, " ".join(names)))


def _address(token: Token, attribute: str) -> str:
    href, title = token.attrs.get(attribute, ""), token.attrs.get("title", "")
    inside = f'{href} "{title}"' if title else str(href)
    return f" ({clean_line(inside)})" if inside else " ()"
