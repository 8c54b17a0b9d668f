"""Resources, notices of their changes, and prompts; in both eras of the protocol."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceUpdatedNotification, TextContent, TextResourceContents

from tests.cli.calling import Cli
from tests.protocol.mcp_host import Host
from tests.protocol.mcp_lines import SCRIPT

NOTICED_WITHIN_S = 5.0


@contextmanager
def connected(home: Path, mode: str, notices: list[str]) -> Iterator[Host]:
    async def heard(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            notices.append(str(message.params.uri))

    with pytest.MonkeyPatch.context() as patch:
        environment = Cli(home, patch).environment()
    server = StdioServerParameters(command=str(SCRIPT), env=environment)
    with start_blocking_portal() as portal, (home / f"{mode}.log").open("w") as log:
        client = Client(stdio_client(server, errlog=log), mode=mode, message_handler=heard)
        with portal.wrap_async_context_manager(client):
            yield Host(client, portal)


@pytest.fixture(scope="module")
def older(home: Path) -> Iterator[tuple[Host, list[str]]]:
    notices: list[str] = []
    with connected(home, "legacy", notices) as host:
        yield host, notices


def text_of(host: Host, uri: str) -> str:
    (content,) = host.portal.call(host.client.read_resource, uri).contents
    assert isinstance(content, TextResourceContents)
    assert content.mime_type == "text/markdown"
    return content.text


def test_resources_read_as_the_commands_print(older: tuple[Host, list[str]], cli: Cli) -> None:
    host, _ = older
    key = cli.space("Read")
    head = cli.checkpoint(key, {"title": "one", "decisions": ["Use FTS5"]})["id"]
    listed = host.portal.call(host.client.list_resources).resources
    assert (f"smriti://space/{key}/state", "Read") in [(str(r.uri), r.name) for r in listed]
    templates = host.portal.call(host.client.list_resource_templates).resource_templates
    assert [each.uri_template for each in templates] == [
        "smriti://space/{id}/state",
        "smriti://checkpoint/{id}",
    ]
    expected = cli.call("state", key).text
    for name in (key, key[:8], "Read"):
        assert text_of(host, f"smriti://space/{name}/state") == expected
    assert text_of(host, f"smriti://checkpoint/{head}") == cli.call("restore", head).text
    for uri in (
        "smriti://space/nobody/state",
        "smriti://checkpoint/ffffffff",
        "smriti://space/Read/history",
        "file:///etc/passwd",
    ):
        with pytest.raises(MCPError) as refused:
            text_of(host, uri)
        assert refused.value.data["code"] == "not_found"


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
def test_a_subscriber_hears_of_what_others_write(older: tuple[Host, list[str]], cli: Cli) -> None:
    host, notices = older
    key = cli.space("Heard")
    head = cli.checkpoint(key, {"title": "one"})["id"]
    state, checkpoint = "smriti://space/Heard/state", f"smriti://checkpoint/{head}"
    for uri in (state, checkpoint):
        host.portal.call(partial(host.client.subscribe_resource, uri))
    cli.ok("claim", "create", key, "--scope", "elsewhere")
    await_notices(notices, {state})
    cli.ok("checkpoint", "note", head, "seen")
    await_notices(notices, {state, checkpoint})
    host.portal.call(partial(host.client.unsubscribe_resource, state))
    cli.ok("checkpoint", "note", head, "seen again")
    await_notices(notices, {checkpoint})
    with pytest.raises(MCPError):
        host.portal.call(partial(host.client.subscribe_resource, "smriti://space/nobody/state"))


def await_notices(notices: list[str], expected: set[str]) -> None:
    until = time.monotonic() + NOTICED_WITHIN_S
    while not expected <= set(notices) and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.2)  # what should not come would come now
    assert set(notices) == expected
    notices.clear()


def test_a_listener_of_the_newer_protocol_hears_it_too(home: Path, cli: Cli) -> None:
    key = cli.space("Listened")
    uri = f"smriti://space/{key}/state"
    with connected(home, "auto", []) as host:

        async def listen() -> list[str]:
            async with host.client.listen(resource_subscriptions=[uri]) as stream:
                await anyio.to_thread.run_sync(
                    lambda: cli.call("claim", "create", key, "--scope", "elsewhere")
                )
                with anyio.fail_after(NOTICED_WITHIN_S):
                    async for event in stream:
                        return [str(getattr(event, "uri", event))]
            return []

        assert host.portal.call(listen) == [uri]


def test_prompts_name_the_space_and_real_tools(older: tuple[Host, list[str]]) -> None:
    host, _ = older
    listed = {each.name: each for each in host.portal.call(host.client.list_prompts).prompts}
    assert set(listed) == {"begin_work", "end_work"}
    tools = set(host.tools())
    for name in listed:
        asked = partial(host.client.get_prompt, name, {"space": "My\x1b Space"})
        (message,) = host.portal.call(asked).messages
        assert isinstance(message.content, TextContent)
        text = message.content.text
        assert "My" in text
        assert "\x1b" not in text
        named = {word for word in text.replace("(", " ").split() if word.startswith("smriti_")}
        assert named
        assert {word.rstrip(".,;") for word in named} <= tools
    long = host.portal.call(partial(host.client.get_prompt, "begin_work", {"space": "x" * 9000}))
    assert len(str(long.messages[0].content)) < 2_000


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("begin_work", {}, "'space' is missing"),
        ("begin_work", {"space": "x", "spaec": "y"}, "'spaec' is none"),
        ("nothing", {}, "There is no prompt 'nothing'"),
    ],
)
def test_a_wrong_prompt_is_named(
    older: tuple[Host, list[str]], name: str, given: dict[str, str], told: str
) -> None:
    with pytest.raises(MCPError) as refused:
        older[0].portal.call(partial(older[0].client.get_prompt, name, given))
    assert refused.value.code == -32602
    assert told in refused.value.message
    assert refused.value.data["hint"]
