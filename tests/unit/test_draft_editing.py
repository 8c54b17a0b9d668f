"""What is typed into a draft, what it leaves out, and the draft on another head."""

from __future__ import annotations

from dataclasses import replace

import pytest

from smriti_tui.domain.draft import DraftState, added, drafted, opened, retyped, toggled
from smriti_tui.domain.draft_editing import (
    TypedItem,
    as_typed,
    attached,
    attachment_shifted,
    attachment_toggled,
    in_session,
    is_touched,
    labels,
    left_out,
    new_in,
    offer_taken,
    rebased,
    recites,
    resting_on,
    typed_of,
)
from smriti_tui.domain.draft_reply import Proposed
from smriti_tui.domain.draft_saving import to_input
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.model import Artifact, Item, Task
from smriti_tui.domain.quotes import Checked, Passage
from tests.unit.test_draft import CRON, HEAD, JOB, WRITE, draft, made

NEW_HEAD = replace(
    HEAD,
    objective="Find things fast",
    decisions=(*HEAD.decisions, Item("d-new", "Rebuild at night")),
    tasks=(*HEAD.tasks, Task("t-new", "Buy a disk")),
    artifacts=(*HEAD.artifacts, Artifact("plan", "md", "plan.md", "#")),
)


def first(state: DraftState, kind: str) -> str:
    return state.of(kind)[0].uid


def test_an_empty_draft_is_untouched_whatever_newer_turn_or_head_it_stands_on() -> None:
    start = opened("x", HEAD, "h")
    assert not is_touched(start, start)
    assert not is_touched(replace(start, last=9, line=2), start)
    assert is_touched(replace(start, title="T"), start)
    assert is_touched(toggled(start, "d-old", "ada"), start)
    assert is_touched(replace(start, writing={"": "title", "text": "T"}), start)


def test_labels_go_on_behind_those_of_the_head() -> None:
    state, own = added(draft(JOB, WRITE), "decisions", "By hand")
    named = labels(state, HEAD)
    assert (named["d-old"], named["d-gone"], named["t-old"]) == ("D1", "D2", "T1")
    assert [named[first(state, "decisions")], named[own]] == ["D3", "D4"]
    assert named[first(state, "tasks")] == "T2"


def test_what_is_left_out_is_counted_without_what_is_done_or_said_again() -> None:
    state = draft(JOB)
    assert left_out(state) == {}
    for uid in ("d-old", "a-old", "t-old"):
        state = toggled(state, uid, "ada")
    state = attachment_toggled(state, "bench")
    assert left_out(state) == {"decisions": 1, "assumptions": 1, "artifacts": 1}
    again, _ = added(state, "decisions", "use fts5")
    assert left_out(again) == {"assumptions": 1, "artifacts": 1}


def test_who_rests_on_a_dropped_assumption_is_known() -> None:
    state = draft(replace(JOB, rests_on=("One writer",)), CRON)
    job, cron = (each.uid for each in state.of("decisions"))
    assert resting_on(state, "a-old") == ()
    state = offer_taken(state, job)
    assert resting_on(state, "a-old") == (job,)
    assert offer_taken(state, cron) == state
    assert resting_on(toggled(state, job, "ada"), "a-old") == ()


# ---- what is typed -----------------------------------------------------------------------------


def test_other_words_keep_the_citation_and_another_citation_is_checked() -> None:
    entry = draft(JOB).of("decisions")[0]
    typed = typed_of(entry)
    assert (typed.text, typed.turn, typed.quote) == (JOB.text, "3", "is a job")
    same = replace(typed, text=" The rebuild is one job ")
    assert not recites(entry, same)
    made_of = as_typed(entry, same, None, {})
    assert (made_of.text, made_of.evidence, made_of.keep) == (
        "The rebuild is one job", entry.evidence, "kept",
    )  # fmt: skip
    other = replace(typed, turn="t4", quote="a cron job")
    assert recites(entry, other)
    assert other.turn_number() == 4
    near = Passage(4, "a job", 2)
    asks = as_typed(entry, other, Checked("not_found", 4, near), {})
    assert (asks.keep, asks.nearest, asks.evidence[0].quote) == ("asks", near, "a cron job")
    found = as_typed(asks, replace(other, quote="a job"), Checked("found", 4), {})
    assert (found.keep, found.nearest, found.evidence[0].check) == ("kept", None, "found")
    bare = as_typed(asks, replace(other, turn="", quote=""), None, {})
    assert (bare.keep, bare.evidence) == ("kept", ())


def test_a_mended_citation_brings_nothing_back_that_was_dropped() -> None:
    state = draft(CRON, missing=("Use cron",))
    state = toggled(state, first(state, "decisions"), "ada")
    dropped = toggled(state, first(state, "decisions"), "ada").of("decisions")[0]
    assert dropped.keep == "dropped"
    mended = as_typed(dropped, TypedItem("Use cron", "4", "cron"), Checked("found", 4), {})
    assert mended.keep == "dropped"


def test_words_that_were_kept_by_somebody_ask_again_when_others_are_cited() -> None:
    state = draft(CRON, missing=("Use cron",))
    kept = toggled(state, first(state, "decisions"), "ada").of("decisions")[0]
    assert kept.evidence[0].kept_by == "ada"
    again = as_typed(kept, TypedItem("Use cron", "4", "every night"), Checked("not_found", 4), {})
    assert (again.keep, again.evidence[0].kept_by) == ("asks", None)


