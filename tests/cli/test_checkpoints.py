"""`smriti checkpoint` and `smriti restore` (CKPT, TASK)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

import pytest

from tests.cli.calling import Cli

FULL: dict[str, Any] = {
    "message": "Choose FTS5",
    "objective": "Find old answers fast",
    "summary": "We compared three.\n\n```sql\nSELECT 1\n```",
    "decisions": ["Use FTS5", {"text": "One file\nno server", "rests_on": ["a-1"]}],
    "assumptions": [{"uid": "a-1", "text": "Under 1 M rows"}],
    "tasks": [
        "Write the rebuild",
        {"text": "Measure", "id": "bench", "intent_hint": "review", "blocked_by": "rebuild"},
        {"text": "Read docs", "status": "done"},
    ],
    "open_questions": ["Trigram?"],
    "entities": ["SQLite"],
    "artifacts": [{"type": "markdown", "label": "plan.md", "content": "````\ncode\n````"}],
}

BRIEF = """# Choose FTS5

Checkpoint {id}  \n\
Space Search, branch main, by codex, {when}, parents: none  \n\
Project root: /srv/p

## Objective

Find old answers fast

## Summary

We compared three.

```sql
SELECT 1
```

## Decisions

- D1 Use FTS5
- D2 One file
  no server
  - rests on A1

## Assumptions

- A1 Under 1 M rows

## Tasks

- T1 Write the rebuild
- T2 Measure [review] (id: bench) → blocked by: rebuild
- T3 Read docs (done)

## Open questions

- Q1 Trigram?

## Entities

- SQLite

## Artifacts

### plan.md (markdown, {artifact})

