"""The bare process and the lines of the protocol, for tests of bytes. Loads no SDK."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SCRIPT = Path(sys.executable).with_name("smriti-mcp")


def started(environment: Mapping[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    """The bare process."""
    return subprocess.Popen(
        [str(SCRIPT), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
    )


def request(number: int, method: str, **params: object) -> bytes:
    """One line of the protocol."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def calling(number: int, tool: str, **arguments: object) -> bytes:
    return request(number, "tools/call", name=f"smriti_{tool}", arguments=arguments)


def hello() -> bytes:
    """The handshake, as number 0."""
    asked = request(
        0,
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "tests", "version": "1"},
    )
    return asked + b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
