"""Exports: the same bytes twice, every selection, complete against the log, nothing created."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.bootstrap import open_services
from smriti_tui.config.settings import load_config
from smriti_tui.domain.errors import Conflict, Invalid, NotFound, StoreBroken
from smriti_tui.domain.values import canonical
from smriti_tui.services import Services
from smriti_tui.services.demo import DemoPlace, open_demo
from smriti_tui.services.exporting import FORMATS, Format
from smriti_tui.store.engine import driver
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.eventlog import NewEvent
from tests.support import content, opened_services

Demo = tuple[Services, DemoPlace]
TEXT_FORMATS: tuple[Format, ...] = ("md", "json", "jsonl")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    home = tmp_path_factory.mktemp("home")
    config = load_config(environ={"HOME": str(home)})
    with open_demo(open_services, config, "cli") as opened:
        services = opened.services
        fresh = services.sessions.new_fresh(title="A thought | of its own")
        assert fresh.space is None
        services.log.append("tracker", [NewEvent("step.done", {"n": 1})])
        yield services, opened.place


def _text(services: Services, format_name: Format, **words: Any) -> str:
    exporting = services.exporting
    return "".join(exporting.text(exporting.select(**words), format_name))


def _lines(services: Services, **words: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _text(services, "jsonl", **words).splitlines()]


@pytest.mark.parametrize("format_name", TEXT_FORMATS)
def test_two_exports_of_one_state_are_the_same_bytes(demo: Demo, format_name: Format) -> None:
    services, _ = demo
    first = _text(services, format_name, everything=True)
    assert first == _text(services, format_name, everything=True)
    assert first.endswith("\n")
    assert "\r" not in first
    assert str(services.caller.store.path.parent) not in first


def test_json_is_one_canonical_document_with_state_and_events(demo: Demo) -> None:
    services, place = demo
    text = _text(services, "json", everything=True)
    value = json.loads(text)
    assert canonical(value) + "\n" == text
    assert sorted(value) == ["events", "format", "selection", "state"]
    (space,) = value["state"]["spaces"]
    assert space["id"] == place.space
    assert [branch["name"] for branch in space["branches"]] == ["main", "explore/tantivy"]
    assert [c["body"]["title"] for c in space["checkpoints"]] == [
        "Frame the search work",
        "Choose FTS5, no server",
        "Engine spike",
        "Keep FTS5; load test ok",
    ]
    talk = next(s for s in space["sessions"] if s["id"] == place.session)
    assert [turn["sequence_number"] for turn in talk["turns"]] == list(range(1, 17))
    assert [line["history_base_seq"] for line in talk["lines"]] == [0, 12]
    assert [session["title"] for session in value["state"]["fresh"]] == ["A thought | of its own"]
    assert value["state"]["streams"] == [{"name": "tracker", "version": 1}]


def test_event_lines_are_the_log_but_for_the_store_s_own_stream(demo: Demo) -> None:
    services, _ = demo
    lines = _lines(services, everything=True)
    events = [e for e in services.log.read(None) if isinstance(e, StoredEvent)]
    wanted = [event for event in events if event.stream != "store"]
    assert [line["order"] for line in lines] == list(range(1, len(wanted) + 1))
    for line, event in zip(lines, wanted, strict=True):
        assert "position" not in line
        assert canonical(line["payload"]) == event.payload
        for name in ("event_id", "origin", "stream", "version", "chain_sha256", "causation_id"):
            assert line[name] == getattr(event, name)


def test_a_space_is_its_own_streams_and_sessions_alone(demo: Demo) -> None:
    services, place = demo
    streams = {line["stream"] for line in _lines(services, space=place.space)}
    held = {f"session/{session.id}" for session in services.sessions.of_space(place.space)}
    assert streams == held | {f"space/{place.space}", f"claims/{place.space}"}


def test_one_session(demo: Demo) -> None:
    services, place = demo
    lines = _lines(services, session=place.session[:8])
    assert {line["stream"] for line in lines} == {f"session/{place.session}"}
    text = _text(services, "md", session=place.session)
    assert text.startswith("# Search without a server\n")
    assert "## Turn 16: answer to 15" in text
    assert "mounted on" in text
    state = json.loads(_text(services, "json", session=place.session))["state"]
    assert [len(state["spaces"]), state["spaces"][0]["checkpoints"]] == [1, []]


def test_one_session_in_no_space(demo: Demo, tmp_path: Path) -> None:
    services, _ = demo
    (fresh,) = services.sessions.of_space(None)
    state = json.loads(_text(services, "json", session=fresh.id))["state"]
    assert state["spaces"] == []
    assert [session["id"] for session in state["fresh"]] == [fresh.id]
    chosen = services.exporting.select(session=fresh.id)
    services.exporting.to_folder(chosen, tmp_path / "one")
    assert (tmp_path / "one" / "bundle.json").exists()
    assert len(list((tmp_path / "one" / "events" / "session").iterdir())) == 1


def test_one_checkpoint(demo: Demo) -> None:
    services, place = demo
    choice = next(
        c for c in services.checkpoints.of_space(place.space) if c.title.startswith("Choose")
    )
    text = _text(services, "md", checkpoint=choice.id[:7])
    assert text.startswith("# Choose FTS5, no server\n")
    assert "Rebuild times by corpus size" in text
    assert "milestone, you" in text
    types = [line["type"] for line in _lines(services, checkpoint=choice.id)]
    assert types == ["checkpoint.saved", "note.added"]


def test_one_branch(demo: Demo) -> None:
    services, place = demo
    text = _text(services, "md", space=place.space, branch="explore/tantivy")
    assert "## Head: Engine spike" in text
    assert "Other checkpoints" not in text
    lines = _lines(services, space=place.space, branch="explore/tantivy")
    assert [line["type"] for line in lines] == ["branch.opened", "checkpoint.saved"]


@pytest.mark.parametrize("format_name", TEXT_FORMATS)
def test_without_turns_no_word_of_a_talk_is_left(demo: Demo, format_name: Format) -> None:
    services, place = demo
    text = _text(services, format_name, space=place.space, turns=False)
    assert "Nobody here wants to run another server" not in text
    assert "Choose FTS5, no server" in text
    whole = _text(services, format_name, space=place.space)
    assert "Nobody here wants to run another server" in whole


def test_events_of_deleted_sessions_and_spaces_stay(tmp_path: Path) -> None:
    with opened_services(tmp_path / "home") as services:
        kept, gone = services.spaces.create("Kept"), services.spaces.create("Gone")
        session = services.sessions.new(kept.id, title="Away")
        services.sessions.delete(session.id)
        services.spaces.delete(gone.id)
        streams = {line["stream"] for line in _lines(services, everything=True)}
        assert streams == {f"space/{kept.id}", f"session/{session.id}", f"space/{gone.id}"}
        assert "Away" not in _text(services, "md", everything=True)
        services.exporting.to_folder(services.exporting.select(everything=True), tmp_path / "out")
        assert (tmp_path / f"out/deleted/events/space/{gone.id}.jsonl").exists()


def test_what_words_do_not_fit_together(demo: Demo) -> None:
    select = demo[0].exporting.select
    with pytest.raises(Invalid):
        select()
    with pytest.raises(Invalid):
        select(everything=True, space="search-index")
    with pytest.raises(Invalid):
        select(everything=True, branch="main")
    with pytest.raises(Invalid):
        select(space="search-index", branch="main", session="abcd")
    with pytest.raises(Invalid):
        select(branch="main")
    with pytest.raises(NotFound):
        select(space="search-index", branch="nope")
    with pytest.raises(NotFound):
        select(session="0000")


def test_a_checkpoint_of_another_space_is_refused(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        one, other = services.spaces.create("One"), services.spaces.create("Other")
        saved = services.checkpoints.create(one.id, content("Here")).checkpoint
        with pytest.raises(Invalid, match="not in Space 'Other'"):
            services.exporting.select(space=other.id, checkpoint=saved.id)


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_missing_database_exports_as_empty_and_stays_missing(
    tmp_path: Path, format_name: Format
) -> None:
    home = tmp_path / "home"
    with opened_services(home) as services:
        chosen = services.exporting.select(everything=True)
        if format_name == "bundle":
            services.exporting.to_folder(chosen, tmp_path / "out")
            assert [path.name for path in (tmp_path / "out").iterdir()] == ["bundle.json"]
        else:
            text = "".join(services.exporting.text(chosen, format_name))
            assert (json.loads(text)["events"] == []) if format_name == "json" else text == ""
        with pytest.raises(NotFound):
            services.exporting.select(space="nowhere")
    assert not home.exists()


def test_a_bundle_is_no_text(demo: Demo) -> None:
    services, _ = demo
    with pytest.raises(Invalid):
        services.exporting.text(services.exporting.select(everything=True), "bundle")


def test_a_damaged_event_is_named_and_the_old_file_stays(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        space = services.spaces.create("Hurt")
        services.spaces.change(space.id, description="words")
    with opened_services(tmp_path) as services:
        path = services.caller.store.path
    connection = driver().connect(str(path), isolation_level=None)
    triggers = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    for (name,) in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("UPDATE event SET payload = '{' WHERE type = 'space.changed'")
    connection.close()
    target = tmp_path / "state.jsonl"
    target.write_text("old\n", encoding="utf-8")
    with opened_services(tmp_path) as services:
        chosen = services.exporting.select(space=space.id)
        with pytest.raises(StoreBroken, match="Event 3 of space/"):
            services.exporting.to_file(chosen, "jsonl", target)
        with pytest.raises(StoreBroken):
            services.exporting.to_folder(chosen, tmp_path / "bundle")
    assert target.read_text(encoding="utf-8") == "old\n"
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.endswith(".tmp")) == []
    assert not (tmp_path / "bundle").exists()


def test_where_a_file_cannot_go(demo: Demo, tmp_path: Path) -> None:
    services, place = demo
    chosen = services.exporting.select(space=place.space)
    with pytest.raises(Invalid, match="is a folder"):
        services.exporting.to_file(chosen, "md", tmp_path)
    with pytest.raises(NotFound):
        services.exporting.to_file(chosen, "md", tmp_path / "no" / "STATE.md")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(Invalid, match="is a file"):
        services.exporting.to_folder(chosen, tmp_path / "file")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.md").write_text("mine", encoding="utf-8")
    with pytest.raises(Conflict) as refused:
        services.exporting.to_folder(chosen, tmp_path / "full")
    assert refused.value.code == "not_a_bundle"
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.md"]
