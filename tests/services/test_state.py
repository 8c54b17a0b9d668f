"""The state brief over a real store (cases STATE and TASK)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from smriti_tui.domain.checkpoint_input import CheckpointInput, parse_checkpoint
from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import CheckpointId, SpaceId, new_id
from smriti_tui.domain.render.state import Brief, StateOptions, state_brief
from smriti_tui.domain.render.state_document import state_document
from smriti_tui.services import Services
from tests.support import content

pytestmark = pytest.mark.contract

TASKS = [
    {"text": "Load test", "id": "load-1", "intent_hint": "test"},
    {"text": "Write the job", "blocked_by": ["load-1", "T3"]},
    {"text": "Old", "status": "done"},
    {"text": "Review it", "intent_hint": "review", "blocked_by": "old"},
    "Write docs",
]


def given(**fields: object) -> CheckpointInput:
    return parse_checkpoint({"title": "Choose FTS5", **fields})


def save(
    services: Services, space: SpaceId, branch: str = "", start: CheckpointId | None = None,
    **fields: object,
) -> CheckpointId:  # fmt: skip
    made = given(**fields)
    if branch:
        saved = services.checkpoints.create_on_new_branch(space, made, branch=branch, start=start)
    else:
        saved = services.checkpoints.create(space, made)
    return saved.checkpoint.id


def brief(services: Services, space: SpaceId, **options: object) -> Brief:
    return state_brief(services.state.view(space), StateOptions(**options))  # type: ignore[arg-type]


def test_an_empty_space_says_so_and_has_no_empty_sections(services: Services) -> None:
    space = services.spaces.create("Search", description="Find things").id
    assert brief(services, space).text == (
        "# Search\n\nFind things\n\nThere is no checkpoint on main yet."
    )
    with pytest.raises(NotFound):
        services.state.view(SpaceId(new_id()))


def test_claims_and_branches_show_before_the_first_checkpoint_of_main(services: Services) -> None:
    space = services.spaces.create("Search").id
    save(services, space, branch="expl", decisions=["Try Tantivy"])
    services.claims.take(space, "load test")
    text = brief(services, space).text
    assert "no checkpoint on main" in text
    assert "- expl · " in text
    assert "ada [implement] on main at ?" in text


def test_title_notes_labels_and_marks_of_tasks(services: Services) -> None:
    space = services.spaces.create("Search", project_root="/home/u/p").id
    head = save(services, space, decisions=["Use FTS5"], tasks=TASKS, project_root="/srv/x")
    services.notes.add(head, "shipped", "milestone")
    text = brief(services, space, home="/home/u").text
    assert "Project root: ~/p" in text
    assert "Choose FTS5, by ada" in text
    assert ", at /srv/x" in text
    assert "[milestone] shipped" in text
    assert "- T1 Load test [test] (id: load-1)\n- T2 Write the job → blocked by: load-1, T3" in text
    assert "(done)" in text
    assert "Free to pick: T1 (load-1), T4, T5." in text
    assert "Active" not in text


def test_what_is_claimed_or_blocked_is_not_offered_and_other_intents_come_first(
    services: Services,
) -> None:
    space = services.spaces.create("Search").id
    save(services, space, tasks=[*TASKS, {"text": "Test more", "intent_hint": "test"}])
    services.claims.take(space, "load test", task_id="LOAD-1", intent="test")
    view = services.state.view(space)
    assert [each.label for each in view.free] == ["T4", "T5", "T6"]
    document = state_document(view, StateOptions(), state_brief(view))
    first = document["open_tasks"][0]  # type: ignore[index]
    assert (first["free"], first["waits_for"], len(first["claims"])) == (False, [], 1)


def test_all_branches_are_looked_at_and_those_without_a_quarrel_are_no_divergence(
    services: Services,
) -> None:
    space = services.spaces.create("Search").id
    root = save(services, space, decisions=["Use FTS5"])
    for name in ("a", "b", "c"):
        save(services, space, branch=name, start=root, decisions=[f"Use {name}"])
    agreeing = save(services, space, branch="calm", start=root, decisions=["Use FTS5"])
    head = save(services, space, decisions=["Use FTS5", "Rebuild nightly"])
    view = services.state.view(space)
    assert view.head is not None
    assert view.head.id == head
    assert {each.branch.name for each in view.divergences} == {"a", "b", "c"}
    text = state_brief(view).text
    assert f"- calm · {agreeing[:7]} · ada" in text
    assert [each.branch.name for each in view.branches] == ["calm", "c", "b", "a"]
    services.branches.dispose(space, "a", "abandoned")
    assert "a" not in {each.branch.name for each in services.state.view(space).branches}


def test_main_only_reads_nothing_of_others(services: Services) -> None:
    space = services.spaces.create("Search").id
    root = save(services, space, decisions=["Use FTS5"])
    save(services, space, branch="a", start=root, decisions=["Other"])
    services.claims.take(space, "x")
    view = services.state.view(space, main_only=True)
    assert (view.branches, view.claims, view.divergences) == ((), (), ())


def test_freshness_goes_by_ancestry(services: Services) -> None:
    space = services.spaces.create("Search").id
    first = save(services, space)
    aside = save(services, space, branch="a", start=first)
    assert services.state.view(space, since=aside).freshness is not None
    for since, relation in ((first, "same"), (aside, "ahead"), ("abcdef", "unknown")):
        found = services.state.view(space, since=since).freshness
        assert (found.relation if found else None) == relation
    newer = [save(services, space, summary=str(number)) for number in range(7)]
    behind = services.state.view(space, since=first[:8])
    assert behind.freshness is not None
    assert behind.freshness.newer == tuple(reversed(newer))
    apart = services.state.view(space, since=aside)
    assert apart.freshness is not None
    assert (apart.freshness.relation, apart.freshness.newer) == ("apart", tuple(reversed(newer)))
    text = state_brief(behind).text
    assert text.startswith("## Freshness\n\nChanged: 7 newer checkpoints on main since")
    assert "- 2 more" in text


def test_compact_and_preview_take_from_artifacts_alone_and_stats_tell_true_sizes(
    services: Services,
) -> None:
    space = services.spaces.create("Search").id
    long = {"id": "b", "type": "csv", "label": "bench.csv", "content": "7,7\n" * 900}
    head = save(services, space, decisions=["D"], assumptions=["A"], tasks=["T"], artifacts=[long])
    full, compact = brief(services, space), brief(services, space, compact=True, stats=True)
    assert "7,7" in full.text
    assert "7,7" not in compact.text
    assert "### bench.csv (csv)" in compact.text
    assert f"`smriti restore {head[:7]}`" in compact.text
    plain = brief(services, space, compact=True)
    assert f"{len(full.text):,} in full, {len(plain.text):,} compact." in compact.text
    assert "cut here: 800 of 3,600" in brief(services, space, preview=True).text
    for part in ("- D1 D", "- A1 A", "- T1 T"):
        assert part in compact.text


@pytest.mark.parametrize("budget", [1, 120, 200, 400, 900, 5000])
def test_a_budget_never_cuts_decisions_and_open_tasks(services: Services, budget: int) -> None:
    space = services.spaces.create("Search").id
    save(
        services, space, decisions=[f"Decision {n}" for n in range(5)],
        assumptions=[f"Assumption {n}" for n in range(9)], tasks=[f"Task {n}" for n in range(5)],
        entities=[f"Name{n}" for n in range(50)], summary="Long. " * 100,
        artifacts=[{"id": "b", "type": "t", "label": "big", "content": "x" * 5000}],
    )  # fmt: skip
    made = brief(services, space, budget=budget)
    for number in range(5):
        assert f"Decision {number}" in made.text
        assert f"Task {number}" in made.text
    assert made.fits == (made.tokens <= budget)
    assert made.fits == (budget >= 200)
    assert bool(made.left_out) == (budget < 5000)
    if made.left_out:
        assert f"Left out to fit {budget:,} token" in made.text


def test_the_text_is_cleaned(services: Services) -> None:
    space = services.spaces.create("Search").id
    hostile = "a\x1b[31mred\x1b]0;t\x07\u202e"
    save(services, space, decisions=[hostile], artifacts=[
        {"id": "b", "type": hostile, "label": hostile, "content": hostile},
    ])  # fmt: skip
    services.claims.take(space, hostile)
    text = brief(services, space).text
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_reading_the_state_writes_nothing(services: Services) -> None:
    space = services.spaces.create("Search").id
    services.checkpoints.create(space, replace(content("One")))
    before = services.log.last_position()
    services.state.view(space)
    assert services.log.last_position() == before
