"""What stands in a Markdown document under headings that name fields, and its code blocks.

CommonMark is read by markdown-it, its block part alone: the words of a line are kept as they are
typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from smriti_tui.domain.document import Document
from smriti_tui.domain.document_parts import (
    FrontMatter,
    Parts,
    TakenBlock,
    TakenItem,
    front_matter,
)
from smriti_tui.domain.heading_fields import DONE, field_of, is_label, turns_away
from smriti_tui.domain.items import KINDS, comparison_key
from smriti_tui.domain.model import TaskStatus

MOST_LABEL = 100
_BOX = re.compile(r"\[([ xX])\](?:\s+|$)")
_LISTS = ("bullet_list_open", "ordered_list_open")
_TEXTS = ("objective", "summary")
_FILE = re.compile(r"[*_`]*((?:[\w.@+-]+[/\\])*[\w.@+-]+\.\w{1,8})[*_`]*:?")
_NAMED = re.compile(r"""\b(?:title|file|filename|name|path)=(?:"([^"]*)"|'([^']*)'|(\S+))""")
_TYPE = re.compile(r"[\w+#.-]{1,40}")
_LF = re.compile(r"\r\n|\r")
_EXPLAINED = re.compile(r"\s*(?::\s|\s[\u2013\u2014-]\s)")


def parts_of(document: Document) -> Parts:
    """Everything that can be taken without a model."""
    lines = document.lines
    front = front_matter(lines)
    hidden = front.last if front else 0
    last = [""] if document.text.endswith(("\n", "\r")) else []
    source = "\n".join([*[""] * hidden, *lines[hidden:], *last])
    tokens: list[Token] = []
    reader = MarkdownIt("commonmark")
    reader.block.parse(source, reader, {}, tokens)
    return _Walk(document, tokens, _closes(tokens)).parts(front)


def _closes(tokens: Sequence[Token]) -> list[int]:
    """For each token where its end is."""
    ends = list(range(len(tokens)))
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.nesting == 1:
            opened.append(at)
        elif token.nesting == -1:
            ends[opened.pop()] = at
    return ends


