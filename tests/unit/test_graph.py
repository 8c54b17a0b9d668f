"""The lanes of a history."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.render.graph import MOST_LANES, Knot, Lanes

Rows = list[tuple[str, list[str]]]


def drawn(rows: Rows) -> list[str]:
    lines = []
    for knot in Lanes.empty().draw(rows):
        lines += [knot.above, f"{knot.head} {knot.id}", knot.below]
    return [line for line in lines if line]


def test_a_chain_is_one_lane() -> None:
    assert drawn([("c", ["b"]), ("b", ["a"]), ("a", [])]) == ["o c", "o b", "o a"]


def test_a_fork_joins_where_it_began() -> None:
    assert drawn([("m", ["a"]), ("f", ["a"]), ("a", ["r"]), ("r", [])]) == [
        "o m", "| o f", "|/", "o a", "o r",
    ]  # fmt: skip


def test_a_merge_splits_towards_its_second_parent() -> None:
    assert drawn([("x", ["m", "f"]), ("f", ["a"]), ("m", ["a"]), ("a", [])]) == [
        "o x", "|\\", "| o f", "o | m", "|/", "o a",
    ]  # fmt: skip


def test_unrelated_roots_and_what_is_gone_leave_no_trace() -> None:
    assert drawn([("b", ["gone"]), ("a", [])]) == ["o b", "| o a"]
    assert drawn([("b", []), ("a", [])]) == ["o b", "o a"]


@st.composite
def histories(draw: st.DrawFn) -> Rows:
    rows: Rows = []
    count = draw(st.integers(1, 30))
    for number in range(count):
        older = draw(st.lists(st.integers(0, max(number - 1, 0)), max_size=min(number, 2),
                              unique=True))  # fmt: skip
        rows.append((str(number), [str(each) for each in older]))
    return rows[::-1]


@given(histories())
def test_every_checkpoint_stands_in_the_lane_that_waits_for_it(rows: Rows) -> None:
    knots = Lanes.empty().draw(rows)
    assert [knot.id for knot in knots] == [name for name, _ in rows]
    for knot in knots:
        if knot.lane < MOST_LANES:
            assert knot.at == 2 * knot.lane
        assert knot.head[knot.at] == "o"
        assert knot.signed("@") == knot.head.replace("o", "@")
        assert len(knot.head) <= 2 * MOST_LANES + 1


def test_a_checkpoint_beyond_the_drawn_lanes_keeps_its_sign() -> None:
    rows: Rows = [(str(n), [f"root {n}"]) for n in range(4)]
    knots = Lanes.empty(2).draw([*rows, ("root 3", []), ("root 1", [])])
    assert [knot.head for knot in knots] == ["o", "| o", "| |+o", "| |+o", "| |+o", "| o+"]


@given(histories(), st.integers(0, 30))
def test_pages_give_the_same_picture_as_the_whole(rows: Rows, cut: int) -> None:
    lanes = Lanes.empty()
    paged: list[Knot] = [*lanes.draw(rows[:cut]), *lanes.draw(rows[cut:])]
    assert paged == Lanes.empty().draw(rows)


@given(histories())
def test_no_two_checkpoints_share_a_lane_while_one_waits(rows: Rows) -> None:
    lanes = Lanes.empty()
    for name, parents in rows:
        (knot,) = lanes.draw([(name, parents)])
        waits = [each for each in lanes.waiting if each is not None]
        assert set(parents) <= set(waits)
        assert knot.lane < 64
