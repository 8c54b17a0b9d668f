"""Connections to a PostgreSQL server: where it is, what each of them is set to.

psycopg is loaded for such a URL alone: it takes a tenth of a second.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from smriti_tui.domain.errors import Invalid, StoreBroken
from smriti_tui.domain.values import repair_text
from smriti_tui.store.backends.postgres_dialect import quoted
from smriti_tui.store.faults import store_error
from smriti_tui.store.past import look_back

if TYPE_CHECKING:
    from psycopg import Connection

SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg")
OLDEST: Final = 140_000
"""Version of the oldest server that is taken, as the server counts: 14."""
DEFAULTS: Final = {
    "connect_timeout": "10",
    "application_name": "smriti",
    # A server that went without a word is noticed within a minute.
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
}
"""What the URL does not say itself."""
LOG: Final = (
    # Whoever vanishes with the turn in his hand gives it back after a minute.
    "SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '60s'"
)
SIDE: Final = "SET synchronous_commit = off; SET lock_timeout = '2s'"
"""Of side tables a crash of the server may take the last half second."""


def is_server(url: str) -> bool:
    """Whether a URL names a PostgreSQL server."""
    scheme, found, _ = url.partition("://")
    return bool(found) and scheme.lower() in SCHEMES


class Server:
    """One database on a server, as a URL names it."""

    def __init__(self, url: str) -> None:
        """Raises: Invalid (no URL, or psycopg is missing)."""
        self._url = f"postgresql://{url.partition('://')[2]}"
        self.name = _shown(self._url)
        try:
            import psycopg
            from psycopg.conninfo import conninfo_to_dict
        except ImportError as error:
            raise Invalid(
                "A PostgreSQL URL needs psycopg, which is not installed.",
                "Install it: pip install 'smriti-tui[postgres]'.",
                code="no_driver",
            ) from error
        try:
            said = conninfo_to_dict(self._url)
        except psycopg.Error as error:
            raise Invalid(
                f"{self.name} is no database URL.",
                "Give postgresql+psycopg://USER@HOST/NAME.",
            ) from error
        self._extra = {key: value for key, value in DEFAULTS.items() if key not in said}

    def open(self, settings: str = "") -> Connection[tuple[Any, ...]]:
        """A connection on which each statement is a transaction of its own.

        Raises:
            StoreError: the server cannot be reached, or is none for us.
        """
        import psycopg

        try:
            return self.connect(settings)
        except psycopg.Error as error:
            raise store_error(error, self.name) from error

    def connect(self, settings: str = "") -> Connection[tuple[Any, ...]]:
        """As `open`. Raises: psycopg's errors, StoreBroken."""
        import psycopg
        from psycopg.conninfo import make_conninfo

        connection = psycopg.connect(
            make_conninfo(self._url, client_encoding="UTF8", **self._extra), autocommit=True
        )
        try:
            self._refuse_strange(connection)
            connection.adapters.register_dumper(str, _text_dumper())
            if settings:
                connection.execute(settings)
        except BaseException:
            connection.close()
            raise
        return connection

    def _refuse_strange(self, connection: Connection[tuple[Any, ...]]) -> None:
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise StoreBroken(
                f"{self.name} keeps texts as {encoding}; Smriti needs UTF-8.",
                "Create the database with ENCODING 'UTF8'.",
                code="database_encoding",
            )
        if connection.info.server_version < OLDEST:
            raise StoreBroken(
                f"{self.name} is PostgreSQL {connection.info.server_version // 10_000}; "
                f"Smriti needs {OLDEST // 10_000} or newer.",
                "Move the database to a newer server.",
                code="database_old_server",
            )

    def reader(self, at: int | None) -> Connection[tuple[Any, ...]]:
        """A connection that cannot write: each transaction sees one state. With `at` it sees what
        was after the event of that position. Raises: psycopg's errors, StoreBroken."""
        import psycopg

        connection = self.connect()
        try:
            if at is not None:
                look_back(connection, at, home_of(connection))
            connection.autocommit = False
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = True
        except BaseException:
            connection.close()
            raise
        return connection


def home_of(connection: Any) -> str:
    """The schema that the tables lie in, as it may stand in a statement."""
    (found,) = connection.execute("SELECT current_schema()").fetchone()
    return quoted(str(found or "public"))


def _shown(url: str) -> str:
    """A URL without password, and of its parameters the place of a socket alone."""
    try:
        parts = urlsplit(url)
        at = parts.netloc.rpartition("@")
        user = f"{at[0].partition(':')[0]}@" if at[1] else ""
        places = [(key, value) for key, value in parse_qsl(parts.query) if key in ("host", "port")]
    except ValueError:
        return "postgresql://…"
    place = f"?{urlencode(places, safe='/')}" if places else ""
    return f"postgresql://{user}{at[2]}{parts.path}{place}"


@cache
def _text_dumper() -> type[Any]:
    """Texts go to the server as they may be stored (DESIGN 10.3): it takes neither U+0000 nor a
    lone surrogate, and no look-up may fail by one that a person or an agent put in."""
    from psycopg.types.string import StrDumperUnknown

    class Repaired(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            if "\0" in obj or not obj.isascii():
                obj = repair_text(obj)[0]
            return super().dump(obj)

    return Repaired
