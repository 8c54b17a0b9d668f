"""The command line: `python -m tests.fakes.llm_server --port 0`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from tests.fakes import llm_server
from tests.fakes.llm_server.scenarios import SCENARIOS
from tests.fakes.llm_server.server import Server


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def logger(target: TextIO | None) -> Callable[[dict[str, Any]], None]:
    def log(record: dict[str, Any]) -> None:
        if target:
            target.write(json.dumps(record, ensure_ascii=False) + "\n")
            target.flush()

    return log


async def run(args: argparse.Namespace, log: Callable[[dict[str, Any]], None]) -> None:
    server = Server(api_key=args.api_key, default_delay=args.delay_ms / 1000, log=log)
    port = await server.start(args.host, args.port)
    base = f"http://{args.host}:{port}"
    addresses = {"openai_base": f"{base}/v1", "anthropic_base": base}
    say(json.dumps({"event": "listening", "port": port, "pid": os.getpid(), **addresses}))
    parent = os.getppid()
    try:
        while True:
            await asyncio.sleep(0.5)
            if args.exit_with_parent and os.getppid() != parent:
                return
    finally:
        await server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fakes.llm_server",
        description=llm_server.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port and prints it")
    parser.add_argument("--api-key", help="answer 401 to any other key")
    parser.add_argument(
        "--delay-ms", type=float, default=0, help="pause before each piece where none is set"
    )
    parser.add_argument("--log", metavar="FILE", help="append finished requests as JSON lines")
    parser.add_argument(
        "--exit-with-parent", action="store_true", help="stop when the starting process ends"
    )
    parser.add_argument("--list", action="store_true", help="print the scenarios and leave")
    args = parser.parse_args()
    if args.list:
        for name, (_, about) in SCENARIOS.items():
            say(f"{name:18} {about}")
        return
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))
        target = args.log and stack.enter_context(Path(args.log).open("a", encoding="utf-8"))
        asyncio.run(run(args, logger(target or None)))


if __name__ == "__main__":
    main()
