"""The history of a Space in pages: who is reachable, several parents, notes, what is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.domain.history import TreeRow
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.services import Services
from tests.support import content, opened_services

pytestmark = pytest.mark.contract


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with opened_services(tmp_path) as opened:
        yield opened


def save(services: Services, space: SpaceId, title: str, branch: str = "main") -> CheckpointId:
    saved = services.checkpoints.create(space, content(title, title), branch=branch)
    return saved.checkpoint.id


def fork(services: Services, space: SpaceId, start: CheckpointId, branch: str) -> CheckpointId:
    saved = services.checkpoints.create_on_new_branch(
        space, content(branch, branch), branch=branch, start=start
    )
    return saved.checkpoint.id


def titles(services: Services, space: SpaceId, branch: str | None = None) -> list[str]:
    return [row.title for row in services.history.rows(space, branch=branch)]


def test_a_branch_reaches_its_own_line_and_all_it_comes_from(services: Services) -> None:
    space = services.spaces.create("alpha").id
    assert titles(services, space, "main") == []
    first = save(services, space, "A")
    side = fork(services, space, first, "side")
    second = save(services, space, "B")
    assert titles(services, space) == ["B", "side", "A"]
    assert titles(services, space, "main") == ["B", "A"]
    assert titles(services, space, "side") == ["side", "A"]
    merged = services.merging.write(second, side, {}, title="both")
    assert titles(services, space, "main") == ["both", "B", "side", "A"]
    assert titles(services, space, "side") == ["side", "A"]
    (row,) = [row for row in services.history.rows(space) if row.id == merged.id]
    assert row.parents == (second, side)


def test_pages_join_to_the_whole(services: Services) -> None:
    space = services.spaces.create("alpha").id
    first = save(services, space, "0")
    for number in range(1, 12):
        fork(services, space, first, f"b{number}")
    whole = services.history.rows(space)
    paged: list[TreeRow] = []
    before, more = None, True
    while more:
        page = services.history.page(space, before=before, limit=5)
        paged += page.rows
        before, more = page.last, page.more
    assert paged == whole
    assert len(whole) == 12


def test_rows_tell_notes_dispositions_and_heads(services: Services) -> None:
    space = services.spaces.create("alpha").id
    first = save(services, space, "A")
    side = fork(services, space, first, "side")
    services.branches.dispose(space, "side", "abandoned")
    services.notes.add(side, "", "noise")
    services.notes.add(first, "a plain one")
    services.notes.add(first, "", "noise")
    services.notes.add(first, "works \x1b[31mat last" + "!" * 500, "milestone")
    newest, oldest = services.history.rows(space)
    assert (newest.noise, newest.milestone, newest.notes) == (True, "", 1)
    assert (newest.disposition, newest.tip, newest.branch_name) == ("abandoned", True, "side")
    assert (oldest.noise, oldest.notes, oldest.tip) == (False, 3, True)
    assert oldest.milestone.startswith("works \x1b[31mat last!")
    assert len(oldest.milestone) < 200


def test_what_is_deleted_is_no_row_and_no_parent(services: Services) -> None:
    space = services.spaces.create("alpha").id
    first = save(services, space, "A")
    second = save(services, space, "B")
    services.deleting.delete(second)
    third = save(services, space, "C")
    assert [(row.id, row.parents) for row in services.history.rows(space)] == [
        (third, (first,)), (first, ()),
    ]  # fmt: skip
    services.deleting.delete(first, cascade=True)
    assert services.history.rows(space) == []
    assert services.history.page(space, limit=3).rows == ()
