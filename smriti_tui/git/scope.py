"""Which folders have to be watched so that no change of a working tree's state is missed.

Folder by folder, never a whole tree: what git ignores (and with it, thousands of folders that
others made) is left out, and so is what is stored inside the repository.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.git import places
from smriti_tui.git.places import Place
from smriti_tui.git.run import must

LIMIT_S = 20.0
MOST_FOLDERS = 5_000
"""Of one tree; the system has but so many watches for all programs of a user."""
_IGNORED = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")


class TooMuch(Exception):
    """A tree that cannot be watched: too large, or another repository lies in it."""


@dataclass(frozen=True)
class Scope:
    """The folders of one working tree, as the system names them."""

    place: Place
    files: frozenset[str]
    """Where its files are."""
    own: frozenset[str]
    """Its own git directory: what happens there is about this tree."""
    shared: frozenset[str]
    """What all trees of the repository have in common, without its branches."""
    refs: frozenset[str]
    """Where its branches are, below `heads` and `remotes`."""

    @property
    def folders(self) -> frozenset[str]:
        return self.files | self.own | self.shared | self.refs


def scope(tree: Path) -> Scope:
    """Raises: TooMuch. GitError, OSError: it cannot be looked at."""
    place = places.place(tree)
    real = Place(tree, _real(place.own), _real(place.common))
    shared = {real.common / "info", real.common / "reftable"}
    own = {real.own, real.own / "reftable"}
    if real.linked:
        shared.add(real.common)
    refs = set(_below(real.common / "refs" / "heads")) | set(_below(real.common / "refs/remotes"))
    return Scope(
        real,
        frozenset(_files(tree)),
        frozenset(os.fspath(each) for each in own if each.is_dir()),
        frozenset(os.fspath(each) for each in shared if each.is_dir()),
        frozenset(refs | {os.fspath(real.common / "refs")}),
    )


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _files(tree: Path) -> list[str]:
    top = os.path.realpath(tree)
    listed = must(tree, *_IGNORED, limit_s=LIMIT_S).text.split("\0")
    ignored = {f"{top}/{name[:-1]}" for name in listed if name.endswith("/")}
    found = []
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        found.append(folder)
        if len(found) > MOST_FOLDERS:
            raise TooMuch
        for each in _folders_in(folder):
            if each in ignored or each == f"{top}/.git":
                continue
            if os.path.lexists(f"{each}/.git"):
                raise TooMuch  # what is changed in there counts too, and is in nobody's list
            waiting.append(each)
    return found


def _below(folder: Path) -> list[str]:
    found, waiting = [], [os.fspath(folder)]
    while waiting:
        here = waiting.pop()
        if Path(here).is_dir():
            found.append(here)
            waiting += _folders_in(here)
    return found


def _folders_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [each.path for each in entries if each.is_dir(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def scope_or_none(tree: Path) -> Scope | None:
    """As `scope`; None where it cannot be watched."""
    try:
        return scope(tree)
    except (TooMuch, GitError, OSError):
        return None
