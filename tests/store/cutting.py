"""Between a program and a PostgreSQL server: a line that is cut at a word."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path


class Line:
    """Passes everything on until the program says `at`; then it is cut, after the server got that
    word or before."""

    def __init__(self, folder: Path, server: Path, at: bytes, *, arrives: bool) -> None:
        self.at = at
        self.arrives = arrives
        self.armed = False
        self.cuts = 0
        self._server = str(server / ".s.PGSQL.5432")
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / ".s.PGSQL.5432"))
        self._socket.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._socket.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._server)
                for source, sink, asks in ((near, far, True), (far, near, False)):
                    threading.Thread(
                        target=self._pass, args=(source, sink, asks), daemon=True
                    ).start()

    def _pass(self, source: socket.socket, sink: socket.socket, asks: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if asks and self.armed and self.at in data:
                    self.armed = False
                    self.cuts += 1
                    source.shutdown(socket.SHUT_RDWR)
                    if self.arrives:
                        sink.sendall(data)
                    else:
                        sink.shutdown(socket.SHUT_RDWR)
                    return
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._socket.close()


@contextlib.contextmanager
def cut_at(folder: Path, server: Path, at: bytes, *, arrives: bool) -> Iterator[Line]:
    """A line in `folder`, which is the host of a URL through it."""
    line = Line(folder, server, at, arrives=arrives)
    try:
        yield line
    finally:
        line.close()
