"""Undo and redo of a person's own actions: the stack is the log, nobody else's write is undone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.events import (
    BranchDisposed,
    BranchOpened,
    BranchRenamed,
    CheckpointDeleted,
    SessionChanged,
    SpaceChanged,
)
from smriti_tui.domain.ids import BranchId, new_id, short
from smriti_tui.services.logs import StoredEvent
from smriti_tui.services.sessions import SessionService
from tests.services.undoing import Desk, desk_in, fields_of
from tests.support import content, ended, opened_services, send

pytestmark = pytest.mark.contract


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_in(tmp_path) as opened:
        yield opened
        assert opened.mine.log.verify().difference is None


def branch_changed(desk: Desk) -> None:
    """There is no command for it yet; the events are."""
    branch = BranchId(new_id())
    with desk.other() as other, other.caller.write() as scope:
        scope.append(f"space/{desk.space}", BranchOpened(branch, "side"))
    for event in (BranchRenamed(branch, "aside"), BranchDisposed(branch, "abandoned")):
        with desk.mine.caller.write() as scope:
            scope.append(f"space/{desk.space}", event)


def chosen(desk: Desk) -> None:
    asyncio.run(send(desk.mine, desk.session, "hello"))
    asyncio.run(ended(desk.mine.chat.retry(desk.session)))
    desk.mine.chat.choose(desk.session, 2)
    desk.mine.chat.choose(desk.session, 3)


def mounted(desk: Desk) -> None:
    desk.mine.sessions.mount(desk.session, desk.checkpoints[0])
    desk.mine.sessions.mount(desk.session, desk.checkpoints[1])


def mounted_and_left(desk: Desk) -> None:
    desk.mine.sessions.mount(desk.session, desk.checkpoints[0])
    asyncio.run(send(desk.mine, desk.session, "on the mounted line"))
    desk.mine.sessions.unmount(desk.session)


def space_changed(desk: Desk) -> None:
    desk.mine.spaces.change(desk.space, name="beta", description="first", project_root="")
    desk.mine.spaces.archive(desk.space)


def session_changed(desk: Desk) -> None:
    desk.mine.sessions.rename(desk.session, "two")
    desk.mine.sessions.pin(desk.session)
    desk.mine.sessions.archive(desk.session)


def session_opened(desk: Desk) -> None:
    desk.mine.sessions.new(desk.space, title="new")
    desk.mine.sessions.new_fresh(title="loose")


KINDS: list[tuple[Callable[[Desk], None], list[str]]] = [
    (space_changed, ['archived Space "beta"', 'renamed Space "alpha" to "beta" and took the fo']),
    (session_changed, ['archived session "two"', 'pinned session "two"', 'renamed session "one"']),
    (session_opened, ['opened session "loose"', 'opened session "new"']),
    (branch_changed, ['marked branch "aside" as abandoned', 'renamed branch "side" to "aside"']),
    (chosen, ["chose answer 3", "chose answer 2"]),
    (mounted, ["mounted", "mounted"]),
    (mounted_and_left, ["unmounted"]),
]


@pytest.mark.parametrize(("act", "words"), KINDS, ids=lambda value: getattr(value, "__name__", ""))
def test_each_kind_goes_back_and_forth(
    desk: Desk, act: Callable[[Desk], None], words: list[str]
) -> None:
    act(desk)
    states, told = [desk.state()], []
    for begins in words:
        told.append(desk.undo())
        assert told[-1].startswith(begins)
        states.append(desk.state())
    assert len({str(state) for state in states}) == len(words) + 1
    for done, state in zip(reversed(told), reversed(states[:-1]), strict=True):
        assert desk.redo() == done
        assert desk.state() == state
    assert desk.redo() == ""
    for state in states[1:]:
        desk.undo()
        assert desk.state() == state


def test_what_is_undone_first_is_the_newest(desk: Desk) -> None:
    sessions, one, two = desk.mine.sessions, *desk.checkpoints
    sessions.rename(desk.session, "two")
    sessions.mount(desk.session, one)
    sessions.mount(desk.session, two)
    done = ['renamed session "one" to "two"', f"mounted {short(one)}", f"mounted {short(two)}"]
    assert [desk.undo(), desk.undo(), desk.redo(), desk.redo(), desk.redo()] == [
        done[2], done[1], done[1], done[2], "",
    ]  # fmt: skip
    assert desk.line() == 3
    assert [desk.undo() for _ in range(4)] == [done[2], done[1], done[0], ""]
    assert [desk.line(), sessions.get(desk.session).title] == [1, "one"]


def test_the_events_say_what_they_undo(desk: Desk) -> None:
    desk.mine.sessions.rename(desk.session, "two")
    desk.undo()
    desk.redo()
    log = desk.mine.log.read(f"session/{desk.session}")
    action, undo, redo = [event for event in log if isinstance(event, StoredEvent)][-3:]
    assert [undo.body()["undoes"], redo.body()["undoes"]] == [
        action.correlation_id, undo.correlation_id,
    ]  # fmt: skip
    assert [undo.causation_id, redo.causation_id] == [action.event_id, undo.event_id]


def test_a_new_action_ends_what_can_be_done_again(desk: Desk) -> None:
    desk.mine.sessions.rename(desk.session, "two")
    desk.undo()
    desk.mine.sessions.pin(desk.session)
    assert desk.redo() == ""
    desk.undo()
    assert desk.redo() == 'pinned session "one"'
    desk.undo()
    asyncio.run(send(desk.mine, desk.session, "a send is something new, too"))
    assert desk.redo() == ""


def test_another_program_goes_on_with_the_same_stack(desk: Desk) -> None:
    desk.mine.sessions.rename(desk.session, "two")
    desk.mine.sessions.pin(desk.session)
    desk.undo()
    with opened_services(desk.folder, door="tui") as later:
        assert (done := later.undoing.redo())
        assert done.what == 'pinned session "two"'
        assert [later.undoing.undo() is None for _ in range(3)] == [False, False, True]
        assert later.sessions.get(desk.session).title == "one"
    with desk.other(actor="somebody", door="tui") as other:
        assert other.undoing.undo() is None
        assert other.undoing.redo() is None
    with desk.other(actor="ada") as shell, pytest.raises(Invalid):
        shell.undoing.undo()


def test_a_write_of_somebody_else_is_named_and_stays(desk: Desk) -> None:
    desk.mine.sessions.rename(desk.session, "two")
    with desk.other() as codex:
        codex.sessions.rename(desk.session, "theirs")
    with pytest.raises(Conflict) as caught:
        desk.undo()
    assert caught.value.code == "undo_foreign"
    assert caught.value.details["actor"] == "codex"
    assert 'codex (cli) renamed session "two" to "theirs"' in caught.value.message
    assert desk.mine.sessions.get(desk.session).title == "theirs"
    with desk.other() as codex:  # The value is as it was; the write stands in between all the same.
        codex.sessions.rename(desk.session, "two")
    with pytest.raises(Conflict):
        desk.undo()
    desk.mine.sessions.rename(desk.session, "mine again")
    assert desk.undo() == 'renamed session "two" to "mine again"'


def test_only_a_write_on_the_same_thing_stands_in_the_way(desk: Desk) -> None:
    desk.mine.sessions.pin(desk.session)
    desk.mine.spaces.change(desk.space, name="beta", description="first")
    with desk.other() as codex:
        codex.sessions.rename(desk.session, "theirs")
        codex.spaces.change(desk.space, description="theirs")
    assert desk.undo() == 'renamed Space "alpha" to "beta"'
    assert desk.undo() == 'pinned session "theirs"'
    assert desk.mine.spaces.get(desk.space).description == "theirs"


def test_the_same_person_in_a_shell_is_somebody_else(desk: Desk) -> None:
    desk.mine.sessions.mount(desk.session, desk.checkpoints[0])
    with desk.other(actor="ada") as shell:
        shell.sessions.unmount(desk.session)
    with pytest.raises(Conflict) as caught:
        desk.undo()
    assert f"ada (cli) unmounted {short(desk.checkpoints[0])}" in caught.value.message


def asked_on_the_line(desk: Desk) -> None:
    desk.mine.sessions.mount(desk.session, desk.checkpoints[0])
    asyncio.run(send(desk.mine, desk.session, "what was mounted here?"))


def asked_after_the_choice(desk: Desk) -> None:
    chosen(desk)
    asyncio.run(send(desk.mine, desk.session, "go on from there"))


def saved_on_the_line(desk: Desk) -> None:
    desk.mine.sessions.mount(desk.session, desk.checkpoints[1])
    desk.mine.checkpoints.create(desk.space, content("there", "x"), session=desk.session)


def asked_in_the_new_session(desk: Desk) -> None:
    session = desk.mine.sessions.new(desk.space, title="new")
    asyncio.run(send(desk.mine, session.id, "hello"))


def typed_in_the_new_session(desk: Desk) -> None:
    session = desk.mine.sessions.new(desk.space, title="new")
    desk.mine.caller.store.side.save_unsent(f"prompt/{session.id}", "{}", "half a thought")


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (asked_on_the_line, "Turn 1 was added since"),
        (asked_after_the_choice, "Turn 4 was added since"),
        (saved_on_the_line, "was saved there since"),
        (asked_in_the_new_session, '"new" is not empty any more'),
        (typed_in_the_new_session, 'Unsent text stands in session "new"'),
    ],
)
def test_what_something_rests_on_stays(desk: Desk, act: Callable[[Desk], None], why: str) -> None:
    act(desk)
    before = desk.state()
    with pytest.raises(Conflict) as caught:
        desk.undo()
    assert caught.value.code == "undo_rests"
    assert why in caught.value.message
    assert desk.state() == before


def test_sends_and_deletions_are_passed_over(desk: Desk) -> None:
    gone = desk.mine.sessions.new(desk.space, title="gone").id
    desk.mine.spaces.change(desk.space, name="beta")
    desk.mine.sessions.rename(gone, "gone soon")
    asyncio.run(send(desk.mine, desk.session, "hello"))
    desk.mine.sessions.delete(gone)
    assert desk.undo() == 'renamed Space "alpha" to "beta"'
    assert desk.undo() == ""


def test_an_answer_that_became_the_chosen_one_by_itself_is_no_action(desk: Desk) -> None:
    desk.mine.sessions.rename(desk.session, "two")
    chosen(desk)
    asyncio.run(ended(desk.mine.chat.retry(desk.session)))
    assert desk.mine.sessions.turns(desk.session)[0].chosen == 4
    with pytest.raises(Conflict):
        desk.undo()


def test_a_session_that_another_works_in_is_not_taken_away(desk: Desk) -> None:
    new = desk.mine.sessions.new(desk.space, title="new").id
    with desk.other() as codex:
        codex.sessions.mount(new, desk.checkpoints[0])
    with pytest.raises(Conflict) as caught:
        desk.undo()
    assert f"codex (cli) mounted {short(desk.checkpoints[0])}" in caught.value.message


def test_a_line_whose_checkpoint_is_deleted_is_not_gone_back_to(desk: Desk) -> None:
    desk.mine.sessions.mount(desk.session, desk.checkpoints[1])
    desk.mine.sessions.unmount(desk.session)
    with desk.other() as codex, codex.caller.write() as scope:
        scope.append(f"space/{desk.space}", CheckpointDeleted(desk.checkpoints[1]))
    with pytest.raises(Conflict) as caught:
        desk.undo()
    assert "was deleted since" in caught.value.message


def test_all_of_one_command_goes_back_at_once(desk: Desk) -> None:
    before = desk.state()
    with desk.mine.caller.write() as scope:
        scope.append(f"session/{desk.session}", SessionChanged(title="two"))
        scope.append(f"space/{desk.space}", SpaceChanged(archived=True))
    after = desk.state()
    told = 'renamed session "one" to "two" and archived Space "alpha"'
    for _ in range(2):
        assert desk.undo() == told
        assert desk.state() == before
        assert desk.undo() == ""
        assert desk.redo() == told
        assert desk.state() == after


def test_a_repeated_command_undoes_once(desk: Desk) -> None:
    desk.mine.sessions.rename(desk.session, "two")
    desk.mine.sessions.pin(desk.session)
    undo, redo = new_id(), new_id()
    first = desk.mine.undoing.undo(command_id=undo)
    assert desk.mine.undoing.undo(command_id=undo) == first
    again = desk.mine.undoing.redo(command_id=redo)
    assert desk.mine.undoing.redo(command_id=redo) == again
    assert first
    assert again == replace(first, again=True)
    for use, taken in ((desk.mine.undoing.undo, redo), (desk.mine.undoing.redo, undo)):
        with pytest.raises(Conflict):
            use(command_id=taken)


RACE = """
import sys
from pathlib import Path
from tests.support import opened_services
with opened_services(Path(sys.argv[1]), door="tui") as services:
    sys.stdin.readline()
    for _ in range(5):
        print(services.undoing.undo().what, flush=True)
