"""`smriti-mcp --http`: the SDK's own client over HTTP, and who is turned away."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from smriti_tui.mcp.http import MOST_BYTES, _bound, address_of
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
        ({"Authorization": f"Bearer {TOKEN} {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN.upper()}"}, 401),
        ({"Authorization": f"Bearer {TOKEN[:-1]}"}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"Host": "localhost.example"}, 421),
        ({"Host": "localhost"}, 421),
        ({"Host": "localhost.evil:PORT"}, 421),
        ({"Host": "127.0.0.1.evil:PORT"}, 421),
        ({"Host": "127.0.0.1:PORT.evil"}, 421),
        ({"Host": "evil@localhost:PORT"}, 421),
        ({"Host": "localhost:PORT"}, 200),
        ({"Origin": "http://localhost.evil:PORT"}, 403),
        ({"Origin": "http://127.0.0.1:PORT.evil"}, 403),
        ({"Origin": "https://localhost:PORT"}, 403),
        ({"Origin": "http://localhost:PORT@evil"}, 403),
        ({"Origin": "http://localhost:PORT"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 200),
    ],
)
def test_who_is_turned_away(served: Served, given: dict[str, str], status: int) -> None:
    port = served.url.rpartition(":")[2].partition("/")[0]
    given = {name: value.replace("PORT", port) for name, value in given.items()}
    with httpx2.Client(trust_env=False, timeout=60) as http:
        answer = http.post(served.url, json=HELLO, headers=headers(**given))
    assert answer.status_code == status, answer.text


def test_a_token_counts_in_its_header_alone_and_once(served: Served) -> None:
    with httpx2.Client(trust_env=False, timeout=60) as http:
        bare = {"Accept": headers()["Accept"]}
        in_query = http.post(f"{served.url}?token={TOKEN}", json=HELLO, headers=bare)
        cookie = http.post(served.url, json=HELLO, headers={**bare, "Cookie": f"token={TOKEN}"})
        twice = [*bare.items(), ("Authorization", f"Bearer {TOKEN}"), ("Authorization", "Bearer x")]
        both = http.post(served.url, json=HELLO, headers=twice)
    assert [each.status_code for each in (in_query, cookie, both)] == [401, 401, 401]


def test_a_large_checkpoint_goes_over_http(served: Served) -> None:
    with over_http(served) as host:
        key = host.ok("create_space", name="Large").document["id"]
        long = [{"label": "all", "type": "text", "content": "क" * 3_000_000}]
        content = {"title": "large", "artifacts": long}
        made = host.ok("create_checkpoint", space=key, content=content).document["id"]
        shown = host.ok("restore", checkpoint_id=made, full_artifacts=True).document
        assert shown["artifacts"][0]["content"] == long[0]["content"]
        long[0]["content"] *= 2
        error = host.call("create_checkpoint", space=key, content=content).error
        assert "16 MiB" in error["message"]
        assert host.ok("list_checkpoints", space=key).document["checkpoints"][0]["id"] == made


def test_a_request_that_is_too_large_is_refused_before_it_is_read(served: Served) -> None:
    with closing(HTTPConnection(urlsplit(served.url).netloc, timeout=60)) as connection:
        told = {"Content-Type": "application/json", "Content-Length": str(MOST_BYTES + 1)}
        connection.request("POST", "/mcp", headers=headers(**told))
        assert connection.getresponse().status == 413


def test_small_pieces_are_sent_at_once_and_early_callers_wait() -> None:
    """The loop does so where the socket names its protocol; else each call takes 40 ms longer."""
    with _bound(address_of("127.0.0.1:0")) as listening:
        assert listening.proto == socket.IPPROTO_TCP
        socket.create_connection(listening.getsockname(), timeout=5).close()


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


@pytest.mark.parametrize(
    "address",
    ["0.0.0.0:0", "192.168.1.1:9", "[::]:0", "example.com:80", "localhost.evil:80", "127.1:0",
     "localhost:80@evil:80", "2130706433:0"],
)  # fmt: skip
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
