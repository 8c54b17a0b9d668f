"""The files of a folder that git would show: tracked ones, and new ones that are not ignored."""

from __future__ import annotations

from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.git.run import run

TIMEOUT_S = 3.0
_NAMES = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")


def listed(root: Path, most: int) -> tuple[list[str], bool] | None:
    """Paths below `root`, relative to it with `/`, at most `most`, and whether there are more.

    None where git cannot tell: it is not there, `root` lies in no repository, or it took too long.
    Names that are no UTF-8 are left out. Takes no lock, so nobody else's git waits for it.
    """
    try:
        done = run(root, *_NAMES, limit_s=TIMEOUT_S)
    except GitError:
        return None
    if done.code != 0:
        return None
    names = [name for name in done.text.split("\0") if name and _is_text(name)]
    return names[:most], len(names) > most


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
