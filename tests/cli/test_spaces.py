"""`smriti space` (SPACE) and which Space a command is about (ATTACH, SURFACE-03)."""

from __future__ import annotations

import json
import uuid

import pytest
from rich.cells import cell_len

from smriti_tui.domain.events import SpaceCreated
from smriti_tui.domain.ids import SpaceId
from tests.cli.calling import Cli
from tests.support import opened_store


def test_a_space_is_made_shown_and_listed(cli: Cli) -> None:
    made = cli.ok("space", "create", "Search", "--description", "Which index")
    assert cli.ok("space", "show", made["id"])["description"] == "Which index"
    assert cli.ok("space", "list")["spaces"] == [made]
    branches = cli.ok("space", "show", "Search")["branches"]
    assert [(b["name"], b["disposition"], b["head"]) for b in branches] == [
        ("main", "active", None)
    ]


def test_the_project_root_is_this_folder_unless_said_otherwise(cli: Cli) -> None:
    here = cli.call("space", "create", "A")
    assert f"Project root  {cli.cwd}" in here.text
    assert cli.ok("space", "create", "B", "--project-root", "/srv/p/")["project_root"] == "/srv/p/"
    relative = cli.ok("space", "create", "C", "--project-root", "sub")
    assert relative["project_root"] == str(cli.cwd / "sub")
    none = cli.call("space", "create", "D", "--no-project-root")
    assert "Project root  none" in none.text
    assert str(cli.cwd) not in none.text
    cli.fails(2, "space", "create", "E", "--project-root", "x", "--no-project-root")


def test_the_project_root_is_set_and_never_to_nothing(cli: Cli) -> None:
    cli.ok("space", "create", "A", "--no-project-root")
    assert cli.ok("space", "set-project-root", "A", ".")["project_root"] == str(cli.cwd)
    assert cli.ok("space", "set-project-root", "A", "/srv")["project_root"] == "/srv"
    cli.fails(2, "space", "set-project-root", "A")
    cli.fails(2, "space", "set-project-root", "A", "")
    cli.fails(2, "space", "set-project-root", "A", "   ")
    assert cli.ok("space", "show", "A")["project_root"] == "/srv"
    assert cli.ok("space", "set-project-root", "A", "--here")["project_root"] == str(cli.cwd)


def test_an_empty_space_goes_and_is_gone(cli: Cli) -> None:
    cli.space("B")
    done = cli.ok("space", "delete", "B", "-y")
    assert (done["deleted"], done["checkpoints_deleted"]) == (True, 0)
    assert cli.fails(3, "space", "delete", "B", "-y")["code"] == "not_found"


def test_checkpoints_guard_their_space(cli: Cli) -> None:
    cli.space()
    for title in ("one", "two"):
        cli.checkpoint("Search", {"title": title})
    error = cli.fails(4, "space", "delete", "Search", "-y")
    assert (error["code"], error["details"]["checkpoint_count"]) == ("guard", 2)
    assert "--force" in error["hint"]
    assert len(cli.ok("checkpoint", "list", "Search")["checkpoints"]) == 2
    assert cli.ok("space", "delete", "Search", "-y", "--force")["checkpoints_deleted"] == 2
    assert cli.ok("space", "list") == {"spaces": []}


def test_deleting_needs_yes_without_a_terminal(cli: Cli) -> None:
    cli.space()
    error = cli.fails(7, "space", "delete", "Search", given=b"yes\n")
    assert error["code"] == "declined"
    assert "--yes" in error["hint"]
    assert len(cli.ok("space", "list")["spaces"]) == 1


def test_ids_prefixes_and_names_find_a_space(cli: Cli) -> None:
    key = cli.space("Search")
    for wanted in (key, key.upper(), key[:8], key[:13], key.replace("-", "")[:12], "search"):
        assert cli.ok("space", "show", wanted)["id"] == key, wanted
    assert cli.ok("space", "show", "Search")["id"] == key


def test_an_ambiguous_name_lists_its_candidates_and_changes_nothing(cli: Cli) -> None:
    both = {cli.space("Twin"), cli.space("Twin")}
    error = cli.fails(4, "space", "rename", "Twin", "Single")
    assert error["code"] == "ambiguous"
    assert {each["id"] for each in error["details"]["candidates"]} == both
    for key in both:
        assert key in error["message"]
    assert {space["name"] for space in cli.ok("space", "list")["spaces"]} == {"Twin"}


