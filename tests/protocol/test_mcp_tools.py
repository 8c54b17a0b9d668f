"""Each tool beside its command: the same bytes, the same document, the same refusals.

A writing tool is compared by its command id: given once more on the command line it writes nothing
and answers with what the tool wrote.
"""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.bootstrap import open_services
from smriti_tui.config.settings import load_config
from smriti_tui.domain.checkpoint_input import CheckpointInput, parse_checkpoint
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.services import Services
from smriti_tui.services.logs import StoredEvent
from smriti_tui.services.repository import git_state
from tests.cli.calling import Cli
from tests.git.repository import repository
from tests.protocol.mcp_host import Host, Told

HOSTILE = "[/x] \x1b[2J \u202e नमस्ते \u2028 漢字"
BODY: dict[str, object] = {
    "title": "Choose FTS5",
    "objective": "Find things",
    "decisions": ["Use FTS5", "Only local search"],
    "tasks": [{"text": "Measure it", "id": "measure", "intent_hint": "test"}],
    "artifacts": [{"label": "plan", "type": "text", "content": "line\n" * 400}],
}


@pytest.fixture(scope="module")
def home(home: Path) -> Path:
    """With a project that lies in git."""
    repository(home / "project")
    return home


@pytest.fixture(scope="module")
def extra() -> dict[str, str]:
    return {"SMRITI_BACKGROUND_MODEL": "demo"}


def same(told: Told, cli: Cli, *command: str, given: bytes = b"") -> None:
    assert told.text == cli.call(*command, given=given).text
    assert told.document == cli.ok(*command, given=given)


class Twice:
    """Calls a writing tool, then its command with the same id."""

    def __init__(self, host: Host, cli: Cli) -> None:
        self.host, self.cli = host, cli

    def __call__(
        self, tool: str, arguments: dict[str, Any], *command: str, given: bytes = b""
    ) -> Any:
        key = str(uuid.uuid4())
        told = self.host.ok(tool, **arguments, command_id=key)
        same(told, self.cli, *command, "--command-id", key, given=given)
        return told.document


def space(host: Host, home: Path, name: str) -> tuple[str, str]:
    """A Space with a checkpoint."""
    root = str(home / "project")
    key = str(host.ok("create_space", name=name, project_root=root).document["id"])
    return key, str(host.ok("create_checkpoint", space=key, content=BODY).document["id"])


def test_state_and_surveys(host: Host, cli: Cli, home: Path) -> None:
    key, head = space(host, home, "State")
    fork = host.ok("fork", source=head, branch="side").document["session"]
    host.ok("create_checkpoint", space=key, content={"title": "next"}, session=fork, carry="all")
    host.ok("claim", space=key, scope="measure", task_id="measure", branch="side")
    folder = str(cli.cwd)
    for arguments, options in (
        ({}, ()),
        ({"compact": True, "since": head[:9]}, ("--compact", "--since", head[:9])),
        ({"preview": True, "main_only": True}, ("--preview", "--main-only")),
        ({"stats": True, "budget": 120}, ("--stats", "--budget", "120")),
    ):
        told = host.ok("state", space=key, folder=folder, **arguments)
        assert told.text == cli.call("state", key, *options).text, options
        whole = arguments.get("budget") is None
        if whole:
            assert told.document == cli.ok("state", key, *options), options
        assert (len(told.texts) == 1) is whole, told.texts
    same(host.ok("current", space=key), cli, "current", key)
    same(host.ok("branches", space=key), cli, "branch", "list", key)
    told, expected = host.ok("metrics", space=key), cli.ok("metrics", key)
    assert told.text == cli.call("metrics", key).text
    assert set(told.document) == set(expected)
    assert host.call("state", space=key, folder="here").error["details"] == {"field": "folder"}
    empty = host.ok("create_space", name="Empty").document["id"]
    same(host.ok("state", space=empty, main_only=True), cli, "state", empty, "--main-only")


def test_search(host: Host, cli: Cli, home: Path) -> None:
    key, _ = space(host, home, "Search")
    told = host.ok("search", text="fts5", space=key, kinds=["decision"], since="7d", limit=1)
    line = ("search", "fts5", "--space", key, "--kind", "decision", "--since", "7d", "--limit", "1")
    same(told, cli, *line)
    assert [hit["kind"] for hit in told.document["hits"]] == ["decision"]
    assert host.call("search", text="x", kinds=["letter"]).error["code"] == "usage"
    assert host.call("search", text="x", since="soon").error["code"] == "invalid"
    same(host.ok("search", text="nowhere"), cli, "search", "nowhere")


