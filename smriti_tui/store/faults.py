"""Driver errors told in the product's words. Only here is a database's own sentence looked at."""

from __future__ import annotations

from smriti_tui.domain.errors import StoreBroken, StoreBusy, StoreError

_KNOWN: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
    (
        ("disk is full", "no space left", "disk quota exceeded"),
        "database_full",
        "The disk is full",
        "Free some space and try again; nothing was written.",
    ),
    (
        ("readonly", "read-only", "attempt to write", "permission denied"),
        "database_read_only",
        "The database cannot be written",
        "Check the permissions of the file and its folder.",
    ),
    (
        ("not a database", "file is encrypted"),
        "database_not_ours",
        "The file is not a Smriti database",
        "Choose another file with --db or SMRITI_DATABASE_URL.",
    ),
    (
        ("malformed", "corrupt"),
        "database_corrupt",
        "The database file is damaged",
        "Run `smriti doctor`; restore a backup if it agrees.",
    ),
    (
        ("unable to open", "no such file"),
        "database_unreachable",
        "The database file cannot be opened",
        "Check that the folder exists and may be read.",
    ),
    (
        ("disk i/o error",),
        "database_io",
        "The disk reported an error",
        "Nothing was written; check the disk and try again.",
    ),
)


def is_busy(error: BaseException) -> bool:
    """Whether waiting and trying again can help."""
    text = str(error).lower()
    return "locked" in text or "busy" in text


def store_error(error: BaseException, where: str) -> StoreError:
    """The typed error for a driver's error about the database `where`."""
    text = str(error).lower()
    if is_busy(error):
        return busy(where)
    for words, code, message, hint in _KNOWN:
        if any(word in text for word in words):
            return StoreBroken(f"{message}: {where}.", hint, code=code)
    return StoreError(f"The database {where} failed: {error}.", "Run `smriti doctor`.")


def busy(where: str) -> StoreBusy:
    return StoreBusy(
        f"Another process kept the database {where} busy for too long.",
        "Nothing was written; try again.",
    )
