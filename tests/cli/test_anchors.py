"""`smriti log anchor` and `verify --anchor`: a log that was written anew is found out."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from smriti_tui.domain.values import sha256
from smriti_tui.store.engine import driver
from smriti_tui.store.envelope import COLUMNS, StoredEvent, expected_chain
from tests.cli.calling import Cli


@pytest.fixture
def filled(cli: Cli) -> Cli:
    cli.space()
    for number in range(3):
        cli.ok("log", "append", "notes", "noted", json.dumps({"n": number}))
    return cli


def forge(cli: Cli, change: Callable[[list[StoredEvent]], list[StoredEvent]]) -> None:
    """Writes the log anew as somebody who knows how: every hash is right again."""
    with closing(driver().connect(str(cli.database), isolation_level=None)) as connection:
        rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM event ORDER BY position")
        events = change([StoredEvent(*row) for row in rows])
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM event")
        heads: dict[str, tuple[int, str]] = {}
        for event in events:
            version, chain = heads.get(event.stream, (0, ""))
            values = {name: getattr(event, name) for name in COLUMNS}
            values.update(version=version + 1, payload_sha256=sha256(event.payload))
            values["chain_sha256"] = expected_chain(chain, StoredEvent(**values))
            heads[event.stream] = (version + 1, values["chain_sha256"])
            marks = ", ".join("?" * len(COLUMNS))
            connection.execute(f"INSERT INTO event VALUES ({marks})", tuple(values.values()))
    assert cli.ok("log", "rebuild")
    assert cli.ok("log", "verify")["self_attested"], "without an anchor nothing is seen"


def reworded(events: list[StoredEvent]) -> list[StoredEvent]:
    values = {name: getattr(events[-1], name) for name in COLUMNS}
    return [*events[:-1], StoredEvent(**{**values, "payload": '{"n":9}'})]


FORGERIES = {
    "another history was written": reworded,
    "the end of a stream is cut": lambda events: events[:-1],
    "is gone": lambda events: [each for each in events if each.stream != "notes"],
}


def test_both_forms_hold_while_the_log_grows(filled: Cli, tmp_path: Path) -> None:
    line = filled.call("log", "anchor").text
    filled.fails(3, "log", "anchor", str(tmp_path / "none" / "anchor.txt"))
    assert not (tmp_path / "none").exists()
    path = tmp_path / "anchor.txt"
    first = filled.ok("log", "anchor", str(path))
    text = path.read_bytes()
    filled.ok("log", "anchor", str(path))
    assert path.read_bytes() == text
    assert line == f"Smriti-Anchor: {first['store']} {first['position']} {first['sha256']}\n"
    filled.ok("log", "append", "notes", "noted")
    filled.ok("log", "append", "other", "noted")
    for given in (text, f"commit\n    {line}".encode()):
        found = filled.ok("log", "verify", "--anchor", "-", given=given)
        assert not found["self_attested"]
        assert [each["events_since"] for each in found["anchors"]] == [2]
    assert "Anchored: as it was at event" in filled.call(
        "log", "verify", "--anchor", str(path)
    ).text  # fmt: skip


@pytest.mark.parametrize("how", FORGERIES)
def test_what_was_written_anew_is_found_out(filled: Cli, tmp_path: Path, how: str) -> None:
    line = filled.call("log", "anchor").out
    path = tmp_path / "anchor.txt"
    filled.ok("log", "anchor", str(path))
    forge(filled, FORGERIES[how])
    told = filled.call("log", "verify", "--anchor", str(path), "--json")
    assert told.code == 1
    assert told.json["difference"]["stream"] == "notes"
    words = "anchor saw another one" if how == "another history was written" else how
    assert words in told.json["difference"]["what"]
    assert "anchor saw" in filled.fails(1, "log", "verify", "--anchor", "-", given=line)["message"]


def test_an_anchor_of_another_store_proves_nothing(filled: Cli, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    assert filled.fails(3, "log", "anchor", "--db", other)
    filled.ok("log", "append", "notes", "noted", "--db", other)
    line = filled.call("log", "anchor", "--db", other).out
    told = filled.fails(1, "log", "verify", "--anchor", "-", given=line)
    assert "another store" in told["message"]
    assert filled.fails(2, "log", "verify", "--anchor", "-", given=b"words")["code"] == "no_anchor"
