"""The checkpoint that follows a review: what was accepted, and nothing else, is changed."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from smriti_tui.domain.checkpoint_input import CheckpointInput, check_input
from smriti_tui.domain.findings import Change, ChangeKind, Finding, SettledFinding, Settlement
from smriti_tui.domain.follow_up import FollowUp, followed, problem
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.model import Artifact, CheckpointBody, Evidence, Item, Task

BODY = CheckpointBody(
    SpaceId("s"), (), "Keep FTS5", "ada", "2026-03-02T14:05:09.123456Z",
    objective="Find things", summary="So far.",
    decisions=(
        Item("d1", "In the request"), Item("d2", "As a job"), Item("d3", "Was", state="retired"),
        Item("d4", "One writer", rests_on=("d1", "f1")),
    ),
    assumptions=(Item("a1", "Small"),),
    tasks=(Task("t1", "Job", id="job"), Task("t2", "Test", blocked_by=("job",), status="done")),
    open_questions=(Item("q1", "Where?"),),
    entities=("FTS5", "Tantivy"),
    artifacts=(Artifact("f1", "csv", "bench.csv", "1,2"),),
    project_root="/srv/search",
)  # fmt: skip


def taken(number: int, change: Change, outcome: Settlement = "accepted") -> SettledFinding:
    finding = Finding(f"f-{number}", "other", "model", f"Finding {number}.", suggestion=change)
    return SettledFinding("r", finding, outcome, settled_by="ada")


def after(*changes: Change) -> FollowUp:
    return followed(BODY, [taken(number, each) for number, each in enumerate(changes, 1)])


def parts(content: CheckpointInput) -> dict[str, Item | Task]:
    lists = (content.decisions, content.assumptions, content.tasks, content.open_questions)
    return {item.uid: item for each in lists for item in each}


def test_a_retired_item_stands_there_with_its_heir_and_links_follow() -> None:
    made = after(Change("retire", "d1", by="d2"), Change("retire", "q1"))
    assert made.clashes == ()
    gone = parts(made.content)["d1"]
    assert (gone.state, gone.retired_by) == ("retired", "ada")
    assert (gone.reason or "").startswith('replaced by "As a job": Finding 1 (review of ')
    assert parts(made.content)["d4"].rests_on == ("d2", "f1")
    assert parts(made.content)["q1"].state == "retired"
    assert "d3" not in parts(made.content)  # that it is retired was said by the reviewed one
    assert made.content.title == "Review of Keep FTS5"


def test_a_new_assumption_is_rested_on_and_one_that_is_there_is_taken() -> None:
    made = after(
        Change("add", kind="assumptions", text=" A job runner exists ", links=("d2",)),
        Change("add", kind="assumptions", text="small.", links=("d4",)),
    )
    found = parts(made.content)
    assert found["f-1"].text == "A job runner exists"
    assert (found["d2"].rests_on, found["d4"].rests_on) == (("f-1",), ("d1", "f1", "a1"))
    assert len(made.content.assumptions) == 2


def test_changes_against_each_other_are_told_and_not_made() -> None:
    made = after(
        Change("reword", "d1", text="Outside the request"),
        Change("reword", "d1", text="Somewhere else"),
        Change("retire", "d1"),
        Change("retire", "d2", by="a1"),
        Change("retire", "a1"),
        Change("reword", "d2", text="x"),
        Change("retire", "nobody"),
        Change("drop_entity", text="Lucene"),
        Change("drop_entity", text="Tantivy"),
    )
    assert [each.finding for each in made.clashes] == ["f-2", "f-3", "f-5", "f-6", "f-7", "f-8"]
    assert made.clashes[0].why == "D1, its text, is changed twice, to different things."
    assert [each.finding.id for each in made.changes] == ["f-1", "f-4", "f-9"]
    assert made.content.entities == ("FTS5",)


def test_words_that_are_nowhere_are_kept_by_who_accepted_that() -> None:
    quote = Evidence("run it from cron", "not_found", turn=3)
    made = after(Change("cite", "d1", evidence=(quote,)))
    assert parts(made.content)["d1"].evidence == (replace(quote, kept_by="ada"),)


def test_only_what_was_accepted_counts_and_as_it_was_edited() -> None:
    change, other = Change("objective", text="a"), Change("objective", text="b")
    assert followed(BODY, [taken(1, change, "open"), taken(2, change, "dismissed")]).changes == ()
    edited = replace(taken(3, change, "edited"), change=other)
    assert followed(BODY, [edited]).content.objective == "b"


# ---- any set of changes ------------------------------------------------------------------------

NAMES = ("d1", "d2", "d3", "d4", "a1", "t1", "t2", "q1", "f1", "job", "nobody")
name = st.sampled_from(NAMES)
_KINDS: tuple[ChangeKind, ...] = (
    "retire", "reword", "add", "rest_on", "cite", "block", "drop_entity", "objective",
)  # fmt: skip
changes = st.builds(
    Change,
    change=st.sampled_from(_KINDS),
    uid=st.none() | name,
    kind=st.none() | st.sampled_from(KINDS),
    text=st.none() | st.sampled_from(("", "Small", "New words", "Tantivy")),
    by=st.none() | name,
    links=st.lists(name, max_size=3).map(tuple),
    evidence=st.just(()) | st.just((Evidence("q", "not_found", turn=1),)),
)
settled = st.lists(
    st.tuples(changes, st.sampled_from(("accepted", "open", "dismissed"))), max_size=8
)


@settings(max_examples=300, deadline=None)
@given(settled)
def test_nothing_vanishes_unsaid(given_changes: list[tuple[Change, Settlement]]) -> None:
    findings = [taken(n, change, how) for n, (change, how) in enumerate(given_changes)]
    made = followed(BODY, findings)
    content = check_input(made.content)
    found = parts(content)
    accepted = [each for each in findings if each.taken is not None]
    assert len(accepted) == len(made.changes) + len(made.clashes)
    told = [each.taken for each in made.changes if each.taken is not None]
    named = {(each.change, each.uid) for each in told}

    def before(uid: str) -> Item | Task:
        lists = (BODY.decisions, BODY.assumptions, BODY.tasks, BODY.open_questions)
        return next(item for each in lists for item in each if item.uid == uid)

    for uid in ("d1", "d2", "d4", "a1", "t1", "t2", "q1"):
        old, new = before(uid), found[uid]  # every live item is there
        assert (new.state == "retired") == (("retire", uid) in named)
        assert (new.text != old.text) <= (("reword", uid) in named)
        assert (new.evidence != old.evidence) <= (("cite", uid) in named)
        if new.state == "retired":
            assert new.reason
            assert new.retired_by == "ada"
    added = set(found) - {"d1", "d2", "d4", "a1", "t1", "t2", "q1"}
    assert added <= {f"f-{n}" for n, (c, _) in enumerate(given_changes) if c.change == "add"}
    gone = set(BODY.entities) - set(content.entities)
    assert gone == {each.text for each in told if each.change == "drop_entity"}
    assert (content.objective != BODY.objective) <= any(t.change == "objective" for t in told)
    assert (content.summary, content.artifacts) == (BODY.summary, BODY.artifacts)
    live = {uid for uid, item in found.items() if item.state == "live"}
    heirs = {t.by for t in told if t.change == "retire" and t.by}
    assert heirs <= live  # what replaces something does not go itself


@settings(max_examples=200, deadline=None)
@given(changes)
def test_a_change_alone_is_made_exactly_when_nothing_speaks_against_it(change: Change) -> None:
    made = followed(BODY, [taken(1, change)])
    assert bool(made.changes) == (problem(change, BODY) == "")