`````
````
code
````
`````
"""


@pytest.fixture
def space(cli: Cli) -> str:
    return cli.space()


def test_a_checkpoint_is_saved_shown_and_restored(cli: Cli, space: str) -> None:
    made = cli.checkpoint("Search", FULL, "--author", "codex", "--project-root", "/srv/p")
    assert len(made["id"]) == 64
    assert (made["branch"], made["author"], made["title"]) == ("main", "codex", "Choose FTS5")
    when = f"{made['created_at'][:10]} {made['created_at'][11:19]} UTC"
    expected = BRIEF.format(id=made["id"], when=when, artifact=made["artifacts"][0]["id"][:7])
    for arguments in (("restore", made["id"][:7]), ("checkpoint", "show", made["id"])):
        assert cli.call(*arguments).text == expected
    shown = cli.ok("checkpoint", "show", made["id"])
    assert (shown["notes"], shown["space_name"]) == ([], "Search")
    assert shown["tasks"][1]["blocked_by"] == ["rebuild"]
    assert {**made, **shown} == {**shown, **made}
    cli.fails(3, "restore", "0123456789")


def test_parents_follow_each_other_and_the_same_words_are_two_checkpoints(
    cli: Cli, space: str
) -> None:
    first = cli.checkpoint("Search", {"title": "same"})
    second = cli.checkpoint("Search", {"title": "same"})
    assert first["parents"] == []
    assert second["parents"] == [first["id"]]
    listed = cli.ok("checkpoint", "list", "Search")["checkpoints"]
    assert [row["id"] for row in listed] == [second["id"], first["id"]]
    assert cli.ok("checkpoint", "list", "Search", "--author", "nobody")["checkpoints"] == []
    assert len(cli.ok("checkpoint", "list", "Search", "--limit", "1")["checkpoints"]) == 1
    cli.fails(3, "checkpoint", "list", "Search", "--branch", "nope")


def test_a_file_or_standard_input(cli: Cli, space: str) -> None:
    (cli.cwd / "c.json").write_text('\ufeff{"title": "from a file"}', encoding="utf-8")
    one = cli.ok("checkpoint", "create", "Search", "c.json")
    two = cli.ok("checkpoint", "create", "Search", given=b'{"title": "piped"}')
    cli.extra["SMRITI_SPACE"] = "Search"
    three = cli.ok("checkpoint", "create", "c.json")
    four = cli.ok("checkpoint", "create", "-", given=b'{"title": "dash"}')
    titles = [made["title"] for made in (one, two, three, four)]
    assert titles == ["from a file", "piped", "from a file", "dash"]
    error = cli.fails(2, "checkpoint", "create", "Search", "missing.json")
    assert "missing.json cannot be read" in error["message"]
    cli.fails(2, "checkpoint", "create", "Search", "x" * 300)
    cli.fails(3, "checkpoint", "create", "x" * 300, given=b'{"title": "x"}')


WRONG = [
    b"", b"  \n", b"{", b"[]", b"null", b'"x"', b"{}", b'{"title": ""}', b'{"title": "a\\nb"}',
    b'{"title": 5}', b'{"title": "x", "decision": []}', b'{"title": "x", "decisions": "y"}',
    b'{"title": "x", "decisions": [5]}', b'{"title": "x", "decisions": [{"text": 5}]}',
    b'{"title": "x", "decisions": [""]}',
    b'{"title": "x", "tasks": [{"text": "t", "status": "no"}]}',
    b'{"title": "x", "tasks": [{"text": "t", "why": 1}]}', b'{"title": "x", "entities": {}}',
    b'{"title": "x", "artifacts": [{"label": 1, "content": "c"}]}', b'{"title": "x", "summary": 1}',
    b'{"title": "x", "artifacts": [{}]}', b'{"title": "x", "title": "y"}', b'{"title": NaN}',
    b'{"title": "x", "message": "y"}', b"\xff", b"[" * 100_000, b'{"title": ' + b"9" * 5000 + b"}",
]  # fmt: skip


@pytest.mark.parametrize("content", WRONG, ids=range(len(WRONG)))
def test_wrong_input_is_exit_2_and_writes_nothing(cli: Cli, space: str, content: bytes) -> None:
    before = cli.ok("log", "streams")
    error = cli.fails(2, "checkpoint", "create", "Search", "-", given=content)
    assert error["message"]
    assert cli.ok("log", "streams") == before


def test_wrong_types_are_named_by_their_field(cli: Cli, space: str) -> None:
    given = b'{"title": "x", "tasks": [{"text": "t", "blocked_by": [5]}]}'
    error = cli.fails(2, "checkpoint", "create", "Search", "-", given=given)
    assert error["details"]["field"] == "tasks[0].blocked_by[0]"
    error = cli.fails(2, "checkpoint", "create", "Search", "-", given=b'{"titel": "x"}')
    assert "`titel`" in error["message"]
    error = cli.fails(2, "checkpoint", "create", "Search", "-", given=b'{"title": "x",}')
    assert "line 1, column" in error["message"]


def test_the_project_root_of_a_checkpoint(cli: Cli, space: str) -> None:
    own = {"title": "x", "project_root": "/srv/own"}

    def root(content: Mapping[str, object], *flags: str) -> object:
        return cli.checkpoint("Search", content, *flags)["project_root"]

    assert root(own) == "/srv/own"
    assert root(own, "--project-root", "/srv/flag") == "/srv/flag"
    assert root(own, "--no-project-root") is None
    assert root({"title": "x"}) == str(cli.cwd)
    assert root({"title": "x", "project_root": None}) is None


def test_a_dry_run_shows_and_writes_nothing(cli: Cli, space: str) -> None:
    before = cli.ok("log", "streams")
    found = cli.checkpoint("Search", FULL, "--dry-run")
    assert (found["dry_run"], found["position"]) == (True, None)
    assert cli.ok("log", "streams") == before
    text = cli.call("checkpoint", "create", "Search", "--dry-run", given=b'{"title": "x"}').text
    assert text.startswith("# x\n")


def test_a_moved_head_is_exit_4(cli: Cli, space: str) -> None:
    cli.checkpoint("Search", {"title": "first"}, "--expect-head", "")
    error = cli.fails(
        4, "checkpoint", "create", "Search", "-", "--expect-head", "", given=b'{"title": "x"}'
    )
    head = cli.ok("checkpoint", "list", "Search")["checkpoints"][0]["id"]
    assert (error["code"], error["details"]["actual"]) == ("stale_head", head)
    assert cli.checkpoint("Search", {"title": "next"}, "--expect-head", head[:8])["title"] == "next"


def test_what_is_left_out_is_counted_aloud_or_carried(cli: Cli, space: str) -> None:
    first = cli.checkpoint("Search", FULL)
    given = json.dumps({"title": "next", "decisions": ["use fts5."]}).encode()
    dry = cli.call("checkpoint", "create", "Search", "--dry-run", "--json", given=given)
    assert "warning: left out and so retired, live items of the parent: 5 (" in dry.error
    assert "1 decision, 1 assumption, 2 tasks, 1 open question" in dry.error
    assert (dry.json["omitted_count"], len(dry.json["omitted"]["tasks"])) == (5, 2)
    assert dry.json["decisions"][0]["uid"] == first["decisions"][0]["uid"]
    carried = cli.call("checkpoint", "create", "Search", "--carry", "all", "--json", given=given)
    assert (carried.err, carried.json["omitted_count"]) == (b"", 0)
    assert len(carried.json["decisions"]) == 2


def test_a_checkpoint_of_a_session_records_its_turns(cli: Cli, space: str) -> None:
    session = cli.session()
    for text in ("one", "two"):
        cli.ok("chat", "send", "--session", session, text)
    made = cli.checkpoint("Search", {"title": "x"}, "--session", session)
    assert made["source"] == {"session": session, "line": 1, "first": 1, "last": 4}
    cli.space("Other")
    cli.fails(
        2, "checkpoint", "create", "Other", "-", "--session", session, given=b'{"title": "x"}'
    )


def test_a_mounted_checkpoint_that_is_no_head_needs_a_branch(cli: Cli, space: str) -> None:
    old = cli.checkpoint("Search", {"title": "old"})["id"]
    cli.checkpoint("Search", {"title": "new"})
    session = cli.session()
    cli.ok("mount", old, "--session", session)
    given = b'{"title": "aside"}'
    arguments = ("checkpoint", "create", "Search", "-", "--session", session)
    assert cli.fails(4, *arguments, given=given)["code"] == "branch_needed"
    made = cli.ok(*arguments, "--branch", "aside", given=given)
    assert (made["branch"], made["parents"]) == ("aside", [old])
    rows = cli.ok("checkpoint", "list", "Search", "--branch", "aside")["checkpoints"]
    assert [row["id"] for row in rows] == [made["id"]]


def test_repeating_a_save_gives_the_first_checkpoint(cli: Cli, space: str) -> None:
    once = str(uuid.uuid4())
    saved = [cli.checkpoint("Search", {"title": "x"}, "--command-id", once) for _ in range(2)]
    assert saved[0] == saved[1]
    assert len(cli.ok("checkpoint", "list", "Search")["checkpoints"]) == 1


def test_checkpoints_are_proved(cli: Cli, space: str) -> None:
    made = cli.checkpoint("Search", FULL)
    cli.checkpoint("Search", {"title": "next"})
    assert cli.ok("checkpoint", "verify") == {
        "ok": True, "checked": 2, "difference": None, "redacted": [],
    }  # fmt: skip
    assert cli.ok("checkpoint", "verify", made["id"][:9])["checked"] == 1


def test_hostile_text_stays_in_its_place(cli: Cli, space: str) -> None:
    evil = "\x1b]52;c;x\x07 [/red] \u202e `````\n# Not a heading\r\nend"
    content = {
        "title": "\x1b[2J [b]t",
        "decisions": [evil],
        "artifacts": [{"label": "a\x1bb", "content": evil}],
    }
    made = cli.checkpoint("Search", content)
    assert made["decisions"][0]["text"] == evil
    text = cli.call("restore", made["id"]).text
    for sign in "\x1b\x07\u202e\r":
        assert sign not in text
    assert "\n  # Not a heading\n" in text
    assert "\n``````\n" in text
    assert "[/red]" in text
