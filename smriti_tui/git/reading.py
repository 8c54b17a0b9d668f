"""What a changed path means for the working trees that are watched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
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

    def read(self, paths: Iterable[str]) -> tuple[set[Path], set[Path]]:
        """The trees whose state a change may be about, and those whose folders may be others."""
        hit: set[Path] = set()
        reshaped: set[Path] = set()
        for text in paths:
            path = Path(text)
            if text in self._where and not path.is_dir():  # a watched folder itself is gone
                gone = {scope.place.tree for scope, _ in self._where[text]}
                hit |= gone
                reshaped |= gone
            for scope, meaning in self._where.get(str(path.parent), ()):
                about, other = meaning(scope, path)
                if about:
                    hit.add(scope.place.tree)
                if other:
                    reshaped.add(scope.place.tree)
        return hit, reshaped

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
