"""The demo: seeded through the door, proved like any store, gone without a trace."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.bootstrap import open_services
from smriti_tui.config.settings import load_config
from smriti_tui.domain import demo_story as story
from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.model import Turn
from smriti_tui.domain.state_text import ARTIFACT_CHARACTERS
from smriti_tui.services.demo import RECORDED, Demo, open_demo, seed_demo
from tests.support import opened_services, send


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    config = load_config(environ={"HOME": str(tmp_path_factory.mktemp("home"))})
    with open_demo(open_services, config) as opened:
        yield opened


def _turns(demo: Demo) -> list[Turn]:
    return demo.services.sessions.turns(demo.place.session)


def test_the_log_and_every_stored_context_hold(demo: Demo) -> None:
    found = demo.services.log.verify()
    assert found.difference is None
    assert found.log.unknown == {}
    verdicts = list(demo.services.contexts.verify())
    assert [verdict.reason for verdict in verdicts] == ["", ""]
    assert all(not check.faults for check in demo.services.checkpoints.verify())


def test_the_history_of_the_picture(demo: Demo) -> None:
    rows = demo.services.checkpoints.of_space(demo.place.space)
    assert [(row.title, row.branch_name, row.author) for row in rows] == [
        ("Keep FTS5; load test ok", "main", "codex"),
        ("Engine spike", "explore/tantivy", "claude-code"),
        ("Choose FTS5, no server", "main", "you"),
        ("Frame the search work", "main", "you"),
    ]
    counts = [(r.decisions, r.assumptions, r.tasks, r.open_questions) for r in rows]
    assert counts == [(5, 3, 2, 1), (2, 2, 1, 1), (4, 3, 5, 1), (0, 2, 3, 2)]
    times = [row.created_at for row in rows]
    assert times == sorted(times, reverse=True)


def test_twelve_turns_stay_out_and_the_answers_after_the_mount_are_real(demo: Demo) -> None:
    view = demo.services.contexts.view(demo.place.session)
    assert (view.mode, view.line.history_base_seq, view.last_seq) == ("RESTORED", 12, 16)
    assert view.anchor is not None
    assert view.anchor.title == "Choose FTS5, no server"
    turns = _turns(demo)
    recorded, mounted = turns[:12], turns[12:]
    assert {turn.line for turn in recorded} == {1}
    assert {turn.model for turn in recorded if turn.role == "assistant"} == {RECORDED}
    assert [turn.model for turn in mounted] == [None, "demo/scripted"] * 2
    for answer in mounted[1::2]:
        stored = demo.services.contexts.stored(demo.place.session, answer.sequence_number)
        assert stored.verified
        sent = "\n".join(message.content for message in stored.messages)
        assert all(turn.text not in sent for turn in recorded)
        assert "Settled, first of all: D1" in answer.text


def test_an_artifact_is_clipped_and_a_second_script_is_there(demo: Demo) -> None:
    assert len(story.REBUILD_TABLE.content) > ARTIFACT_CHARACTERS
    stored = demo.services.contexts.stored(demo.place.session, 14)
    clips = [left for left in stored.request.event.left_out if left.what == "artifact"]
    assert [clip.of for clip in clips] == [len(story.REBUILD_TABLE.content)]
    assert any("स्मृति" in text for text in story.HINDI_SESSION.turns)


def test_what_items_rest_on_is_there(demo: Demo) -> None:
    for row in demo.services.checkpoints.of_space(demo.place.space):
        body = demo.services.checkpoints.get(row.id).body
        items = [item for kind in KINDS for item in item_list(body, kind)]
        known = {item.uid for item in items} | {artifact.id for artifact in body.artifacts}
        assert all(set(item.rests_on) <= known for item in items)
        assert all(set(task.blocked_by) <= known for task in body.tasks)


async def test_the_talk_goes_on(tmp_path: Path) -> None:
    with opened_services(tmp_path, actor="you") as services:
        place = await asyncio.to_thread(seed_demo, services)
        turn = await send(services, place.session, "What would make us leave FTS5?")
        assert (turn.sequence_number, turn.status) == (18, "complete")
        assert services.log.verify().difference is None


def test_the_same_clock_gives_the_same_checkpoints(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        with opened_services(tmp_path / name) as services:
            place = seed_demo(services)
            found.append([row.id for row in services.checkpoints.of_space(place.space)])
    assert found[0] == found[1]


def test_seeding_twice_is_refused(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        seed_demo(services)
        before = services.log.last_position()
        with pytest.raises(Conflict):
            seed_demo(services)
        assert services.log.last_position() == before


def test_it_closes_without_a_trace_and_leaves_the_real_store_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    home = tmp_path / "home"
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    config = load_config(environ={"HOME": str(home), "SMRITI_CHAT_MODEL": "gpt-4o"})
    with contextlib.suppress(KeyboardInterrupt), open_demo(open_services, config) as opened:
        assert Path(opened.config.database_url).is_relative_to(temporary)
        assert opened.config.resolve_model().model == "demo/scripted"
        assert opened.config.home.is_relative_to(temporary)
        raise KeyboardInterrupt
    assert list(temporary.iterdir()) == []
    assert not home.exists()


def test_seeding_is_quick(tmp_path: Path) -> None:
    """Of several tries the best counts: the machine may be busy, the first loads the schema."""
    took = []
    for number in itertools.count():
        with opened_services(tmp_path / str(number)) as services:
            start = time.perf_counter()
            seed_demo(services)
            took.append(time.perf_counter() - start)
        if min(took) < 1 or number == 4:
            break
    assert min(took) < 1