def test_a_task_is_blocked_by_labels_ids_and_texts() -> None:
    entry = draft(WRITE).of("tasks")[0]
    typed = replace(
        typed_of(entry),
        blocked_by="t1\n load-1 \n\nT1\nBuy a disk", id=" job-1 ", intent="TEST", status="Done",
    )  # fmt: skip
    task = as_typed(entry, typed, None, {"T1": "Load test"})
    assert task.blocked_by == ("Load test", "load-1", "Buy a disk")
    assert (task.id, task.intent_hint, task.status) == ("job-1", "test", "done")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": " \n"}, "text"),
        ({"intent": "build"}, "intent"),
        ({"status": "half"}, "status"),
    ],
)
def test_what_cannot_be_taken_names_its_field(change: dict[str, str], field: str) -> None:
    entry = draft(WRITE).of("tasks")[0]
    with pytest.raises(Invalid) as error:
        as_typed(entry, replace(typed_of(entry), **change), None, {})
    assert error.value.field == field


@pytest.mark.parametrize("given", ["x", "-3", "1.5", "٣", "12345678901", "t t"])
def test_a_turn_is_a_number(given: str) -> None:
    with pytest.raises(Invalid) as error:
        TypedItem("x", given).turn_number()
    assert error.value.field == "turn"


def test_a_citation_names_its_session_once_it_is_taken() -> None:
    entry = as_typed(
        draft(JOB).of("decisions")[0], TypedItem("T", "4", "a job"), Checked("found", 4), {}
    )
    assert entry.evidence[0].session is None
    assert in_session(entry, "s1").evidence[0].session == "s1"
    assert in_session(draft(JOB).of("decisions")[0], "s1").evidence[0].session == "x"


# ---- artifacts ---------------------------------------------------------------------------------


def test_artifacts_are_put_changed_moved_and_left_out() -> None:
    state = attached(draft(JOB), Artifact("one", "py", "a.py", "a"))
    state = attached(state, Artifact("two", "py", "b.py", "b"))
    state = attached(state, Artifact("one", "py", "a2.py", "a"))
    assert [each.artifact.label for each in state.attachments] == ["bench.csv", "a2.py", "b.py"]
    moved = attachment_shifted(state, "one", 1)
    assert [each.id for each in to_input(moved).artifacts] == ["bench", "two", "one"]
    assert attachment_shifted(moved, "one", 1) == moved
    assert attachment_shifted(moved, "gone", 1) == moved
    out = attachment_toggled(moved, "two")
    assert [each.id for each in to_input(out).artifacts] == ["bench", "one"]
    # Edited after it was left out, it is wanted again.
    assert attached(out, Artifact("two", "py", "b.py", "c")).attachments[-2].kept


# ---- another head ------------------------------------------------------------------------------


def test_on_another_head_what_came_is_carried_and_what_was_left_out_stays_out() -> None:
    state, own = added(draft(JOB), "open_questions", "Which runner?")
    state = toggled(toggled(state, "d-old", "ada"), first(state, "decisions"), "ada")
    state = attachment_toggled(state, "bench")
    state = attached(state, Artifact("mine", "md", "mine.md", "x"))
    assert new_in(NEW_HEAD, state) == 2
    moved = rebased(state, NEW_HEAD, "h2")
    assert moved.head == "h2"
    assert new_in(NEW_HEAD, moved) == 0
    keeps = {each.uid: each.keep for each in moved.entries if each.origin == "head"}
    assert keeps == {"d-old": "dropped", "d-new": "kept", "a-old": "kept", "t-old": "kept",
                     "t-new": "kept"}  # fmt: skip
    assert [each.keep for each in moved.of("decisions")] == ["dropped"]
    assert moved.entry(own) == state.entry(own)
    files = {each.artifact.id: each.kept for each in moved.attachments}
    assert files == {"mine": True, "bench": False, "plan": True}
    assert moved.objective == "Find it"


def test_an_objective_that_nobody_wrote_is_the_new_heads() -> None:
    state = opened("x", HEAD, "h")
    assert rebased(state, NEW_HEAD, "h2").objective == "Find things fast"
    typed = replace(state, objective="Mine")
    assert rebased(typed, NEW_HEAD, "h2").objective == "Mine"
    assert rebased(state, None, "").of("decisions", carried=True) == ()


def test_a_carried_item_that_became_another_kind_stays_so_on_another_head() -> None:
    state = retyped(draft(JOB), "a-old", "decisions")
    content = to_input(rebased(state, NEW_HEAD, "h2"))
    assert content.assumptions == ()
    assert "One writer" in [item.text for item in content.decisions]


def test_drafting_again_after_an_edit_on_another_head_keeps_all_of_it() -> None:
    state = rebased(draft(JOB), NEW_HEAD, "h2")
    again = drafted(state, made(JOB, Proposed("decisions", "Rebuild at night", "at night", 5)))
    content = to_input(again)
    assert [item.uid for item in content.decisions if item.text == "Rebuild at night"] == ["d-new"]
