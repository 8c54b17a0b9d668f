"""A database that the first version wrote: migrated it verifies, and nothing of it is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from smriti_tui.domain.errors import StoreBroken
from tests.support import opened_services

FIRST = Path(__file__).parent / "data" / "schema_0001.sql"
"""A Space and a session that was asked in, renamed, saved from and mounted, as SQL."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder with the database of the first version."""
    database = sqlite3.connect(tmp_path / "smriti.db")
    database.executescript(FIRST.read_text(encoding="utf-8"))
    database.close()
    return tmp_path


def test_an_old_database_is_migrated_by_the_first_write(old: Path) -> None:
    with opened_services(old, door="tui") as services:
        with pytest.raises(StoreBroken) as caught:
            services.spaces.all()
        assert caught.value.code == "database_older"
        assert services.undoing.undo() is not None
    assert len(list(old.glob("smriti.db.before-0001-*"))) == 1
    with opened_services(old, door="tui") as services:
        assert services.log.verify().difference is None
        [space] = services.spaces.all()
        [session] = services.sessions.of_space(space.id)
        assert (space.name, space.archived) == ("beta", False)
        assert (session.title, session.pinned, session.archived) == ("two", False, False)
        assert services.sessions.turns(session.id)[0].text == "hello"
        assert session.current_line == 1
        services.log.rebuild()
        assert services.log.verify().difference is None
        assert [verdict for verdict in services.contexts.verify() if verdict.reason] == []


def test_what_was_done_before_the_migration_can_be_undone(old: Path) -> None:
    with opened_services(old, door="tui") as services:
        undone = [found.what for _ in range(3) if (found := services.undoing.undo())]
        assert [words.split()[0] for words in undone] == ["mounted", "renamed", "renamed"]
        [space] = services.spaces.all()
        assert space.name == "alpha"
        assert services.sessions.of_space(space.id)[0].title == "one"
        assert services.log.verify().difference is None
