"""Context packs: every stored text is found back letter by letter, and none gets out of its
place (P71)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId, SpaceId
from smriti_tui.domain.items import KINDS, LETTERS, item_list
from smriti_tui.domain.model import (
    Artifact,
    Checkpoint,
    CheckpointBody,
    Evidence,
    GitState,
    Item,
    Session,
    Source,
    Task,
    Turn,
)
from smriti_tui.domain.render.context_pack import (
    TARGETS,
    Pack,
    Target,
    advice,
    checkpoint_pack,
    session_pack,
)
from smriti_tui.domain.render.export_state import TITLES
from smriti_tui.domain.render.pack_tags import SINGULAR
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.tokens import text_tokens
from tests.unit.packs import Element, Part, element, parts, plain

MARKDOWN: tuple[Target, ...] = ("generic", "cursor", "chatgpt")
PIECES = (
    "# ", "## Decisions\n", "- [ ] x", "|", "a | b\n|---|---|\n", "```", "````\n", "~~~~", "\n",
    " ", "\t", "\r\n", "---\n", "===", "> ", "1. ", "*", "_", "<!--", "[a]: b", "![x](y)", "&lt;",
    "\\", "$", ":", "</artifact>", "</artifact_2>", "<artifact>", "</content>", "< / CONTENT >",
    "</content_3", "</context_pack>", "</context_pack_2>", '<decision label="D9">', "</turn>",
    "<turn", "<title>x</title>", "</", "<", ">", "_2>", "\x1b[31m", "\u202e", "\x07", "a", "word",
    "é漢", "👩\u200d👧", "- **D7** ",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
MOMENT = "2026-03-02T14:05:09.123456Z"


def checkpoint(**more: object) -> Checkpoint:
    body = CheckpointBody(SpaceId("s"), (), "Title", "ada", MOMENT)
    return Checkpoint(CheckpointId("4c1e9a0" * 9), BranchId("b"), replace(body, **more), 1)  # type: ignore[arg-type]


def whole() -> Checkpoint:
    """Something of everything."""
    session = SessionId("3f9a1c2d-0000-4000-8000-000000000000")
    return checkpoint(
        title="Use FTS5",
        objective="Search that works offline",
        summary="One file.\n\n# No server\n- measured",
        decisions=(
            Item("d1", "Use FTS5", evidence=(Evidence("we take FTS5", "found", session, 4),)),
            Item("d2", "Three lines:\n- one\n- two", rests_on=("a1", "f1", "elsewhere")),
            Item("d3", "Use Tantivy", state="retired", retired_by="bob", reason="too\nbig"),
        ),
        assumptions=(Item("a1", "# 2 M documents | at most"),),
        tasks=(
            Task("t1", "- [ ] load test", "load", "test", (), "done"),
            Task("t2", "Roll out", None, "implement", ("load", "t0")),
        ),
        open_questions=(Item("q1", "What about `C++`?"),),
        entities=("fts5", "日本語"),
        artifacts=(Artifact("f1", "markdown", "notes.md", "```\n````\n</artifact>\n# x\n"),),
        project_root="/home/ada/search",
        git=GitState("9b2f77d" * 5, "main"),
        source=Source(session, 1, 1, 8),
    )


# ---- the parts of a checkpoint -----------------------------------------------------------------


@pytest.mark.parametrize("target", get_args(Target))
def test_every_field_is_in_every_pack_and_where_it_came_from(target: Target) -> None:
    text = checkpoint_pack(whole(), "Search", target, evidence=True).text
    for words in (
        "4c1e9a0", "Search", "main", "ada", "2026-03-02 14:05:09 UTC", "/home/ada/search",
        "9b2f77d on main", "turns 1 to 8 of session 3f9a1c2", "Search that works offline",
        "# No server", "- two", "we take FTS5", "turn 4 of session 3f9a1c2, found", "load", "t0",
        "implement", "日本語", "````\n</artifact>\n# x\n",
    ):  # fmt: skip
        assert words in text
    assert text == clean(text)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text == checkpoint_pack(whole(), "Search", target, evidence=True).text
    assert "we take FTS5" not in checkpoint_pack(whole(), "Search", target).text


def test_retired_items_are_marked_and_a_rule_file_only_counts_them() -> None:
    text = checkpoint_pack(whole(), "Search", "generic").text
    assert "- **D3** Use Tantivy\n  - retired: by bob\n  - reason:\n" in text
    told = checkpoint_pack(whole(), "Search", "claude").text
    assert "<text_2>Use Tantivy</text_2>\n<retired_2>by bob</retired_2>\n<reason_2>\ntoo" in told
    rules = checkpoint_pack(whole(), "Search", "cursor")
    assert "Tantivy" not in rules.text
    assert "- left out: 1 retired item\n" in rules.text
    assert rules.left_out == ("1 retired item",)


def test_a_task_says_all_that_is_known_of_it_and_links_name_what_they_mean() -> None:
    text = checkpoint_pack(whole(), "Search", "generic").text
    assert "  - status: done\n  - intent: test\n  - id: load\n" in text
    assert "  - blocked by: load\n  - blocked by: t0\n" in text
    assert "  - rests on: A1\n  - rests on: artifact notes.md\n  - rests on: elsewhere\n" in text


def test_what_each_target_begins_with() -> None:
    packs = {target: checkpoint_pack(whole(), "Search", target).text for target in TARGETS}
    assert packs["generic"].startswith("# Use FTS5\n\nThis is the saved state")
    assert packs["chatgpt"].startswith("I am handing over to you the saved state")
    assert packs["cursor"].startswith(
        '---\ndescription: "Use FTS5 (Smriti checkpoint 4c1e9a0)"\nglobs:\nalwaysApply: true\n---\n'
    )
    assert packs["claude"].startswith("<context_pack_2>\n<how_to_read_2>")
    assert "Tags of this pack end in _2; any other tag" in packs["claude"]
    quiet = checkpoint_pack(checkpoint(title='a" : \x1b\n---\nb'), "S", "cursor").text
    assert quiet.splitlines()[1].startswith('description: "a\\" : ␛ --- b (Smriti')


@pytest.mark.parametrize("target", get_args(Target))
def test_an_empty_checkpoint_has_no_empty_parts(target: Target) -> None:
    text = checkpoint_pack(checkpoint(), "Search", target).text
    for words in ("Objective", "ecisions", "Entities", "Artifact:", "objective", "<artifacts"):
        assert words not in text.replace("Take its decisions", "")[500:]
    assert text.count("\n## ") == 0


# ---- found back, whatever is stored ------------------------------------------------------------


@st.composite
def checkpoints(draw: st.DrawFn) -> Checkpoint:
    def items(letter: str) -> tuple[Item, ...]:
        return tuple(
            Item(f"{letter}{n}", draw(TEXTS), evidence=(Evidence(draw(TEXTS), "not_found"),))
            for n in range(draw(st.integers(0, 2)))
        )

    tasks = [
        Task(f"t{n}", draw(TEXTS), draw(TEXTS) or None, None, (draw(TEXTS),), "open", "retired",
             draw(TEXTS) or None, draw(TEXTS) or None)
        for n in range(draw(st.integers(0, 2)))
    ]  # fmt: skip
    artifacts = [
        Artifact(f"f{n}", draw(TEXTS), draw(TEXTS), draw(TEXTS))
        for n in range(draw(st.integers(0, 2)))
    ]
    return checkpoint(
        title=draw(TEXTS),
        objective=draw(TEXTS),
        summary=draw(TEXTS),
        decisions=items("d"),
        assumptions=items("a"),
        tasks=tuple(tasks),
        open_questions=items("q"),
        entities=tuple(draw(st.lists(TEXTS, max_size=2))),
        artifacts=tuple(artifacts),
        author=draw(TEXTS),
        project_root=draw(TEXTS),
    )


def line(text: str) -> str:
    return clean_line(text).strip()


def facts(item: Item | Task) -> list[tuple[str, str]]:
    """What must be said of an item, by the names in Markdown."""
    found: list[tuple[str, str]] = []
    if isinstance(item, Task):
        found = [("status", item.status)]
        found += [("id", clean(item.id))] if item.id else []
        found += [("blocked by", clean(each)) for each in item.blocked_by]
        by = clean(f"by {item.retired_by}" if item.retired_by else "no longer holds")
        found += [("retired", by)]
        found += [("reason", clean(item.reason))] if item.reason else []
    return found + [("quote (not found)", clean(each.quote)) for each in item.evidence]


@given(checkpoints(), st.sampled_from(MARKDOWN))
def test_markdown_gives_every_text_back_and_has_no_other_part(
    given_: Checkpoint, target: Target
) -> None:
    body = given_.body
    pack = checkpoint_pack(given_, "Search", target, evidence=True)
    found = [part for part in parts(pack.text) if part.level]
    expected = [(1, line(body.title))]
    expected += [(2, "Objective")] if body.objective else []
    expected += [(2, "Summary")] if body.summary else []
    live = [kind for kind in KINDS if item_list(body, kind)]
    if target == "cursor":
        live = [kind for kind in live if kind != "tasks"]  # all are retired
    expected += [(2, TITLES[kind]) for kind in live]
    expected += [(2, "Entities")] if body.entities else []
    expected += [(2, f"Artifact: {line(each.label)}".rstrip()) for each in body.artifacts]
    assert [(part.level, part.heading) for part in found] == expected
    named = {part.heading: part for part in found[1:]}
    if body.objective:
        assert named["Objective"].block == clean(body.objective)
    if body.summary:
        assert named["Summary"].block == clean(body.summary)
    for kind in live:
        _same_items(named[TITLES[kind]], item_list(body, kind), LETTERS[kind])
    if body.entities:
        (rows,) = named["Entities"].nodes
        assert [plain(row) for row in rows.children] == [clean(each) for each in body.entities]
    ends = found[len(found) - len(body.artifacts) :]
    assert [part.fenced for part in ends] == [clean(each.content) for each in body.artifacts]
    assert pack.text == clean(pack.text)


def _same_items(part: Part, items: Sequence[Item | Task], letter: str) -> None:
    assert [told.label for told in part.items] == [
        f"{letter}{number}" for number in range(1, len(items) + 1)
    ]
    assert [told.text for told in part.items] == [clean(item.text) for item in items]
    assert [told.facts for told in part.items] == [facts(item) for item in items]


@given(checkpoints())
def test_tags_give_every_text_back_and_have_no_other_element(given_: Checkpoint) -> None:
    body = given_.body
    pack = element(checkpoint_pack(given_, "Search", "claude", evidence=True).text)
    expected = ["how_to_read", "title", "origin"]
    expected += ["objective"] if body.objective else []
    expected += ["summary"] if body.summary else []
    expected += [kind for kind in KINDS if item_list(body, kind)]
    expected += ["entities"] if body.entities else []
    expected += ["artifacts"] if body.artifacts else []
    assert [each.name for each in pack.inside] == expected
    assert pack.one("title").text == clean(body.title)
    for name in ("objective", "summary"):
        assert [each.text for each in pack.all(name)] == [
            clean(text) for text in [getattr(body, name)] if text
        ]
    for kind in KINDS:
        for group in pack.all(kind):
            _same_tags(group, item_list(body, kind), SINGULAR[kind], LETTERS[kind])
    for group in pack.all("entities"):
        assert [each.text for each in group.inside] == [clean(each) for each in body.entities]
    for group in pack.all("artifacts"):
        assert [[inner.text for inner in each.inside] for each in group.inside] == [
            [clean(each.label), clean(each.type), clean(each.content)] for each in body.artifacts
        ]


def _same_tags(group: Element, items: Sequence[Item | Task], name: str, letter: str) -> None:
    assert [(each.name, each.attributes) for each in group.inside] == [
        (name, {"label": f"{letter}{number}"}) for number in range(1, len(items) + 1)
    ]
    for each, item in zip(group.inside, items, strict=True):
        found = [(inner.name, inner.text) for inner in each.inside if inner.name != "quoted_from"]
        said = [(fact.split(" (")[0].replace(" ", "_"), value) for fact, value in facts(item)]
        assert found == [("text", clean(item.text)), *said]


# ---- transcripts -------------------------------------------------------------------------------

SESSION = Session(
    SessionId("3f9a1c2d"), SpaceId("s"), BranchId("b"), "Talk", 1, 8, MOMENT, MOMENT, "main"
)


def turn(number: int, text: str = "", **more: object) -> Turn:
    base = Turn(SESSION.id, number, 1, "user", text, text, "complete", MOMENT)
    if number % 2 == 0:
        base = replace(base, role="assistant", question=number - 1)
    return replace(base, **more)  # type: ignore[arg-type]


def talk(texts: Sequence[str]) -> list[Turn]:
    return [turn(number, text) for number, text in enumerate(texts, 1)]


@given(st.lists(TEXTS.filter(bool), max_size=5), st.sampled_from(MARKDOWN))
def test_markdown_gives_every_turn_back(texts: list[str], target: Target) -> None:
    pack = session_pack(SESSION, "Search", talk(texts), target)
    found = [part for part in parts(pack.text) if part.level]
    expected = [(1, "Talk"), (2, "Transcript")] if texts else [(1, "Talk")]
    roles = ["assistant", "user"]
    expected += [(3, f"Turn {n}: {roles[n % 2]}") for n in range(1, len(texts) + 1)]
    assert [(part.level, part.heading) for part in found] == expected
    assert [part.block for part in found[2:]] == list(map(clean, texts))


@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=5))
def test_tags_give_every_turn_back(texts: list[str]) -> None:
    pack = element(session_pack(SESSION, None, talk(texts), "claude").text)
    assert [each.name for each in pack.inside] == ["how_to_read", "title", "origin", "transcript"]
    said = pack.one("transcript").inside
    assert [each.text for each in said] == list(map(clean, texts))
    assert [each.attributes["number"] for each in said] == [str(n + 1) for n in range(len(texts))]


def test_a_transcript_has_the_chosen_answers_and_counts_what_it_leaves_out() -> None:
    turns = [
        turn(1, "one"), turn(2, "first try"), turn(3, "again", role="assistant", question=1),
        turn(4, "sys", role="system", question=None), turn(5, "two", line=2),
        turn(6, "half", line=2, question=5, status="cut"),
        turn(7, "", role="assistant", question=5, status="running"),
    ]  # fmt: skip
    pack = session_pack(SESSION, "Search", turns, "generic")
    found = [part.heading for part in parts(pack.text) if part.level == 3]
    assert found == [
        "Turn 1: user", "Turn 3: assistant", "Turn 5: user, line 2",
        "Turn 6: assistant, line 2, cut",
    ]  # fmt: skip
    assert pack.turns == (1, 6)
    assert pack.left_out == (
        "1 turn of the system", "1 turn still running", "1 turn of an answer that was not chosen",
    )  # fmt: skip
    assert "turns of different lines did not see each other" in pack.text
    assert session_pack(SESSION, None, turns, "claude", first=5).turns == (5, 6)
    assert session_pack(SESSION, None, (), "claude").turns is None


# ---- a budget ----------------------------------------------------------------------------------


@pytest.mark.parametrize("target", get_args(Target))
def test_a_budget_cuts_artifacts_first_and_says_so(target: Target) -> None:
    long = replace(whole().body, artifacts=(Artifact("f1", "text", "big", "word " * 4000),))
    given_ = replace(whole(), body=long)
    pack = checkpoint_pack(given_, "Search", target, budget=1800)
    assert pack.fits
    assert pack.tokens == text_tokens(pack.text) <= 1800
    assert "18,000 characters of 1 artifact" in pack.left_out
    assert "18,000 characters of 1 artifact" in pack.text
    assert "[cut here: 2,000 of 20,000 characters]" in pack.text
    tight = checkpoint_pack(given_, "Search", target, budget=10)
    assert not tight.fits
    assert "Three lines:" in tight.text
    assert "longer than the budget" in advice(tight).lower()
    assert checkpoint_pack(given_, "S", target, budget=10**6) == replace(
        checkpoint_pack(given_, "S", target), fits=True
    )


@given(
    st.lists(TEXTS.filter(bool), max_size=8),
    st.integers(100, 900),
    st.sampled_from(get_args(Target)),
)
def test_a_budget_keeps_the_newest_turns(texts: list[str], budget: int, target: Target) -> None:
    pack = session_pack(SESSION, "Search", talk(texts), target, budget=budget)
    assert pack.tokens == text_tokens(pack.text)
    assert pack.fits == (pack.tokens <= budget)
    if not pack.fits:  # The frame alone is longer.
        assert pack.turns is None
    begin = pack.turns[0] if pack.turns else len(texts) + 1
    assert pack.turns is None or pack.turns[1] == len(texts)
    assert begin % 2 or begin > len(texts)
    gone = counted(begin - 1, "turn")
    assert pack.left_out == ((f"the first {gone}, for the budget",) if begin > 1 else ())


# ---- advice ------------------------------------------------------------------------------------


def test_advice_is_about_the_size() -> None:
    def said(target: Target, size: int) -> str:
        return advice(Pack(target, "x\n" * (size // 2), 0))

    assert said("generic", 90_000) == said("claude", 90_000) == said("chatgpt", 1500) == ""
    assert said("chatgpt", 8000) == (
        "Too long for custom instructions (1,500 characters): paste it as a message."
    )
    assert "and a project's (8,000): paste it as a message." in said("chatgpt", 8002)
    assert ".cursor/rules" in said("cursor", 10)
    assert "500 lines; these are 501" in said("cursor", 1002)
