"""Programs that a repository's own settings name: filters and merge drivers.

The person's own settings (of the user and of the machine) are the person's; those in the
repository came from whoever had a hand in it. Looking at a repository runs none of the latter. For
a filter, the file is then taken as it is on disk, so one that git would have to read again may
count as changed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.git.places import Place
from smriti_tui.git.run import run

_TELLING = (b"[filter", b"[merge", b"[include")
_MOST_BYTES = 1 << 20
_PATTERN = r"^(filter|merge)\..*\.(clean|smudge|process|driver)$"


@dataclass(frozen=True)
class Foreign:
    """What a repository itself names; `quiet` is the environment in which none of it runs."""

    filters: frozenset[str] = frozenset()
    drivers: frozenset[str] = frozenset()
    quiet: dict[str, str] = field(default_factory=dict)


def foreign(place: Place, limit_s: float) -> Foreign:
    """Asks git only where the settings may name such a program. Raises: GitError."""
    names: set[tuple[str, str]] = set()
    if any(map(_tells, (place.common / "config", place.own / "config.worktree"))):
        parts = _asked(place, limit_s, "--show-scope")
        names |= {
            _named(entry)
            for scope, entry in zip(parts[::2], parts[1::2], strict=False)
            if scope in ("local", "worktree")
        }
    for path in filter(_tells, _modules(place)):
        names |= set(map(_named, _asked(place, limit_s, "--file", os.fspath(path))))
    filters = frozenset(name for kind, name in names if kind == "filter")
    drivers = frozenset(name for kind, name in names if kind == "merge")
    return Foreign(filters, drivers, _off(filters, drivers))


def _asked(place: Place, limit_s: float, *which: str) -> list[str]:
    wanted = ("config", "-z", "--includes", *which, "--get-regexp", _PATTERN)
    done = run(place.tree, *wanted, limit_s=limit_s)
    if done.code not in (0, 1):  # 1: there is none
        raise GitError(done.why or "its settings cannot be read")
    return [part for part in done.text.split("\0") if part]


def _named(entry: str) -> tuple[str, str]:
    """Section and name of an entry such as `filter.lfs.clean` and its value."""
    kind, _, rest = entry.partition("\n")[0].partition(".")
    return kind, rest.rpartition(".")[0]


def _tells(path: Path) -> bool:
    """Whether a file of settings may name a program; one that cannot be read may not."""
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).lower()
    except OSError:
        return False
    return len(text) == _MOST_BYTES or any(word in text for word in _TELLING)


def _modules(place: Place) -> list[Path]:
    """Settings of the submodules that are checked out here."""
    folders = {place.common / "modules", place.own / "modules"}
    return [path for each in folders if each.is_dir() for path in each.rglob("config")]


def _off(filters: frozenset[str], drivers: frozenset[str]) -> dict[str, str]:
    """Settings of one call that leave a filter without a program, and not required; a driver is one
    that merges nothing."""
    pairs = [
        (f"filter.{name}.{key}", "false" if key == "required" else "")
        for name in sorted(filters)
        for key in ("clean", "smudge", "process", "required")
    ]
    pairs += [(f"merge.{name}.driver", "false") for name in sorted(drivers)]
    told = {"GIT_CONFIG_COUNT": str(len(pairs))} if pairs else {}
    for number, (key, value) in enumerate(pairs):
        told |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return told
