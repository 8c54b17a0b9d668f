"""P61: answers stay small, say what they left out and how to get it; errors as well."""

from __future__ import annotations

import json

import pytest
from mcp.types import TextResourceContents

from smriti_tui.domain.tokens import text_tokens
from tests.cli.calling import Cli
from tests.protocol.mcp_host import Host, Told

MOST = 11_000
"""Tokens: ten thousand and a little, since the names of the protocol come on top."""
LONG = "x" * 200_000
DECISIONS = [f"Decision {n} because {'of this ' * 8}" for n in range(60)]
TASKS = [f"Task {n}" for n in range(60)]
BODY: dict[str, object] = {
    "title": "large",
    "summary": "It is so. " * 1500,
    "decisions": DECISIONS,
    "tasks": TASKS,
    "assumptions": [f"Assumption {n} {'and so on ' * 6}" for n in range(120)],
    "open_questions": [f"Question {n} {'and why ' * 6}" for n in range(120)],
    "entities": [f"entity {n}" for n in range(40)],
    "artifacts": [
        {"label": f"a{n}", "type": "text", "content": f"{n} " * 30_000} for n in range(10)
    ],
}


def small(told: Told) -> Told:
    assert sum(map(text_tokens, told.texts)) < MOST
    assert text_tokens(json.dumps(told.document, separators=(",", ":"))) < MOST
    return told


def decided(text: str) -> bool:
    return all(each in text for each in (*DECISIONS, *TASKS))


@pytest.fixture(scope="module")
def large(host: Host) -> tuple[str, str]:
    """A Space and its large checkpoint, with many notes."""
    key = str(host.ok("create_space", name="Large").document["id"])
    head = str(host.ok("create_checkpoint", space=key, content=BODY).document["id"])
    for number in range(40):
        host.ok("checkpoint_note", checkpoint_id=head, text=f"note {number} " * 20)
    return key, head


@pytest.mark.parametrize("tool", ["restore", "show_checkpoint"])
def test_a_large_checkpoint_keeps_its_decisions_and_tasks(
    host: Host, cli: Cli, large: tuple[str, str], tool: str
) -> None:
    told = small(host.ok(tool, checkpoint_id=large[1]))
    assert decided(told.text)
    assert [each["text"] for each in told.document["decisions"]] == DECISIONS
    for what in ("10 artifacts", "of the summary", "assumptions", "open questions", "40 notes"):
        assert what in told.texts[1]
    assert "note 39 " in told.text
    assert "`full_artifacts`" in told.texts[1]
    whole = host.ok(tool, checkpoint_id=large[1], full_artifacts=True)
    assert whole.texts == (cli.call("restore", large[1]).text,)


def test_the_resource_of_a_large_checkpoint_fits_and_names_the_tool(
    host: Host, large: tuple[str, str]
) -> None:
    uri = f"smriti://checkpoint/{large[1]}"
    (content,) = host.portal.call(host.client.read_resource, uri).contents
    assert isinstance(content, TextResourceContents)
    assert text_tokens(content.text) < MOST
    assert decided(content.text)
    last = content.text.rstrip().splitlines()[-1]
    assert last.startswith("Left out: ")
    assert "`smriti_restore` with `full_artifacts`" in last


def test_a_dry_run_shows_a_large_checkpoint_shorter(host: Host, large: tuple[str, str]) -> None:
    told = small(host.ok("create_checkpoint", space=large[0], content=BODY, dry_run=True))
    assert decided(told.text)
    assert told.texts[1].startswith("Left out: ")
    assert told.texts[1].endswith("All of it would be saved.\n")


def test_a_large_merge_is_planned_in_few_words(host: Host, large: tuple[str, str]) -> None:
    key, head = large
    fork = host.ok("fork", source=head, branch="side").document["session"]
    ours = host.ok(
        "create_checkpoint", space=key, content={"title": "ours", "objective": "One"}, carry="all"
    ).document["id"]
    theirs = host.ok(
        "create_checkpoint", space=key, session=fork, carry="all",
        content={"title": "theirs", "objective": "Two", "decisions": ["More"]},
    ).document["id"]  # fmt: skip
    told = small(host.ok("merge", a=ours, b=theirs, dry_run=True))
    assert [each["id"] for each in told.document["slots"]] == told.document["open"]
    assert told.document["counts"]["kept"] > 300
    assert "More" in told.text
    assert any("the text names the others" in text for text in told.texts[1:])
    compared = small(host.ok("compare", a=ours, b=theirs))
    assert all(each in compared.text for each in DECISIONS)
    shared = compared.document["fields"]["decisions"]["shared"]
    assert [each["text"] for each in shared] == DECISIONS