def test_claims(host: Host, cli: Cli, home: Path) -> None:
    key, head = space(host, home, "Claims")
    twice = Twice(host, cli)
    claim = twice(
        "claim",
        {"space": key, "scope": "docs", "intent": "docs", "task_id": "measure", "ttl": "2h"},
        "claim", "create", key, "--scope", "docs", "--intent", "docs", "--task-id", "measure",
        "--ttl", "2h",
    )  # fmt: skip
    assert (claim["base"], claim["agent"]) == (head, "ada")
    cli.ok("claim", "create", key, "--scope", "docs too", "--task-id", "measure", "--actor", "bo")
    told = host.ok("claim", space=key, scope="docs", task_id="measure")
    assert told.texts[1].startswith("overlaps: ")
    twice("claim_extend", {"claim_id": claim["id"][:8], "ttl": "3h"},
          "claim", "extend", claim["id"], "--ttl", "3h")  # fmt: skip
    same(host.ok("claims", space=key), cli, "claim", "list", key)
    ended = twice("claim_done", {"claim_id": claim["id"]}, "claim", "done", claim["id"])
    assert ended["status"] == "done"
    given_up = host.ok("claim_done", claim_id=told.document["id"], abandoned=True)
    assert given_up.document["status"] == "abandoned"
    same(host.ok("claims", space=key, every=True), cli, "claim", "list", key, "--all")
    assert host.call("claim", space=key, scope="x", ttl="soon").error["details"]["field"] == "ttl"
    assert host.call("claim", space=key, scope="x", intent="party").error["code"] == "usage"
    assert "`smriti_claims`" in host.call("claim_done", claim_id="ffff0000").error["hint"]


def test_worktrees(host: Host, cli: Cli, home: Path) -> None:
    key, _ = space(host, home, "Trees")
    made = Twice(host, cli)
    tree = made("worktree_open", {"space": key, "branch": "mcp/one"}, "worktree", "open", key)
    assert Path(tree["path"]).is_dir()
    same(host.ok("worktree_list", space=key), cli, "worktree", "list", key)
    same(host.ok("worktree_show", worktree_id=tree["id"]), cli, "worktree", "show", tree["id"])
    (Path(tree["path"]) / "new").write_text("x", encoding="utf-8")
    error = host.call("worktree_close", worktree_id=tree["id"]).error
    assert error["code"] == "dirty_worktree"
    assert "`force`" in error["hint"]
    closed = host.ok("worktree_close", worktree_id=tree["id"], force=True)
    assert closed.text.endswith("the branch mcp/one is kept.\n")
    again = host.ok("worktree_close", worktree_id=tree["id"])
    same(again, cli, "worktree", "close", tree["id"])
    every = host.ok("worktree_list", space=key, every=True)
    same(every, cli, "worktree", "list", key, "--all")


def test_fork_compare_merge_and_close(host: Host, cli: Cli, home: Path) -> None:
    key, head = space(host, home, "Lines")
    twice = Twice(host, cli)
    fork = twice("fork", {"source": head, "branch": "try"}, "fork", head, "--branch", "try")
    assert fork["branch"] == "try"
    ours = host.ok("create_checkpoint", space=key, carry="all", content={
        "title": "ours", "objective": "Find all things"}).document["id"]  # fmt: skip
    theirs = host.ok("create_checkpoint", space=key, branch="try", carry="all", content={
        "title": "theirs", "objective": "Find some", "decisions": ["Also cache"]}
    ).document["id"]  # fmt: skip
    same(host.ok("compare", a=ours, b=theirs), cli, "compare", ours, theirs)
    told = host.ok("merge", a=ours, b=theirs, dry_run=True)
    same(told, cli, "merge", ours, theirs, "--dry-run")
    (conflict,) = told.document["open"]
    error = host.call("merge", a=ours, b=theirs).error
    assert (error["code"], error["details"]["open"]) == ("conflicts", [conflict])
    assert "`answers`" in error["hint"]
    assert "--" not in error["hint"]
    assert host.call("merge", a=ours, b=theirs, answers={conflict: "x"}).error["code"] == "invalid"
    answers = {conflict: {"text": "Find most"}}
    merged = twice(
        "merge", {"a": ours, "b": theirs, "answers": answers, "title": "One"},
        "merge", ours, theirs, "--resolve", "-", "--title", "One",
        given=json.dumps(answers).encode(),
    )  # fmt: skip
    assert (merged["parents"], merged["objective"]) == ([ours, theirs], "Find most")
    closed = twice(
        "close_branch", {"space": key, "branch": "try", "disposition": "abandoned"},
        "branch", "close", key, "try", "--disposition", "abandoned",
    )  # fmt: skip
    assert closed["disposition"] == "abandoned"
    assert host.call("close_branch", space=key, branch="main").error["code"] == "invalid"
    assert host.call("close_branch", space=key, branch="none").error["code"] == "not_found"
    for tool, name in (("fork", "source"), ("restore", "checkpoint_id"), ("show_checkpoint",
                       "checkpoint_id"), ("delete_checkpoint", "checkpoint_id")):  # fmt: skip
        assert host.call(tool, **{name: "ffffffff"}).error["code"] == "not_found"


