"""Exports come back: the same bytes, once, whole, and nothing that was changed on the way."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound, SmritiError
from smriti_tui.domain.ids import new_id
from smriti_tui.domain.values import canonical, sha256
from smriti_tui.services import Services
from smriti_tui.services.exporting import Format
from smriti_tui.services.logs import NewEvent
from smriti_tui.store.envelope import COLUMNS, StoredEvent, expected_chain
from smriti_tui.store.rebuild import rebuild
from tests.store.test_past import Life
from tests.support import content, opened_services, send

FORMATS: tuple[Format, ...] = ("json", "jsonl")


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def everything(services: Services, folder: Path) -> dict[str, bytes]:
    services.exporting.to_folder(services.exporting.select(everything=True), folder)
    return files(folder)


@pytest.fixture
async def lived(tmp_path: Path) -> AsyncIterator[Services]:
    """A random life, and open streams beside it."""
    with opened_services(tmp_path / "first") as services:
        life = Life(services, 5)
        for _ in range(60):
            await life.step()
        services.log.append("tracker", [NewEvent("item_created", {"id": "T1", "n": 1e-7})])
        services.log.append("notes.own", [NewEvent("x", {"words": "ünï \u202e 漢字 \x1b"})])
        yield services


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Services]:
    with opened_services(tmp_path / "second", actor="bo") as services:
        yield services


def sound(services: Services) -> None:
    assert services.log.verify().difference is None
    rebuild(services.caller.store)
    assert services.log.verify().difference is None


def test_a_bundle_of_all_comes_back_byte_for_byte(
    lived: Services, other: Services, tmp_path: Path
) -> None:
    first = everything(lived, tmp_path / "one")
    done = other.ingesting.folder_or_file(tmp_path / "one")
    assert done.taken == done.events > 60
    assert done.edited == []
    assert everything(other, tmp_path / "two") == first
    sound(other)
    position = other.log.last_position()
    for _ in range(3):
        assert other.ingesting.folder_or_file(tmp_path / "one").taken == 0
    assert other.log.last_position() == position
    assert {event.actor for event in other.log.read("tracker")} == {"ada"}  # type: ignore[union-attr]


@pytest.mark.parametrize("name", FORMATS)
def test_a_document_comes_back_too(lived: Services, other: Services, name: Format) -> None:
    for space in lived.spaces.all():
        text = "".join(lived.exporting.text(lived.exporting.select(space=space.id), name))
        assert other.ingesting.text(text).taken > 0
        assert "".join(other.exporting.text(other.exporting.select(space=space.id), name)) == text
        assert other.ingesting.text(text).taken == 0
    sound(other)


def test_what_grew_since_is_taken_and_a_dry_run_writes_nothing(
    lived: Services, other: Services, tmp_path: Path
) -> None:
    everything(lived, tmp_path / "one")
    assert other.ingesting.folder_or_file(tmp_path / "one", dry_run=True).taken > 60
    assert not other.caller.store.path.exists()
    other.ingesting.folder_or_file(tmp_path / "one")
    space = lived.spaces.create("later")
    lived.checkpoints.create(space.id, content("State", "D1"))
    lived.log.append("tracker", [NewEvent("item_updated", {"id": "T1", "title": "t"})])
    everything(lived, tmp_path / "one")
    before = other.log.last_position()
    dry = other.ingesting.folder_or_file(tmp_path / "one", dry_run=True)
    assert other.log.last_position() == before
    done = other.ingesting.folder_or_file(tmp_path / "one")
    assert dry.streams == done.streams
    assert done.streams["tracker"] == 1
    assert everything(other, tmp_path / "two") == files(tmp_path / "one")
    sound(other)


def test_histories_that_grew_apart_are_told_and_nothing_is_written(
    lived: Services, other: Services, tmp_path: Path
) -> None:
    everything(lived, tmp_path / "one")
    other.ingesting.folder_or_file(tmp_path / "one")
    other.log.append("tracker", [NewEvent("item_updated", {"id": "T1", "by": "bo"})])
    lived.log.append("tracker", [NewEvent("item_updated", {"id": "T1", "by": "ada"})])
    lived.spaces.create("later")
    everything(lived, tmp_path / "one")
    before = other.log.last_position()
    with pytest.raises(Conflict, match="tracker has grown apart") as refused:
        other.ingesting.folder_or_file(tmp_path / "one")
    assert refused.value.code == "diverged"
    assert other.log.last_position() == before


def test_edited_renderings_are_named_and_not_taken(
    lived: Services, other: Services, tmp_path: Path
) -> None:
    everything(lived, tmp_path / "one")
    state = next((tmp_path / "one").rglob("STATE.md"))
    state.write_text(state.read_text() + "by hand\n")
    done = other.ingesting.folder_or_file(tmp_path / "one")
    assert done.edited == [state.relative_to(tmp_path / "one").as_posix()]
    assert done.taken == done.events


# ---- hostile -------------------------------------------------------------------------------------


@pytest.fixture
async def lines(tmp_path: Path) -> list[dict[str, Any]]:
    with opened_services(tmp_path / "third") as services:
        space = services.spaces.create("alpha")
        session = services.sessions.new(space.id)
        await send(services, session.id, "hello")
        services.checkpoints.create(space.id, content("State", "D1"), session=session.id)
        chosen = services.exporting.select(everything=True)
        text = "".join(services.exporting.text(chosen, "jsonl"))
    return [json.loads(line) for line in text.splitlines()]


def change(name: str, value: object) -> Callable[[list[dict[str, Any]]], object]:
    return lambda lines: lines[2].__setitem__(name, value)


TAMPERED: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "gone": lambda lines: lines.pop(1),
    "twice": lambda lines: lines.append(lines[0]),
    "key gone": lambda lines: lines[0].pop("actor"),
    "key more": change("extra", 1),
    "payload": lambda lines: lines[0]["payload"].__setitem__("name", "beta"),
    "payload list": change("payload", []),
    "actor": change("actor", "mallory"),
    "actor number": change("actor", 3),
    "time": change("recorded_at", "2020-01-01T00:00:00.000000Z"),
    "store stream": change("stream", "store"),
    "climbing stream": change("stream", "../../etc"),
    "odd stream": change("stream", "space/nope"),
    "version": change("version", 0),
    "version text": change("version", "2"),
    "version true": change("version", True),
    "huge": change("version", 2**70),
    "order": change("order", 1),
    "event id": change("event_id", "x"),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_what_was_changed_is_refused_whole(
    other: Services, lines: list[dict[str, Any]], how: str
) -> None:
    TAMPERED[how](lines)
    with pytest.raises(Invalid):
        other.ingesting.text("\n".join(map(json.dumps, lines)))
    assert not other.caller.store.path.exists()


def test_the_order_of_the_lines_is_no_matter(other: Services, lines: list[dict[str, Any]]) -> None:
    text = "\n".join(map(json.dumps, reversed(lines)))
    assert other.ingesting.text(text).taken == len(lines)
    sound(other)


def test_a_type_of_a_newer_program_is_kept_and_told(
    other: Services, lines: list[dict[str, Any]]
) -> None:
    last = [line for line in lines if line["stream"].startswith("space/")][-1]
    payload = canonical({"shine": 3})
    newer = StoredEvent(
        **{
            **{name: last[name] for name in COLUMNS if name not in ("position", "payload")},
            "position": 0, "event_id": new_id(), "version": last["version"] + 1,
            "type": "space.polished", "payload": payload, "payload_sha256": sha256(payload),
        }
    )  # fmt: skip
    link = expected_chain(last["chain_sha256"], newer)
    line = {name: getattr(newer, name) for name in COLUMNS if name != "position"}
    lines.append({**line, "payload": {"shine": 3}, "chain_sha256": link, "order": len(lines) + 1})
    text = "\n".join(map(json.dumps, lines))
    assert other.ingesting.text(text).taken == len(lines)
    assert other.log.verify().log.unknown == {"space.polished": 1}
    assert other.ingesting.text(text).taken == 0
    sound(other)


def test_a_bundle_whose_head_is_no_bundle_s_is_taken_all_the_same(
    lived: Services, other: Services, tmp_path: Path
) -> None:
    """The events count; what they were chosen by only helps to find edits."""
    everything(lived, tmp_path / "one")
    head = tmp_path / "one" / "bundle.json"
    told = json.loads(head.read_text())
    told["selection"] = {"space": ["x"], "all": "yes", "session": {"a": 1}, "turns": 3}
    head.write_text(json.dumps(told))
    done = other.ingesting.folder_or_file(tmp_path / "one")
    assert (done.taken, done.edited) == (done.events, [])


def test_a_session_without_its_space_is_refused(
    other: Services, lines: list[dict[str, Any]]
) -> None:
    alone = [line for line in lines if line["stream"].startswith("session/")]
    with pytest.raises(Invalid, match="neither here nor in it"):
        other.ingesting.text("\n".join(map(json.dumps, alone)))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1]",
        "[" * 50_000,
        '{"a": 1}',
        '{"format": "x",\n"events": []}',
        '{"format": "smriti-export/1", "events": 3}',
        '{"format": "smriti-export/1",\n"events": [1]}',
        '{"events"\n:[1]}',
    ],
)
def test_what_is_no_export_is_refused(other: Services, text: str) -> None:
    with pytest.raises(Invalid):
        other.ingesting.text(text)


def test_paths_that_are_none(other: Services, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        other.ingesting.folder_or_file(tmp_path / "none")
    folder = tmp_path / "folder"
    (folder / "events").mkdir(parents=True)
    with pytest.raises(Invalid, match="no bundle"):
        other.ingesting.folder_or_file(folder)
    (folder / "events" / "x.jsonl").symlink_to("/etc/passwd")
    with pytest.raises(Invalid, match="no file of its own"):
        other.ingesting.folder_or_file(folder)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(Invalid, match="UTF-8"):
        other.ingesting.folder_or_file(tmp_path / "bytes")
    with pytest.raises(SmritiError):
        other.ingesting.folder_or_file(Path("/dev/null/x"))
    assert other.ingesting.text("").events == 0
    assert not other.caller.store.path.exists()