"""


def test_processes_that_race_undo_each_action_once(desk: Desk) -> None:
    names = [f"name {n}" for n in range(15)]
    for name in names:
        desk.mine.sessions.rename(desk.session, name)
    program = [sys.executable, "-c", RACE, str(desk.folder)]
    processes = [
        subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    told: list[str] = []
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        told += process.communicate(timeout=60)[0].splitlines()
    assert len(told) == len(set(told)) == 15
    assert fields_of(desk.mine)["session"][0][1] == "one"


def test_looking_for_the_newest_action_does_not_grow_with_the_history(desk: Desk) -> None:
    """Every look goes by an index; none reads a table through."""
    import smriti_tui.store.actions as actions

    plans: list[str] = []
    with desk.mine.caller.read() as tx:
        connection = tx.connection()
        raw = connection.connection.driver_connection
        asked: list[str] = []
        assert raw is not None
        raw.set_trace_callback(asked.append)
        list(actions.stack(tx, "ada"))
        actions.acted_after(tx, "ada", 5)
        stream = f"session/{desk.session}"
        list(actions.changes_before(tx, stream, ("session.changed", "session.opened"), 9))
        actions.asked_after(tx, stream, 3)
        actions.checkpoint_after(tx, desk.session, 1, 3)
        raw.set_trace_callback(None)
        for query in asked:
            if query.startswith("SELECT"):
                plans += [str(row[3]) for row in raw.execute(f"EXPLAIN QUERY PLAN {query}")]
    looks = [plan for plan in plans if plan.startswith(("SEARCH", "SCAN"))]
    assert any("event_of_actor" in look for look in looks)
    assert any("event_of_change" in look for look in looks)
    assert [look for look in looks if look.startswith("SCAN") and look != "SCAN newest"] == []
    assert [plan for plan in plans if "TEMP B-TREE" in plan and "ORDER BY" not in plan] == []


def test_only_the_person_at_the_app_is_on_the_stack(desk: Desk) -> None:
    SessionService(replace(desk.mine.caller, door="cli")).rename(desk.session, "from a shell")
    assert desk.undo() == ""


def test_where_nothing_was_done_nothing_is_made(tmp_path: Path) -> None:
    with opened_services(tmp_path, door="tui") as services:
        assert services.undoing.undo() is None
        assert services.undoing.redo() is None
    assert not (tmp_path / "smriti.db").exists()