@dataclass
class _Walk:
    document: Document
    tokens: list[Token]
    ends: list[int]
    headings: list[tuple[int, str | None]] = field(default_factory=list)
    """Level and own field of the headings that we are below."""
    heading: str = ""
    now: str | None = None
    texts: dict[str, list[str]] = field(default_factory=dict)
    texts_ended: set[str] = field(default_factory=set)
    items: dict[tuple[str, str], TakenItem] = field(default_factory=dict)
    entities: dict[str, None] = field(default_factory=dict)
    borders: list[int] = field(default_factory=list)

    def parts(self, front: FrontMatter | None) -> Parts:
        labelled: str | None = None
        for at in self._children(-1, len(self.tokens)):
            token = self.tokens[at]
            if token.type == "heading_open":
                labelled = None
                self._heading(at)
            elif token.type == "paragraph_open":
                labelled = self._label(at)
                if labelled is None:
                    self._paragraph(at)
            elif token.type in _LISTS:
                self._list(at, labelled or self.now)
            else:
                labelled = None
        own = {name: "\n\n".join(texts) for name, texts in self.texts.items()}
        return Parts(
            heading=self.heading,
            front=front,
            objective=(front.objective if front else "") or own.get("objective", ""),
            summary=(front.summary if front else "") or own.get("summary", ""),
            items=tuple(self.items.values()),
            entities=tuple(self.entities),
            blocks=tuple(self._blocks()),
            borders=tuple(self.borders),
        )

    def _children(self, at: int, end: int) -> Iterator[int]:
        """The tokens directly below the one at `at`."""
        at += 1
        while at < end:
            yield at
            at = self.ends[at] + 1

    def _span(self, at: int) -> tuple[int, int]:
        """First and last line of a token, blank lines at its end left out."""
        start, end = self.tokens[at].map or [0, 0]
        while end > start + 1 and not self.document.lines[end - 1].strip():
            end -= 1
        return start + 1, end

    # ---- headings ------------------------------------------------------------------------------

    def _heading(self, at: int) -> None:
        text = self.tokens[at + 1].content.strip()
        level = int(self.tokens[at].tag[1])
        self.borders.append(self._span(at)[0])
        self.texts_ended |= set(self.texts)
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        above = self.headings[-1][1] if self.headings else None
        own = field_of(text)
        self.headings.append((level, own))
        self.now = own
        if own is None:
            self.heading = self.heading or " ".join(text.split())
            self.now = None if above in (None, *_TEXTS) or turns_away(text) else above

    def _label(self, at: int) -> str | None:
        """The field of a paragraph that stands for a heading right before a list."""
        behind = self.ends[at] + 1
        text = self.tokens[at + 1].content
        if behind >= len(self.tokens) or self.tokens[behind].type not in _LISTS:
            return None
        return field_of(text) if is_label(text) else None

    # ---- texts and lists -----------------------------------------------------------------------

    def _paragraph(self, at: int) -> None:
        if self.now in _TEXTS:
            self._text(at, self.now)
        elif self.now == "entities" and self.tokens[at - 1].type == "heading_close":
            self._name_all(re.split(r"[,;]", self.tokens[at + 1].content))

    def _text(self, at: int, name: str) -> None:
        """The first section of a field counts."""
        if name not in self.texts_ended:
            lines = self.document.part(*self._span(at)).splitlines()
            self.texts.setdefault(name, []).append("\n".join(line.rstrip() for line in lines))

    def _name_all(self, names: Sequence[str]) -> None:
        for name in names:
            bare = _EXPLAINED.split(" ".join(name.split()), maxsplit=1)[0].strip(" *_`.")
            if bare:
                self.entities.setdefault(bare)

    def _list(self, at: int, wanted: str | None) -> None:
        if wanted in _TEXTS:
            self._text(at, wanted)
        elif wanted == "entities":
            for item in self._children(at, self.ends[at]):
                self._name_all([self._lead(item)])
        elif wanted is not None:
            self._take_all(at, wanted)

    def _lead(self, item: int) -> str:
        """The first paragraph of a list item, if it begins with one."""
        inside = self.tokens[item + 1]
        return _joined(self.tokens[item + 2].content) if inside.type == "paragraph_open" else ""

    def _take_all(self, at: int, wanted: str) -> None:
        for item in self._children(at, self.ends[at]):
            self._take(item, wanted)

    def _take(self, item: int, wanted: str) -> None:
        kind = "tasks" if wanted == DONE else wanted
        box = _BOX.match(lead := self._lead(item))
        quote = lead[box.end() :] if box else lead
        if _struck(quote) or (kind not in KINDS):
            return
        ticked = box is not None and box[1] != " "
        status: TaskStatus = "done" if kind == "tasks" and (ticked or wanted == DONE) else "open"
        lines, last, below = self._words(item, quote)
        # A question with a tick is not open any more.
        if quote and not (ticked and kind == "open_questions"):
            text = "\n".join(lines)
            found = TakenItem(kind, text, quote, self._span(item)[0], last, status)
            self.items.setdefault((kind, comparison_key(text) or text), found)
        for at in below:
            self._take_all(at, wanted)

    def _words(self, item: int, lead: str) -> tuple[list[str], int, list[int]]:
        """The lines of an item's text, its last line, and lists below it whose items stand for
        themselves: those with boxes, and all below an item without words."""
        lines, last, below = [lead], self._span(item)[0], []
        for at in self._children(item, self.ends[item]):
            token = self.tokens[at]
            if token.type in _LISTS and (not lead or self._has_boxes(at)):
                below.append(at)
            elif token.type in _LISTS:
                lines += self._nested(at, 0)
                last = self._span(at)[1]
            elif token.type == "paragraph_open":
                lines += [_joined(self.tokens[at + 1].content)] if at > item + 1 else []
                last = self._span(at)[1]
        return lines, last, below

    def _has_boxes(self, at: int) -> bool:
        return any(_BOX.match(self._lead(item)) for item in self._children(at, self.ends[at]))

    def _nested(self, at: int, depth: int) -> Iterator[str]:
        """A list inside an item as it stands there, its depth by two blanks."""
        for item in self._children(at, self.ends[at]):
            token = self.tokens[item]
            mark = f"{'  ' * depth}{token.info}{token.markup} "
            for inside in self._children(item, self.ends[item]):
                if self.tokens[inside].type in _LISTS:
                    yield from self._nested(inside, depth + 1)
                elif self.tokens[inside].type == "paragraph_open":
                    yield mark + _joined(self.tokens[inside + 1].content)
                    mark = "  " * (depth + 1)

    # ---- code ----------------------------------------------------------------------------------

    def _blocks(self) -> Iterator[TakenBlock]:
        heading, used = "", dict[str, int]()
        for at, token in enumerate(self.tokens):
            if token.type == "heading_open":
                heading = _joined(self.tokens[at + 1].content)
            if token.type not in ("fence", "code_block") or not token.content.strip():
                continue
            first, last = self._span(at)
            kind, label = _info(token.info)
            label = (label or self._file_before(at) or heading or f"Lines {first} to {last}")[
                :MOST_LABEL
            ]
            used[label] = used.get(label, 0) + 1
            shown = f"{label} ({used[label]})" if used[label] > 1 else label
            yield TakenBlock(kind, shown, self._content(token), first, last)

    def _file_before(self, at: int) -> str:
        """The file that the paragraph right before a block names, and nothing else."""
        if at < 2 or self.tokens[at - 1].type != "paragraph_close":
            return ""
        found = _FILE.fullmatch(self.tokens[at - 2].content.strip()[: MOST_LABEL * 2])
        return found[1] if found else ""

    def _content(self, token: Token) -> str:
        """The document's own letters and line ends, where the block is not set in."""
        start, end = token.map or [0, 0]
        first = start + (2 if token.type == "fence" else 1)
        count = token.content.count("\n") + (not token.content.endswith("\n"))
        raw = self.document.part(first, min(first + count - 1, end))
        same = _LF.sub("\n", raw).rstrip("\n") == token.content.rstrip("\n")
        return raw if same else token.content


def _joined(content: str) -> str:
    """A paragraph on one line."""
    return " ".join(line.strip() for line in content.split("\n")).strip()


def _struck(text: str) -> bool:
    return len(text) > 4 and text.startswith("~~") and text.endswith("~~")


def _info(info: str) -> tuple[str, str]:
    """Type and, where a fence names one, the file or title: `python title="x.py"`, `py:a/x.py`."""
    named = _NAMED.search(info)
    label = next((each for each in named.groups() if each), "") if named else ""
    words = info.strip().strip("{}").split()
    word = words[0].lstrip(".") if words and "=" not in words[0] else ""
    word, _, path = word.partition(":")
    if not label and path:
        label = path
    if not label and len(words) > 1 and _FILE.fullmatch(words[1]):
        label = words[1]
    if "/" in word or (not label and _FILE.fullmatch(word)):
        label, word = label or word, word.rpartition(".")[2]
    return (word if _TYPE.fullmatch(word) else "text"), label
