"""`smriti-tui`, and `python -m smriti_tui`."""

from __future__ import annotations

import gc
import os
import sys


def on_terminal() -> bool:
    """Whether a full-screen program can run; where it cannot, `launch` says what can."""
    streams = (sys.stdin, sys.stdout)
    there = all(stream is not None and stream.isatty() for stream in streams)
    return there and os.environ.get("TERM", "") != "dumb"


def main(argv: list[str] | None = None) -> int:
    """Without arguments straight into the app: nothing else is imported before its first frame."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments or not on_terminal():
        from smriti_tui.cli.launch import main as launch

        return launch(arguments)
    # A tenth of the time to the first frame would go into looking for garbage where there is none.
    gc.disable()
    from smriti_tui.app import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
