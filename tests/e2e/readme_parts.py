"""The parts of README.md that come from the code: keys, commands, exit codes, MCP tools.

    python -m tests.e2e.readme_parts

writes them between their markers; `test_readme.py` compares.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from smriti_tui.cli.commands import COMMANDS
from smriti_tui.cli.diagnostics import INTERRUPTED
from smriti_tui.domain.errors import SmritiError
from smriti_tui.keys import ACTIONS, PLACE_NAMES, Action, Place

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
CODE_WORDS = {
    0: "done",
    1: "failed: something broke, or a check found a fault",
    2: "usage: an argument that cannot be",
    3: "not found",
    4: "conflict: the head moved, an id is ambiguous, something depends on it",
    5: "the model or its provider",
    6: "the database",
    7: "declined, or it needs `--yes` without a terminal",
    130: "interrupted",
}
_FIRST: tuple[Place, ...] = ("everywhere", "browse")
_PLACE_ORDER: tuple[Place, ...] = (
    *_FIRST, *(place for place, _ in PLACE_NAMES if place not in _FIRST),
)  # fmt: skip


def exit_codes() -> set[int]:
    """Every exit code that the error tree can end in, done and interrupted."""
    kinds, found = [SmritiError], {0, INTERRUPTED}
    for kind in kinds:
        found.add(kind.exit_code)
        kinds.extend(kind.__subclasses__())
    return found


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _key(key: str) -> str:
    return f"`{_cell('esc' if key == 'escape' else key)}`"


def _row(action: Action) -> str:
    keys = " ".join(map(_key, action.keys)) or "palette"
    return f"| {keys} | {_cell(action.title)} |"


def key_page() -> str:
    """One table per place, in the order of the action table."""
    names = dict(PLACE_NAMES)
    tables = []
    for place in _PLACE_ORDER:
        rows = [_row(action) for action in ACTIONS if place in action.places]
        if rows:
            name = names[place][:1].upper() + names[place][1:]
            tables.append(
                "\n".join((f"**{name}**\n", "| key | what it does |", "|---|---|", *rows))
            )
    return "\n\n".join(tables)


def code_table() -> str:
    """Exit codes and what they mean."""
    rows = [f"| {code} | {CODE_WORDS[code]} |" for code in sorted(exit_codes())]
    return "\n".join(("| code | means |", "|---|---|", *rows))


def command_table() -> str:
    """The commands of `smriti`."""
    rows = [f"| `smriti {entry.name}` | {_cell(entry.help)} |" for entry in COMMANDS]
    return "\n".join(("| command | what it does |", "|---|---|", *rows))


def tool_table() -> str:
    """The tools of `smriti-mcp`."""
    # Loads the SDK, which no other part needs.
    from smriti_tui.mcp.opening import Opening
    from smriti_tui.mcp.tools import tools

    offered = tools(Opening({}, lambda: None))
    rows = [f"| `{tool.name}` | {_cell(tool.description)} |" for tool in offered]
    return "\n".join(("| tool | what it does |", "|---|---|", *rows))


PARTS: Mapping[str, Callable[[], str]] = {
    "keys": key_page,
    "commands": command_table,
    "exit codes": code_table,
    "tools": tool_table,
}


def _between(name: str) -> re.Pattern[str]:
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    return re.compile(f"(?<={re.escape(begin)}).*?(?={re.escape(end)})", re.DOTALL)


def part(text: str, name: str) -> str:
    """What stands between the markers of a part. Raises: ValueError (no such markers)."""
    found = _between(name).search(text)
    if found is None:
        raise ValueError(f"README.md has no markers of {name!r}")
    return found.group().strip("\n")


def filled(text: str) -> str:
    """The README with every part as the code has it. Raises: ValueError (markers are missing)."""
    for name, make in PARTS.items():
        part(text, name)
        begin, _, rest = text.partition(f"<!-- {name}: begin -->")
        _, end, after = rest.partition(f"<!-- {name}: end -->")
        text = f"{begin}<!-- {name}: begin -->\n\n{make()}\n\n{end}{after}"
    return text


def main() -> int:
    """Writes the parts."""
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