def test_notes_reviews_and_deleting_checkpoints(host: Host, cli: Cli, home: Path) -> None:
    key, head = space(host, home, "Acts")
    twice = Twice(host, cli)
    note = twice(
        "checkpoint_note", {"checkpoint_id": head, "text": "It works", "kind": "milestone"},
        "checkpoint", "note", head, "It works", "--kind", "milestone",
    )  # fmt: skip
    assert note["kind"] == "milestone"
    error = host.call("review_checkpoint", checkpoint_id=head, by="last").error
    assert (error["code"], "`by: rules`" in error["hint"]) == ("not_found", True)
    rules = host.ok("review_checkpoint", checkpoint_id=head, by="rules")
    same(rules, cli, "checkpoint", "review", head, "--rules")
    key_of_review = str(uuid.uuid4())
    asked = host.ok("review_checkpoint", checkpoint_id=head, command_id=key_of_review)
    again = ("checkpoint", "review", head, "--command-id", key_of_review)
    assert asked.document == cli.ok(*again)
    last = host.ok("review_checkpoint", checkpoint_id=head, by="last")
    same(last, cli, "checkpoint", "review", head, "--last")
    later = host.ok("create_checkpoint", space=key, content={"title": "later"}).document["id"]
    error = host.call("delete_checkpoint", checkpoint_id=head).error
    assert error["code"] == "dependants"
    assert [each["id"] for each in error["details"]["children"]] == [later]
    assert "`cascade`" in error["hint"]
    gone = twice(
        "delete_checkpoint", {"checkpoint_id": head, "cascade": True},
        "checkpoint", "delete", head, "--cascade", "--yes",
    )  # fmt: skip
    assert gone["ids"] == [later, head]


def test_a_space_goes_only_by_its_name(host: Host, cli: Cli, home: Path) -> None:
    key, _ = space(host, home, "Keep me")
    for confirm in ("", "keep me", key):
        error = host.call("delete_space", space=key, confirm=confirm).error
        assert error["code"] == "guard"
        assert error["details"] == {"checkpoint_count": 1, "confirm": "Keep me"}
        assert "1 checkpoint" in error["message"]
    assert host.call("delete_space", space="nobody", confirm="nobody").error["code"] == "not_found"
    assert len(host.ok("list_checkpoints", space=key).document["checkpoints"]) == 1
    gone = Twice(host, cli)(
        "delete_space", {"space": key, "confirm": "Keep me"},
        "space", "delete", key, "--force", "--yes",
    )  # fmt: skip
    assert gone["checkpoints_deleted"] == 1
    assert host.call("state", space=key).error["code"] == "not_found"


def test_the_skill_pack_is_given_and_nothing_written(host: Host, cli: Cli, home: Path) -> None:
    before = sorted(each for each in (home / "project").rglob("*") if ".git" not in each.parts)
    for name in ("claude-code", "codex", "generic"):
        same(host.ok("install_skill", host=name), cli, "skills", "show", name)
    assert host.call("install_skill", host="cursor").error["code"] == "usage"
    after = sorted(each for each in (home / "project").rglob("*") if ".git" not in each.parts)
    assert after == before


def test_the_pack_names_tools_and_arguments_that_there_are(host: Host) -> None:
    tools = host.tools()
    text = host.ok("install_skill", host="claude-code").text
    calls = re.findall(r"`(smriti_\w+)\(([^`]*)\)`", text)
    assert len(calls) >= 8
    for name, given in calls:
        schema = tools[name].input_schema
        arguments = set(re.findall(r"(\w+)=", given))
        assert arguments <= set(schema["properties"]), name
        assert set(schema.get("required", ())) <= arguments, name
    assert set(re.findall(r"smriti_\w+", text)) - {"smriti_skill_pack_version"} <= {
        *tools, "smriti_skill_pack_sha256",
    }  # fmt: skip


