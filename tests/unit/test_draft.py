"""The draft that is edited: what drafting again keeps, what is saved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from smriti_tui.domain.draft import (
    DraftState,
    added,
    carry_all,
    changed,
    drafted,
    dump,
    load,
    opened,
    retyped,
    shifted,
    toggled,
)
from smriti_tui.domain.draft_reply import Proposed, Reply
from smriti_tui.domain.draft_saving import to_input
from smriti_tui.domain.drafted import Cited, Drafted, Piece
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import CheckpointId, RequestId, SessionId, SpaceId
from smriti_tui.domain.model import Artifact, CheckpointBody, Item, Task
from smriti_tui.domain.quotes import Checked

HEAD = CheckpointBody(
    SpaceId("s"), (), "Before", "you", "2026-03-02T14:05:09.123456Z", objective="Find things",
    decisions=(Item("d-old", "Use FTS5"), Item("d-gone", "Old one", state="retired")),
    assumptions=(Item("a-old", "One writer"),),
    tasks=(Task("t-old", "Load test", status="done"),),
    artifacts=(Artifact("bench", "csv", "bench.csv", "1,2"),),
)  # fmt: skip


def made(
    *items: Proposed, title: str = "Rebuild as a job", missing: tuple[str, ...] = ()
) -> Drafted:
    """A draft in which all quotes are found but those of the texts in `missing`."""
    cited = tuple(
        Cited(each, Checked("not_found" if each.text in missing else "found", each.turn))
        for each in items
    )
    piece = Piece(RequestId("r1"), 3, 8, "{}", Reply())
    return Drafted(
        SessionId("x"), 1, 3, 8, CheckpointId("h"), "demo", title, "Find it", "We talked.", cited,
        ("Tantivy",), (), (piece,),
    )  # fmt: skip


def draft(*items: Proposed, missing: tuple[str, ...] = ()) -> DraftState:
    return drafted(opened("x", HEAD, "h"), made(*items, missing=missing))


JOB = Proposed("decisions", "The rebuild is a job", "is a job", 3)
CRON = Proposed("decisions", "Use cron", "run it from cron", 4)
WRITE = Proposed("tasks", "Write the job", "write the job", 4, intent_hint="implement")


def test_what_lives_in_the_head_is_carried_and_can_be_left_out_one_by_one_or_all() -> None:
    state = draft(JOB)
    content = to_input(state)
    assert [item.text for item in content.decisions] == ["The rebuild is a job", "Use FTS5"]
    assert [each.uid for each in content.tasks] == ["t-old"]
    assert [each.id for each in content.artifacts] == ["bench"]
    without = to_input(toggled(state, "d-old", "you"))
    assert [item.text for item in without.decisions] == ["The rebuild is a job"]
    nothing = to_input(carry_all(state, carry=False))
    assert (len(nothing.decisions), nothing.assumptions, nothing.artifacts) == (1, (), ())


def test_an_item_whose_words_were_not_said_needs_a_keep_that_is_marked() -> None:
    state = draft(JOB, CRON, missing=("Use cron",))
    with pytest.raises(Invalid) as error:
        to_input(state)
    assert error.value.code == "draft_asks"
    cron = state.of("decisions")[1]
    kept = to_input(toggled(state, cron.uid, "asha"))
    assert [each.kept_by for item in kept.decisions for each in item.evidence] == [None, "asha"]
    dropped = toggled(toggled(state, cron.uid, "asha"), cron.uid, "asha")
    assert [item.text for item in to_input(dropped).decisions] == [
        "The rebuild is a job",
        "Use FTS5",
    ]
    entry = dropped.entry(cron.uid)
    assert entry is not None
    assert entry.evidence[0].kept_by is None


def test_drafting_again_keeps_what_was_touched_and_nothing_else_of_the_model() -> None:
    state = draft(JOB, CRON, WRITE)
    job, cron = state.of("decisions")
    state = changed(state, replace(job, text="The rebuild is a nightly job"))
    state = toggled(state, cron.uid, "you")
    state, own = added(state, "open_questions", "Which runner?")
    state = replace(state, summary="My words.")
    again = drafted(state, made(JOB, CRON, Proposed("tasks", "Test it"), title="A new title"))
    assert [each.text for each in again.of("decisions")] == [
        "The rebuild is a nightly job",
        "Use cron",
    ]
    assert again.of("decisions")[1].keep == "dropped"
    assert [each.text for each in again.of("tasks")] == ["Test it"]
    assert [each.uid for each in again.of("open_questions")] == [own]
    assert (again.title, again.summary) == ("A new title", "My words.")
    assert again.of("assumptions", carried=True)[0].uid == "a-old"


def test_a_draft_that_says_what_lives_already_takes_its_uid_and_its_place() -> None:
    says_again = Proposed("decisions", "use FTS5.", "use FTS5", 3)
    content = to_input(draft(JOB, says_again))
    assert [item.uid for item in content.decisions][1:] == ["d-old"]
    assert content.decisions[1].text == "use FTS5."
    assert content.decisions[1].evidence


def test_what_an_item_rests_on_counts_when_it_was_taken_and_is_kept() -> None:
    rests = replace(JOB, rests_on=("One writer.", "nothing of the kind"))
    state = draft(rests)
    job = state.of("decisions")[0]
    assert job.offers == ("a-old",)
    assert to_input(state).decisions[0].rests_on == ()
    state = changed(state, replace(job, rests_on=job.offers, offers=()))
    assert to_input(state).decisions[0].rests_on == ("a-old",)
    assert to_input(toggled(state, "a-old", "you")).decisions[0].rests_on == ()


def test_a_kind_changes_and_a_carried_item_gives_its_place_to_the_new_one() -> None:
    state = draft(JOB, WRITE)
    state = retyped(state, state.of("decisions")[0].uid, "tasks")
    assert [item.text for item in to_input(state).tasks] == [
        "Write the job", "The rebuild is a job", "Load test",
    ]  # fmt: skip
    content = to_input(retyped(state, "a-old", "decisions"))
    assert not content.assumptions
    assert "One writer" in [item.text for item in content.decisions]
    assert "a-old" not in [item.uid for item in content.decisions]


def test_entries_move_within_their_list() -> None:
    state = draft(JOB, WRITE, CRON)
    cron = state.of("decisions")[1]
    moved = shifted(state, cron.uid, -1)
    assert [each.text for each in moved.of("decisions")] == ["Use cron", "The rebuild is a job"]
    assert shifted(moved, cron.uid, -1) == moved
    assert [each.uid for each in moved.of("decisions", carried=True)] == ["d-old"]


def test_a_draft_comes_back_from_its_text() -> None:
    state = draft(JOB, CRON, missing=("Use cron",))
    assert load(dump(state)) == state
    assert load("{}") is None
    assert load("no draft") is None
