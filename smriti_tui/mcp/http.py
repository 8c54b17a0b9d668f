"""The server over HTTP, for hosts on this machine: loopback alone, a token in every request.

A page in a browser can reach loopback too, by its own name that resolves to it or by a request from
another origin: `Host` and `Origin` are checked as well as the token (DNS rebinding).
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import signal
import socket
import stat
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.values import MAX_PAYLOAD_BYTES

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp, Receive, Scope, Send

DEFAULT_ADDRESS = "127.0.0.1:8377"
TOKEN_VARIABLE = "SMRITI_MCP_TOKEN"
LEAST_TOKEN = 16
"""Characters; a shorter one is guessed."""
PATH = "/mcp"
MOST_BYTES = 4 * MAX_PAYLOAD_BYTES
"""Of a request: what the store takes, written with escapes; a longer one is answered with 413."""
CLOSING_S = 1
"""How long open streams keep the end waiting; after as long again the process ends, whatever its
threads wait for."""


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    @property
    def shown(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def address_of(said: str) -> Address:
    """`HOST:PORT`, `:PORT` or `HOST`, an address of this machine alone; port 0 takes a free one.

    Raises:
        Invalid (code `usage`): it is none, or others could reach it.
    """
    default = DEFAULT_ADDRESS.rpartition(":")
    host, colon, digits = said.strip().rpartition(":")
    if not colon or said.strip().endswith("]"):
        host, digits = said.strip(), default[2]
    host = host.strip("[]") or default[0]
    if not (digits.isascii() and digits.isdecimal() and int(digits) < 65_536):
        raise Invalid(f"{said!r} names no port.", f"Write {DEFAULT_ADDRESS}.", code="usage")
    if host != "localhost" and not _loopback(host):
        raise Invalid(
            f"{host} is not a loopback address.",
            "The server talks to this machine alone: take 127.0.0.1, ::1 or localhost.",
            code="usage",
        )
    return Address("127.0.0.1" if host == "localhost" else host, int(digits))


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def token_of(file: str | None, environment: Mapping[str, str]) -> str:
    """The token of a file, else of the environment.

    Raises:
        Invalid (code `usage`): there is none, it is short, or others can read the file.
    """
    told = f"Give --token-file FILE, or set {TOKEN_VARIABLE}."
    token = environment.get(TOKEN_VARIABLE, "").strip() if file is None else _read(Path(file))
    if not token:
        raise Invalid("There is no token for HTTP.", told, code="usage")
    if len(token) < LEAST_TOKEN or not (token.isascii() and token.isprintable()) or " " in token:
        raise Invalid(
            f"The token is not {LEAST_TOKEN} or more printable ASCII characters.",
            "`openssl rand -hex 24` makes one.",
            code="usage",
        )
    return token


def _read(path: Path) -> str:
    try:
        if os.name == "posix" and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
            raise Invalid(
                f"Others can read the token in {path}.", f"`chmod 600 {path}` first.", code="usage"
            )
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(f"{path} cannot be read as a token.", str(error), code="usage") from error


def serve_http(flags: Mapping[str, object], address: Address, token: str) -> None:
    """Serves until the process is told to end (SIGINT, SIGTERM).

    Raises:
        SmritiError: the address is taken (code `address`).
    """
    listening = _bound(address)
    import anyio
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    from smriti_tui.mcp.opening import Opening
    from smriti_tui.mcp.serving import SmritiServer, start_log
    from smriti_tui.mcp.waiting import allow_many

    start_log()
    opening = Opening(flags, lambda: None)
    server = SmritiServer(opening)
    bound = Address(address.host, int(listening.getsockname()[1]))
    names = [bound.shown, f"localhost:{bound.port}"]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        host=bound.host,
        max_request_body_size=MOST_BYTES,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=names,
            allowed_origins=[f"http://{name}" for name in names],
        ),
    )
    config = uvicorn.Config(
        _Guarded(app, token),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=CLOSING_S,
    )
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, _no_more)
    opening.start()
    sys.stderr.write(f"listening on http://{bound.shown}{PATH}\n")
    sys.stderr.flush()

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            late = threading.Timer(2 * CLOSING_S, os._exit, (0,))
            late.daemon = True
            late.start()
            super().handle_exit(sig, frame)

    async def run() -> None:
        allow_many()
        await Server(config).serve(sockets=[listening])

    try:
        anyio.run(run)
    finally:
        server.updates.close()
        opening.close()


def _no_more(number: int, _: object) -> None:
    """What uvicorn raises anew once it has ended: nothing is left to do."""


def _bound(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # With the protocol named, the loop sends small pieces at once; without, each answer that comes
    # in two pieces waits 40 ms for the other side's acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address.host, address.port))
        listening.listen()  # who comes before the server has loaded waits, and is not refused
    except OSError as error:
        listening.close()
        raise SmritiError(
            f"{address.shown} cannot be listened on: {error.strerror}.",
            "Take another port with --http HOST:PORT.",
            code="address",
        ) from error
    return listening


@dataclass(frozen=True)
class _Guarded:
    """Refuses every request without the token, before anything of it is read."""

    app: ASGIApp
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._known(scope):
            await self.app(scope, receive, send)
            return
        from starlette.responses import PlainTextResponse

        refusal = PlainTextResponse(
            "The token is missing or wrong.\n", 401, {"WWW-Authenticate": "Bearer"}
        )
        await refusal(scope, receive, send)

    def _known(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        if len(given) != 1:
            return False
        scheme, _, token = given[0].partition(b" ")
        right = hmac.compare_digest(token.strip(), self.token.encode())
        return right and scheme.lower() == b"bearer"
