"""The file system under a database, as far as the system tells."""

from __future__ import annotations

import os
import re
from pathlib import Path

MOUNTS = Path("/proc/self/mounts")
NETWORK = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "davfs", "drvfs", "fuse.davfs2", "fuse.glusterfs",
        "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs",
        "nfs4", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
    }
)  # fmt: skip
"""Kinds that other machines share, or that only pass calls on: locks and shared memory are not to
be relied on there."""


def file_system(path: Path, mounts: Path = MOUNTS) -> str | None:
    """The kind of file system that `path` lies on; None where the system has no list of them."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    real = os.path.realpath(path)
    best, kind = "", None
    for line in lines:
        parts = line.split(" ")
        if len(parts) < 3:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), parts[1])
        inside = real == point or real.startswith(f"{point.rstrip('/')}/")
        # Of two mounts at one place the later one lies on top.
        if inside and len(point) >= len(best):
            best, kind = point, parts[2]
    return kind
