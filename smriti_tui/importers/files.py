"""The files that are imported: whole or packed, read in pieces, never held in memory."""

from __future__ import annotations

import codecs
import os
import re
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.import_report import Watch
from smriti_tui.domain.imported import ImportedTurn

PIECE: Final = 1 << 20
MAX_RECORD: Final = 64 << 20
"""Bytes of one line or conversation that are read; a longer one is left out, and named."""
MAX_RATIO: Final = 200
"""Times that a packed file may grow once it is larger than `SMALL`: no text packs as well."""
SMALL: Final = 256 << 20
ZIP: Final = b"PK\x03\x04"
SQLITE: Final = b"SQLite format 3\0"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
_CONVERSATIONS: Final = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")


@dataclass
class SourceFile:
    """A file that can be read from any place, as often as wanted."""

    path: Path
    """Where its bytes lie."""
    name: str
    """What messages call it; of a packed one with the name of the package."""
    watch: Watch = field(default_factory=Watch)
    _latest: tuple[object, Sequence[ImportedTurn]] | None = None

    def keep(self, key: object, turns: Sequence[ImportedTurn]) -> None:
        """Holds the turns of the conversation that was read last: they are asked for next."""
        self._latest = (key, turns)

    def kept(self, key: object) -> Sequence[ImportedTurn] | None:
        """Those turns, if nothing was read since."""
        return self._latest[1] if self._latest is not None and self._latest[0] == key else None

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Raises: SmritiError (it cannot be read)."""
        try:
            with self.path.open("rb") as file:
                yield file
        except OSError as error:
            raise unreadable(self.name, error) from error

    def head(self, size: int = 1 << 16) -> bytes:
        """Its first bytes, without a byte order mark. Raises: Invalid (UTF-16), SmritiError."""
        with self.open() as file:
            found = file.read(size)
        if found.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise Invalid(
                f"{self.name} is UTF-16.", "Save it as UTF-8 and import that.", code="utf16"
            )
        return found.removeprefix(codecs.BOM_UTF8)

    def part(self, offset: int, length: int) -> bytes:
        """The bytes of one line or conversation. Raises: SmritiError, Cancelled."""
        with self.open() as file:
            file.seek(offset)
            found = file.read(length)
        self.watch.piece(0)
        return found


def unreadable(name: str, error: OSError) -> SmritiError:
    """The error for a file that the system does not let us read."""
    what = f"{name} cannot be read: {error.strerror or error}."
    return SmritiError(what, "Look at its permissions, or name another.")


@contextmanager
def unpacked(path: Path, scratch: Path, watch: Watch) -> Iterator[list[SourceFile]]:
    """The files that a path stands for: itself, the conversations in a zip, what a `.zst` holds.

    What is packed is written below the folder `scratch`, readable by nobody else, and gone
    afterwards.

    Raises:
        Invalid: a package without conversations, a damaged one, or one that grows beyond measure.
        SmritiError: it cannot be read.
    """
    plain = SourceFile(path, path.name, watch)
    head = plain.head(4)
    if head not in (ZIP, ZSTD):
        yield [plain]
        return
    with tempfile.TemporaryDirectory(dir=scratch, prefix="import-") as folder:
        if head == ZIP:
            yield list(_from_zip(plain, Path(folder)))
        else:
            yield [_from_zstd(plain, Path(folder))]


def _from_zip(plain: SourceFile, folder: Path) -> Iterator[SourceFile]:
    try:
        with zipfile.ZipFile(plain.path) as package:
            wanted = [
                each for each in package.infolist() if _CONVERSATIONS.fullmatch(each.filename)
            ]
            if not wanted:
                names = ", ".join(repr(each) for each in package.namelist()[:5])
                raise Invalid(
                    f"{plain.name} holds no conversations.json. In it: {names or 'nothing'}.",
                    "Import the zip that ChatGPT or Claude sends, as it came.",
                    code="no_conversations",
                )
            for number, member in enumerate(sorted(wanted, key=lambda each: each.filename)):
                with package.open(member) as packed:
                    target = folder / f"{number}.json"
                    _copy(packed, target, plain, member.compress_size)
                    name = f"{plain.name}/{member.filename}"
                    yield SourceFile(target, name, plain.watch)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
        raise Invalid(f"{plain.name} is a damaged or locked zip: {error}.", _AGAIN) from error


_AGAIN: Final = "Get it again, or unpack it and import what is in it."


def _from_zstd(plain: SourceFile, folder: Path) -> SourceFile:
    # For Codex alone, which packs old sessions.
    import zstandard

    target = folder / "0"
    try:
        with plain.open() as file, zstandard.ZstdDecompressor().stream_reader(file) as packed:
            _copy(packed, target, plain, plain.size)
    except zstandard.ZstdError as error:
        raise Invalid(f"{plain.name} is damaged: {error}.", _AGAIN) from error
    return SourceFile(target, plain.name, plain.watch)


def _copy(packed: IO[bytes], target: Path, plain: SourceFile, packed_size: int) -> None:
    done = 0
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while piece := packed.read(PIECE):
            done += len(piece)
            if done > max(SMALL, MAX_RATIO * packed_size):
                raise Invalid(
                    f"{plain.name} grows beyond {done >> 20:,} MB when it is unpacked.",
                    "No export does; unpack it yourself if you trust it.",
                    code="bomb",
                )
            file.write(piece)
            plain.watch.piece(0)


def regular_files(path: Path) -> Iterator[Path]:
    """The file itself, or all below a folder in the order of their names; links are not followed,
    hidden folders below it are."""
    if not path.is_dir():
        yield path
        return
    for parent, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            found = Path(parent) / name
            with suppress(OSError):
                if stat.S_ISREG(found.lstat().st_mode):
                    yield found
