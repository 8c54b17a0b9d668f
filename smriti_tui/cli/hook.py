"""What a host's session-start hook needs of a command: it never fails and never keeps anybody
waiting."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import SmritiError

LIMIT_S = 2.5
"""A host waits 3 seconds at most; what runs before and after takes its part of them."""
_PRINTING_S = 0.2


class Patience:
    """How long a hook waits, and what it prints when that is over."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._printing = threading.Lock()
        self._known: Callable[[], str] | None = None

    def know(self, text: Callable[[], str]) -> None:
        """From now on this is printed if the rest takes too long."""
        self._known = text

    @contextmanager
    def printing(self) -> Iterator[None]:
        """While the result is printed nobody gives up."""
        with self._printing:
            yield

    def give_up(self) -> None:
        """Ends the process as if it were done, with what is known."""
        try:
            # Who does not get the lock would print beside the result, or its reader has stopped.
            if self._printing.acquire(timeout=_PRINTING_S):
                self._tell()
        finally:
            os._exit(0)

    def _tell(self) -> None:
        told = "the state took too long and was left out"
        if self._known is not None:
            self._run.out.text(self._known())
            sys.stdout.flush()
            told = "git took too long: what it says of folders and worktrees was left out"
        os.write(sys.stderr.fileno(), f"smriti: {told}\n".encode())


@contextmanager
def within_limit(run: Run, hook: bool) -> Iterator[Patience]:
    """For a hook: an error becomes a line of text, a fault a line on standard error, and after
    `LIMIT_S` the process ends as if it were done, with what is known until then."""
    patience = Patience(run)
    if not hook:
        yield patience
        return
    run.never_fails = True
    late = threading.Timer(LIMIT_S, patience.give_up)
    late.daemon = True
    late.start()
    try:
        yield patience
    except SmritiError as error:
        run.out.text(f"Smriti has no state to show here: {error.message} {error.hint}".rstrip())
    finally:
        late.cancel()
