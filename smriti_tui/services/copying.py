"""A database moved to another place, or to another kind of database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from smriti_tui.domain.errors import Invalid, NotFound
from smriti_tui.store.copying import Copied, copy_log
from smriti_tui.store.database import Store

__all__ = ["Copied", "copy_database"]


def copy_database(
    source: str, target: str, now: Callable[[], str], told: Callable[[int], None]
) -> Copied:
    """Copies a whole log; both are paths or URLs. Broken off, it goes on where it was.

    Raises:
        NotFound: there is no source. Invalid: both are the same, or a URL of another kind.
        Conflict, StoreBroken, StoreError: as `copy_log`.
    """
    with closing(Store(source, now)) as first, closing(Store(target, now)) as second:
        if not first.exists():
            raise NotFound(f"There is no database {first.name}.", "Name the one to copy.")
        if first.name == second.name:
            raise Invalid(f"{first.name} is both source and target.", "Name another target.")
        return copy_log(first, second, told)
