"""Where a database lies: no shared memory for a write-ahead log, and disks that others share."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from smriti_tui.store.disk import file_system
from tests.store.shim import shim_environ

MOUNTS = r"""overlay / overlay rw 0 0
server:/home /home/ada nfs4 rw 0 0
/dev/sda1 /home/ada/local\040disk ext4 rw 0 0
tmpfs /home/ada/local\040disk tmpfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/x.db", "overlay"),
        ("/home/ada", "nfs4"),
        ("/home/ada/.smriti/smriti.db", "nfs4"),
        ("/home/adam/x", "overlay"),
        ("/home/ada/local disk/x", "tmpfs"),
    ],
)
def test_the_file_system_is_that_of_the_nearest_mount(tmp_path: Path, path: str, kind: str) -> None:
    (tmp_path / "mounts").write_text(MOUNTS)
    assert file_system(Path(path), tmp_path / "mounts") == kind
    assert file_system(Path(path), tmp_path / "none") is None


def test_without_shared_memory_a_rollback_journal_does_and_doctor_says_so(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    env = shim_environ(tmp_path, SHIM_NO_MMAP="1", SMRITI_HOME=str(home), HOME=str(home))

    def smriti(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "smriti_tui.cli.main", *words]
        return subprocess.run(command, env=env, capture_output=True, text=True)

    made = smriti("space", "create", "one")
    assert made.returncode == 0, made.stderr
    assert (home / "smriti.db").read_bytes()[18] == 1  # The file format of a rollback journal.
    assert smriti("space", "create", "two").returncode == 0
    checks = json.loads(smriti("doctor", "--json").stdout)["checks"]
    (disk,) = [check for check in checks if check["name"] == "disk"]
    assert disk["state"] == "risk"
    assert "has no shared memory: journal delete" in disk["message"]
    assert "PostgreSQL for a team" in disk["message"]
