"""STATE keeps its structure whatever is stored (P71), as a CommonMark parser sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.clean import clean
from smriti_tui.domain.model import Artifact, Evidence, Item, Task
from smriti_tui.domain.render.export_markup import block, bullet, code, fence, heading, inline
from smriti_tui.services import Services
from tests.support import opened_services, send

pytestmark = pytest.mark.contract

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

NASTY = (
    "# a heading",
    "- [ ] a task",
    "a | b | c",
    "one\n- two\n- three",
    "```\nopen fence",
    "~~~~ tildes",
    "<!-- an open comment",
    "<script>alert(1)",
    "</details><h1>x</h1>",
    "---",
    "===",
    "1. first",
    "> quoted",
    "[link]: http://a.b 'x'",
    "![image](x) [link](y) <http://a.b>",
    "*star* _under_ snake_case **bold",
    "&lt;b&gt; &amp; & done \\",
    "`tick `` two ```",
    "    four spaces",
    "\ttab",
    "  padded  ",
    "title #",
    "+ plus",
    "\x1b[31mred\x07 \u202ereversed",
    "a\rb\r\nc\u2028d",
    "|---|---|",
    "# a\n\n## b\n\n</div>\n\n```\n````\n~~~~~",
)
MARKDOWN_FILE = (
    "# Title\n\n```python\nprint('x')\n```\n\n````md\n```\ninner\n```\n````\n\n~~~~\n"
    "tildes\n~~~~\n\n- list\n  ```\n"
)


def _headings(tokens: list[Token]) -> list[str]:
    return [
        f"{token.tag} {_shown(tokens[i + 1])}"
        for i, token in enumerate(tokens)
        if token.type == "heading_open"
    ]


def _shown(token: Token) -> str:
    return "".join(child.content for child in token.children or [])


def _hostile() -> CheckpointInput:
    artifacts = [Artifact(f"a{i}", text[:20], text, text) for i, text in enumerate(NASTY)]
    artifacts.append(Artifact("file", "markdown", "notes.md", MARKDOWN_FILE))
    evidence = tuple(Evidence(text, "not_found") for text in NASTY)
    return CheckpointInput(
        title="# Title | with `ticks` #",
        objective="# no heading",
        summary="| a |\n|---|\n# no heading either\n```",
        decisions=tuple(Item("", text, reason=text, evidence=evidence[:3]) for text in NASTY),
        assumptions=tuple(
            Item("", text, state="retired", retired_by=text, reason=text) for text in NASTY
        ),
        tasks=tuple(Task("", text, id=text, blocked_by=(text,)) for text in NASTY),
        entities=NASTY,
        artifacts=tuple(artifacts),
    )


async def test_structure_survives_everything_that_is_stored(services: Services) -> None:
    space = services.spaces.create("# Space | <b>", description="# not a heading\n- nor a list")
    services.checkpoints.create(space.id, _hostile())
    session = services.sessions.new(space.id, title="- [ ] talk `x`")
    for text in NASTY:
        if text.strip():
            await send(services, session.id, text)
    exporting = services.exporting
    text = "".join(exporting.text(exporting.select(space=space.id), "md"))
    assert text == clean(text)
    tokens = PARSER.parse(text)
    found = _headings(tokens)
    count = len(NASTY)
    turns = [f"h4 Turn {n}: " + ("answer to" if n % 2 == 0 else "question") for n in range(1, 99)]
    assert found[:9] == [
        "h1 # Space | <b>",
        "h2 Branches",
        "h2 Head: # Title | with `ticks` #",
        "h3 Objective",
        "h3 Summary",
        "h3 Decisions",
        "h3 Assumptions",
        "h3 Tasks",
        "h3 Entities",
    ]
    assert [name.split(":")[0] for name in found[9 : 10 + count]] == ["h3 Artifact"] * (count + 1)
    assert found[10 + count : 12 + count] == ["h2 Sessions", "h3 - [ ] talk `x`"]
    assert len(found) == 12 + count + 2 * count
    for name, start in zip(found[12 + count :], turns, strict=False):
        assert name.startswith(start)
    types = {token.type for token in tokens}
    assert types.isdisjoint({"html_block", "hr", "blockquote_open", "table_open", "code_block"})
    inlines = [child.type for token in tokens for child in token.children or []]
    assert set(inlines).isdisjoint({"html_inline", "link_open", "image", "em_open", "s_open"})
    fences = [token.content for token in tokens if token.type == "fence"]
    assert MARKDOWN_FILE + "\n" in fences
    firsts = [_shown(t) for t in tokens if t.type == "inline" and t.level == 3]
    labels = [first.split()[0] for first in firsts if re.match(r"[DAT]\d+( |$)", first)]
    assert labels == [f"{letter}{n}" for letter in "DAT" for n in range(1, count + 1)]


def test_the_json_of_hostile_content_gives_it_back(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        space = services.spaces.create("P71")
        saved = services.checkpoints.create(space.id, _hostile()).checkpoint
        exporting = services.exporting
        text = "".join(exporting.text(exporting.select(space=space.id), "json"))
    (stored,) = json.loads(text)["state"]["spaces"][0]["checkpoints"]
    assert [item["text"] for item in stored["body"]["decisions"]] == list(NASTY)
    assert stored["body"]["artifacts"][-1]["content"] == MARKDOWN_FILE
    assert stored["id"] == saved.id


@pytest.mark.parametrize("text", NASTY)
def test_a_line_reads_as_it_was_stored(text: str) -> None:
    one = " ".join(clean(text).replace("\t", " ").split("\n")).strip()
    tokens = PARSER.parse(f"- D1 {inline(text)}\n")
    assert [t.type for t in tokens if t.level == 0] == ["bullet_list_open", "bullet_list_close"]
    assert [_shown(t) for t in tokens if t.type == "inline"] == [f"D1 {one}"]


words = st.text(st.sampled_from("ab#-+*_`~[]()<>|&!\\=:.1 \n\t\r\u0915\u2028\x1b$"), max_size=24)


@settings(max_examples=300, deadline=None)
@given(words)
def test_any_text_stays_in_its_block(text: str) -> None:
    shown = clean(text)
    (only,) = PARSER.parse(fence(text))
    assert only.content == shown + "\n"
    document = f"{heading(2, 'x' + inline(text))}\n- a\n{bullet(text)}\n# End\n"
    tokens = PARSER.parse(document)
    assert [token.type for token in tokens if token.level == 0 and token.nesting == 1] == [
        "heading_open",
        "bullet_list_open",
        "heading_open",
    ]
    assert sum(token.type == "list_item_open" for token in tokens) == 2
    if text:
        paragraph = PARSER.parse(block(text))
        assert paragraph[0].type in ("paragraph_open", "fence")
        assert [token.level for token in paragraph].count(0) <= 2
    (span,) = [t for t in PARSER.parse(f"x {code(text)} y") if t.type == "inline"]
    kinds = [child.type for child in span.children or []]
    assert kinds in (["text", "code_inline", "text"], ["text"])
