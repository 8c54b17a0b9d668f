"""From starting the MCP server to its answer of `initialize`, which a host waits for."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from tests.bench.figures import Budget, Figure, compared
from tests.bench.programs import PYTHON, Failed, home_environment, script
from tests.bench.rounds import Plan, interleaved
from tests.bench.seed import seeded_home
from tests.protocol.mcp_lines import hello

BUDGET = Budget(1.3)
BARE = "a bare MCPServer with one tool"
LEAVES_WITHIN_S = 10


def initialize(plan: Plan) -> list[Figure]:
    """`smriti-mcp` in a home with 10,000 turns, beside a server that does nothing."""
    home = seeded_home(plan)
    copy = plan.new_folder("home") / "seeded"
    shutil.copytree(home.path, copy)
    env = home_environment(copy)
    bare = [PYTHON, str(Path(__file__).with_name("bare_mcp.py"))]
    ways: dict[str, Callable[[], float]] = {
        "smriti-mcp": partial(_answered_ms, [script("smriti-mcp")], env),
        BARE: partial(_answered_ms, bare, env),
    }
    found = interleaved(plan.rounds(11), ways, warm_up=True)
    return [
        compared(
            "initialize",
            "smriti-mcp to its answer of initialize, 10,000 turns",
            "ms",
            found["smriti-mcp"],
            BARE,
            found[BARE],
            budget=BUDGET,
        )
    ]


def _answered_ms(command: Sequence[str], env: Mapping[str, str]) -> float:
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(hello())
        process.stdin.flush()
        line = process.stdout.readline()
        took = (time.perf_counter() - began) * 1e3
        process.stdin.close()
        process.wait(timeout=LEAVES_WITHIN_S)
    if b'"serverInfo"' not in line:
        raise Failed(f"{' '.join(command)} answered {line[:200]!r}")
    return took
