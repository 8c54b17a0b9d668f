"""Bundles: made for git, replaced in place, never outside their folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.bootstrap import open_services
from smriti_tui.config.settings import load_config
from smriti_tui.domain.errors import Conflict, SmritiError
from smriti_tui.domain.render.export_names import (
    SLUG_BYTES,
    SLUG_CHARACTERS,
    slug,
    space_folder,
    stream_file,
)
from smriti_tui.services import Services
from smriti_tui.services.demo import DemoPlace, open_demo
from smriti_tui.store.eventlog import NewEvent
from tests.support import content, opened_services

pytestmark = pytest.mark.contract

Demo = tuple[Services, DemoPlace]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    config = load_config(environ={"HOME": str(tmp_path_factory.mktemp("home"))})
    with open_demo(open_services, config, "cli") as opened:
        yield opened.services, opened.place


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_bundle_of_a_space(demo: Demo, tmp_path: Path) -> None:
    services, place = demo
    chosen = services.exporting.select(space=place.space)
    for name in ("one", "two"):
        services.exporting.to_folder(chosen, tmp_path / name)
    files = _files(tmp_path / "one")
    assert files == _files(tmp_path / "two")
    top = sorted({name.split("/")[0] for name in files})
    assert top == ["STATE.md", "checkpoints", "events", "sessions", "space.json"]
    assert f"events/space/{place.space}.jsonl" in files
    assert f"events/session/{place.session}.jsonl" in files
    assert f"sessions/{place.session.replace('-', '')[:12]}.jsonl" in files
    head = services.checkpoints.of_space(place.space)[0]
    assert f"checkpoints/{head.id[:12]}-keep-fts5-load-test-ok.md" in files
    for data in files.values():
        assert data.endswith(b"\n")
        assert b"\r" not in data
    talk = files[f"sessions/{place.session.replace('-', '')[:12]}.jsonl"].decode().split("\n")
    assert [json.loads(line)["kind"] for line in talk[:-1]] == ["session"] + ["turn"] * 16
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_orders_of_all_files_together_are_the_export_s(demo: Demo, tmp_path: Path) -> None:
    services, _ = demo
    services.exporting.to_folder(services.exporting.select(everything=True), tmp_path / "all")
    orders = [
        json.loads(line)["order"]
        for path in (tmp_path / "all").rglob("events/**/*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert sorted(orders) == list(range(1, len(orders) + 1))


def test_everything_is_a_folder_per_space_fresh_and_streams(tmp_path: Path) -> None:
    with opened_services(tmp_path / "home") as services:
        one, two = services.spaces.create("Same"), services.spaces.create("Same")
        fresh = services.sessions.new_fresh(title="Alone")
        services.log.append("tracker", [NewEvent("step.done", {"n": 1})])
        services.exporting.to_folder(services.exporting.select(everything=True), tmp_path / "all")
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    folders = [space_folder(space.id, "Same") for space in (one, two)]
    assert names == sorted([*folders, "bundle.json", "fresh", "streams"])
    assert (tmp_path / f"all/fresh/events/session/{fresh.id}.jsonl").exists()
    assert (tmp_path / "all/streams/events/tracker.jsonl").exists()
    for folder in folders:
        assert (tmp_path / "all" / folder / "space.json").exists()


def test_an_older_bundle_is_replaced_and_a_checkout_around_it_stays(tmp_path: Path) -> None:
    target = tmp_path / "state"
    target.mkdir()
    (target / ".git").mkdir()
    (target / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    with opened_services(tmp_path / "home") as services:
        space = services.spaces.create("Kept")
        services.sessions.new(space.id, title="Talk")
        saved = services.checkpoints.create(space.id, content("First")).checkpoint
        exporting = services.exporting
        exporting.to_folder(exporting.select(space=space.id), target)
        (target / "README.md").write_text("mine", encoding="utf-8")
        (target / "checkpoints" / "notes.txt").write_text("mine too", encoding="utf-8")
        stale = target / f"checkpoints/{saved.id[:12]}-an-older-title.md"
        stale.write_text("old", encoding="utf-8")
        done = exporting.to_folder(exporting.select(space=space.id, turns=False), target)
    assert stale.name in {Path(name).name for name in done.removed}
    left = _files(target)
    assert {".git/HEAD", "README.md", "checkpoints/notes.txt", "STATE.md"} <= set(left)
    assert not any(name.startswith("sessions/") for name in left)
    assert not (target / "sessions").exists()
    assert not (target / "events" / "session").exists()


def test_the_bundle_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    with opened_services(tmp_path / "home") as services:
        one, two = services.spaces.create("One"), services.spaces.create("Two")
        exporting = services.exporting
        exporting.to_folder(exporting.select(space=one.id), tmp_path / "out")
        before = _files(tmp_path / "out")
        for chosen in (exporting.select(space=two.id), exporting.select(everything=True)):
            with pytest.raises(Conflict) as refused:
                exporting.to_folder(chosen, tmp_path / "out")
            assert refused.value.code == "other_bundle"
        assert _files(tmp_path / "out") == before


def test_a_link_inside_a_bundle_carries_nothing_out(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    with opened_services(tmp_path / "home") as services:
        space = services.spaces.create("One")
        services.checkpoints.create(space.id, content("First"))
        exporting = services.exporting
        chosen = exporting.select(space=space.id)
        exporting.to_folder(chosen, tmp_path / "out")
        for path in (tmp_path / "out" / "checkpoints").iterdir():
            path.unlink()
        (tmp_path / "out" / "checkpoints").rmdir()
        (tmp_path / "out" / "checkpoints").symlink_to(outside)
        with pytest.raises(Conflict):
            exporting.to_folder(chosen, tmp_path / "out")
    assert list(outside.iterdir()) == []


HOSTILE = (
    "../../etc/passwd",
    "..",
    ".",
    "/absolute",
    "C:\\windows\\con",
    "nul",
    "~/.ssh/authorized_keys",
    "a/b/../../../c",
    "\u2024\u2024/x",
    "x" * 300,
    "\U0001f600",
    "-rf",
    "name\x00.md",
)


def test_no_title_leads_out_of_the_folder(tmp_path: Path) -> None:
    with opened_services(tmp_path / "home") as services:
        for name in HOSTILE:
            space = services.spaces.create(name[:200])
            services.checkpoints.create(space.id, content(name[:300]))
            services.sessions.new(space.id, title=name[:200])
        services.exporting.to_folder(
            services.exporting.select(everything=True), tmp_path / "deep" / "out"
        )
    written = list(tmp_path.rglob("*.md"))
    assert len(written) == 2 * len(HOSTILE)
    for path in written:
        assert path.resolve().is_relative_to(tmp_path / "deep" / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "home"]


@given(st.text(max_size=400))
def test_a_slug_is_one_safe_part_of_a_name(text: str) -> None:
    name = slug(text)
    assert name
    assert name not in (".", "..")
    assert len(name) <= SLUG_CHARACTERS
    assert len(name.encode("utf-8", "surrogatepass")) <= SLUG_BYTES
    assert not set(name) & set('/\\:*?"<>|. \t\n\0')


def test_slugs_keep_every_script() -> None:
    assert slug("Choose FTS5, no server!") == "choose-fts5-no-server"
    assert slug("स्मृति की जाँच") == "स्मृति-की-जाँच"
    assert slug("検索 を 選ぶ") == "検索-を-選ぶ"
    assert slug("e\u0301tude") == "\u00e9tude"
    assert slug("../..") == "untitled"


@pytest.mark.parametrize("stream", ["../x", "a/../b", "A", "x\\y", ".", "", "a" * 300, "नाम"])
def test_a_stream_s_file_is_below_events(stream: str) -> None:
    parts = stream_file(stream).split("/")
    assert parts[0] == "events"
    assert not {"", ".", ".."} & set(parts)
    assert all(len(part) < 220 for part in parts)


def test_a_folder_that_cannot_be_written_is_told(demo: Demo, tmp_path: Path) -> None:
    services, place = demo
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SmritiError) as refused:
        services.exporting.to_folder(
            services.exporting.select(space=place.space), tmp_path / "file" / "below"
        )
    assert refused.value.code == "not_written"
