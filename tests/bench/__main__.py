"""`python -m tests.bench`: every budget, measured beside its reference in one run."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.catalog import BENCHES
from tests.bench.figures import Figure
from tests.bench.report import document, table
from tests.bench.rounds import Plan, say


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what is asked for; the exit code says whether it ran, never whether it was fast."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "--only", action="append", choices=sorted(BENCHES), metavar="NAME", help=", ".join(BENCHES)
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    parser.add_argument("--quick", action="store_true", help="two rounds on a tenth of the data")
    parser.add_argument(
        "--dir", type=Path, metavar="DIR", help="where the databases lie: a real disk"
    )
    given = parser.parse_args(arguments)
    began = time.monotonic()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="smriti-bench-", dir=given.dir) as folder:
        plan = Plan(Path(folder), given.quick)
        for name, bench in BENCHES.items():
            if given.only is None or name in given.only:
                say(f"{name}:")
                figures += bench(plan)
    result = document(figures, quick=given.quick, took_s=time.monotonic() - began)
    text = json.dumps(result, indent=1, ensure_ascii=False)
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(text + "\n", encoding="utf-8")
    print(text)
    say(table(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
