"""Version control from a shell: fork, branch, compare, merge, notes, delete, blame, `--at` (FORK,
CMP, DISP, NOTE, DEL, TURNS)."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.calling import Cli


class Told(NamedTuple):
    """A base, and what main and a fork made of it."""

    base: str
    ours: str
    theirs: str
    fork: str


@pytest.fixture
def told(cli: Cli) -> Told:
    cli.space()
    base = cli.checkpoint("Search", {"title": "Base", "objective": "find", "decisions": ["A"]})
    fork = cli.ok("fork", base["id"], "--branch", "expl")
    theirs = cli.checkpoint(
        "Search", {"title": "Theirs", "objective": "search", "decisions": ["a.", "B"]},
        "--session", fork["session"],
    )  # fmt: skip
    ours = cli.checkpoint("Search", {"title": "Ours", "objective": "look", "decisions": ["A", "C"]})
    return Told(base["id"], ours["id"], theirs["id"], fork["session"])


def test_a_fork_is_a_new_session_on_a_new_branch(cli: Cli, told: Told) -> None:
    made = cli.ok("fork", told.base)
    assert set(made) == {"session", "branch", "checkpoint", "turns"}
    assert (made["checkpoint"], made["turns"]) == (told.base, 0)
    assert made["branch"]
    assert made["session"] != told.fork
    as_fork = cli.ok("mount", told.base, "--session", told.fork, "--as-fork", "--branch", "b2")
    assert as_fork["branch"] == "b2"
    error = cli.fails(4, "fork", told.base, "--branch", "b2")
    assert error["code"] == "branch_exists"
    cli.fails(3, "fork", "0" * 64)
    cli.fails(2, "mount", told.base, "--session", told.fork, "--branch", "x")


def test_a_fork_after_a_turn_holds_copies_up_to_it(cli: Cli, told: Told) -> None:
    cli.ok("chat", "send", "--session", told.fork, "hello")
    made = cli.ok("fork", f"{told.fork}:2")
    assert made["turns"] == 2
    turns = cli.ok("session", "turns", made["session"])["turns"]
    assert [turn["copied_from"]["sequence_number"] for turn in turns] == [1, 2]
    cli.fails(3, "fork", f"{told.fork}:9")


def test_compare_tells_what_is_shared_and_what_is_not(cli: Cli, told: Told) -> None:
    found = cli.ok("compare", told.ours, told.theirs)
    decisions = found["fields"]["decisions"]
    assert found["common_ancestor"] == told.base
    assert [item["text"] for item in decisions["shared"]] == ["A"]
    assert [item["text"] for item in decisions["only_a"]] == ["C"]
    assert [item["text"] for item in decisions["only_b"]] == ["B"]
    text = cli.call("compare", told.ours, told.theirs).text
    assert told.ours[:7] in text
    assert told.base[:7] in text
    assert "## Assumptions" not in text
    itself = cli.ok("compare", told.ours, told.ours)
    assert itself["common_ancestor"] == told.ours
    assert not itself["fields"]["decisions"]["only_a"]


def test_unrelated_checkpoints_say_so(cli: Cli, told: Told) -> None:
    cli.space("Other")
    other = cli.checkpoint("Other", {"title": "Elsewhere"})
    assert cli.ok("compare", told.ours, other["id"])["common_ancestor"] is None
    assert "unrelated" in cli.call("compare", told.ours, other["id"]).text
    cli.fails(2, "merge", told.ours, other["id"])


def test_a_merge_shows_asks_and_is_written_once(cli: Cli, told: Told) -> None:
    plan = cli.ok("merge", told.ours, told.theirs, "--dry-run")
    assert plan["open"] == ["objective"]
    assert plan["counts"] == {"kept": 2, "added": 1, "retired": 0, "conflicts": 1, "open": 1}
    text = cli.call("merge", told.ours, told.theirs, "--dry-run").text
    for words in ("Conflicts (1 open)", "kept 2   added 1   retired 0", "in a conflict: yes"):
        assert words in text
    error = cli.fails(4, "merge", told.ours, told.theirs)
    assert (error["code"], error["details"]["open"]) == ("conflicts", ["objective"])
    answers = Path(cli.cwd / "answers.json")
    answers.write_text(json.dumps({"objective": {"text": "both ways"}}))
    command = str(uuid.uuid4())
    call = ("merge", told.ours, told.theirs, "--resolve", str(answers), "--command-id", command)
    made = cli.ok(*call)
    assert cli.ok(*call)["id"] == made["id"]
    shown = cli.ok("checkpoint", "show", made["id"])
    assert shown["parents"] == [told.ours, told.theirs]
    assert shown["objective"] == "both ways"
    assert [item["text"] for item in shown["decisions"]] == ["a.", "C", "B"]
    assert cli.fails(4, "merge", made["id"], told.theirs)["code"] == "already_merged"


@pytest.mark.parametrize("given", ["[]", '{"objective": "mine"}', '{"nothing": "ours"}', "{"])
def test_answers_that_do_not_fit_write_nothing(cli: Cli, told: Told, given: str) -> None:
    code = 2
    cli.fails(code, "merge", told.ours, told.theirs, "--resolve", "-", given=given.encode())
    assert len(cli.ok("checkpoint", "list", "Search")["checkpoints"]) == 3


def test_a_side_settles_every_conflict(cli: Cli, told: Told) -> None:
    made = cli.ok("merge", told.ours, told.theirs, "--theirs", "--title", "Joined")
    assert made["title"] == "Joined"
    assert cli.ok("checkpoint", "show", made["id"])["objective"] == "search"


def test_branches_are_listed_renamed_and_closed(cli: Cli, told: Told) -> None:
    listed = cli.ok("branch", "list", "Search")
    assert [each["name"] for each in listed["branches"]] == ["main", "expl"]
    assert [each["branch"] for each in listed["divergence"]] == ["expl"]
    assert "expl" in cli.call("branch", "list", "Search").text
    cli.ok("branch", "rename", "Search", "expl", "feat/a/b")
    closed = cli.ok("branch", "close", "Search", "feat/a/b")
    assert closed["disposition"] == "integrated"
    assert cli.ok("branch", "list", "Search")["divergence"] == []
    cli.fails(2, "branch", "close", "Search", "main")
    cli.fails(3, "branch", "close", "Search", "none")


def test_notes_are_shown_in_order(cli: Cli, told: Told) -> None:
    cli.ok("checkpoint", "note", told.ours, "first")
    cli.ok("checkpoint", "note", told.ours, "-", "--kind", "milestone", given=b"second\n")
    text = cli.call("checkpoint", "show", told.ours).text
    assert text.index("first") < text.index("milestone") < text.index("second")
    cli.fails(2, "checkpoint", "note", told.ours, "")


def test_deleting_lists_what_is_in_the_way_and_asks(cli: Cli, told: Told) -> None:
    error = cli.fails(4, "checkpoint", "delete", told.base, "--yes")
    assert {each["id"] for each in error["details"]["children"]} == {told.ours, told.theirs}
    assert [each["id"] for each in error["details"]["forks"]] == [told.fork]
    cli.fails(7, "checkpoint", "delete", told.base, "--cascade")
    gone = cli.ok("checkpoint", "delete", told.base, "--cascade", "--yes")
    assert gone["checkpoints_deleted"] == 3
    assert cli.ok("session", "show", told.fork)["id"] == told.fork


def test_an_item_and_the_turns_behind_a_checkpoint_are_found(cli: Cli, told: Told) -> None:
    traces = cli.ok("checkpoint", "blame", told.theirs, "D1")["traces"]
    assert traces[-1]["checkpoint"] == told.base
    assert "first stands in" in cli.call("checkpoint", "blame", told.theirs, "D2").text
    assert cli.ok("checkpoint", "turns", told.theirs)["turns"] == []
    cli.fails(3, "checkpoint", "blame", told.ours, "D9")
    cli.fails(3, "checkpoint", "turns", "0" * 64)


def test_every_reading_command_can_look_back(cli: Cli, told: Told) -> None:
    cli.ok("space", "rename", "Search", "Found")
    cli.ok("checkpoint", "delete", told.ours, "--yes")
    assert len(cli.ok("checkpoint", "list", "Found")["checkpoints"]) == 2
    then = cli.ok("checkpoint", "list", "Search", "--at", told.ours)["checkpoints"]
    assert [each["id"] for each in then] == [told.ours, told.theirs, told.base]
    drawn = cli.call("checkpoint", "list", "Search", "--graph", "--at", told.ours).text
    assert drawn.startswith(f"o {told.ours[:7]} Ours (main)")
    assert cli.ok("--at", told.base[:9], "space", "list")["spaces"][0]["name"] == "Search"
    assert cli.ok("checkpoint", "show", told.ours, "--at", told.ours)["title"] == "Ours"
    assert cli.ok("space", "list", "--at", "1")["spaces"] == []
    assert cli.fails(2, "space", "create", "New", "--at", "3")["code"] == "at_event"
    cli.fails(3, "space", "list", "--at", "2020-01-01")
    cli.fails(2, "space", "list", "--at", "tomorrow")
    cli.fails(3, "space", "list", "--at", "999999")


def test_a_list_can_draw_the_lines(cli: Cli, told: Told) -> None:
    cli.ok("checkpoint", "note", told.base, "it [b]works", "--kind", "milestone")
    cli.ok("checkpoint", "note", told.theirs, "--kind", "noise")
    cli.ok("branch", "close", "Search", "expl", "--disposition", "abandoned")
    lines = cli.call("checkpoint", "list", "Search", "--graph").text.splitlines()
    assert [line.split("  ")[0] for line in lines[:4]] == [
        f"o {told.ours[:7]} Ours (main)",
        f"| . {told.theirs[:7]} Theirs (expl, abandoned, noise)",
        "|/",
        f"o {told.base[:7]} Base",
    ]
    assert lines[4].strip() == "milestone: it [b]works"
    mine = cli.ok("checkpoint", "list", "Search", "--graph", "--branch", "expl")
    assert [each["id"] for each in mine["checkpoints"]] == [told.theirs, told.base]
    cli.fails(2, "checkpoint", "list", "Search", "--graph", "--author", "ada")


def test_a_fork_has_its_own_line_and_reaches_what_it_began_from(cli: Cli, told: Told) -> None:
    """FORK-01, 08, 10, 11, 12, 14, 15."""
    made = cli.ok("fork", told.base, "--branch", "way")
    shown = cli.ok("session", "show", made["session"])
    assert told.base[:7] in shown["title"]
    assert cli.ok("session", "turns", made["session"])["turns"] == []
    first = cli.checkpoint("Search", {"title": "One"}, "--session", made["session"])
    second = cli.checkpoint("Search", {"title": "Two"}, "--session", made["session"])
    assert second["parents"] == [first["id"]]

    def listed(*more: str) -> list[str]:
        found = cli.ok("checkpoint", "list", "Search", *more)["checkpoints"]
        return [str(each["id"]) for each in found]

    assert listed("--branch", "way") == [second["id"], first["id"]]
    assert listed("--branch", "main") == [told.ours, told.base]
    assert listed("--branch", "way", "--graph") == [second["id"], first["id"], told.base]
    assert listed("--branch", "main", "--graph") == [told.ours, told.base]


def test_a_list_of_nothing_and_of_a_chain(cli: Cli) -> None:
    """LINEAGE-01, 02, 04."""
    cli.space()
    assert cli.ok("checkpoint", "list", "Search", "--graph")["checkpoints"] == []
    assert "No checkpoints." in cli.call("checkpoint", "list", "Search", "--graph").text
    assert cli.ok("session", "list", "Search")["sessions"] == []
    made = [cli.checkpoint("Search", {"title": name}) for name in "AB"]
    made.append(cli.checkpoint("Search", {"title": "C", "author": "eve"}))
    rows = cli.ok("checkpoint", "list", "Search", "--graph")["checkpoints"]
    assert [row["parents"] for row in rows] == [[made[1]["id"]], [made[0]["id"]], []]
    assert [row["author"] for row in rows] == ["eve", "ada", "ada"]


def test_a_note_keeps_who_what_and_when(cli: Cli, told: Told) -> None:
    """NOTE-01."""
    note = cli.ok("checkpoint", "note", told.ours, "checked [b]twice")
    assert (note["kind"], note["actor"], note["text"]) == ("note", "ada", "checked [b]twice")
    assert note["id"]
    assert note["recorded_at"].endswith("Z")
    assert cli.ok("checkpoint", "show", told.ours)["notes"] == [note]


def test_a_leaf_goes_alone_and_a_cascade_leaves_no_dangling_parent(cli: Cli, told: Told) -> None:
    """DEL-01, 05, 08."""
    cli.ok("checkpoint", "delete", told.ours, "--yes")
    left = cli.ok("checkpoint", "list", "Search")["checkpoints"]
    assert [each["id"] for each in left] == [told.theirs, told.base]
    again = cli.checkpoint("Search", {"title": "Again"})
    assert again["parents"] == [told.base]
    cli.ok("checkpoint", "delete", told.theirs, "--yes", "--cascade")
    rows = cli.ok("checkpoint", "list", "Search", "--graph")["checkpoints"]
    there = {each["id"] for each in rows}
    assert all(set(each["parents"]) <= there for each in rows)
    assert cli.ok("session", "turns", told.fork)["turns"] == []


def test_a_closed_branch_is_a_fact_of_its_own(cli: Cli, told: Told) -> None:
    """DISP-01, 02, 04, 06, 10, LINEAGE-06."""
    other = cli.ok("fork", told.base, "--branch", "other")
    cli.checkpoint("Search", {"title": "O", "decisions": ["A", "E"]}, "--session", other["session"])
    cli.ok("session", "delete", other["session"], "--yes")

    def apart() -> list[str]:
        return [each["branch"] for each in cli.ok("branch", "list", "Search")["divergence"]]

    assert apart() == ["expl", "other"]
    assert cli.ok("branch", "close", "Search", "other")["disposition"] == "integrated"
    assert apart() == ["expl"]
    assert "integrated" in cli.call("checkpoint", "list", "Search", "--graph").text
    closed = cli.ok("checkpoint", "list", "Search", "--branch", "other")["checkpoints"][0]["id"]
    assert cli.ok("compare", told.ours, closed)["common_ancestor"] == told.base
    assert "O" in cli.call("restore", closed).text
    cli.ok("branch", "close", "Search", "other", "--disposition", "active")
    assert apart() == ["expl", "other"]


def test_a_checkpoint_names_the_turns_it_was_made_from(cli: Cli, told: Told) -> None:
    """TURNS-01, 03."""
    session = cli.session()
    for text in ("one", "two"):
        cli.ok("chat", "send", "--session", session, text)
    made = cli.checkpoint("Search", {"title": "Said"}, "--session", session)
    source = cli.ok("checkpoint", "show", made["id"])["source"]
    assert (source["session"], source["line"], source["first"], source["last"]) == (
        session, 1, 1, 4,
    )  # fmt: skip
    turns = cli.ok("checkpoint", "turns", made["id"])["turns"]
    assert [turn["sequence_number"] for turn in turns] == [1, 2, 3, 4]


def test_a_repeated_command_gives_its_result_also_where_the_checkpoint_is_gone(
    cli: Cli, told: Told
) -> None:
    calls = [
        (*call, "--command-id", str(uuid.uuid4()))
        for call in (
            ("checkpoint", "note", told.theirs, "looks good"),
            ("fork", told.theirs, "--branch", "more"),
            ("checkpoint", "delete", told.theirs, "--cascade", "--yes"),
        )
    ]
    first = [cli.ok(*call) for call in calls]
    assert [cli.ok(*call) for call in calls[:2]] == first[:2]
    assert cli.ok(*calls[2]) == first[2]
    assert len(cli.ok("checkpoint", "list", "Search")["checkpoints"]) == 2
