"""`smriti-tui`, and `python -m smriti_tui`."""

from __future__ import annotations

import gc
import sys


def main(argv: list[str] | None = None) -> int:
    """Without arguments straight into the app: nothing else is imported before its first frame."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments:
        from smriti_tui.cli.launch import main as launch

        return launch(arguments)
    # A tenth of the time to the first frame would go into looking for garbage where there is none.
    gc.disable()
    from smriti_tui.app import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
