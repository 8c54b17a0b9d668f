"""Views as files in a project: written out, compared, and taken in again.

A file that somebody edited is never overwritten unseen: its text must be the one that was last
written there or taken in, or the one that is about to be written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from smriti_tui.domain.errors import Conflict, Invalid, NotFound, StoreError
from smriti_tui.domain.values import sha256
from smriti_tui.domain.view_files import Taken, ViewFile, file_of
from smriti_tui.services.caller import Caller
from smriti_tui.services.export_files import write_file
from smriti_tui.services.views import Folded, ViewService
from smriti_tui.store.envelope import StoredEvent


@dataclass(frozen=True)
class Written:
    """A view that was written to a file; `changed` is False where the file had it already."""

    path: Path
    sha256: str
    position: int
    changed: bool


@dataclass(frozen=True)
class Ingested:
    """What became of a file; `events` is empty where it said nothing new."""

    counts: Mapping[str, int]
    left: Sequence[str]
    events: Sequence[StoredEvent]
    sha256: str


@dataclass(frozen=True)
class ViewFileService:
    caller: Caller
    views: ViewService

    def text(self, view: str) -> str:
        """A view as its file holds it.

        Raises:
            NotFound: no such view. Invalid: it has no file.
        """
        return file_of(view).render(self.views.project(view).state)

    def write(self, view: str, path: Path, *, force: bool = False) -> Written:
        """Writes a view whole, or leaves the file as it is.

        Raises:
            NotFound, Invalid: as `text`; a folder that is not there. Conflict: the file was edited
                (code `file_edited`, both hashes in the details). SmritiError: it cannot be written.
        """
        form = file_of(view)
        folded = self.views.project(view)
        wanted = form.render(folded.state)
        digest, there = sha256(wanted), _read(path)
        if there != wanted:
            if there is not None and not force:
                self._must_be_known(path, there, digest)
            write_file(path, [wanted])
        self._keep(path, view, digest)
        return Written(path, digest, folded.position, there != wanted)

    def difference(self, view: str, path: Path) -> list[str]:
        """Lines in which a file differs from its view, as a unified diff; none where it is the
        same.

        Raises: as `text`; NotFound: there is no such file.
        """
        wanted, there = self.text(view), _read(path)
        if there is None:
            raise NotFound(f"There is no file {path}.", f"`smriti log export {view} {path}`.")
        lines = unified_diff(
            there.splitlines(), wanted.splitlines(), str(path), view, n=0, lineterm=""
        )
        return list(lines) or ([] if there == wanted else ["the end of the file"])

    def ingest(
        self,
        view: str,
        text: str,
        *,
        path: Path | None = None,
        dry_run: bool = False,
        command_id: str | None = None,
    ) -> Ingested:
        """Takes a file's text in: all of it becomes events, or nothing.

        Raises:
            Invalid: it is no such file; which item or line is named. Conflict: it takes back what
                only ever grows. NotFound: no such view.
        """
        form, digest = file_of(view), sha256(text)
        if dry_run:
            taken = _taken(form, self.views.project(view), text)
            return Ingested(taken.counts, taken.left, (), digest)
        _taken(form, self.views.project(view), text)  # Before anybody waits for the lock.
        stream = self.views.streams(view)[0]
        with self.caller.write(command_id) as scope:
            if earlier := scope.earlier(stream=stream):
                counts = {k: v for k, v in earlier[-1].body().items() if isinstance(v, int)}
                return Ingested(counts, (), earlier, digest)
            taken = _taken(form, self.views.project(view), text)
            before = scope.version(stream)
            facts = list(taken.facts)
            if facts:
                facts.append((form.mark, {"sha256": digest, **taken.counts}))
            events = [scope.append_raw(stream, name, payload) for name, payload in facts]
        if events:
            self.views.keep_up(stream, before, events[-1].version)
        if path is not None:
            self._keep(path, view, digest)
        return Ingested(taken.counts, taken.left, events, digest)

    def _must_be_known(self, path: Path, there: str, wanted: str) -> None:
        found = sha256(there)
        known = self.caller.store.side.view_file(_place(path))
        if found != known:
            raise Conflict(
                f"{path} holds what the log does not know (SHA-256 {found[:12]}; {wanted[:12]} "
                "would be written).",
                "`smriti log ingest` takes it in; --force overwrites it. The log is as it was.",
                code="file_edited",
                details={"found": found, "known": known, "wanted": wanted},
            )

    def _keep(self, path: Path, view: str, digest: str) -> None:
        # Without it the next write asks before it overwrites; the file itself stands.
        with suppress(StoreError):
            if path.is_file() and self.caller.store.side.view_file(_place(path)) != digest:
                self.caller.store.side.keep_view_file(_place(path), view, digest)


def _taken(form: ViewFile, folded: Folded, text: str) -> Taken:
    if form.take is None:
        raise Invalid(
            f"{form.view} is written by agents alone: its file is not taken in.",
            "`smriti log append` adds to it.",
            field="view",
        )
    return form.take(folded.state, text)


def _place(path: Path) -> str:
    return os.path.realpath(path)


def _read(path: Path) -> str | None:
    """The text of a file; None where there is none.

    Raises:
        Invalid: it is a folder. Conflict: it cannot be read as text, so nobody knows what would be
            lost.
    """
    if path.is_dir():
        raise Invalid(f"{path} is a folder.", "Name a file.", field="path")
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise Conflict(
            f"{path} cannot be read: {error}.",
            "Look at it, then put it aside or give another path.",
            code="file_unreadable",
        ) from error
