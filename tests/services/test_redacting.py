"""A secret is taken out of everything that was recorded, and the log still proves the rest."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.errors import Conflict, Invalid, NotFound, StoreBusy
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.model import Artifact, Item
from smriti_tui.domain.redaction import MARK
from smriti_tui.services import Services
from smriti_tui.services.copying import copy_database
from smriti_tui.services.logs import NewEvent, StoredEvent
from smriti_tui.services.reconciling import ReconcileService
from smriti_tui.services.redacting import RedactService
from smriti_tui.store import sessions
from smriti_tui.store.backends import postgres_dialect
from smriti_tui.store.database import Store
from smriti_tui.store.readlog import event_at
from tests.services.merging_stores import apart, merged, sound, told
from tests.support import opened_services, send

SECRET = 'hunter2 and "Öl" for all\nunter dem Tisch'
FORMS = [
    SECRET, json.dumps(SECRET)[1:-1], json.dumps(SECRET, ensure_ascii=False)[1:-1],
    "hunter2", "unter dem Tisch",
]  # fmt: skip


@pytest.fixture
async def services(tmp_path: Path, backend: str) -> AsyncIterator[Services]:
    """A store with the secret in a turn, a copied turn, a checkpoint, a stream and side tables."""
    environ = {"SMRITI_DATABASE_URL": backend}
    with opened_services(tmp_path, environ=environ) as opened:
        space = opened.spaces.create("alpha").id
        session = opened.sessions.new(space).id
        await send(opened, session, f"{SECRET}, ok")
        saved = opened.checkpoints.create(
            space,
            CheckpointInput(
                title="first",
                decisions=(Item("", f"log in with {SECRET}"), Item("", "no secret at all")),
                artifacts=(Artifact("", "doc", "note", f"a\n{SECRET}\nb"),),
            ),
            session=session,
        ).checkpoint
        await send(opened, session, "and what is it?")
        opened.forking.after_turn(session, 2)
        opened.sessions.mount(session, saved.id)
        await send(opened, session, "on the checkpoint")
        raw = json.dumps({"inner": json.dumps({"text": SECRET})})
        opened.log.append("notes", [NewEvent("said", {"raw": raw, "plain": "stays"})])
        opened.caller.store.side.save_unsent("prompt/x", "p", f"typed {SECRET}")
        yield opened


def redacting(services: Services) -> RedactService:
    return RedactService(services.caller, services.caller.away.parent)  # type: ignore[union-attr]


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def place(services: Services) -> tuple[SpaceId, SessionId]:
    space = services.spaces.all()[0].id
    return space, services.sessions.of_space(space)[-1].id


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"], indirect=True)
async def test_no_file_holds_it_and_all_else_is_as_before(
    services: Services, tmp_path: Path, backend: str
) -> None:
    before = [each for each in services.log.read(None) if isinstance(each, StoredEvent)]
    looked = redacting(services).look([SECRET])
    kinds = {each.event.type for each in looked.events}
    assert kinds >= {"turn.added", "checkpoint.saved", "request.stored", "said"}
    assert looked.sides == ["unsent"]
    done = redacting(services).take_out([SECRET])
    assert done.wiped
    assert done.left == []
    after = [each for each in services.log.read(None) if isinstance(each, StoredEvent)]
    for old, new in zip(before, after, strict=False):
        assert (old.event_id, old.chain_sha256) == (new.event_id, new.chain_sha256)
        assert (old.payload == new.payload) == ("hunter2" not in old.payload)
    assert {each.type for each in after[len(before) :]} == {"event.redacted"}
    verified = services.log.verify()
    assert verified.log.difference is None
    assert len(verified.log.redacted) == len(looked.events)
    sound_apart_from_contexts(services)
    assert redacting(services).look([SECRET]).nothing
    for words in ("hunter2", "Tisch"):
        assert not services.searching.search(words).hits
    assert services.searching.search("no secret").hits
    if backend.startswith("postgresql"):
        return
    services.caller.store.close()
    held = bytes_of(tmp_path)
    for form in FORMS:
        assert form.encode() not in held, form
        assert form.encode("utf-16-le") not in held


def sound_apart_from_contexts(services: Services) -> None:
    services.log.rebuild()
    assert services.log.verify().log.difference is None
    verdicts = list(services.contexts.verify())
    assert [each for each in verdicts if each.reason] == []
    assert any(each.redacted for each in verdicts)
    for check in services.checkpoints.verify():
        assert check.faults == ()


async def test_what_is_read_and_sent_from_then_on_has_the_mark(services: Services) -> None:
    _, session = place(services)
    redacting(services).take_out([SECRET])
    redacting(services).take_out(redacting(services).of_turn(session, 1))
    assert services.sessions.turns(session)[0].text == MARK
    saved = services.checkpoints.of_space(place(services)[0])[-1]
    body = services.checkpoints.get(saved.id).body
    assert [item.text for item in body.decisions] == [f"log in with {MARK}", "no secret at all"]
    assert MARK in body.artifacts[0].content
    turn = await send(services, session, "what now?")
    assert SECRET not in str(services.contexts.stored(session, turn.sequence_number).messages)
    assert services.caller.store.side.unsent("prompt/x")[0].text == f"typed {MARK}"
    sound_apart_from_contexts(services)


async def test_an_item_an_event_and_the_past(services: Services) -> None:
    space, _ = place(services)
    [saved] = services.checkpoints.of_space(space)
    service = redacting(services)
    assert service.of_item(saved.id, "D2") == ["no secret at all"]
    service.take_out(service.of_item(saved.id, "D2"))
    assert services.checkpoints.get(saved.id).body.decisions[1].text == MARK
    position = next(
        each.position for each in services.log.read("notes") if isinstance(each, StoredEvent)
    )
    service.take_out(service.of_event(position))
    [first, told_of] = list(services.log.read("notes"))
    assert json.loads(first.payload) == {"plain": "stays", "raw": MARK}  # type: ignore[union-attr]
    assert told_of.type == "event.redacted"  # type: ignore[union-attr]
    again = services.log.append(
        "notes", [NewEvent("said", {"n": 1}, event_id=None)], expected_version=2
    )
    assert again[0].version == 3
    sound_apart_from_contexts(services)
    with pytest.raises(NotFound):
        service.of_event(9_999)
    with pytest.raises(Invalid, match="16 characters"):
        service.of_event(again[0].position)


@pytest.mark.parametrize("text", ["short", "[redacted]", "       x"])
async def test_what_would_take_too_much_is_refused(services: Services, text: str) -> None:
    with pytest.raises(Invalid):
        redacting(services).take_out([text])


async def test_what_the_log_cannot_be_without_is_refused(services: Services) -> None:
    space, session = place(services)
    position = services.log.last_position()
    for text in ("assistant", session, "complete"):
        with pytest.raises((Invalid, Conflict)):
            redacting(services).take_out([text])
    for name in ("secret-branch-a", "secret-branch-b"):
        services.forking.after_turn(session, 2, branch=name)
    assert services.log.last_position() > position
    position = services.log.last_position()
    with pytest.raises(Conflict, match="no state"):
        redacting(services).take_out(["secret-branch-a", "secret-branch-b"])
    assert services.log.last_position() == position
    assert services.log.verify().log.difference is None
    assert not redacting(services).is_pending()
    assert services.spaces.get(space).name == "alpha"


async def test_a_changed_payload_that_calls_itself_redacted_is_found(services: Services) -> None:
    redacting(services).take_out([SECRET])
    path = services.caller.store.path
    services.caller.store.close()
    database = sqlite3.connect(path)
    guard = database.execute("SELECT sql FROM sqlite_master WHERE name = 'event_never_update'")
    [(sql,)] = guard.fetchall()
    database.execute("DROP TRIGGER event_never_update")
    database.execute(
        "UPDATE event SET payload = replace(payload, 'stays', '[redacted]') WHERE stream = 'notes'"
    )
    database.execute(sql)
    database.commit()
    database.close()
    difference = services.log.verify().log.difference
    assert difference is not None
    assert "hash differs" in difference.what


async def test_it_goes_with_exports_merges_and_copies(services: Services, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    services.exporting.to_file(services.exporting.select(everything=True), "jsonl", whole)
    redacting(services).take_out([SECRET])
    text = "".join(services.exporting.text(services.exporting.select(everything=True), "jsonl"))
    assert "hunter2" not in text
    with opened_services(tmp_path / "third", actor="cy") as third:
        third.ingesting.text(text)
        assert told(third) == told(services)
        sound_apart_from_contexts(third)
        position = third.log.last_position()
        third.ingesting.text(text)
        assert third.log.last_position() == position
    forged = text.replace("stays", "moves")
    with opened_services(tmp_path / "fourth", actor="cy") as fourth, pytest.raises(Invalid):
        fourth.ingesting.text(forged)
    target = str(tmp_path / "copy.db")
    copy_database(str(services.caller.store.path), target, services.caller.store.now, print)
    # What has it whole elsewhere does not bring it back.
    assert ReconcileService(services.caller).merge(str(whole)).taken == {}
    with opened_services(tmp_path / "fifth", actor="cy") as fifth:
        fifth.ingesting.folder_or_file(whole)
        ReconcileService(fifth.caller).merge(str(services.caller.store.path))
        sound(fifth)
        redacting(fifth).take_out([SECRET])
        assert redacting(fifth).look([SECRET]).nothing


async def test_stores_that_redacted_it_apart_come_together(tmp_path: Path) -> None:
    with opened_services(tmp_path / "one") as one:
        text = "the long secret phrase, and the rest of it"
        one.log.append("notes", [NewEvent("said", {"text": text})])
        one.log.append("other", [NewEvent("said", {"text": text})])
    with apart(tmp_path / "one", "ada", "bob") as (ada, bob):
        redacting(ada).take_out(["the long secret phrase"])
        redacting(bob).take_out(["secret phrase, and the rest"])
        merged(ada, bob)
        merged(bob, ada)
        for services in (ada, bob):
            sound(services)
            assert len(services.log.verify().log.redacted) == 2
            redacting(services).take_out(["the long secret phrase", "and the rest of it"])
            sound(services)
            assert services.log.verify().log.whole == ()


async def test_what_another_store_redacted_is_told_where_it_is_whole(tmp_path: Path) -> None:
    with opened_services(tmp_path / "one") as one:
        [stored] = one.log.append("notes", [NewEvent("said", {"text": SECRET})])
    with apart(tmp_path / "one", "ada", "bob") as (ada, bob):
        redacting(ada).take_out([SECRET])
        merged(bob, ada)
        assert bob.log.verify().log.whole == (stored.position,)
        redacting(bob).take_out(redacting(bob).of_event(stored.position))
        assert bob.log.verify().log.whole == ()
        assert bob.log.verify().log.redacted == (stored.position,)
        merged(ada, bob)
        sound(ada, bob)


async def test_a_repeated_append_gives_the_first_result(services: Services) -> None:
    again = NewEvent("said", {"text": SECRET}, event_id="0190aa00-0000-7000-8000-000000000001")
    [first] = services.log.append("notes", [again])
    redacting(services).take_out([SECRET])
    position = services.log.last_position()
    [second] = services.log.append("notes", [again])
    assert (second.position, second.version) == (first.position, first.version)
    assert SECRET not in second.payload
    with pytest.raises(Conflict):
        services.log.append("notes", [replace(again, payload=second.body())])
    assert services.log.last_position() == position


async def test_the_past_and_a_bundle_have_the_mark(services: Services, tmp_path: Path) -> None:
    space, session = place(services)
    before = services.log.last_position()
    redacting(services).take_out([SECRET])
    past = Store(str(services.caller.store.path), services.caller.store.now, at=before)
    with closing(past), past.read() as tx:
        assert sessions.turn(tx, session, 1).text == f"{MARK}, ok"
    chosen = services.exporting.select(space=space)
    services.exporting.to_folder(chosen, tmp_path / "bundle")
    files = [path for path in (tmp_path / "bundle").rglob("*") if path.is_file()]
    assert not any(b"hunter2" in path.read_bytes() for path in files)
    with opened_services(tmp_path / "other") as other:
        done = other.ingesting.folder_or_file(tmp_path / "bundle")
        assert done.redacted > 0
        assert not done.edited
        assert len(other.log.verify().log.redacted) == done.redacted
        other.exporting.to_folder(other.exporting.select(space=space), tmp_path / "again")
    for path in files:
        relative = path.relative_to(tmp_path / "bundle")
        assert (tmp_path / "again" / relative).read_bytes() == path.read_bytes()


async def test_what_has_it_as_its_name_is_renamed(services: Services) -> None:
    space, session = place(services)
    services.spaces.change(space, name="project hunter2-key-hunter2")
    services.forking.after_turn(session, 2, branch="hunter2-key-hunter2")
    looked = redacting(services).look(["hunter2-key-hunter2"])
    assert {each.event.type for each in looked.events} >= {"space.changed", "branch.opened"}
    redacting(services).take_out(["hunter2-key-hunter2"])
    assert services.spaces.get(space).name == f"project {MARK}"
    assert MARK in [each.name for each in services.spaces.branches(space)]
    sound(services)


@pytest.mark.parametrize("backend", ["postgresql"], indirect=True)
async def test_on_a_server_one_that_reads_for_long_bars_nobody(
    services: Services, tmp_path: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_dialect, "PATIENCE", "SET {scope} lock_timeout = '100ms'")
    position = services.log.last_position()
    environ = {"SMRITI_DATABASE_URL": backend}
    with opened_services(tmp_path / "other", environ=environ) as other:
        with other.caller.read() as tx:
            assert event_at(tx, "notes", 1) is not None
            with pytest.raises(StoreBusy):
                redacting(services).take_out([SECRET])
            assert not redacting(services).finish()
        assert services.log.last_position() == position
        assert redacting(services).take_out([SECRET]).wiped
        assert other.log.verify().log.redacted
