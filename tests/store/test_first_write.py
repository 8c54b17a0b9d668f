"""The first write of a database: through a link, and where there is no room for its tables."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.readlog import read_stream
from tests.opening import opened_store

CREATE = """
import sys
from pathlib import Path
from smriti_tui.domain.errors import StoreError
from tests.opening import opened_store

try:
    with opened_store(Path(sys.argv[1])) as store:
        store.prepare()
except StoreError as error:
    print(error.code, error.exit_code)
"""


def test_one_database_has_one_lock_whatever_names_lead_to_it(tmp_path: Path) -> None:
    real, link = tmp_path / "real.db", tmp_path / "link.db"
    link.symlink_to(real)
    for path in (link, real):
        with opened_store(path) as store:
            store.log.append("a", [NewEvent("happened", {})], actor="ada", door="cli")
    assert [path.name for path in tmp_path.glob("*.lock")] == ["real.db.lock"]


def test_tables_that_cannot_be_made_are_an_error_of_the_database(tmp_path: Path) -> None:
    path = tmp_path / "small.db"
    done = subprocess.run(
        [sys.executable, "-c", CREATE, str(path)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)),
        timeout=60,
    )
    assert done.stdout == "database_io 6\n", done.stderr
    with opened_store(path) as store:
        store.log.append("a", [NewEvent("happened", {})], actor="ada", door="cli")
        with store.read() as tx:
            assert len(list(read_stream(tx, "a"))) == 1
