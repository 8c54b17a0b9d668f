"""Checkpoints: where they go, what they record, what they carry (DESIGN 10.14 to 10.16; CKPT)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from smriti_tui.domain.checkpoint_input import CheckpointInput, checkpoint_id, parse_checkpoint
from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, new_id
from smriti_tui.domain.model import Artifact, Item, Source, Task
from smriti_tui.services import Services
from smriti_tui.services.beside import BesideService
from smriti_tui.services.checkpoints import Saved
from tests.services.asking import Beside, prove
from tests.support import content, send

pytestmark = pytest.mark.contract


@pytest.fixture
def space(services: Services) -> SpaceId:
    return services.spaces.create("alpha").id


@pytest.fixture
def session(services: Services, space: SpaceId) -> SessionId:
    return services.sessions.new(space).id


def save(services: Services, space: SpaceId, title: str, *texts: str, **more: object) -> Saved:
    return services.checkpoints.create(space, content(title, *texts), **more)  # type: ignore[arg-type]


def uids(saved: Saved) -> dict[str, str]:
    return {item.text: item.uid for item in saved.checkpoint.body.decisions}


# ---- ids and parents ---------------------------------------------------------------------------


def test_the_id_is_the_hash_of_the_content(services: Services, space: SpaceId) -> None:
    first = save(services, space, "state", "decided").checkpoint
    assert len(first.id) == 64
    assert first.id == checkpoint_id(first.body)
    assert (first.branch_name, first.body.parents, first.body.author) == ("main", (), "ada")
    second = save(services, space, "state", "decided").checkpoint
    assert second.body.parents == (first.id,)
    assert second.id != first.id
    assert services.spaces.branch(space, "main").head == second.id
    assert services.checkpoints.verify(space)[0].faults == ()


def test_all_fields_come_back_exactly(services: Services, space: SpaceId) -> None:
    given = parse_checkpoint(
        {
            "title": "t",
            "objective": "o [/x]",
            "summary": "s\n\x1b[31m",
            "decisions": ["plain", {"text": "structured", "rests_on": ["a"]}],
            "assumptions": ["a"],
            "tasks": [
                "plain",
                {"text": "x", "id": "x-1", "intent_type": "review", "blocked_by": "y"},
                {"text": "y", "status": "done"},
            ],
            "open_questions": ["q?"],
            "entities": ["e"],
            "artifacts": [{"label": "l", "content": "c" * 5000}],
            "author": "codex",
            "project_root": "/r",
        }
    )
    saved = services.checkpoints.create(space, given).checkpoint
    body = services.checkpoints.get(saved.id).body
    assert body == saved.body
    assert (body.author, body.project_root, body.objective) == ("codex", "/r", "o [/x]")
    assert [(t.text, t.id, t.intent_hint, t.blocked_by, t.status) for t in body.tasks] == [
        ("plain", None, None, (), "open"),
        ("x", "x-1", "review", ("y",), "open"),
        ("y", None, None, (), "done"),
    ]
    assert body.artifacts[0].content == "c" * 5000
    summary = services.checkpoints.of_space(space)[0]
    assert (summary.tasks, summary.open_tasks, summary.decisions) == (3, 2, 2)


def test_a_dry_run_writes_nothing(services: Services, space: SpaceId) -> None:
    save(services, space, "state", "kept", "lost")
    before = services.log.last_position()
    possible = save(services, space, "next", "kept", dry_run=True)
    assert possible.omitted_count == 1
    assert services.log.last_position() == before


# ---- places ------------------------------------------------------------------------------------


def test_a_stale_head_is_named_and_nothing_is_saved(
    services: Services, space: SpaceId, beside: Beside
) -> None:
    first = save(services, space, "one").checkpoint.id
    with beside(actor="bob") as other:
        theirs = save(other, space, "theirs", expect_head=first).checkpoint.id
    for expected in (first, "", "f" * 64):
        with pytest.raises(Conflict) as caught:
            save(services, space, "mine", expect_head=expected)
        assert caught.value.code == "stale_head"
        assert caught.value.details["actual"] == theirs
    assert len(services.checkpoints.of_space(space)) == 2
    assert save(services, space, "mine", expect_head=theirs[:12]).checkpoint.body.parents == (
        theirs,
    )


async def test_a_mounted_line_saves_on_its_anchors_branch_or_on_a_new_one(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    first = save(services, space, "one").checkpoint.id
    head = save(services, space, "two").checkpoint.id
    services.sessions.mount(session, head)
    on_head = save(services, space, "three", session=session).checkpoint
    assert (on_head.branch_name, on_head.body.parents) == ("main", (head,))
    services.sessions.mount(session, first)
    before = services.log.last_position()
    with pytest.raises(Conflict) as caught:
        save(services, space, "four", session=session)
    assert caught.value.code == "branch_needed"
    assert caught.value.details["head"] == on_head.id
    with pytest.raises(Conflict) as caught:
        save(services, space, "four", session=session, branch="main")
    assert caught.value.code == "branch_exists"
    with pytest.raises(Invalid):
        save(services, space, "four", session=session, branch=" \n")
    assert services.log.last_position() == before
    made = save(services, space, "four", session=session, branch="side").checkpoint
    assert (made.branch_name, made.body.parents) == ("side", (first,))
    # The line now stands on what was made from it, whose branch is its own.
    view = services.contexts.view(session)
    assert view.anchor is not None
    assert view.anchor.id == made.id
    assert save(services, space, "five", session=session).checkpoint.branch_name == "side"
    assert services.spaces.branch(space, "main").head == on_head.id
    prove(services)


def test_saving_without_a_session_goes_on_a_branch_that_exists(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    first = save(services, space, "one").checkpoint.id
    with pytest.raises(NotFound):
        save(services, space, "x", branch="nowhere")
    beside = services.checkpoints.create_on_new_branch(
        space, content("side"), branch="side", start=first
    ).checkpoint
    assert beside.body.parents == (first,)
    assert save(services, space, "more", branch="side").checkpoint.body.parents == (beside.id,)
    with pytest.raises(Invalid):
        save(services, space, "x", session=session, branch="side")
    other = services.spaces.create("beta").id
    with pytest.raises(Invalid):
        save(services, other, "x", session=session)
    with pytest.raises(Invalid):
        services.checkpoints.create_on_new_branch(other, content("x"), branch="b", start=first)
    assert [branch.name for branch in services.spaces.branches(other)] == ["main"]


def test_a_checkpoint_that_is_refused_leaves_no_empty_branch(
    services: Services, space: SpaceId
) -> None:
    first = save(services, space, "one").checkpoint.id
    beside = BesideService(services.checkpoints)
    huge = replace(content("huge"), summary="x" * (17 * 1024 * 1024))
    with pytest.raises(Invalid) as caught:
        beside.create(space, huge, branch="side", start=first)
    assert caught.value.code == "too_large"
    assert [branch.name for branch in services.spaces.branches(space)] == ["main"]
    saved = beside.create(space, content("small"), branch="side", start=first)
    assert saved.checkpoint.branch_name == "side"
    with pytest.raises(NotFound):
        beside.create(space, content("x"), branch="b", start=CheckpointId("0" * 64))
    prove(services)


# ---- source turns ------------------------------------------------------------------------------


async def test_source_turns_are_recorded_and_leave_the_window(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    """TURNS-01"""
    for n in range(2):
        await send(services, session, f"question {n}")
    saved = save(services, space, "one", session=session).checkpoint
    assert saved.body.source == Source(session, 1, 1, 4)
    await send(services, session, "question 2")
    second = save(services, space, "two", session=session).checkpoint
    assert second.body.source == Source(session, 1, 5, 6)
    # Nothing new: the source ends where it did, so that nothing comes back.
    third = save(services, space, "three", session=session).checkpoint
    assert third.body.source == Source(session, 1, None, 6)
    context = services.chat.preview(session, "now?").context
    assert [m.role for m in context.messages] == ["system", "user"]
    left = [(e.first, e.last, e.reason) for e in context.left_out if e.what == "turns"]
    assert left == [(1, 6, "in the checkpoint")]
    assert save(services, space, "no session").checkpoint.body.source is None


async def test_a_writer_saves_what_it_had_read(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    await send(services, session, "one")
    await send(services, session, "two")
    saved = save(services, space, "state", session=session, last=2).checkpoint
    assert saved.body.source == Source(session, 1, 1, 2)
    messages = services.chat.preview(session, "now?").context.messages
    assert [m.content for m in messages if m.role == "user"] == ["two", "now?"]


@pytest.mark.parametrize("last", [5, 99])
async def test_turns_that_are_not_there_yet_cannot_be_in_a_checkpoint(
    services: Services, space: SpaceId, session: SessionId, last: int
) -> None:
    """Else every turn up to that number would never be sent."""
    await send(services, session, "one")
    await send(services, session, "two")
    with pytest.raises(Invalid):
        save(services, space, "state", session=session, last=last)
    await send(services, session, "three")
    assert len(services.chat.preview(session, "x").context.messages) == 7


# ---- items -------------------------------------------------------------------------------------


def test_uids_go_from_checkpoint_to_checkpoint(services: Services, space: SpaceId) -> None:
    first = save(services, space, "one", "Use PostgreSQL.", "C", "C++", "सत्य")
    second = save(services, space, "two", "use postgresql", "C++", "C#", "सत्य।", "...")
    before, after = uids(first), uids(second)
    assert after["use postgresql"] == before["Use PostgreSQL."]
    assert after["C++"] == before["C++"]
    assert after["सत्य।"] == before["सत्य"]
    assert len({*before.values(), *after.values()}) == 6
    assert [item.text for item in second.omitted["decisions"]] == ["C"]


def test_omitted_items_are_counted_and_can_be_carried(services: Services, space: SpaceId) -> None:
    given = CheckpointInput(
        "one",
        decisions=(Item("", "kept"), Item("", "left")),
        assumptions=(Item("", "assumed"),),
        tasks=(Task("", "open"), Task("", "over", status="done")),
        open_questions=(Item("", "why?"),),
        artifacts=(Artifact("a", "text", "l", "c"),),
    )
    services.checkpoints.create(space, given)
    left = save(services, space, "two", "kept", dry_run=True)
    # A task that is done is not missed.
    assert {kind: len(items) for kind, items in left.omitted.items()} == {
        "decisions": 1,
        "assumptions": 1,
        "tasks": 1,
        "open_questions": 1,
    }
    assert left.omitted_count == 4
    carried = save(services, space, "two", "new", "kept", carry_all=True)
    assert carried.omitted_count == 0
    body = carried.checkpoint.body
    assert [item.text for item in body.decisions] == ["new", "kept", "left"]
    assert [item.text for item in body.assumptions] == ["assumed"]
    assert [item.text for item in body.open_questions] == ["why?"]
    assert [(task.text, task.status) for task in body.tasks][:1] == [("open", "open")]
    again = save(services, space, "three", "kept", carry_all=True)
    assert [item.text for item in again.checkpoint.body.decisions] == ["kept", "new", "left"]


def test_a_repeated_save_tells_the_same_omissions(services: Services, space: SpaceId) -> None:
    save(services, space, "one", "left")
    key = new_id()
    first = save(services, space, "two", "new", command_id=key)
    save(services, space, "three", "other")
    assert save(services, space, "two", "new", command_id=key) == first
    assert first.omitted_count == 1


# ---- what a model is told of it ------------------------------------------------------------------


async def test_the_state_is_told_readably_and_what_is_left_out_is_named(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    """SEND-14, SEND-15"""
    given = CheckpointInput(
        "the title",
        objective="the objective",
        summary="the summary",
        decisions=(Item("", "live one"), Item("", "gone one", state="retired")),
        tasks=(Task("", "to do", intent_hint="review", id="t-1"), Task("", "done", status="done")),
        open_questions=(Item("", "open one"),),
        entities=("secret entity",),
        artifacts=(Artifact("a", "text", "notes", "n" * 2500),),
    )
    services.checkpoints.create(space, given)
    context = services.chat.preview(session, "x").context
    told = context.messages[0].content
    for text in ("the title", "the objective", "the summary", "live one", "to do", "open one"):
        assert text in told
    for text in ("gone one", "done\n", "secret entity", "Task(", "uid", "{'"):
        assert text not in told
    assert "n" * 2000 in told
    assert "n" * 2001 not in told
    left = {(entry.what, entry.count or entry.of) for entry in context.left_out}
    assert left == {("artifact", 2500), ("entities", 1), ("items", 1), ("tasks", 1)}
