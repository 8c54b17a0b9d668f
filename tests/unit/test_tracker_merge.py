"""Two trackers that grew apart: one state from either side, nothing lost, nothing twice."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from smriti_tui.domain.field_merge import Settled
from smriti_tui.domain.values import canonical
from smriti_tui.domain.views import tracker
from smriti_tui.domain.views.base import Fact, ViewState
from smriti_tui.domain.views.tracker_merge import merged


def fact(type_name: str, number: int, **payload: Any) -> Fact:
    moment = f"2026-03-02T14:05:{number:02}.000000Z"
    return Fact(type_name, payload, "ada", moment, f"e{number:03}")


def state(*facts: Fact) -> dict[str, str]:
    """Items by id, as canonical text: their order is each store's own."""
    folded = ViewState()
    for each in facts:
        tracker.VIEW.apply(folded, each)
    return {str(item["id"]): canonical(item) for item in folded.items.values()}


def settling(found: list[Settled], at: int) -> list[Fact]:
    return [
        fact(tracker.MERGED, at + number, **each.payload()) for number, each in enumerate(found)
    ]


BASE = (fact("item_created", 1, id="a", title="A", status="todo"),)


def test_each_side_keeps_its_own_changes() -> None:
    ours = [fact("item_updated", 2, id="a", title="ours")]
    theirs = [
        fact("item_updated", 3, id="a", notes="theirs"),
        fact("item_created", 4, id="b", title="B"),
    ]
    found = list(merged(BASE, ours, theirs))
    assert [(each.id, dict(each.fields), dict(each.conflicts)) for each in found] == [
        ("a", {"notes": "theirs"}, {}),
        ("b", {"id": "b", "title": "B"}, {}),
    ]
    assert state(*BASE, *ours, *settling(found, 50))["a"] == canonical(
        {"id": "a", "title": "ours", "status": "todo", "notes": "theirs"}
    )


def test_a_field_that_both_changed_is_told_with_base_and_both() -> None:
    ours = [fact("item_updated", 2, id="a", title="ours")]
    theirs = [fact("item_updated", 3, id="a", title="theirs")]
    [settled] = merged(BASE, ours, theirs)
    assert settled.fields == {"title": "theirs"}
    assert settled.conflicts == {
        "title": {"base": "A", "ours": "ours", "theirs": "theirs", "taken": "theirs"}
    }
    assert list(merged(BASE, theirs, ours)) == []


def test_what_is_closed_stays_closed() -> None:
    closed = [fact("item_updated", 2, id="a", status="done")]
    later = [fact("item_updated", 3, id="a", status="in-progress")]
    assert list(merged(BASE, closed, later)) == []
    [settled] = merged(BASE, later, closed)
    assert settled.fields["status"] == "done"
    assert settled.fields["completed_at"] == closed[0].recorded_at


def test_a_value_taken_over_keeps_its_own_age() -> None:
    """What was changed after it was taken over is not undone by the older value."""
    first = [fact("item_updated", 2, id="a", title="first")]
    taken = settling(list(merged(BASE, [], first)), 30)
    second = [*first, fact("item_updated", 20, id="a", title="second")]
    [settled] = merged(BASE, taken, second)
    assert settled.fields == {"title": "second"}
    assert list(merged(BASE, second, taken)) == []


IDS = st.sampled_from(("a", "b", "c"))
VALUES = st.sampled_from(("x", "y", None, 1))
CHANGES = st.one_of(
    st.tuples(st.just("item_created"), st.fixed_dictionaries(
        {"id": IDS}, optional={"title": VALUES, "status": st.sampled_from(("todo", "done"))}
    )),
    st.tuples(st.just("item_updated"), st.fixed_dictionaries(
        {"id": IDS}, optional={
            "title": VALUES, "notes": VALUES,
            "status": st.sampled_from(("todo", "in-progress", "done", "rejected")),
            "lane": st.sampled_from(("proposed", "done")),
            "completed_at": st.sampled_from(("1", None)),
        },
    )),
    st.tuples(st.just("item_archived"), st.fixed_dictionaries({"id": IDS})),
)  # fmt: skip
HISTORY = st.lists(CHANGES, max_size=6)


@settings(max_examples=300)
@given(data=st.data(), base=HISTORY, left=HISTORY, right=HISTORY)
def test_both_ways_end_in_one_state_and_again_changes_nothing(
    data: st.DataObject, base: list[Any], left: list[Any], right: list[Any]
) -> None:
    numbers = data.draw(st.permutations(range(10, 10 + len(left) + len(right))))
    common = [fact(name, i, **told) for i, (name, told) in enumerate(base)]
    times = iter(sorted(numbers[: len(left)]) + sorted(numbers[len(left) :]))
    ours = [fact(name, next(times), **told) for name, told in left]
    theirs = [fact(name, next(times), **told) for name, told in right]
    into_ours = [*ours, *settling(list(merged(common, ours, theirs)), 40)]
    into_theirs = [*theirs, *settling(list(merged(common, theirs, into_ours)), 50)]
    assert state(*common, *into_ours) == state(*common, *into_theirs)
    assert list(merged(common, into_ours, into_theirs)) == []
    assert list(merged(common, into_ours, theirs)) == []
    assert set(state(*common, *into_ours)) == {
        *state(*common, *ours), *state(*common, *theirs),
    }  # fmt: skip
