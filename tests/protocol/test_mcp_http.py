"""`smriti-mcp --http`: the SDK's own client over HTTP, and who is turned away."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.protocol.mcp_lines import SCRIPT
from tests.protocol.mcp_served import TOKEN, Served, headers, over_http, serving

ENDS_WITHIN_S = 4.0
HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("mcp-http")) as running:
        yield running


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdk_s_client_works_over_http(served: Served, mode: str) -> None:
    with over_http(served, mode) as host:
        assert len(host.tools()) >= 30
        made = host.ok("create_space", name=f"Over {mode}")
        told = host.ok("state", space=made.document["id"])
        assert told.document["space"]["name"] == f"Over {mode}"
        assert host.call("state", space="nobody").error["code"] == "not_found"


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Authorization": TOKEN}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"bearer {TOKEN}"}, 200),
        ({"Host": "rebound.example:80"}, 421),
        ({"Host": "localhost.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 200),
    ],
)
def test_who_is_turned_away(served: Served, given: dict[str, str], status: int) -> None:
    with httpx2.Client(trust_env=False, timeout=60) as http:
        answer = http.post(served.url, json=HELLO, headers=headers(**given))
    assert answer.status_code == status, answer.text


def test_a_request_without_a_token_learns_nothing(served: Served) -> None:
    with httpx2.Client(trust_env=False, timeout=60) as http:
        for path in ("/mcp", "/", "/docs"):
            answer = http.get(served.url.replace("/mcp", path))
            assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
            assert "server" not in answer.headers


def refused(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [str(SCRIPT), *arguments],
        capture_output=True,
        check=False,
        timeout=30,
        env={"PATH": os.environ["PATH"], **environment},
    )
    assert done.stdout == b""
    assert done.returncode in (1, 2)
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("error: ")
    return line


@pytest.mark.parametrize("address", ["0.0.0.0:0", "192.168.1.1:9", "[::]:0", "example.com:80"])
def test_other_addresses_than_loopback_are_refused(address: str) -> None:
    assert "loopback" in refused("--http", address, SMRITI_MCP_TOKEN=TOKEN)


def test_there_is_no_http_without_a_good_token(tmp_path: Path) -> None:
    open_to_all = tmp_path / "open"
    open_to_all.write_text(TOKEN, encoding="utf-8")
    open_to_all.chmod(0o644)
    assert "no token" in refused("--http")
    assert "16 or more" in refused("--http", SMRITI_MCP_TOKEN="short")
    assert "Others can read" in refused("--http", "--token-file", str(open_to_all))
    assert "cannot be read" in refused("--http", "--token-file", str(tmp_path / "none"))
    assert "--token-file goes with --http" in refused("--token-file", str(open_to_all))


def test_a_taken_port_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert "cannot be listened on" in refused(
            "--http", f"127.0.0.1:{port}", SMRITI_MCP_TOKEN=TOKEN
        )


def test_it_ends_when_it_is_told_to(served: Served) -> None:
    """Last in this file: the server is gone after it."""
    began = time.monotonic()
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(timeout=10) == 0
    assert time.monotonic() - began < ENDS_WITHIN_S
    assert served.process.stdout is not None
    assert served.process.stdout.read() == b""
