"""Looking for a model server on this machine: found, silent, strange, or not there."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from smriti_tui.services.local_models import local_models


@contextmanager
def answering(reply: bytes | None) -> Iterator[int]:
    """A port where one call is answered with `reply`, or with silence."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        done = threading.Event()

        def serve() -> None:
            caller, _ = server.accept()
            with caller:
                caller.recv(4096)
                if reply is None:
                    done.wait(5)
                else:
                    caller.sendall(reply)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        done.set()


def http(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


def test_its_models_come_as_the_settings_write_them() -> None:
    body = json.dumps({"models": [{"name": "llama3.2"}, {"name": "a\x1b[1m"}, {"x": 1}, "y"]})
    with answering(http(body.encode())) as port:
        assert local_models(port) == ("ollama_chat/llama3.2",)


@pytest.mark.parametrize(
    "reply", [b"\x15\x03\x01", http(b"<html>"), http(b"[1]"), http(b'{"models": 3}'), None]
)
def test_what_answers_otherwise_or_not_is_no_reason_to_wait(reply: bytes | None) -> None:
    began = time.monotonic()
    with answering(reply) as port:
        assert local_models(port) == ()
    assert time.monotonic() - began < 2


def test_where_nobody_listens_there_is_nothing() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        assert local_models(free.getsockname()[1]) is None
