"""The protocol's channel, taken before anything else is imported.

Standard output belongs to the protocol alone: it is moved aside, and what anybody prints, warns or
logs goes to standard error. The input is read by a thread of its own from the first moment, so that
its end is noticed while the libraries still load. Only the standard library is imported here.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import sys
import threading
import time
from contextlib import suppress
from queue import Full, Queue
from typing import BinaryIO, TypeGuard

PENDING_S = 1.0
"""After the end of input: how long requests that came before it may still be answered."""
CLOSING_S = 0.3
"""After that: how long the process may take to end by itself."""
LOADING_S = 60.0
QUEUED_LINES = 64
NO_JSON, NO_REQUEST = -32700, -32600
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")


class Wire:
    """Lines in, lines out. Any method may be called from any thread."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._lines: Queue[str] = Queue(QUEUED_LINES)
        self._writing = threading.Lock()
        """Held while the host does not read; nothing that ends the process waits for it."""
        self._moved = threading.Condition()
        self._open = 0
        self._serving = False
        threading.Thread(target=self._listen, name="wire", daemon=True).start()

    def serving(self) -> None:
        """From now on everything is loaded that an answer may need."""
        with self._moved:
            self._serving = True
            self._moved.notify_all()

    def next_line(self) -> str:
        """Waits for a message; "" at the end of input."""
        return self._lines.get()

    def refuse(self, text: str) -> None:
        """Answers a message that `next_line` gave and that turned out to be none."""
        reason = "The message is nested too deeply, or is not of the protocol."
        self.send(_Refused(NO_REQUEST, reason, _value(text)).answer())

    def hang_up(self) -> None:
        """Ends a `next_line` that waits."""
        with suppress(Full):
            self._lines.put_nowait("")

    def send(self, text: str) -> None:
        """Writes whole lines at once. When nobody reads any more, the process ends."""
        self._write(text)
        if _has_id(message := _value(text)) and "method" not in message:
            with self._moved:
                self._open -= 1
                self._moved.notify_all()

    def _write(self, text: str) -> None:
        with self._writing:
            try:
                self._sink.write(text.encode("utf-8", "backslashreplace"))
                self._sink.flush()
            except OSError:
                os._exit(0)

    def _listen(self) -> None:
        for raw in self._source:
            if raw.strip():
                try:
                    self._take(raw)
                except _Refused as refused:
                    self._write(refused.answer())  # nobody counts it as owed
        self._finish()

    def _take(self, raw: bytes) -> None:
        """Hands on one line. The SDK drops what is no message without a word, so that is found
        here.

        Raises:
            _Refused: it is no message.
        """
        try:
            text = raw.decode().removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            reason = f"The message is not UTF-8: bad byte at offset {error.start}."
            raise _Refused(NO_JSON, reason) from error
        message = _value(text)
        if message is None:
            raise _Refused(NO_JSON, "The message is not JSON.")
        if not _is_message(message):
            raise _Refused(NO_REQUEST, "The message is not JSON-RPC 2.0.", message)
        if _has_id(message) and "method" in message:
            with self._moved:
                self._open += 1
        # Half of a surrogate pair can only be written as an escape, and the SDK takes none.
        if _ESCAPED_HALF.search(text):
            whole = json.dumps(message, ensure_ascii=False)
            text = _HALF.sub("\ufffd", whole) + "\n"
        self._lines.put(text)

    def _finish(self) -> None:
        """The input has ended: lets answers out that are still owed, then sees to it that the
        process ends, whatever its threads wait for."""
        with self._moved:
            self._moved.wait_for(lambda: self._serving or self._open <= 0, LOADING_S)
            if self._serving:
                self._moved.wait_for(lambda: self._open <= 0, PENDING_S)
            else:
                os._exit(0)
        self.hang_up()
        time.sleep(CLOSING_S)
        os._exit(0)


def take_wire() -> Wire:
    """Moves both standard streams aside: from here on reading gets nothing, printing goes to
    standard error.

    Raises:
        OSError: one of them is closed.
    """
    source, sink = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3) for fd in (0, 1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    if nowhere > 2:
        os.close(nowhere)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    return Wire(os.fdopen(source, "rb"), os.fdopen(sink, "wb"))


def _value(text: str) -> object:
    """The JSON value of a line; None for what is no JSON."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _has_id(message: object) -> TypeGuard[dict[str, object]]:
    return isinstance(message, dict) and message.get("id") is not None


def _is_message(value: object) -> TypeGuard[dict[str, object]]:
    """A request, a notification or a response of JSON-RPC 2.0."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    if not _is_number(value.get("id", 0)):
        return False
    if "method" not in value:
        return "id" in value and ("result" in value or "error" in value)
    return isinstance(value["method"], str) and isinstance(value.get("params", {}), dict)


def _is_number(value: object) -> TypeGuard[int | str]:
    """Whether it numbers a request."""
    return isinstance(value, int | str) and not isinstance(value, bool)


class _Refused(Exception):
    """A line that is no message; `answer` is what its sender gets."""

    def __init__(self, code: int, reason: str, message: object = None) -> None:
        """`message` is the line's value, which may tell whose answer it is."""
        super().__init__(reason)
        self._code = code
        number = message.get("id") if isinstance(message, dict) else None
        self._id = number if _is_number(number) else None

    def answer(self) -> str:
        error = {"code": self._code, "message": str(self)}
        return json.dumps({"jsonrpc": "2.0", "id": self._id, "error": error}) + "\n"
