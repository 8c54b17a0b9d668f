"""A place where states of working trees are written down and merged, aside.

Index and objects lie in a temporary folder. Nothing of the repository is written, no hook runs, no
filter or merge driver that the repository itself names, and no lock is taken.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.git import places
from smriti_tui.git.foreign import Foreign, foreign
from smriti_tui.git.places import Place
from smriti_tui.git.quoting import quoted
from smriti_tui.git.run import Done, must, run

MOST_FILE_BYTES = 32 * 1024 * 1024
"""A larger file is left as it was committed; nothing certain is said about it."""
MOST_PATCHED = 500
_SETTINGS = (
    "-c", "core.splitIndex=false", "-c", "core.compression=0", "-c", "core.fsync=none",
    "-c", "core.safecrlf=false",
)  # fmt: skip
_NOBODY = {
    "GIT_AUTHOR_NAME": "trial", "GIT_AUTHOR_EMAIL": "trial@localhost",
    "GIT_COMMITTER_NAME": "trial", "GIT_COMMITTER_EMAIL": "trial@localhost",
    "GIT_AUTHOR_DATE": "@1 +0000", "GIT_COMMITTER_DATE": "@1 +0000",
}  # fmt: skip
_USAGE = 129
_SUBMODULE = "160000"


@dataclass(frozen=True)
class Change:
    """What differs between two commits."""

    paths: frozenset[str]
    folders: frozenset[str]
    """All that are above one of the paths."""
    moves: bool
    """Whether something may have been moved: it went in one place and came in another."""

    @property
    def attributes(self) -> bool:
        return any(path.rpartition("/")[2] == ".gitattributes" for path in self.paths)


@dataclass
class Trial:
    """The temporary place, and what was written there. One thread at a time."""

    root: Path
    folder: Path
    deadline: float
    environ: Mapping[str, str]
    _states: dict[Path, str] = field(default_factory=dict)
    _changes: dict[tuple[str, str], Change] = field(default_factory=dict)
    _foreign: dict[Path, Foreign] = field(default_factory=dict)
    _unsure: dict[Path, set[str]] = field(default_factory=dict)
    _failed: dict[Path, str] = field(default_factory=dict)

    def state(self, tree: Path) -> str:
        """A commit of the working tree as it is now, untracked files with it, on top of its head,
        and of what is being merged into it.

        Raises: GitError, OSError.
        """
        if tree in self._failed:
            raise GitError(self._failed[tree])
        if tree not in self._states:
            try:
                place = places.place(tree)
                self._foreign[tree] = foreign(place, self._left())
                self._unsure[tree] = set()
                self._states[tree] = self._written(place)
            except (GitError, OSError) as error:
                self._failed[tree] = str(error)
                raise
        return self._states[tree]

    def _written(self, place: Place) -> str:
        tree = place.tree
        found = self._git(tree, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        if found.code != 0:
            raise GitError("there is no commit yet")
        parents = [found.text.strip(), *places.merged_heads(place.own)]
        index = os.fspath(self.folder / f"index-{len(self._states)}")
        if (place.own / "index").exists():
            # With it, unchanged files are not read. Its time tells git which of them may have been
            # changed in the moment it was written, at the same size.
            shutil.copy2(place.own / "index", index)
        else:
            self._must(tree, "read-tree", "HEAD", index=index)
        self._add(tree, index)
        written = self._must(tree, "write-tree", index=index).text.strip()
        before = [word for parent in parents for word in ("-p", parent)]
        return self._must(tree, "commit-tree", *before, "-m", "trial", written).text.strip()

    def _add(self, tree: Path, index: str) -> None:
        """What is not committed; another repository below the tree is none of it."""
        wanted = ("ls-files", "-z", "-m", "-d", "-o", "--exclude-standard")
        listed = self._must(tree, *wanted, index=index).text.split("\0")
        names = [name for name in dict.fromkeys(listed) if name and not name.endswith("/")]
        large = {name for name in names if _is_large(tree / name)}
        self._unsure[tree] |= large
        # Where a file was there is a folder by now, which is no submodule: git would not take it.
        gone = [name for name in names if _is_folder(tree / name)]
        rest = [name for name in names if name not in large and name not in set(gone)]
        for how, some in (("--force-remove", gone), ("--remove", rest)):
            if some:
                put = ("update-index", "-z", "--add", "--replace", how, "--stdin")
                self._must(tree, *put, index=index, given=_listed(some))

    def base(self, one: str, other: str) -> str | None:
        """Where two commits parted; None where they have nothing in common. Raises: GitError."""
        found = self._git(self.root, "merge-base", one, other)
        return found.text.strip() or None

    def changed(self, start: str, end: str) -> Change:
        """Raises: GitError."""
        key = (start, end)
        if key not in self._changes:
            wanted = ("diff-tree", "-r", "-z", "--no-renames", "--name-status", start, end, "--")
            parts = self._must(self.root, *wanted).text.split("\0")
            kinds, paths = set(parts[:-1:2]), frozenset(parts[1::2])
            self._changes[key] = Change(paths, _above(paths), {"A", "D"} <= kinds)
        return self._changes[key]

    def patch(self, start: str, end: str, paths: Sequence[str]) -> bytes:
        """What changed in some files, without any lines around it; nothing where it is too much.

        Raises: GitError.
        """
        wanted = (
            "--literal-pathspecs", "diff-tree", "-r", "-p", "-U0", "--no-renames", "--no-ext-diff",
            "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/",
        )  # fmt: skip
        try:
            return self._must(self.root, *wanted, start, end, "--", *paths[:MOST_PATCHED]).out
        except GitError as error:
            if error.code != "git_much":
                raise
            return b""

    def merged(self, one: Path, other: Path) -> set[str]:
        """The files that git leaves to people when `other` is merged into `one`; none where this
        git cannot merge aside (before 2.38). Raises: GitError."""
        wanted = ("merge-tree", "--write-tree", "-z", "--no-messages")
        mine, its = self._states[one], self._states[other]
        done = self._git(one, *wanted, mine, its, environ=self._foreign[one].quiet)
        if done.code == _USAGE:
            return set()
        if done.code not in (0, 1):
            raise GitError(done.why or "git cannot try a merge here")
        found = set()
        for entry in done.text.split("\0")[1:]:
            told, _, path = entry.partition("\t")
            if path:
                found.add(path)
                if told.startswith(_SUBMODULE):
                    self._unsure[one].add(path)
        return found

    def unsure(self, tree: Path, paths: Sequence[str]) -> set[str]:
        """Those of which a program that is not run here decides, and what was left out.

        Raises: GitError.
        """
        theirs = self._foreign[tree]
        found = set(self._unsure[tree])
        if not (theirs.filters or theirs.drivers) or not paths:
            return found
        asked = ("check-attr", "-z", "--stdin", "filter", "merge")
        done = self._must(tree, *asked, given=_listed(paths))
        parts = done.text.split("\0")
        for path, name, value in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
            if value in (theirs.filters if name == "filter" else theirs.drivers):
                found.add(path)
        return found

    def _left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise GitError("There was no time left to try it.", code="git_late")
        return left

    def _git(
        self,
        tree: Path,
        *arguments: str,
        environ: Mapping[str, str] | None = None,
        index: str = "",
        given: bytes | None = None,
    ) -> Done:
        own = {**self.environ, **(environ or {}), **({"GIT_INDEX_FILE": index} if index else {})}
        return run(tree, *_SETTINGS, *arguments, limit_s=self._left(), environ=own, given=given)

    def _must(
        self, tree: Path, *arguments: str, index: str = "", given: bytes | None = None
    ) -> Done:
        quiet = self._foreign[tree].quiet if tree in self._foreign else {}
        done = self._git(tree, *arguments, environ=quiet, index=index, given=given)
        if done.code != 0:
            raise GitError(done.why or f"git ended with {done.code}")
        return done


@contextmanager
def opened(root: Path, limit_s: float) -> Iterator[Trial]:
    """Gone when it is left. Without time, or a repository at `root`, each use of it fails."""
    folder = Path(tempfile.mkdtemp(prefix="smriti-trial-"))
    try:
        (folder / "objects").mkdir()
        environ = {**_NOBODY, "GIT_OBJECT_DIRECTORY": os.fspath(folder / "objects")}
        deadline = time.monotonic() + limit_s
        with suppress(GitError):
            common = must(root, "rev-parse", "--git-common-dir").text.removesuffix("\n")
            objects = os.path.normpath(root / common / "objects")
            environ["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = quoted(objects)
        yield Trial(root, folder, deadline, environ)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _above(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(
        path[:place] for path in paths for place, sign in enumerate(path) if sign == "/"
    )


def _listed(names: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(name) + b"\0" for name in names)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not (path / ".git").exists()


def _is_large(path: Path) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size > MOST_FILE_BYTES
