"""Every tool through the SDK's own client, over standard streams and over HTTP: one by one, side by
side, and cancelled."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.cli.calling import Cli
from tests.git.repository import repository
from tests.protocol.mcp_host import Host, Told, hosted
from tests.protocol.mcp_served import over_http, serving

_ID = re.compile(
    r"(?<=ada-)[0-9a-f]{8}|[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{64}\b|\b[0-9a-f]{7}\b|\b[0-9a-f]{40}\b"
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.]+(Z| UTC)|\d+ (seconds?|minutes?) ago|just now")
CONTENT: dict[str, object] = {
    "title": "Choose FTS5",
    "decisions": ["Use FTS5"],
    "tasks": [{"text": "Measure it", "id": "measure"}],
}


@dataclass
class Door:
    """A host, and the command line on its database."""

    host: Host
    cli: Cli
    called: dict[str, Told] = field(default_factory=dict)

    def __call__(self, tool: str, **arguments: object) -> Any:
        schema = self.host.tools()[f"smriti_{tool}"].input_schema
        Draft202012Validator(schema).validate(arguments)
        self.called[tool] = self.host.ok(tool, **arguments)
        return self.called[tool].document


@pytest.fixture(scope="module", params=["stdio", "http"])
def door(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Door]:
    folder = tmp_path_factory.mktemp("mcp-door")
    (folder / "home").mkdir()
    (folder / "project").mkdir()
    repository(folder / "project")
    extra = {"SMRITI_BACKGROUND_MODEL": "demo"}
    with pytest.MonkeyPatch.context() as patch:
        cli = Cli(folder, patch, extra)
        if request.param == "stdio":
            with hosted(cli.environment(), folder / "errors.log") as host:
                yield Door(host, cli)
        else:
            with serving(folder, **extra) as served, over_http(served) as host:
                yield Door(host, cli)


@pytest.fixture(scope="module")
def walks() -> dict[str, str]:
    """What each tool said, to compare the transports."""
    return {}


def walk(door: Door, root: Path) -> None:
    key = door("create_space", name="Walk", project_root=str(root))["id"]
    head = door("create_checkpoint", space=key, content=CONTENT)["id"]
    door("list_spaces")
    door("checkpoint_note", checkpoint_id=head, text="seen", kind="milestone")
    door("review_checkpoint", checkpoint_id=head)
    session = door("fork", source=head, branch="try")["session"]
    other = door("create_checkpoint", space=key, session=session, carry="all",
                 content={"title": "other", "decisions": ["Also cache"]})["id"]  # fmt: skip
    door("compare", a=head, b=other)
    claim = door("claim", space=key, scope="docs", task_id="measure")["id"]
    door("claim_extend", claim_id=claim, ttl="2h")
    tree = door("worktree_open", space=key, branch="walk/one")["id"]
    door("worktree_list", space=key)
    door("worktree_show", worktree_id=tree)
    door("worktree_close", worktree_id=tree)
    door("claims", space=key)
    door("state", space=key)
    door("current", space=key)
    door("metrics", space=key)
    door("search", text="fts5", space=key)
    door("list_checkpoints", space=key)
    door("show_checkpoint", checkpoint_id=head)
    door("restore", checkpoint_id=head)
    door("claim_done", claim_id=claim)
    door("merge", a=head, b=other)
    door("close_branch", space=key, branch="try")
    door("branches", space=key)
    item = {"id": "T1", "title": "One"}
    door("log_append", stream="tracker", type="item_created", payload=item)
    door("log_read", stream="tracker")
    door("project", view="tracker")
    door("install_skill", host="codex")
    door("delete_checkpoint", checkpoint_id=head, cascade=True)
    door("delete_space", space=key, confirm="Walk")


def test_every_tool_works_and_says_the_same_through_both_doors(
    door: Door, walks: dict[str, str]
) -> None:
    walk(door, door.cli.cwd)
    assert {f"smriti_{name}" for name in door.called} == set(door.host.tools())
    types = {line["type"] for line in door.cli.call("log", "read", "--all").lines}
    assert "session.opened" in types
    assert not [each for each in types if each.startswith(("turn.", "answer."))]  # no live chat
    place = str(door.cli.folder)
    for tool, told in door.called.items():
        assert told.document, tool
        said = _ID.sub("#", _TIME.sub("TIME", "\0".join(told.texts).replace(place, "")))
        assert walks.setdefault(tool, said) == said, tool


def test_calls_of_every_reader_and_of_writers_run_side_by_side(door: Door) -> None:
    host = door.host
    key = host.ok("create_space", name="Side by side").document["id"]
    head = host.ok("create_checkpoint", space=key, content=CONTENT).document["id"]
    calls: list[tuple[str, dict[str, object]]] = [
        ("state", {"space": key}),
        ("current", {"space": key}),
        ("restore", {"checkpoint_id": head}),
        ("search", {"text": "fts5"}),
        ("claims", {"space": key}),
        ("branches", {"space": key}),
        ("log_read", {"all_streams": True}),
        ("install_skill", {}),
    ] * 3
    calls += [("checkpoint_note", {"checkpoint_id": head, "text": f"{n}"}) for n in range(12)]
    failed: list[str] = []

    async def one(tool: str, arguments: dict[str, object]) -> None:
        result = await host.client.call_tool(f"smriti_{tool}", arguments)
        failed.extend([tool] if result.is_error else [])

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for tool, arguments in calls:
                group.start_soon(one, tool, arguments)

    host.portal.call(all_at_once)
    assert failed == []
    notes = host.ok("show_checkpoint", checkpoint_id=head).document["notes"]
    assert sorted(int(each["text"]) for each in notes) == list(range(12))
    assert door.cli.call("log", "verify").code == 0


def test_a_cancelled_write_is_whole_or_absent_and_the_server_goes_on(door: Door) -> None:
    host = door.host
    key = host.ok("create_space", name="Cancelled").document["id"]
    asked = partial(
        host.client.call_tool, "smriti_create_checkpoint", {"space": key, "content": CONTENT}
    )

    async def cancelled() -> bool:
        with anyio.move_on_after(0.3) as scope:
            await asked()
        return scope.cancelled_caught

    lock = door.cli.database.with_name(f"{door.cli.database.name}.lock")
    with lock.open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert host.portal.call(cancelled)
        assert host.ok("list_checkpoints", space=key).document["checkpoints"] == []
    host.ok("claim", space=key, scope="after it")
    for each in host.ok("list_checkpoints", space=key).document["checkpoints"]:
        shown = host.ok("show_checkpoint", checkpoint_id=each["id"]).document
        assert [len(shown["decisions"]), len(shown["tasks"])] == [1, 1]
    assert door.cli.call("log", "verify").code == 0
