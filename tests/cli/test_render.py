"""The renderers behind the command line: pure, cleaned, the same on every call."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from smriti_tui.domain.clean import clean
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import (
    Checkpoint,
    CheckpointBody,
    Cost,
    Evidence,
    Fault,
    GitState,
    Item,
    Note,
    Source,
    Turn,
    Usage,
)
from smriti_tui.domain.render.ages import age, exact
from smriti_tui.domain.render.brief import brief
from smriti_tui.domain.render.markdown import bullet, fence
from smriti_tui.domain.render.printed import json_text
from smriti_tui.domain.render.tables import cells, pairs, table
from smriti_tui.domain.render.turns_text import turns_text

NOW = "2026-03-02T14:05:09.123456Z"


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        ("2026-03-02T14:05:09.123456Z", "just now"),
        ("2026-03-02T14:04:09.223456Z", "just now"),
        ("2026-03-02T14:04:09.123456Z", "1 minute ago"),
        ("2026-03-02T13:05:10.000000Z", "59 minutes ago"),
        ("2026-03-02T13:05:09.000000Z", "1 hour ago"),
        ("2026-03-01T15:00:00.000000Z", "23 hours ago"),
        ("2026-03-01T14:00:00.000000Z", "1 day ago"),
        ("2026-02-01T00:00:00.000000Z", "29 days ago"),
        ("2026-01-31T00:00:00.000000Z", "2026-01-31"),
        ("2026-03-02T14:05:50.000000Z", "just now"),
        ("2026-03-02T16:10:09.123456Z", "in 2 hours"),
        ("2027-03-02T16:10:09.123456Z", "2027-03-02"),
    ],
)
def test_ages(moment: str, words: str) -> None:
    assert age(moment, NOW) == words


def test_exact_times() -> None:
    assert exact(NOW) == "2026-03-02 14:05:09 UTC"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "日本語",
        "e\u0301",
        "स्मृति",
        "👩\u200d💻 x",
        "❤\ufe0f!",
        "👍🏽 ok",
        "🇮🇳",
        "한글",
        "ｱ",
        "\u00ad",
    ],
)
def test_cells_are_those_of_the_terminal(text: str) -> None:
    assert cells(text) == cell_len(text)


def test_tables_line_up_by_cells_and_take_no_line_break() -> None:
    text = table(("name", "n"), [("日本", "1"), ("a\nb\tc\x1b", "20")], right=(1,))
    assert text == "name     n\n日本     1\na b c\u241b  20"
    assert pairs([("A", "x"), ("Longer", "y\nz"), ("B", "")]) == "A       x\nLonger  y z\nB"


@given(st.text())
def test_a_fence_is_never_closed_from_inside(content: str) -> None:
    first, *inside, last = fence(content).split("\n")
    assert first == last
    assert set(first) == {"`"}
    assert all(first not in line for line in inside)


@given(st.text())
def test_a_bullet_never_leaves_its_entry(text: str) -> None:
    first, *others = bullet(text).split("\n")
    assert first.startswith("- ")
    assert all(line.startswith("  ") for line in others)


@given(st.recursive(st.text() | st.integers() | st.none(), st.lists))
def test_json_text_keeps_every_value_and_drives_no_terminal(value: object) -> None:
    for text in (json_text(value), json_text(value, indent=2)):
        assert clean(text) == text
        text.encode()
        assert json.loads(text) == value


FULL = Checkpoint(
    id=CheckpointId("4c1e9a0" + "0" * 57),
    branch=BranchId("b"),
    position=7,
    branch_name="feat/x",
    body=CheckpointBody(
        space=SpaceId("s"),
        parents=(CheckpointId("aaaaaaa1"), CheckpointId("bbbbbbb2")),
        title="Choose FTS5",
        author="codex",
        created_at=NOW,
        decisions=(
            Item(
                "u1",
                "Use FTS5",
                evidence=(
                    Evidence("it is\nbuilt in", "found", SessionId("3f9a1c2d"), 4),
                    Evidence(
                        "q", "not_found", document_sha256="cafe" * 16, lines=(3, 4), kept_by="ada"
                    ),
                ),
                rests_on=("u2", "artifact-9"),
            ),
            Item("u3", "Old", state="retired", retired_by="ada", reason="too slow"),
        ),
        assumptions=(Item("u2", "Small"),),
        git=GitState("0123456789", "main"),
        source=Source(SessionId("3f9a1c2d"), 2, 5, 8),
    ),
)
NOTE = Note("n", FULL.id, "milestone", "shipped\nit", "ada", NOW)


def test_a_brief_names_every_field() -> None:
    text = brief(FULL, "Search", [NOTE])
    assert (
        "Space Search, branch feat/x, by codex, 2026-03-02 14:05:09 UTC, parents: aaaaaaa, bbb"
        in text
    )
    assert "Git: 0123456 on main" in text
    assert "Made from turns 5 to 8 of session 3f9a1c2, line 2" in text
    assert "- D1 Use FTS5\n  - rests on A1, artifac\n" in text
    assert '  - evidence: turn 4 of session 3f9a1c2, "it is built in" (found)' in text
    assert '  - evidence: document cafecaf lines 3-4, "q" (not found, kept by ada)' in text
    assert "- D2 Old (retired by ada: too slow)" in text
    assert "- [milestone] shipped\n  it (ada, 2026-03-02 14:05:09 UTC)" in text
    assert "## Tasks" not in text
    assert text == brief(FULL, "Search", [NOTE])


def test_turns_tell_their_state() -> None:
    base = Turn(SessionId("s"), 1, 1, "user", "hi", "hi", "complete", NOW)
    failed = Turn(
        SessionId("s"), 2, 1, "assistant", "", "", "failed", NOW, question=1, model="m",
        error=Fault("auth", "No\x1b key."), usage=Usage(3, 0), cost=Cost("0.1", "library"),
    )  # fmt: skip
    running = Turn(SessionId("s"), 3, 2, "assistant", "", "", "running", NOW, question=1)
    text = turns_text([base, failed, running])
    assert "## 1 user, line 1, 2026-03-02 14:05:09 UTC\n\nhi\n" in text
    assert "## 2 assistant, line 1, answers 1, failed, m, 3 + 0 tokens, $0.1 (library), " in text
    assert "(failed: No\u241b key.)" in text
    assert text.endswith("(no text yet)")
    assert turns_text([]) == "No turns."
