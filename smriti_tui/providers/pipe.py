"""One life of the provider process: starting it, talking to it, noticing its end, ending it.

Two threads do the talking, so that it serves any number of event loops, those that end included,
and a full pipe never stops a loop.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import SimpleQueue

from smriti_tui.providers import wire
from smriti_tui.providers.wire import WireMessage

PROGRAM = "smriti_tui.providers.litellm_process"
# The folder that holds the package: the child finds it there whatever the search path is.
ROOT = Path(__file__).resolve().parents[2]
POLITE_S = 0.4
# All that the child sees of the environment. Keys and base URLs come with each call and must not be
# found here; what stands for files and places may pass.
PASSED_ON = frozenset(
    {
        "AWS_CONFIG_FILE", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_REGION",
        "AWS_SHARED_CREDENTIALS_FILE", "AZURE_API_VERSION", "CURL_CA_BUNDLE",
        "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "HOME", "LANG", "LANGUAGE",
        "LOGNAME", "PATH", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE", "SYSTEMROOT",
        "TEMP", "TMP", "TMPDIR", "TZ", "USER", "USERPROFILE", "VERTEXAI_LOCATION",
        "VERTEXAI_PROJECT", "VIRTUAL_ENV",
    }
)  # fmt: skip
_PROXIES = frozenset({"ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"})

Sink = Callable[[WireMessage], None]


def child_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The clean copy that the child gets."""
    return {
        name: value
        for name, value in environ.items()
        if name in PASSED_ON or name.startswith("LC_") or name.upper() in _PROXIES
    }


class ChildPipe:
    """The running child. Its methods may be called from any thread; none waits but `close`."""

    def __init__(self) -> None:
        """Starts the child.

        Raises:
            OSError: it cannot be started.
        """
        self._process = subprocess.Popen(
            [sys.executable, "-m", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=child_environment(os.environ),
            # Keys pressed in the terminal are not for the child.
            start_new_session=True,
        )
        self._started_at = time.monotonic()
        self._sinks: dict[int, Sink] = {}
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._ready = threading.Event()
        self._ended = threading.Event()
        self._broken = ""
        for work in (self._write, self._read):
            threading.Thread(target=work, name=f"provider{work.__name__}", daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ready(self) -> bool:
        """Whether the library is loaded."""
        return self._ready.is_set()

    @property
    def alive(self) -> bool:
        return not self._ended.is_set()

    @property
    def age_s(self) -> float:
        return time.monotonic() - self._started_at

    @property
    def broken(self) -> str:
        """Why the library could not be loaded, "" if it could."""
        return self._broken

    def open(self, sink: Sink) -> int:
        """A new call number; `sink` gets its replies, `ready` and `ended`, on some thread."""
        with self._lock:
            number = next(self._numbers)
            self._sinks[number] = sink
            ended = self._ended.is_set()
        if ended:
            sink({"type": "ended"})
        return number

    def drop(self, number: int) -> None:
        """Ends the interest in a call's replies."""
        with self._lock:
            self._sinks.pop(number, None)

    def send(self, message: WireMessage) -> None:
        self._outbox.put(wire.encode(message))

    def close(self) -> None:
        """Ends the child within a second and waits until it is gone."""
        self._outbox.put(None)
        if not self._ended.wait(POLITE_S):
            self._process.kill()
            self._ended.wait(POLITE_S)

    def _write(self) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        # A broken pipe is the child's end, which the reader tells.
        with suppress(OSError), stdin:
            while (line := self._outbox.get()) is not None:
                stdin.write(line)
                stdin.flush()

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        with stdout:
            for line in stdout:
                if (message := wire.decode(line)) is not None:
                    self._deliver(message)
        self._process.wait()
        with self._lock:
            self._ended.set()
        self._outbox.put(None)
        self._tell_all({"type": "ended"})

    def _deliver(self, message: WireMessage) -> None:
        kind = wire.text_of(message, "type")
        if kind == "ready":
            self._ready.set()
            self._tell_all(message)
        elif kind == "broken":
            self._broken = wire.text_of(message, "message")
        else:
            with self._lock:
                sink = self._sinks.get(wire.whole_of(message, "id") or 0)
            if sink is not None:
                sink(message)

    def _tell_all(self, message: WireMessage) -> None:
        with self._lock:
            sinks = list(self._sinks.values())
        for sink in sinks:
            sink(message)
