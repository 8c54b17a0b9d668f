"""Compare: over all fields, in every script; and the words that changed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.compare import Compared, compare
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.domain.lineage import Ancestor, is_ancestor, merge_bases
from smriti_tui.domain.model import Artifact, Checkpoint, CheckpointBody, Item, Task
from smriti_tui.domain.words import line_changes, word_changes

SCRIPTS = {
    "latin": "Use PostgreSQL",
    "hindi": "यह तय है",
    "chinese": "使用数据库",
    "arabic": "نستخدم قاعدة",
    "russian": "Используем базу",
    "greek": "Χρήση βάσης",
    "hebrew": "שימוש במסד",
    "thai": "ใช้ฐานข้อมูล",
    "korean": "데이터베이스 사용",
    "tamil": "தரவுத்தளம்",
}


def saved(name: str, **fields: Any) -> Checkpoint:
    body = CheckpointBody(SpaceId("s"), (), name, "ada", "2026-01-01T00:00:00.000000Z", **fields)
    return Checkpoint(CheckpointId(name), BranchId("b"), body, 1)


def decided(*texts: str, side: str = "") -> tuple[Item, ...]:
    return tuple(Item(f"{side}{number}", text) for number, text in enumerate(texts))


def decisions(a: tuple[Item, ...], b: tuple[Item, ...]) -> Compared[Any]:
    return compare(saved("a", decisions=a), saved("b", decisions=b)).items["decisions"]


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_a_decision_is_found_again_in_every_script(text: str) -> None:
    one, other = f" “{text}.”", f"{text.upper()}!"
    found = decisions(decided(one, "only a", side="a"), decided(f"{text} 2", other, side="b"))
    assert [(pair.a.text, pair.b.text) for pair in found.shared] == [(one, other)]
    assert [each.text for each in found.only_b] == [f"{text} 2"]


def test_signs_that_mean_something_differ_and_a_wording_is_told_as_in_a() -> None:
    found = decisions(
        decided("C", "C++", "---", "Use PostgreSQL.", side="a"),
        decided("C#", "C++", "---", "use postgresql", side="b"),
    )
    assert [pair.a.text for pair in found.shared] == ["C++", "Use PostgreSQL."]
    assert [each.text for each in found.only_a] == ["C", "---"]
    assert [each.text for each in found.only_b] == ["C#", "---"]


def test_an_item_is_followed_by_its_uid_and_a_task_by_all_it_says() -> None:
    a = Task("u", "Load test", intent_hint="test", blocked_by=("x",))
    b = Task("u", "Load test with 2 M", intent_hint="review", status="done", blocked_by=("x",))
    (pair,) = compare(saved("a", tasks=(a,)), saved("b", tasks=(b,))).items["tasks"].changed
    assert pair.changes == ("text", "intent_hint", "status")


def test_a_checkpoint_against_itself_shares_everything() -> None:
    one = saved("a", decisions=decided("A", "B"), entities=("x",), objective="O",
                artifacts=(Artifact("i", "text", "l", "c"),))  # fmt: skip
    found = compare(one, one)
    assert all(each.same for each in found.items.values())
    assert found.entities.same
    assert found.artifacts.same
    assert not found.objective.changes


def test_artifacts_are_paired_by_id_and_then_by_label() -> None:
    a = saved("a", artifacts=(Artifact("1", "csv", "bench", "x"), Artifact("2", "csv", "o", "q")))
    b = saved("b", artifacts=(Artifact("9", "csv", "bench", "y"), Artifact("2", "csv", "n", "q")))
    changed = compare(a, b).artifacts.changed
    assert [(pair.a.id, pair.b.id, pair.changes) for pair in changed] == [
        ("1", "9", ("content",)), ("2", "2", ("label",)),
    ]  # fmt: skip


# ---- words and lines ---------------------------------------------------------------------------


@given(st.text(), st.text())
def test_the_pieces_of_a_change_are_both_texts(a: str, b: str) -> None:
    pieces = word_changes(a, b)
    assert "".join(piece.text for piece in pieces if piece.sign != "+") == a
    assert "".join(piece.text for piece in pieces if piece.sign != "-") == b


def test_no_letter_is_parted_from_its_marks() -> None:
    told = word_changes("नमस्ते दुनिया", "नमस्कार दुनिया")
    assert [piece.text for piece in told] == ["नमस्ते", "नमस्कार", " दुनिया"]
    assert [piece.text for piece in word_changes("使用数据库", "不用数据库")] == [
        "使",
        "不",
        "用数据库",
    ]


def test_changed_lines_come_with_their_neighbours() -> None:
    a = "".join(f"{number}\n" for number in range(20))
    told = line_changes(a, a.replace("10\n", "-- ten\n"), around=1)
    assert [(piece.sign, piece.text) for piece in told] == [
        ("=", "9\n"), ("-", "10\n"), ("+", "-- ten\n"), ("=", "11\n"),
    ]  # fmt: skip


# ---- lineage -----------------------------------------------------------------------------------


@st.composite
def graphs(draw: st.DrawFn) -> dict[CheckpointId, Ancestor]:
    """Histories with forks, merges and several roots."""
    graph: dict[CheckpointId, Ancestor] = {}
    for number in range(draw(st.integers(2, 14))):
        most = min(number, 2)
        older = draw(st.lists(st.integers(0, max(number - 1, 0)), max_size=most, unique=True))
        parents = tuple(CheckpointId(str(each)) for each in older)
        name = CheckpointId(str(number))
        graph[name] = Ancestor(name, number, parents)
    return graph


def behind(graph: dict[CheckpointId, Ancestor], start: CheckpointId) -> set[CheckpointId]:
    found = {start}
    for parent in graph[start].parents:
        found |= behind(graph, parent)
    return found


@given(graphs(), st.data())
def test_bases_are_the_common_ancestors_that_no_other_one_comes_from(
    graph: dict[CheckpointId, Ancestor], data: st.DataObject
) -> None:
    a = data.draw(st.sampled_from(sorted(graph)))
    b = data.draw(st.sampled_from(sorted(graph)))
    common = behind(graph, a) & behind(graph, b)
    best = {
        each for each in common
        if not any(each != other and each in behind(graph, other) for other in common)
    }  # fmt: skip
    assert set(merge_bases(a, b, graph.get)) == best
    assert is_ancestor(a, b, graph.get) == (a in behind(graph, b))


def test_only_what_is_newer_than_the_base_is_looked_at() -> None:
    chain = {
        CheckpointId(str(number)): Ancestor(
            CheckpointId(str(number)), number, (CheckpointId(str(number - 1)),) if number else ()
        )
        for number in range(1000)
    }
    looked: list[CheckpointId] = []

    def look(name: CheckpointId) -> Ancestor | None:
        looked.append(name)
        return chain.get(name)

    assert merge_bases(CheckpointId("999"), CheckpointId("997"), look) == ("997",)
    assert len(set(looked)) <= 5
