"""One writer process: `python -m tests.bench.append_writer ROLE WAY DATABASE NUMBER`.

A line of seconds on standard input lets it write for that long and tell of it; the end of input
makes it tell all versions that it was given.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from smriti_tui.domain.errors import StoreBusy
from tests.bench.append_way import Way
from tests.bench.append_ways import way_named


def write_for(way: Way, first: int, seconds: float, versions: list[int]) -> dict[str, float]:
    """Writes without a pause, from write number `first` on; what that took."""
    locked, worst, number = 0, 0.0, first
    cpu, start = time.process_time(), time.perf_counter()
    while (began := time.perf_counter()) < start + seconds:
        try:
            versions.append(way.write(number))
        except Exception as error:
            if not _is_lock_error(error):
                raise
            locked += 1
        number += 1
        worst = max(worst, time.perf_counter() - began)
    return {
        "tries": number - first,
        "locked": locked,
        "wall_s": time.perf_counter() - start,
        "worst_s": worst,
        "cpu_s": time.process_time() - cpu,
    }


def _is_lock_error(error: Exception) -> bool:
    return isinstance(error, StoreBusy) or "locked" in str(error)


def main() -> None:
    role, name, database, writer = sys.argv[1:]
    way = way_named(name)(Path(database), int(writer))
    if role == "setup":
        way.setup()
        return
    versions: list[int] = []
    number = 0
    print("ready", flush=True)
    for line in sys.stdin:
        told = write_for(way, number, float(line), versions)
        number += int(told["tries"])
        print(json.dumps(told), flush=True)
    way.close()
    print(json.dumps(versions), flush=True)


if __name__ == "__main__":
    main()