def test_an_ambiguous_prefix_is_refused(cli: Cli) -> None:
    keys = [SpaceId(f"abcd{digit}000-0000-4000-8000-000000000000") for digit in "12"]
    cli.database.parent.mkdir()
    with opened_store(cli.database) as store:
        for key in keys:
            with store.log.write(actor="ada", door="cli") as scope:
                scope.append(f"space/{key}", SpaceCreated(f"Space {key[4]}"))
    error = cli.fails(4, "space", "show", "abcd")
    assert {each["id"] for each in error["details"]["candidates"]} == set(keys)
    assert cli.fails(2, "session", "show", "abc")["code"] == "invalid"
    assert cli.ok("space", "show", "abcd1")["name"] == "Space 1"
    assert cli.ok("space", "show", "ABCD2000-00")["name"] == "Space 2"
    assert cli.fails(3, "space", "show", "abcd%")["code"] == "not_found"
    assert cli.fails(3, "space", "show", "abcd_000")["code"] == "not_found"


def test_repeating_a_command_id_writes_nothing_and_gives_the_first_result(cli: Cli) -> None:
    once = str(uuid.uuid4())
    first = cli.ok("space", "create", "A", "--command-id", once)
    assert cli.ok("space", "create", "A", "--command-id", once) == first
    assert len(cli.ok("space", "list")["spaces"]) == 1
    renamed = str(uuid.uuid4())
    for _ in range(2):
        assert cli.ok("space", "rename", "A", "B", "--command-id", renamed)["name"] == "B"
    gone = str(uuid.uuid4())
    results = [cli.ok("space", "delete", "B", "-y", "--command-id", gone) for _ in range(2)]
    assert results[0] == results[1]
    error = cli.fails(4, "session", "new", "--fresh", "--command-id", gone)
    assert error["code"] == "command_id"
    cli.fails(2, "space", "create", "C", "--command-id", "not-a-uuid")


def test_hostile_names_never_reach_the_terminal(cli: Cli) -> None:
    name = "x\x1b]0;owned\x07\u202eevil\x9b31m"
    made = cli.ok("space", "create", name)
    assert made["name"] == name
    raw = cli.call("space", "create", name, "--json")
    listed = cli.call("space", "list")
    shown = cli.call("space", "show", made["id"])
    refused = cli.call("space", "show", name[::-1])
    for done in (raw, listed, shown, refused):
        for sign in "\x1b\x07\u202e\x9b":
            assert sign not in done.text + done.error


def test_wide_names_keep_the_columns(cli: Cli) -> None:
    for name in ("日本語の検索", "Search", "e\u0301te\u0301", "👩‍💻 work"):
        cli.ok("space", "create", name, "--no-project-root")
    lines = cli.call("space", "list").text.splitlines()
    ends = {cell_len(line[: line.index("just now")]) for line in lines[1:]}
    assert len(ends) == 1


# ---- which Space -------------------------------------------------------------------------------


def attach(cli: Cli, content: str | bytes) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    (cli.cwd / ".smriti.json").write_bytes(data)


def test_the_attached_space_is_the_default_everywhere_below(cli: Cli) -> None:
    key = cli.space("A")
    cli.space("B")
    attach(cli, json.dumps({"version": 1, "space": "A", "space_id": key, "more": 1}))
    assert cli.ok("space", "show")["id"] == key
    assert cli.ok("checkpoint", "list")["space"]["id"] == key
    assert cli.ok("session", "list")["space"]["id"] == key
    assert cli.ok("session", "new")["space"] == key
    (cli.cwd / "a" / "b" / "c").mkdir(parents=True)
    cli.place = "a/b/c"
    assert cli.ok("space", "show")["id"] == key


def test_a_named_space_wins_then_the_variable_then_the_file(cli: Cli) -> None:
    for name in "ABC":
        cli.space(f"Space {name}")
    attach(cli, '{"version": 1, "space": "Space A"}')
    assert cli.ok("space", "show")["name"] == "Space A"
    cli.extra["SMRITI_SPACE"] = "Space B"
    assert cli.ok("space", "show")["name"] == "Space B"
    assert cli.ok("space", "show", "Space C")["name"] == "Space C"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"space": 5}',
        b"{}",
        b"\xff\xfe",
        b'{"space": "  "}',
        b"[" * 99999,
    ],
)
def test_a_malformed_attachment_is_no_attachment_and_no_error(cli: Cli, content: bytes) -> None:
    cli.space()
    attach(cli, content)
    assert cli.fails(2, "space", "show")["code"] == "no_space"
    status = cli.ok("status")
    assert status["space"] is None
    assert status["attachment"]["fault"]
    assert cli.ok("space", "show", "Search")["name"] == "Search"


def test_an_attachment_to_a_space_of_another_database_says_so(cli: Cli) -> None:
    cli.space()
    attach(cli, json.dumps({"version": 1, "space": "Old", "space_id": str(uuid.uuid4())}))
    error = cli.fails(3, "space", "show")
    assert "'Old'" in error["message"]
    assert ".smriti.json" in error["message"]
