"""A slow or full disk: a small library, loaded before all others, between a process and its files.

Files whose path holds `smriti.db` are concerned, and only while the flag file exists:
`SHIM_FULL` names the flag of a full disk, `SHIM_FSYNC_MS` says how long each fsync takes, and with
`SHIM_NO_MMAP` no memory is shared, as on many network disks.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int concerned(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size <= 0) return 0;
    path[size] = 0;
    return strstr(path, "smriti.db") != NULL;
}

static int full(int fd) {
    const char *flag = getenv("SHIM_FULL");
    return flag && access(flag, F_OK) == 0 && concerned(fd);
}

#define WRITER(name) \
ssize_t name(int fd, const void *data, size_t size, off_t at) { \
    static ssize_t (*real)(int, const void *, size_t, off_t); \
    if (!real) real = dlsym(RTLD_NEXT, #name); \
    if (full(fd)) { errno = ENOSPC; return -1; } \
    return real(fd, data, size, at); \
}
WRITER(pwrite)
WRITER(pwrite64)

ssize_t write(int fd, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    if (full(fd)) { errno = ENOSPC; return -1; }
    return real(fd, data, size);
}

#define SYNCER(name) \
int name(int fd) { \
    static int (*real)(int); \
    if (!real) real = dlsym(RTLD_NEXT, #name); \
    const char *delay = getenv("SHIM_FSYNC_MS"); \
    if (delay && concerned(fd)) usleep(1000 * atoi(delay)); \
    return real(fd); \
}
#define MAPPER(name) \
void *name(void *at, size_t size, int how, int flags, int fd, off_t from) { \
    static void *(*real)(void *, size_t, int, int, int, off_t); \
    if (!real) real = dlsym(RTLD_NEXT, #name); \
    if (getenv("SHIM_NO_MMAP") && fd >= 0 && concerned(fd)) { errno = ENODEV; return MAP_FAILED; } \
    return real(at, size, how, flags, fd, from); \
}
MAPPER(mmap)
MAPPER(mmap64)
SYNCER(fsync)
SYNCER(fdatasync)
"""


def shim_environ(folder: Path, **settings: str) -> dict[str, str]:
    """The environment of a process behind the library; skips the test where none can be built."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not Path("/proc/self/fd").exists():
        pytest.skip("no C compiler, or no Linux")
    source, library = folder / "shim.c", folder / "shim.so"
    source.write_text(SOURCE, encoding="utf-8")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.skip(f"the shim does not build here: {built.stderr}")
    return {**os.environ, "LD_PRELOAD": str(library), **settings}
