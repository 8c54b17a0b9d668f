"""`smriti-tui`, and `python -m smriti_tui`."""

from __future__ import annotations

import gc
import os
import sys

BEATS_PER_S = "240"
"""How often a second the screen looks whether something is to be drawn, while something is.

A frame that takes longer than a beat makes Textual leave out up to two: at its usual 60 a key that
was pressed beside a streaming answer waited 30 ms with nothing else to do (measured).
"""


def main(argv: list[str] | None = None) -> int:
    """Without arguments straight into the app: nothing else is imported before its first frame."""
    arguments = sys.argv[1:] if argv is None else argv
    # Read when Textual is imported.
    os.environ.setdefault("TEXTUAL_FPS", BEATS_PER_S)
    if arguments:
        from smriti_tui.cli.launch import main as launch

        return launch(arguments)
    # A tenth of the time to the first frame would go into looking for garbage where there is none.
    gc.disable()
    from smriti_tui.app import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
