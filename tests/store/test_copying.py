"""A log copied whole: the same events, links and tables, also after it was broken off."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound, StoreBroken
from smriti_tui.services.copying import copy_database
from smriti_tui.services.logs import NewEvent
from smriti_tui.store import copying
from smriti_tui.store.engine import driver
from tests.store.test_past import lived
from tests.support import opened_services, ticking_clock


def copy(source: Path, target: Path) -> copying.Copied:
    return copy_database(str(source), str(target), ticking_clock(), lambda _: None)


def rows(path: Path) -> list[object]:
    connection = driver().connect(str(path))
    try:
        return list(connection.execute("SELECT * FROM event ORDER BY position"))
    finally:
        connection.close()


@pytest.fixture
async def source(tmp_path: Path) -> Path:
    await lived(tmp_path / "source", 30, 3)
    return tmp_path / "source" / "smriti.db"


def test_the_copy_is_the_same_store(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy" / "smriti.db"
    done = copy(source, target)
    assert (done.there, done.events) == (0, len(rows(source)))
    assert rows(target) == rows(source)
    assert target.stat().st_mode & 0o777 == 0o600
    with opened_services(target.parent) as services, opened_services(source.parent) as other:
        assert services.log.store_id() == other.log.store_id()
        assert services.log.anchor() == other.log.anchor()
        services.log.append("notes", [NewEvent("x", {})])
        assert services.log.verify([other.log.anchor()]).difference is None


def test_it_goes_on_where_it_was_broken_off(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "BATCH", 10)
    target = tmp_path / "copy.db"

    def enough(count: int) -> None:
        if count >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_database(str(source), str(target), ticking_clock(), enough)
    assert len(rows(target)) == 20
    done = copy(source, target)
    assert done.there == 20
    assert rows(target) == rows(source)
    again = copy(source, target)
    assert again.there == again.events == done.events


def test_another_log_is_not_written_over(source: Path, tmp_path: Path) -> None:
    with opened_services(tmp_path / "other") as services:
        services.spaces.create("alpha")
    other = tmp_path / "other" / "smriti.db"
    before = rows(other)
    with pytest.raises(Conflict, match="another log"):
        copy(source, other)
    target = tmp_path / "copy.db"
    copy(source, target)
    with opened_services(tmp_path, environ={"SMRITI_DATABASE_URL": str(target)}) as services:
        services.log.append("notes", [NewEvent("x", {})])
    with pytest.raises(Conflict, match="more than the source"):
        copy(source, target)
    assert rows(other) == before
    with pytest.raises(NotFound):
        copy(tmp_path / "none.db", target)
    with pytest.raises(Invalid):
        copy(source, source)


def test_a_damaged_source_is_named_and_leaves_whole_batches(source: Path, tmp_path: Path) -> None:
    connection = driver().connect(str(source), isolation_level=None)
    connection.execute("DROP TRIGGER event_never_update")
    connection.execute("UPDATE event SET payload = '[' WHERE position = 12")
    connection.close()
    target = tmp_path / "copy.db"
    with pytest.raises(StoreBroken, match="Event 12 is damaged"):
        copy(source, target)
    assert not target.exists() or rows(target) == []
