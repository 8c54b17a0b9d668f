"""What a changed path means for the working trees that are watched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from smriti_tui.git.drift import LOCAL_DEFAULTS, REMOTE_DEFAULTS, REMOTE_HEAD
from smriti_tui.git.probes import Probes
from smriti_tui.git.scope import Scope

Meaning = Callable[[Scope, Path], tuple[bool, bool]]
"""Whether a path is about the state of a tree, and whether its folders may be others by then."""

_DEFAULTS = frozenset({REMOTE_HEAD, *REMOTE_DEFAULTS, *LOCAL_DEFAULTS})
_SHAPING = frozenset({".gitignore", ".git", "exclude", "config", "config.worktree"})
"""What they say decides which folders count."""
_SHARED = frozenset({"packed-refs", "config", "shallow", "info", "exclude", "attributes", "refs"})


MODIFIED = 2


@dataclass
class Read:
    """Trees, by what a change means for them."""

    hit: set[Path] = field(default_factory=set)
    """Their state may be another."""
    reshaped: set[Path] = field(default_factory=set)
    """Their folders may be others."""
    lost: set[Path] = field(default_factory=set)
    """One of their folders is watched no more, though there may be one of its name."""


class Reading:
    """Of one thread."""

    def __init__(self, scopes: Sequence[Scope], probes: Probes) -> None:
        self.scopes = tuple(scopes)
        self.trees = frozenset(each.place.tree for each in scopes)
        self.folders = frozenset(folder for each in scopes for folder in each.folders)
        self._probes = probes
        self._where: defaultdict[str, list[tuple[Scope, Meaning]]] = defaultdict(list)
        for each in scopes:
            for folders, meaning in (
                (each.files, _file), (each.own, _own), (each.shared, _shared),
                (each.refs, self._ref),
            ):  # fmt: skip
                for folder in folders:
                    self._where[folder].append((each, meaning))

    def read(self, changes: Iterable[tuple[int, str]]) -> Read:
        """What the changes mean; the number says what happened, as the library has it."""
        found = Read()
        for how, text in changes:
            if how != MODIFIED and text in self._where:
                # A watched folder came or went: the watch is on what was there before.
                lost = {scope.place.tree for scope, _ in self._where[text]}
                found.hit |= lost
                found.lost |= lost
            path = Path(text)
            for scope, meaning in self._where.get(str(path.parent), ()):
                about, other = meaning(scope, path)
                if about:
                    found.hit.add(scope.place.tree)
                if other:
                    found.reshaped.add(scope.place.tree)
        return found

    def _ref(self, scope: Scope, path: Path) -> tuple[bool, bool]:
        """Others commit all the time: only the branches count that the state speaks of."""
        if path.is_dir():
            return False, str(path) not in scope.refs
        ref = str(path.relative_to(scope.place.common))
        last = self._probes.last(scope.place.tree)
        if last is None or ref in _DEFAULTS:
            return True, False
        named = {f"refs/heads/{last.branch}", f"refs/heads/{last.against}"}
        return ref in named | {f"refs/remotes/{last.against}"}, False


def _file(scope: Scope, path: Path) -> tuple[bool, bool]:
    new = str(path) not in scope.files and path.is_dir() and not path.is_symlink()
    return True, new or path.name in _SHAPING


def _own(_: Scope, path: Path) -> tuple[bool, bool]:
    return path.suffix != ".lock", path.name in _SHAPING


def _shared(_: Scope, path: Path) -> tuple[bool, bool]:
    return path.name in _SHARED or path.parent.name == "reftable", path.name in _SHAPING
