"""When garbage is looked for: a little while one works, all of it while nobody types.

Most of what is thrown away goes at once, without the collector: it is for cycles alone. A look
through everything holds every thread for a tenth of a second, and while an answer streamed it came
three times a second: what was typed then stood still (measured).
"""

from __future__ import annotations

import gc

YOUNG = (5_000, 5, 1_000_000)
"""Thresholds of the collector: what is new is looked through in some milliseconds (at most 25,000
objects), what is old never by itself."""


def collect_seldom() -> None:
    """Takes up the collector, and leaves what start-up loaded out of its work for good."""
    gc.freeze()
    gc.set_threshold(*YOUNG)
    gc.enable()


def collect_at_rest() -> None:
    """Looks through all that start-up did not load, while nobody waits for anything."""
    if gc.isenabled() and gc.get_freeze_count():
        gc.collect()
