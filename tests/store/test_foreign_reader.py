"""Another program looks into the database and leaves: nothing is taken from under this one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from smriti_tui.store.database import Store
from tests.support import ticking_clock

LOOK = (
    "import sqlite3, sys\n"
    "c = sqlite3.connect(sys.argv[1])\n"
    "print([row[0] for row in c.execute('SELECT text FROM unsent ORDER BY thing')])\n"
    "c.close()\n"
)


def look(path: Path) -> str:
    """What a foreign process sees; it closes its connection, as a shell does when it is left."""
    command = [sys.executable, "-S", "-c", LOOK, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_reader_that_leaves_does_not_take_the_log_from_a_store_that_is_open(
    tmp_path: Path,
) -> None:
    path = tmp_path / "smriti.db"
    before = Store(str(path), ticking_clock())
    before.side.save_unsent("one", "p", "kept")
    before.close()
    store = Store(str(path), ticking_clock())
    try:
        # A read, and the first write only after it: the file is prepared while it is in use.
        assert [row.text for row in store.side.unsent("one")] == ["kept"]
        store.side.save_unsent("two", "p", "first")
        assert look(path) == "['kept', 'first']"
        assert Path(f"{path}-wal").exists()
        store.side.save_unsent("two", "p", "second")
        assert look(path) == "['kept', 'second']"
    finally:
        store.close()


def test_the_first_write_makes_a_file_for_its_owner_alone_behind_a_link_too(
    tmp_path: Path,
) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "real.db")
    store = Store(str(link), ticking_clock())
    try:
        store.side.save_unsent("one", "p", "kept")
    finally:
        store.close()
    assert (tmp_path / "real.db").stat().st_mode & 0o777 == 0o600
    assert link.is_symlink()
