"""Where the histories of other tools lie on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class HistoryPlace:
    """A file or folder that is there."""

    label: str
    path: Path


def history_places(home: Path, here: Path, environ: Mapping[str, str]) -> list[HistoryPlace]:
    """Those that are there, by where each tool keeps its own; their contents are not looked at."""
    return list(_there(home, here, environ))


def _there(home: Path, here: Path, environ: Mapping[str, str]) -> Iterator[HistoryPlace]:
    data = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    claude = Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    codex = Path(environ.get("CODEX_HOME") or home / ".codex")
    llm = Path(environ.get("LLM_USER_PATH") or config / "io.datasette.llm")
    wanted = (
        ("Claude Code, all projects", claude / "projects"),
        ("Claude Code, all projects", config / "claude" / "projects"),
        ("Codex, all sessions", codex / "sessions"),
        ("Codex, archived sessions", codex / "archived_sessions"),
        ("llm", llm / "logs.db"),
        ("elia", data / "elia" / "elia.sqlite"),
        ("aider, this project", here / ".aider.chat.history.md"),
    )
    for label, path in wanted:
        with suppress(OSError):
            if path.exists():
                yield HistoryPlace(label, path)
