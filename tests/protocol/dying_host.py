"""A host that writes through its server without end, until somebody kills it.

Run as a process: prints the server's process id, then one line per answer.
"""

from __future__ import annotations

import subprocess
import sys

from tests.protocol.mcp_lines import SCRIPT, calling, hello


def main() -> None:
    server = subprocess.Popen([str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    print(server.pid, flush=True)  # noqa: T201 (the test reads it)
    server.stdin.write(hello())
    number = 0
    while True:
        number += 1
        title = f"{sys.argv[2]}.{number}"
        content = {"title": title, "decisions": [f"Decision {title}"]}
        server.stdin.write(
            calling(number, "create_checkpoint", space=sys.argv[1], content=content, carry="all")
        )
        server.stdin.flush()
        print(len(server.stdout.readline()), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
