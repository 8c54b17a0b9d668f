"""The current surface and the metrics (cases CURRENT and METRICS)."""

from __future__ import annotations

import pytest

from smriti_tui.domain.checkpoint_input import parse_checkpoint
from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import CheckpointId, SpaceId, new_id
from smriti_tui.domain.render.surveys import (
    current_document,
    current_text,
    metrics_document,
    metrics_text,
)
from smriti_tui.services import Services

pytestmark = pytest.mark.contract


def save(services: Services, space: SpaceId, author: str = "ada", **fields: object) -> CheckpointId:
    content = parse_checkpoint({"title": "T", "author": author, **fields})
    return services.checkpoints.create(space, content).checkpoint.id


def test_an_empty_space_has_every_section_and_no_number_but_0(services: Services) -> None:
    space = services.spaces.create("Search")
    text = current_text(services.surveys.current(space.id), None)
    for heading in ("Needs attention", "Active work", "Milestones", "Open tasks", "Recent"):
        assert f"## {heading}" in text
    assert text.count("\nnone") == 5
    document = current_document(services.surveys.current(space.id))
    assert set(document["current_direction"].values()) == {None}  # type: ignore[attr-defined]
    assert set(document["counts"].values()) == {0}  # type: ignore[attr-defined]
    found = services.surveys.metrics(space.id)
    assert (found.checkpoints, found.completion_rate, found.average_tasks) == (0, None, 0.0)
    words = metrics_text(space, found)
    assert "()" not in words
    assert "no claims resolved" in words
    for read in (services.surveys.current, services.surveys.metrics):
        with pytest.raises(NotFound):
            read(SpaceId(new_id()))


def test_the_direction_is_that_of_main_and_the_newest_of_all_branches_are_activity(
    services: Services,
) -> None:
    space = services.spaces.create("Search").id
    first = save(services, space, objective="First")
    head = save(services, space, objective="Second", summary="s" * 400, tasks=[
        {"text": "Write", "intent_type": "docs", "blocked_by": ["a", "b"]}, "Any",
        {"text": "Done", "status": "done"}, {"text": "Build", "intent_hint": "implement"},
    ], open_questions=[f"Q {n}" for n in range(8)])  # fmt: skip
    made = parse_checkpoint({"title": "Fork", "decisions": ["x"]})
    fork = services.checkpoints.create_on_new_branch(space, made, branch="b", start=first)
    for number in range(6):
        services.notes.add(head, f"M{number}", "milestone")
    view = services.surveys.current(space)
    document = current_document(view)
    direction = document["current_direction"]
    assert direction["checkpoint"] == head  # type: ignore[index]
    assert len(direction["summary"]) == 280  # type: ignore[index]
    assert [each.id for each in view.activity] == [fork.checkpoint.id, head, first]
    assert view.marked == {head}
    assert [note.text for note in view.milestones] == ["M5", "M4", "M3", "M2", "M1"]
    assert view.milestone_count == 6
    assert list(view.tasks) == ["implement", "docs", "other"]
    assert [each.kind for each in view.attention] == ["open_question"] * 6
    text = current_text(view, None)
    assert "Write [docs] → blocked by: a, b" in text
    assert "Done" not in text


def test_metrics_count_checkpoints_agents_claims_and_branches(services: Services) -> None:
    space = services.spaces.create("Search")
    save(services, space.id, "codex", decisions=["a"], tasks=["plain"])
    save(services, space.id, "claude", decisions=["a", "b"], tasks=[
        {"text": "i", "intent_hint": "test"},
    ])  # fmt: skip
    save(services, space.id, "claude", tasks=[{"text": "i", "intent_hint": "test", "id": "x"}])
    for number, end in enumerate(("done", "abandoned", "")):
        claim = services.claims.take(space.id, "s", task_id="x" if number else None).claim
        if end:
            services.claims.end(claim.id, end)  # type: ignore[arg-type]
    services.checkpoints.create_on_new_branch(
        space.id, parse_checkpoint({"title": "f", "author": "codex"}), branch="b", start=None
    )
    services.branches.dispose(space.id, "b", "abandoned")
    found = services.surveys.metrics(space.id)
    assert found.agents == {"codex": 2, "claude": 2}
    assert found.cross_agent_continuations == 1
    assert (found.claims, found.claims_done, found.claims_abandoned) == (3, 1, 1)
    assert (found.claims_unresolved, found.claims_with_task_id) == (1, 2)
    assert found.completion_rate == 0.5
    assert (found.with_structured_tasks, found.with_task_ids) == (2, 1)
    assert found.average_decisions == 0.8
    assert found.branches == {"active": 0, "integrated": 0, "abandoned": 1}
    assert "1 checkpoint with task ids" in metrics_text(space, found)
    assert metrics_document(space, found, "n")["coordination"]["unique_agents"] == 2  # type: ignore[index]


def test_reading_changes_nothing(services: Services) -> None:
    space = services.spaces.create("Search").id
    save(services, space)
    before = services.log.last_position()
    for _ in range(3):
        services.surveys.current(space)
        services.surveys.metrics(space)
    assert services.log.last_position() == before