def test_answers_about_a_large_space_fit(host: Host, home: Path) -> None:
    """P61: 40 branches, many checkpoints, ten 60 KB artifacts; no decision or open task is cut."""
    key, head = space(host, home, "Large")
    assert len(host.ok("compare", a=head, b=head).texts) == 1
    long = [{"label": f"a{n}", "type": "text", "content": f"{n} " * 30_000} for n in range(10)]
    decisions = [f"Decision {n} " + "because " * 10 for n in range(40)]
    tasks = [{"text": f"Task {n}"} for n in range(20)]
    big = {"title": "big", "decisions": decisions, "tasks": tasks, "artifacts": long}
    main = host.ok("create_checkpoint", space=key, content=big).document["id"]
    for number in range(40):
        fork = host.ok("fork", source=head, branch=f"b{number}").document
        content = {"title": f"on b{number}", "summary": "s" * 400, "decisions": [f"B{number}"]}
        host.ok("create_checkpoint", space=key, session=fork["session"], content=content)
    for tool, arguments in (
        ("state", {"space": key}),
        ("current", {"space": key}),
        ("list_checkpoints", {"space": key}),
        ("branches", {"space": key}),
        ("show_checkpoint", {"checkpoint_id": main}),
        ("compare", {"a": head, "b": main}),
    ):
        told = host.ok(tool, **arguments)
        assert sum(map(text_tokens, told.texts)) < 11_000, tool
        assert all("`" in text for text in told.texts if text.startswith("Left out")), told.texts
        assert text_tokens(json.dumps(told.document, separators=(",", ":"))) < 11_000, tool
    told = host.ok("state", space=key)
    assert [each["text"] for each in told.document["head"]["decisions"]] == decisions
    assert len(told.document["open_tasks"]) == 20
    assert all(each.strip() in told.text for each in decisions)
    assert any("Left out of the structured content: " in text for text in told.texts)
    whole = host.ok("state", space=key, budget=1_000_000)
    assert whole.document["head"]["artifacts"][0]["content"] == long[0]["content"]
    assert len(whole.texts) == 1


# ---- the same scenario through every door --------------------------------------------------------

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
THEIRS: dict[str, object] = {"title": "theirs", "decisions": ["Also cache"]}


def by_mcp(host: Host, key: str, root: Path) -> None:
    made = host.ok("create_checkpoint", space=key, content=BODY, project_root=str(root))
    head = made.document["id"]
    host.ok("checkpoint_note", checkpoint_id=head, text="seen", kind="milestone")
    fork = host.ok("fork", source=head, branch="try").document["session"]
    other = host.ok("create_checkpoint", space=key, content=THEIRS, session=fork, carry="all",
                    project_root=str(root))  # fmt: skip
    claim = host.ok("claim", space=key, scope="docs", task_id="measure").document["id"]
    host.ok("claim_extend", claim_id=claim, ttl="2h")
    host.ok("claim_done", claim_id=claim, abandoned=True)
    host.ok("merge", a=head, b=other.document["id"])
    host.ok("close_branch", space=key, branch="try")


def by_cli(cli: Cli, key: str) -> None:
    head = cli.checkpoint(key, BODY)["id"]
    cli.ok("checkpoint", "note", head, "seen", "--kind", "milestone")
    fork = cli.ok("fork", head, "--branch", "try")["session"]
    other = cli.checkpoint(key, THEIRS, "--session", fork, "--carry", "all")["id"]
    claim = cli.ok("claim", "create", key, "--scope", "docs", "--task-id", "measure")["id"]
    cli.ok("claim", "extend", claim, "--ttl", "2h")
    cli.ok("claim", "abandon", claim)
    cli.ok("merge", head, other)
    cli.ok("branch", "close", key, "try")


def by_service(services: Services, space: SpaceId, root: Path) -> None:
    def content(given: dict[str, object]) -> CheckpointInput:
        return replace(parse_checkpoint(given), project_root=str(root), git=git_state(root))

    head = services.checkpoints.create(space, content(BODY)).checkpoint.id
    services.notes.add(head, "seen", "milestone")
    fork = services.forking.from_checkpoint(head, branch="try").session.id
    other = services.checkpoints.create(space, content(THEIRS), session=fork, carry_all=True)
    claim = services.claims.take(space, "docs", task_id="measure").claim.id
    services.claims.extend(claim, 2 * 3600)
    services.claims.end(claim, "abandoned")
    services.merging.write(head, other.checkpoint.id, {})
    services.branches.dispose(space, "try", "integrated")


