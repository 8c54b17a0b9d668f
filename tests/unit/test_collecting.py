"""The garbage collector stays out of the first frame and of what start-up loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import gc
import smriti_tui.app
from smriti_tui.collecting import YOUNG, collect_seldom
gc.disable()
collect_seldom()
print(gc.isenabled(), gc.get_threshold() == YOUNG, gc.get_freeze_count() > 10_000)
"""


def test_collecting_begins_behind_the_first_frame_and_leaves_out_what_was_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("True True True\n", "")
