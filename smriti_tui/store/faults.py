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


_STATES: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
    (
        ("53100", "53200", "53400"),
        "database_full",
        "The database server has no room",
        "Free some space there and try again; nothing was written.",
    ),
    (
        ("42501", "25006"),
        "database_read_only",
        "This user may not do that in the database",
        "Ask for the rights that the README lists, or use another user.",
    ),
    (
        ("28",),
        "database_refused",
        "The database server refused the login",
        "Check user and password in SMRITI_DATABASE_URL or ~/.pgpass.",
    ),
    (
        ("3D000",),
        "database_missing",
        "There is no such database on the server",
        "Create it with ENCODING 'UTF8', or correct SMRITI_DATABASE_URL.",
    ),
    (
        ("XX001", "XX002"),
        "database_corrupt",
        "The database is damaged",
        "Run `smriti doctor`; restore a backup if it agrees.",
    ),
    (
        ("08", "57P", "53300"),
        "database_unreachable",
        "The database server cannot be reached",
        "Check the address and whether it runs; what you type is kept.",
    ),
)
"""States of a PostgreSQL server by the beginnings of their codes."""
_AT_LOGIN: tuple[tuple[str, str], ...] = (
    ("authentication failed", "28000"),
    ("no pg_hba.conf entry", "28000"),
    ("no password supplied", "28000"),
    ("role ", "28000"),
    ("does not exist", "3D000"),
)
"""What a server says to one that comes in vain, for which the driver has no code."""
_WAITED = ("55P03", "57014", "40P01", "40001")
"""Codes of a server of something that waited for too long, or stood in another's way."""


def is_busy(error: BaseException) -> bool:
    """Whether waiting and trying again can help."""
    text = str(error).lower()
    return "locked" in text or "busy" in text


def store_error(error: BaseException, where: str) -> StoreError:
    """The typed error for a driver's error about the database `where`."""
    if hasattr(error, "sqlstate"):
        return _server_error(error, str(error.sqlstate or ""), where)
    text = str(error).lower()
    if is_busy(error):
        return busy(where)
    for words, code, message, hint in _KNOWN:
        if any(word in text for word in words):
            return StoreBroken(f"{message}: {where}.", hint, code=code)
    return StoreError(f"The database {where} failed: {error}.", "Run `smriti doctor`.")


def _server_error(error: BaseException, state: str, where: str) -> StoreError:
    """That of psycopg. A connection that was never made, or was cut, has no state."""
    told = getattr(getattr(error, "diag", None), "message_primary", None)
    said = str(told or error).strip().splitlines()[0].removeprefix("ERROR:").strip()
    if not state and type(error).__name__ == "OperationalError":
        state = next((code for words, code in _AT_LOGIN if words in str(error)), "08000")
    if state in _WAITED:
        return busy(where)
    for states, code, message, hint in _STATES:
        if state.startswith(states):
            return StoreBroken(f"{message}: {where} ({said}).", hint, code=code)
    return StoreError(f"The database {where} failed: {said}.", "Run `smriti doctor`.")


def busy(where: str) -> StoreBusy:
    return StoreBusy(
        f"Another process kept the database {where} busy for too long.",
        "Nothing was written; try again.",
    )
