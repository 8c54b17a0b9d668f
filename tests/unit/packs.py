"""Context packs read back by rules of their own: what a reader of Markdown or of tags sees."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
NAMES = (
    "context_pack", "how_to_read", "title", "origin", "left_out", "objective", "summary",
    "decisions", "decision", "assumptions", "assumption", "tasks", "task", "open_questions",
    "open_question", "text", "entities", "entity", "artifacts", "artifact", "label", "type",
    "content", "transcript", "turn", "checkpoint", "space", "branch", "author", "saved",
    "made_from", "project_root", "git", "session", "opened", "turns", "lines", "status", "intent",
    "id", "blocked_by", "retired", "reason", "rests_on", "quote", "quoted_from",
)  # fmt: skip


@dataclass
class Told:
    """An item: its label, its text and its facts."""

    label: str
    text: str
    facts: list[tuple[str, str]] = field(default_factory=list)


# ---- Markdown ----------------------------------------------------------------------------------


@dataclass
class Part:
    """A heading and what stands under it."""

    level: int
    heading: str
    nodes: list[SyntaxTreeNode] = field(default_factory=list)

    @property
    def block(self) -> str:
        """The only text under it: a paragraph or a fence."""
        (node,) = self.nodes
        return words(node)

    @property
    def fenced(self) -> str:
        """The last thing under it, which is a fence."""
        assert self.nodes[-1].type == "fence"
        return words(self.nodes[-1])

    @property
    def items(self) -> list[Told]:
        return [
            told(each)
            for node in self.nodes
            if node.type == "bullet_list"
            for each in node.children
        ]


def parts(text: str) -> list[Part]:
    """The headings of a document in their order; what is before the first has none."""
    found = [Part(0, "")]
    for node in SyntaxTreeNode(PARSER.parse(without_front(text))).children:
        if node.type == "heading":
            found.append(Part(int(node.tag[1:]), words(node)))
        else:
            found[-1].nodes.append(node)
    return found


def without_front(text: str) -> str:
    if text.startswith("---\n"):
        return text[text.index("\n---\n") + 5 :]
    return text


def words(node: SyntaxTreeNode) -> str:
    """What is read of a paragraph, a heading or a fence."""
    if node.type == "fence":
        return node.content.removesuffix("\n")
    return "".join(
        each.content for inline in node.children for each in inline.walk() if not each.children
    )


def told(item: SyntaxTreeNode) -> Told:
    """A list item: `label text`, or the label with the text in a fence; below it its facts."""
    first, *rest = item.children
    read = words(first)
    label, _, text = read.partition(" ") if first.type == "paragraph" else ("", "", read)
    if rest and rest[0].type == "fence":
        label, text = read, words(rest.pop(0))
    facts = [fact(each) for node in rest for each in node.children]
    return Told(label, text, facts)


def fact(item: SyntaxTreeNode) -> tuple[str, str]:
    """`name: value`, or the name with the value in a fence."""
    first, *rest = item.children
    name, _, value = words(first).partition(": ")
    return (name.removesuffix(":"), words(rest[0])) if rest else (name, value)


def plain(item: SyntaxTreeNode) -> str:
    """A list item that is a text alone."""
    (only,) = item.children
    return words(only)


# ---- tags --------------------------------------------------------------------------------------


@dataclass
class Element:
    """A tag, what stands in it as it stands, and the tags in it."""

    name: str
    attributes: dict[str, str]
    raw: str = ""
    inside: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What was stored: on one line, or without the line breaks beside the tags."""
        assert not self.inside
        return self.raw[1:-1] if self.raw.startswith("\n") else self.raw

    def all(self, name: str) -> list[Element]:
        return [each for each in self.inside if each.name == name]

    def one(self, name: str) -> Element:
        (found,) = self.all(name)
        return found


def element(text: str) -> Element:
    """The pack as a tree; every tag that has a name of ours counts, wherever it stands."""
    begun = re.match(r"<context_pack(_\d+)?>\n", text)
    assert begun, text[:40]
    mark = begun[1] or ""
    tag = re.compile(rf'<(/?)({"|".join(NAMES)}){mark}((?: [a-z]+="[^"<>]*")*)>')
    root = Element("", {})
    open_: list[tuple[Element, int]] = [(root, 0)]
    for found in tag.finditer(text):
        if found[1]:
            closed, begin = open_.pop()
            assert closed.name == found[2], (closed.name, found[2])
            closed.raw = text[begin : found.start()]
        else:
            made = Element(found[2], dict(re.findall(r'([a-z]+)="([^"]*)"', found[3])))
            open_[-1][0].inside.append(made)
            open_.append((made, found.end()))
    assert len(open_) == 1
    (whole,) = root.inside
    return whole
