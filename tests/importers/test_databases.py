"""Databases of `llm` and elia: read alone, in both generations, whatever columns they have."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.model import Usage
from tests.importers.reading import SAMPLES, database, read, source


def test_the_sample_of_llm(tmp_path: Path) -> None:
    found = read(database(tmp_path, "llm.sql"))
    assert [(thread.title, thread.count) for thread in found.threads] == [
        ("Name a queue", 2), ("One-off", 2), ("Summarise", 4), ("Summarise", 4),
    ]  # fmt: skip
    assert found.said(0) == [("user", "Name a queue"), ("assistant", "inbox")]
    assert found.turns(0)[1].usage == Usage(5, 2)
    assert found.turns(0)[0].said_at == "2026-01-02T03:04:05.000006Z"
    assert found.said(2)[0] == ("user", "FILE BODY\nSummarise")
    assert found.threads[3].forked_from == "t1"
    assert [turn.source_id for turn in found.turns(3)] == ["h1", "h2", "h3b", "h4b"]
    assert found.threads[2].model == "model-b"


def test_an_exchange_in_both_generations_is_read_once(tmp_path: Path) -> None:
    both = "INSERT INTO responses VALUES ('03r','m','Summarise',NULL,'Short.','01c','2026',1,1);"
    sql = (SAMPLES / "llm.sql").read_text(encoding="utf-8")
    found = read(database(tmp_path, sql + both))
    assert [thread.count for thread in found.threads] == [2, 2, 4, 4]


def test_fragments_attachments_tools_and_the_system_text_once(tmp_path: Path) -> None:
    sql = """
    CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);
    CREATE TABLE responses (id TEXT, model TEXT, prompt TEXT, system TEXT, response TEXT,
        conversation_id TEXT, datetime_utc TEXT, reasoning TEXT);
    CREATE TABLE fragments (id INTEGER PRIMARY KEY, hash TEXT, content TEXT);
    CREATE TABLE prompt_fragments (response_id TEXT, fragment_id INTEGER, "order" INTEGER);
    CREATE TABLE attachments (id TEXT, type TEXT, path TEXT, url TEXT, content BLOB);
    CREATE TABLE prompt_attachments (response_id TEXT, attachment_id TEXT, "order" INTEGER);
    CREATE TABLE tool_calls (id INTEGER PRIMARY KEY, response_id TEXT, name TEXT, arguments TEXT);
    CREATE TABLE tool_results (id INTEGER PRIMARY KEY, response_id TEXT, name TEXT, output TEXT);
    CREATE TABLE somebody_elses (x);
    INSERT INTO conversations VALUES ('c', 'C', 'm');
    INSERT INTO responses VALUES ('1','m','','Be brief','one','c','2026-01-01T00:00:00','hm'),
        ('2','m','more','Be brief','two','c','2026-01-01T00:00:01',NULL),
        ('3','m','',NULL,'three','c','2026-01-01T00:00:02',NULL);
    INSERT INTO fragments VALUES (1,'h','B'),(2,'h2','A');
    INSERT INTO prompt_fragments VALUES ('1',1,1),('1',2,0);
    INSERT INTO attachments VALUES ('a','image/png','/x/pic.png',NULL,x'00FF00');
    INSERT INTO prompt_attachments VALUES ('3','a',0);
    INSERT INTO tool_calls VALUES (1,'2','look','{}');
    INSERT INTO tool_results VALUES (1,'3','look','seen');
    """
    found = read(database(tmp_path, sql))
    assert found.said() == [
        ("system", "Be brief"), ("user", "A\nB"), ("assistant", "one"), ("user", "more"),
        ("assistant", "two"), ("user", "[image: pic.png, 3 bytes]"), ("assistant", "three"),
    ]  # fmt: skip
    assert [[each.kind for each in turn.details] for turn in found.turns()] == [
        [], [], ["reasoning"], [], ["tool_call"], ["attachment"], ["tool_result"],
    ]  # fmt: skip


def test_the_sample_of_elia(tmp_path: Path) -> None:
    found = read(database(tmp_path, "elia.sql"))
    first, second = found.threads
    assert (first.title, second.title) == ("Hi", "Old one")
    assert found.said(0) == [
        ("system", "You are brief."), ("user", "Hi"), ("assistant", "Hello."),
    ]  # fmt: skip
    assert (second.archived, found.turns(1)[0].flags) == (True, ("damaged",))
    assert "original export" in second.notes[0]


def test_a_database_is_neither_changed_nor_migrated(tmp_path: Path) -> None:
    file = database(tmp_path, "elia.sql")
    writer = sqlite3.connect(file.path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO chat VALUES (3,'m','Open',NULL,0)")
    writer.execute("INSERT INTO message VALUES (9,3,'user','in the log alone',NULL,NULL,NULL,NULL)")
    writer.commit()
    before = file.path.read_bytes()
    found = read(file)
    assert found.said(2) == [("user", "in the log alone")]
    assert file.path.read_bytes() == before
    writer.close()


def test_a_name_that_is_a_uri_is_a_name(tmp_path: Path) -> None:
    file = database(tmp_path, "elia.sql", name="a?mode=rw&x#y %41.db")
    assert len(read(file).threads) == 2


def test_other_databases_are_refused_with_their_tables(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="its tables: things") as caught:
        read(database(tmp_path, "CREATE TABLE things (x);"))
    assert caught.value.code == "unknown_format"
    with pytest.raises(Invalid):
        read(source(tmp_path, b"SQLite format 3\0" + b"\xff" * 4096))
    with pytest.raises(Invalid):
        read(source(tmp_path, b"SQLite format 3\0"))


def test_rows_that_are_no_text_break_nothing(tmp_path: Path) -> None:
    sql = """
    CREATE TABLE chat (id INTEGER, model, title, started_at, archived);
    CREATE TABLE message (id INTEGER, chat_id INTEGER, role, content, timestamp, model);
    INSERT INTO chat VALUES (1, 3, x'ff', x'00', 'yes');
    INSERT INTO message VALUES (1, 1, 'user', x'fffe', 7, 7), (2, 1, 4, 'ok', NULL, x'00');
    INSERT INTO message VALUES (3, 1, 'user', CAST(x'61ff62' AS TEXT), '2024-05-01', NULL);
    """
    found = read(database(tmp_path, sql))
    assert found.said() == [("system", "ok"), ("user", "a\udcffb")]
