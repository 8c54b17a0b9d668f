"""An MCP host over HTTP: the installed `smriti-mcp --http`, and the SDK's client on it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.cli.calling import Cli
from tests.protocol.mcp_host import Host
from tests.protocol.mcp_lines import SCRIPT

TOKEN = "correct-horse-battery-staple"


@dataclass(frozen=True)
class Served:
    process: subprocess.Popen[bytes]
    url: str
    cli: Cli


@contextmanager
def serving(folder: Path, **extra: str) -> Iterator[Served]:
    """A server of its own on a free port, with `extra` in its environment."""
    for name in ("home", "project"):
        (folder / name).mkdir(exist_ok=True)
    token = folder / "token"
    token.write_text(f"{TOKEN}\n", encoding="utf-8")
    token.chmod(0o600)
    with pytest.MonkeyPatch.context() as patch:
        cli = Cli(folder, patch, extra)
        process = subprocess.Popen(
            [str(SCRIPT), "--http", "127.0.0.1:0", "--token-file", str(token)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=cli.environment(),
        )
        try:
            assert process.stderr is not None
            line = process.stderr.readline().decode()
            assert line.startswith("listening on http://127.0.0.1:"), line
            yield Served(process, line.split()[-1], cli)
        finally:
            process.kill()
            process.communicate()


def headers(**more: str) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        **more,
    }


@contextmanager
def over_http(served: Served, mode: str = "auto") -> Iterator[Host]:
    with start_blocking_portal() as portal:
        http = httpx2.AsyncClient(headers=headers(), trust_env=False, timeout=60)
        client = Client(streamable_http_client(served.url, http_client=http), mode=mode)
        with portal.wrap_async_context_manager(client):
            yield Host(client, portal)