def test_long_lists_give_their_first_rows(host: Host, cli: Cli) -> None:
    key = host.ok("create_space", name="Listed").document["id"]
    for number in range(60):
        host.ok("create_space", name=f"Space {number}", description="about it " * 40)
        host.ok("claim", space=key, scope=f"part {number} in src/same.py")
    for tool, named in (("list_spaces", {}), ("claims", {"space": key})):
        told = small(host.ok(tool, **named))
        assert "The first 50 of " in told.texts[1]
        rows = told.document[tool.removeprefix("list_")]
        assert len(rows) == 50 or "`limit` above 50" in told.texts[2]
        few = host.ok(tool, **named, limit=2)
        assert len(few.document[tool.removeprefix("list_")]) == 2
    whole = host.ok("claims", space=key, limit=1000)
    assert whole.text == cli.call("claim", "list", key).text
    assert len(whole.document["claims"]) == 60
    spaces = host.ok("list_spaces", limit=1000)
    assert spaces.text == cli.call("space", "list").text
    assert len(spaces.texts) == len(whole.texts) == 1
    assert "50 of 60" not in host.ok("branches", space=key).text
    told = small(host.ok("current", space=key))
    assert any("`smriti_claims`" in text for text in told.texts[1:])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("state", {"space": LONG}),
        ("restore", {"checkpoint_id": LONG}),
        ("create_space", {"name": "a", "command_id": LONG}),
        ("log_append", {"stream": LONG, "type": "x", "payload": {}}),
        ("claim_extend", {"claim_id": "ffffffff", "ttl": LONG}),
        ("search", {"text": "x", "since": LONG}),
        ("claim_done", {"claim_id": LONG}),
        ("project", {"view": LONG}),
    ],
)
def test_an_error_names_no_more_than_the_beginning(
    host: Host, tool: str, arguments: dict[str, object]
) -> None:
    error = host.call(tool, **arguments).error
    assert len(json.dumps(error)) < 5_000


def test_a_task_s_id_has_a_limit(host: Host) -> None:
    key = host.ok("create_space", name="Limits").document["id"]
    for wrong in ("t" * 201, "two\nlines"):
        error = host.call("claim", space=key, scope="x", task_id=wrong).error
        assert error["details"]["field"] == "task_id"
    assert host.ok("claim", space=key, scope="x", task_id="t" * 200).document["task_id"]


def test_many_dependants_are_told_in_part(host: Host) -> None:
    key = host.ok("create_space", name="Used").document["id"]
    first = host.ok("create_checkpoint", space=key, content={"title": "one"}).document["id"]
    for number in range(40):
        host.ok("create_checkpoint", space=key, content={"title": f"{number} " * 60})
    error = host.call("delete_checkpoint", checkpoint_id=first).error
    assert "40 later checkpoints" in error["message"]
    assert "children" in error["details"]["left_out"]
    assert text_tokens(json.dumps(error)) < 3_000


def test_what_no_host_takes_is_cut_where_it_must(host: Host) -> None:
    key = host.ok("create_space", name="Vast").document["id"]
    content = {"title": "x", "decisions": [LONG]}
    told = host.ok("create_checkpoint", space=key, content=content, dry_run=True)
    assert text_tokens(told.text) < 21_000
    assert told.text.endswith("[cut here]\n")
    assert any("its last 1" in text and "`" in text for text in told.texts[1:])
    asked: dict[str, object] = {"label": LONG, "type": "text", "content": "x"}
    error = host.call("create_checkpoint", space=key, content={"title": "x", "artifacts": [asked]})
    assert error.error["details"] == {"field": "artifacts[0].label"}


def test_an_event_that_no_host_takes_is_named_and_the_next_one_given(host: Host, cli: Cli) -> None:
    for payload in ({"n": 1}, {"all": LONG}, {"n": 3}):
        host.ok("log_append", stream="vast", type="step", payload=payload)
    told = small(host.ok("log_read", stream="vast"))
    first, vast, last = (event["payload"] for event in told.document["events"])
    assert (first, last) == ({"n": 1}, {"n": 3})
    command = vast["left_out"].split("`")[1].removeprefix("smriti ")
    assert cli.call(*command.split()).lines[0]["payload"] == {"all": LONG}
    assert json.loads(told.text.splitlines()[1]) == told.document["events"][1]
