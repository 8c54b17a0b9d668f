"""What a host's session-start hook needs of a command: it never fails and never keeps anybody
waiting."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import SmritiError

LIMIT_S = 3.0


@contextmanager
def within_limit(run: Run, hook: bool) -> Iterator[None]:
    """For a hook: an error becomes a line of text, and after `LIMIT_S` the process ends as if it
    were done, with what it has printed until then."""
    if not hook:
        yield
        return
    late = threading.Timer(LIMIT_S, _give_up)
    late.daemon = True
    late.start()
    try:
        yield
    except SmritiError as error:
        run.out.text(f"Smriti has no state to show here: {error.message} {error.hint}".rstrip())
    finally:
        late.cancel()


def _give_up() -> None:
    os.write(sys.stderr.fileno(), b"smriti: the state took too long and was left out\n")
    os._exit(0)
