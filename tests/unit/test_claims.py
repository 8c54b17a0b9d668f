"""What a claim is at a moment, and which get into each other's way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.claims import Claim, overlap, overlaps, scope_paths, shared_paths
from smriti_tui.domain.durations import later, parse_span, span_words
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import BranchId, SpaceId

TAKEN = "2026-03-02T14:00:00.000000Z"
HINDI = "\u0916\u094b\u091c \u0938\u0942\u091a\u0940"


def claim(number: int, scope: str, task: str | None = None, agent: str = "codex") -> Claim:
    return Claim(
        f"c{number}", SpaceId("s"), agent, scope, "implement", task, BranchId("b"), "main", None,
        None, 1, "active", TAKEN, later(TAKEN, 4 * 3600), None, None, number,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "seconds"), [("30m", 1800), ("4h", 14_400), ("2d", 172_800), (" 1H 30m ", 5400)]
)
def test_a_span_is_read(text: str, seconds: int) -> None:
    assert parse_span(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "4", "0m", "-1h", "4x", "h", "1.5h", "\u0664h", "99999d", "1h,"]
)
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_span(text)


@given(st.integers(-(10**9), 10**9))
def test_what_is_left_is_never_negative_and_never_more_than_was_given(jump: int) -> None:
    found = claim(1, "x")
    now = later(TAKEN, jump)
    left = found.left_s(now)
    assert 0 <= left <= 4 * 3600
    assert (left > 0) <= found.holds(now)
    assert "-" not in span_words(left)


def test_the_deadline_itself_is_over() -> None:
    found = claim(1, "x")
    assert found.state(later(TAKEN, 4 * 3600 - 1)) == "active"
    assert found.state(found.expires_at) == "expired"
    assert replace(found, status="done").state(found.expires_at) == "done"


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (("a", "load-1"), ("b", "Load-1"), "task"),
        (("the same words here", "load-1"), ("the same words here", "load-2"), None),
        (("rebuild the index as a job", None), ("index rebuild job", "t"), "scope"),
        (("load test with 2 M documents", None), ("write the docs", None), None),
        (("fix index/build.py", None), ("refactor index/", None), "files"),
        (("fix index/build.py", None), ("refactor index/search.py", None), None),
        (("tests/**/*.py", None), ("look at tests/ui/house.py", None), "files"),
        (("README.md", None), ("docs in README.md", None), "files"),
        ((HINDI, None), (HINDI, None), "scope"),
    ],
)
def test_which_claims_overlap(
    one: tuple[str, str | None], other: tuple[str, str | None], kind: str | None
) -> None:
    found = overlap(claim(1, *one), claim(2, *other))
    assert (found.kind if found else None) == kind
    assert overlap(claim(2, *other), claim(1, *one)) == found


def test_all_pairs_of_those_that_hold_are_told_newest_first() -> None:
    same = [claim(number, "same scope of work") for number in (1, 2, 3)]
    ended = replace(claim(4, "same scope of work"), status="done")
    found = overlaps([*same, ended], later(TAKEN, 60))
    assert [(each.one.id, each.other.id) for each in found] == [
        ("c2", "c3"), ("c1", "c3"), ("c1", "c2"),
    ]  # fmt: skip
    assert overlaps(same, later(TAKEN, 5 * 3600)) == []


def test_paths_of_a_scope() -> None:
    found = scope_paths("edit ./src/a.py, docs/ and (lib/x/y.ts)")
    assert found == ["src/a.py", "docs", "lib/x/y.ts"]
    assert scope_paths("version 2.0 of 3.5 things") == []
    assert shared_paths(["src/a.py"], ["src/ab.py"]) == []