def told_events(services: Services, key: str) -> list[str]:
    """The events about a Space, without what differs by nature: ids and times in order of their
    first appearance, hashes of payloads, and the door."""
    seen: dict[str, str] = {}

    def label(found: re.Match[str]) -> str:
        return seen.setdefault(found[0], f"#{len(seen)}")

    events = [e for e in services.log.read(None) if isinstance(e, StoredEvent)]
    streams = {e.stream for e in events if key in e.stream or f'"{key}"' in e.payload}
    told = []
    for event in [event for event in events if event.stream in streams]:
        line = f"{event.stream} {event.version} {event.type} {event.actor} {event.payload}"
        line = _ID.sub(label, _TIME.sub("TIME", line))
        for whole, name in seen.items():
            line = line.replace(whole[:7], name)
        told.append(line)
    return told


def test_one_scenario_through_every_door_is_the_same_to_the_log(
    host: Host, cli: Cli, home: Path
) -> None:
    keys = [cli.space(name) for name in ("Door 1", "Door 2", "Door 3")]
    by_mcp(host, keys[0], cli.cwd)
    by_cli(cli, keys[1])
    config = load_config(
        {"database.url": str(cli.database), "actor": "ada"}, environ={"HOME": str(home / "home")}
    )
    with open_services(config, "cli") as services:
        by_service(services, SpaceId(keys[2]), cli.cwd)
        one, other, third = (told_events(services, key) for key in keys)
    assert len(one) > 10
    assert [line.replace("Door 1", "Door") for line in one] == [
        line.replace("Door 2", "Door") for line in other
    ]
    assert [line.replace("Door 3", "Door") for line in third] == [
        line.replace("Door 2", "Door") for line in other
    ]


def test_a_view_is_that_of_the_command_line(host: Host, cli: Cli) -> None:
    for number in range(60):
        item = {"id": f"T{number}", "title": f"Item {number} {HOSTILE}"}
        host.ok("log_append", stream="tracker", type="item_created", payload=item)
    told = host.ok("project", view="tracker", limit=3)
    assert told.text == cli.call("log", "project", "tracker", "--limit", "3").text
    assert told.document == cli.ok("log", "project", "tracker", "--limit", "3")
    assert host.ok("project", view="tracker").document["folded"]["left_out"] == {"items": 10}
    then = host.ok("project", view="tracker", version=2)
    assert then.text == cli.call("log", "project", "tracker", "--limit", "50", "--at", "2").text
    assert [item["id"] for item in then.document["items"]] == ["T0", "T1"]
    assert host.call("project", view="nope").error["code"] == "view"
    assert host.call("project", view="tracker", version=999).error["code"] == "not_found"


def test_a_likely_secret_is_told_of_behind_the_text(host: Host, cli: Cli, home: Path) -> None:
    secret = "sk-" + "proj-abcDEF0123456789abcDEF01"
    key, _ = space(host, home, "Secrets")
    content = {"title": "t", "decisions": [f"log in with {secret}"]}
    told = host.ok("create_checkpoint", space=key, carry="all", content=content)
    assert "may hold a secret: it looks like an API key" in told.texts[-1]
    assert secret not in told.texts[-1]
    assert "secret" not in told.texts[0]
    assert "may hold" not in "".join(host.ok("list_spaces").texts)


def test_what_is_redacted_while_it_serves_is_gone_from_its_answers(
    host: Host, cli: Cli, home: Path
) -> None:
    secret = "the secret of the served house"
    key, _ = space(host, home, "Redacted")
    content = {"title": "t", "decisions": [f"log in with {secret}"]}
    made = host.ok("create_checkpoint", space=key, carry="all", content=content)
    assert secret in host.ok("show_checkpoint", checkpoint_id=made.document["id"]).text
    done = cli.ok("redact", "--text", "-", "--yes", given=secret.encode())
    assert (done["wiped"], done["left"]) == (True, [])
    same(
        shown := host.ok("show_checkpoint", checkpoint_id=made.document["id"]),
        cli, "checkpoint", "show", made.document["id"],
    )  # fmt: skip
    assert "log in with [redacted]" in shown.text
    assert not host.ok("search", text="served house").document["hits"]
    assert cli.ok("checkpoint", "verify")["redacted"] == [made.document["id"]]
    folder = cli.database.parent
    held = [path for path in folder.rglob("*") if path.is_file()]
    assert not any(secret.encode() in path.read_bytes() for path in held)
