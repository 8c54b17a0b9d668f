"""Reviews in a real store: what the model gets, what is recorded, settled, written and undone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.errors import Conflict, Invalid, NotFound, ProviderError, SmritiError
from smriti_tui.domain.findings import Change
from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.domain.model import Artifact, Checkpoint, Evidence, EvidenceCheck, Item, Task
from smriti_tui.domain.reviewed import Reviewed
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services import Services
from smriti_tui.services.background import Asked
from smriti_tui.services.review_settling import Settling
from smriti_tui.services.reviewing import ReviewService, ReviewStep, Unread
from smriti_tui.store.database import Store
from smriti_tui.store.rebuild import rebuild
from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import WIRES, Asking, asking_in, prove
from tests.store.test_past import last_position
from tests.support import opened_services, send, ticking_clock

pytestmark = pytest.mark.contract

STATE = CheckpointInput(
    "Keep FTS5",
    objective="canary-objective",
    summary="canary-summary",
    decisions=(
        Item("d1", "canary-request: in the request"),
        Item("d2", "As a job"),
        Item("d3", "as a job."),
    ),
    assumptions=(Item("a1", "canary-small"),),
    tasks=(Task("t1", "canary-task"),),
    open_questions=(Item("q1", "canary-question"),),
    entities=("canary-entity",),
    artifacts=(Artifact("f1", "csv", "canary-label", "canary-artifact"),),
    author="canary-author",
)
ANSWER = {
    "findings": [
        {"kind": "contradiction", "items": ["D1", "D2"], "text": "Both say where.", "why": "So.",
         "suggestion": {"change": "retire", "item": "D1", "by": "D2", "text": None}},
        {"kind": "hidden_assumption", "items": ["D2"], "text": "A runner.", "why": "",
         "suggestion": {"change": "add_assumption", "item": "D2", "text": "A runner exists"}},
    ]
}  # fmt: skip


async def asked(
    services: Services, checkpoint: CheckpointId, **more: str
) -> tuple[list[ReviewStep], Reviewed]:
    steps = [step async for step in services.reviewing.review(checkpoint, **more)]
    last = steps[-1]
    assert isinstance(last, Reviewed)
    return steps, last


def saved(asking: Asking) -> Checkpoint:
    """A checkpoint whose parent, note, author and artifact must not be told."""
    make = asking.services.checkpoints.create
    make(asking.space, CheckpointInput("canary-parent"))
    made = make(asking.space, STATE).checkpoint
    asking.services.notes.add(made.id, "canary-note")
    return made


@pytest.fixture
def asking(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> Iterator[Asking]:
    background = {"SMRITI_BACKGROUND_MODEL": "openai/scripted"}
    with asking_in(tmp_path, warm_process, one_server, **background) as opened:
        yield opened


@pytest.mark.parametrize("wire", WIRES)
async def test_the_model_gets_the_state_alone_and_its_findings_stand_beside_the_rules(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, wire: str
) -> None:
    with asking_in(
        tmp_path, warm_process, one_server, SMRITI_BACKGROUND_MODEL=f"{wire}/scripted"
    ) as asking:
        made = saved(asking)
        one_server.script({"text": f"```json\n{json.dumps(ANSWER)}\n```"})
        steps, found = await asked(asking.services, made.id)
        assert isinstance(steps[0], Asked)
        # A protocol may put the system text elsewhere: the whole request is looked through.
        said = json.dumps(one_server.requests()[-1])
        for word in ("objective", "summary", "request", "small", "task", "question", "entity"):
            assert f"canary-{word}" in said
        for word in ("parent", "note", "author", "label", "artifact"):
            assert f"canary-{word}" not in said  # REVIEW-05
        assert [(each.finding.kind, each.outcome) for each in found.findings] == [
            ("contradiction", "open"), ("hidden_assumption", "open"), ("duplicate", "open"),
        ]  # fmt: skip
        assert (found.review.model, found.problems) == (f"{wire}/scripted", ())
        assert found.usage is not None
        assert replace(found, problems=()) == asking.services.reviewing.latest(made.id)
        assert asking.services.reviewing.of_space(asking.space) == {made.id: 3}
        assert asking.services.checkpoints.get(made.id) == made
        asking.proved()


async def test_an_answer_that_is_no_list_records_nothing(
    asking: Asking, one_server: FakeLLMServer
) -> None:
    made = saved(asking)
    one_server.script({"text": "I think all is well."})
    steps = [step async for step in asking.services.reviewing.review(made.id)]
    last = steps[-1]
    assert isinstance(last, Unread)
    assert last.raw == "I think all is well."
    one_server.script({"status": 401})
    with pytest.raises(ProviderError):
        await asked(asking.services, made.id)
    assert asking.services.reviewing.latest(made.id) is None
    asking.proved()


async def test_a_repeated_command_asks_nobody(asking: Asking, one_server: FakeLLMServer) -> None:
    made, command = saved(asking), "6f1c0a52-7d0e-4a63-9a75-0d3f5a1f2b11"
    one_server.script({"text": json.dumps(ANSWER)})
    _, first = await asked(asking.services, made.id, command_id=command)
    calls = len(one_server.requests())
    steps, again = await asked(asking.services, made.id, command_id=command)
    assert (len(steps), len(one_server.requests())) == (1, calls)
    assert again.review == first.review


async def test_no_model_is_a_refusal_and_the_rules_still_work(services: Services) -> None:
    space = services.spaces.create("alpha").id
    made = services.checkpoints.create(space, STATE).checkpoint
    with pytest.raises(ProviderError, match="No background model is set"):
        await asked(services, made.id)
    assert [each.kind for each in services.reviewing.rules(made.id).findings] == ["duplicate"]
    assert services.reviewing.latest(made.id) is None  # looking records nothing
    recorded = services.reviewing.record_rules(made.id)
    assert (recorded.review.model, len(recorded.open)) == (None, 1)
    with pytest.raises(NotFound):
        services.reviewing.rules(CheckpointId("0" * 64))
    services.deleting.delete(made.id)
    assert services.reviewing.of_space(space) == {}
    with pytest.raises(NotFound):
        services.reviewing.settle(recorded.open[0].finding.id, "accepted")


def test_findings_are_settled_all_or_none_and_become_a_checkpoint(services: Services) -> None:
    space = services.spaces.create("alpha").id
    bare = replace(STATE, objective="")
    made = services.checkpoints.create(space, bare).checkpoint
    reviewing = services.reviewing
    twice, empty = reviewing.record_rules(made.id).findings
    with pytest.raises(Invalid, match="No finding was accepted"):
        reviewing.write_follow_up(made.id)
    for settling, code in (
        (Settling(empty.finding.id, "dismissed", reason=" "), "invalid"),
        (Settling(empty.finding.id, "accepted"), "no_suggestion"),
        (Settling(empty.finding.id, "edited", Change("reword", "nobody", text="x")), "invalid"),
    ):
        with pytest.raises(Invalid) as refused:
            reviewing.settle_all([Settling(twice.finding.id, "accepted"), settling])
        assert refused.value.code == code
    assert len(reviewing.record_rules(made.id).open) == 2  # none was settled
    twice, empty = reviewing.record_rules(made.id).findings
    reviewing.settle(twice.finding.id, "accepted")
    change = Change("objective", text="Find things")
    settled = reviewing.settle(empty.finding.id, "edited", change=change)
    assert (settled.taken, settled.settled_by) == (change, "ada")
    written = reviewing.write_follow_up(made.id, title="Cleaned").checkpoint
    assert (written.body.parents, written.title) == ((made.id,), "Cleaned")
    assert written.body.objective == "Find things"
    assert [(d.uid, d.state, d.retired_by) for d in written.body.decisions] == [
        ("d1", "live", None), ("d2", "live", None), ("d3", "retired", "ada"),
    ]  # fmt: skip
    assert written.body.artifacts == made.body.artifacts
    assert services.checkpoints.get(made.id) == made
    assert services.reviewing.rules(written.id).findings == ()
    with pytest.raises(Conflict) as moved:
        reviewing.write_follow_up(made.id)
    assert moved.value.code == "branch_needed"
    other = reviewing.write_follow_up(made.id, branch="other").checkpoint
    assert (other.branch_name, other.body.parents) == ("other", (made.id,))
    prove(services)


def test_what_was_settled_stays_settled_when_it_is_found_again(services: Services) -> None:
    space = services.spaces.create("alpha").id
    made = services.checkpoints.create(space, replace(STATE, objective="")).checkpoint
    reviewing = services.reviewing
    twice, empty = reviewing.record_rules(made.id).findings
    reviewing.settle(empty.finding.id, "dismissed", reason="on purpose")
    reviewing.settle(twice.finding.id, "accepted")
    again = reviewing.record_rules(made.id)
    assert [each.outcome for each in again.findings] == ["accepted", "dismissed"]
    assert (reviewing.of_space(space), len(again.taken)) == ({}, 1)
    reviewing.settle(empty.finding.id, "open")
    assert reviewing.of_space(space) == {made.id: 1}
    assert reviewing.find(made.id, "2").finding.kind == "empty_objective"
    assert reviewing.find(made.id, empty.finding.id[:8]) == reviewing.find(
        made.id, empty.finding.id
    )
    refusals: dict[str, type[SmritiError]] = {"3": NotFound, "0": NotFound, "abc": Invalid}
    for wanted, refusal in refusals.items():
        with pytest.raises(refusal):
            reviewing.find(made.id, wanted)


def test_clashing_changes_are_not_written(services: Services) -> None:
    space = services.spaces.create("alpha").id
    more = Item("d4", "AS A JOB!")
    state = replace(STATE, decisions=(*STATE.decisions, more), objective="")
    made = services.checkpoints.create(space, state).checkpoint
    first, second, empty = services.reviewing.record_rules(made.id).findings
    services.reviewing.settle(first.finding.id, "accepted")
    services.reviewing.settle(empty.finding.id, "edited", change=Change("retire", "d2"))
    services.reviewing.settle(second.finding.id, "accepted")
    clashes = services.reviewing.follow_up(made.id).clashes
    assert [each.why for each in clashes] == ["D2 replaces another item and cannot go itself."]
    with pytest.raises(Conflict) as refused:
        services.reviewing.write_follow_up(made.id)
    assert refused.value.code == "review_clashes"


# ---- undo, time travel, rebuild, verify, transport ---------------------------------------------


def test_what_was_settled_in_the_app_is_undone_and_done_again(tmp_path: Path) -> None:
    with opened_services(tmp_path, door="tui") as mine:
        space = mine.spaces.create("alpha").id
        made = mine.checkpoints.create(space, STATE).checkpoint
        (twice,) = mine.reviewing.record_rules(made.id).findings
        key = twice.finding.id

        def now() -> tuple[str, str | None]:
            found = mine.reviewing.find(made.id, key)
            return found.outcome, found.reason

        mine.reviewing.settle(key, "accepted")
        mine.reviewing.settle(key, "dismissed", reason="no")
        undone = mine.undoing.undo()
        assert undone is not None
        words = f'dismissed "D3 says the same as D2." in the review of {made.id[:7]}'
        assert (undone.what, now()) == (words, ("accepted", None))
        mine.undoing.undo()
        assert now() == ("open", None)
        assert mine.undoing.undo() is None  # the review itself stays
        mine.undoing.redo()
        mine.undoing.redo()
        assert now() == ("dismissed", "no")
        with opened_services(tmp_path, actor="bob") as others:
            others.reviewing.settle(key, "accepted")
        with pytest.raises(Conflict) as foreign:
            mine.undoing.undo()
        assert foreign.value.code == "undo_foreign"
        assert now() == ("accepted", None)


def test_findings_of_an_earlier_moment_and_of_a_rebuilt_store(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        space = services.spaces.create("alpha").id
        made = services.checkpoints.create(space, STATE).checkpoint
        positions = [last_position(services.caller.store)]
        (twice,) = services.reviewing.record_rules(made.id).findings
        positions.append(last_position(services.caller.store))
        services.reviewing.settle(twice.finding.id, "dismissed", reason="no")
        kept = services.reviewing.latest(made.id)

        def then(position: int) -> Reviewed | None:
            past = Store(str(tmp_path / "smriti.db"), ticking_clock(), at=position)
            mine = services.reviewing.background
            caller = replace(services.caller, store=past)
            try:
                return ReviewService(replace(mine, caller=caller)).latest(made.id)
            finally:
                past.close()

        def outcomes() -> list[list[str] | None]:
            found = [then(position) for position in positions]
            return [[each.outcome for each in one.findings] if one else None for one in found]

        assert outcomes() == [None, ["open"]]
        rebuild(services.caller.store)
        assert services.reviewing.latest(made.id) == kept
        assert outcomes() == [None, ["open"]]
        prove(services)
        with services.caller.store.log.exclusive() as connection:
            connection.execute("UPDATE finding SET outcome = 'accepted'")
        assert services.log.verify().difference is not None


async def test_verify_tells_of_quotes_that_do_not_stand_where_they_are_said_to(
    tmp_path: Path,
) -> None:
    with opened_services(tmp_path) as services:
        space = services.spaces.create("alpha").id
        session = services.sessions.new(space).id
        await send(services, session, "we write with a single writer")
        await send(services, session, "make the rebuild a job")

        def item(quote: str, turn: int, check: EvidenceCheck = "found") -> Item:
            kept = "ada" if check == "not_found" else None
            return Item("", quote, evidence=(_said(session, quote, turn, check, kept),))

        state = CheckpointInput(
            "Quotes",
            objective="o",
            decisions=(
                item("a single writer", 1),
                item("rebuild a job", 1),
                item("from cron", 3),
                item("from the moon", 3, "not_found"),
            ),
        )
        made = services.checkpoints.create(space, state, session=session).checkpoint
        (check,) = services.checkpoints.verify(one=made.id)
        assert check.faults == (
            "D2 quotes turn 1; the words are in turn 3",
            "D3 quotes turn 3, the words are not there",
        )
        report = services.reviewing.rules(made.id)
        assert (report.verified, report.count("kept"), len(report.quotes)) == (1, 1, 4)
        for each in services.reviewing.record_rules(made.id).findings:
            services.reviewing.settle(each.finding.id, "accepted")
        mended = services.reviewing.write_follow_up(made.id).checkpoint
        assert services.checkpoints.verify(one=mended.id)[0].faults == ()
        assert services.reviewing.rules(mended.id).findings == ()
        before = services.reviewing.rules_of(space, replace(state, objective=""), head=made.id)
        assert [each.kind for each in before.findings].count("unverified_evidence") == 2


def _said(
    session: SessionId, quote: str, turn: int, check: EvidenceCheck, kept_by: str | None
) -> Evidence:
    return Evidence(quote, check, session, turn, kept_by=kept_by)
