"""Real repositories in a folder, built command by command."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip


@dataclass(frozen=True)
class Repository:
    """A working tree, and git in it as a person would call it."""

    path: Path

    def git(self, *arguments: str, fails: bool = False) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, capture_output=True, text=True, check=False,
            env={**os.environ, **IDENTITY},
        )  # fmt: skip
        assert fails or done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def commit(self, name: str = "file", text: str = "text\n", message: str = "change") -> str:
        self.write(name, text)
        self.git("add", "--all")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def worktree(self, name: str, branch: str | None = None) -> Repository:
        path = self.path.parent / name
        self.git("worktree", "add", "-q", "-b", branch or name.replace(" ", "-"), str(path))
        return Repository(path)

    def clone(self, name: str) -> Repository:
        path = self.path.parent / name
        self.git("clone", "-q", str(self.path), str(path))
        return Repository(path)


def empty(folder: Path, branch: str = "main") -> Repository:
    folder.mkdir(parents=True, exist_ok=True)
    made = Repository(folder)
    made.git("init", "-q", "-b", branch)
    return made


def repository(folder: Path, branch: str = "main") -> Repository:
    """With one commit."""
    made = empty(folder, branch)
    made.commit("file", "one\ntwo\nthree\n", "first")
    return made
