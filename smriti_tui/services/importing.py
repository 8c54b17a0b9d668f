"""`smriti import`: conversations of other tools become sessions of a Space."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from smriti_tui.domain.errors import Cancelled, Invalid, NotFound, SmritiError
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.import_report import LeftOut, Report, Seen, Taken
from smriti_tui.domain.imported import ImportedTurn, SideBranch, Skipped, Thread, Tool
from smriti_tui.domain.likely_secrets import may_hold, secrets_in
from smriti_tui.importers.files import Watch, regular_files, unpacked
from smriti_tui.importers.shapes import reader_of, tool_of
from smriti_tui.services.caller import Caller
from smriti_tui.services.import_placing import Place, look, place, signature
from smriti_tui.services.import_writing import LineWriter, Moved, came_from, renaming
from smriti_tui.store import spaces

MAX_TRIES: Final = 20
WHOLE: Final = "the file"
"""Where something is that is left out, when it is all of a file."""


@dataclass(frozen=True)
class Options:
    """What is imported, and how."""

    tool: Tool | None = None
    """None: told by the shape of each file."""
    only: frozenset[str] | None = None
    """Conversations by their ids in the tool; None: all."""
    branches: bool = False
    """Lines that were left in the tool too, as forks."""
    deleted: bool = False
    """Conversations whose session was deleted here once more."""

    def wants(self, thread: Thread) -> bool:
        return self.only is None or thread.source_id in self.only


Found = Thread | LeftOut
"""Of a file: a conversation, or what is left out."""


@dataclass(frozen=True)
class ImportService:
    caller: Caller
    home: Path
    """Folder for what must be unpacked."""

    def preview(
        self, space: SpaceId, paths: Sequence[Path], options: Options, watch: Watch
    ) -> Iterator[Seen | LeftOut]:
        """What an import would find, conversation by conversation; nothing is written.

        Raises: as `run`, and Cancelled.
        """
        for file, found in self._found(paths, options, watch):
            yield self._seen(space, file, found) if isinstance(found, Thread) else found

    def _seen(self, space: SpaceId, file: str, thread: Thread) -> Seen:
        placed = place(self.caller, space, thread, thread.turns())
        new = secrets = 0
        for turn in placed.rest:
            new += 1
            secrets += _may_hold(turn)
        return Seen(file, thread, placed.kind, new, secrets)

    def run(
        self,
        space: SpaceId,
        paths: Sequence[Path],
        options: Options,
        watch: Watch,
        told: Callable[[Taken], object] = lambda taken: None,
    ) -> Report:
        """Imports files and folders; `told` hears of each conversation.

        Stopped, it keeps what was written: whole conversations and at most one beginning of one,
        which the next import goes on with. Again it adds only what is new.

        Raises:
            NotFound: a path, or the Space. Invalid: a file that was named is of no known format;
                nothing was imported then. SmritiError: a file cannot be read. StoreError.
        """
        with self.caller.read() as tx:
            spaces.space(tx, space)
        report = Report()
        try:
            for file, found in self._found(paths, options, watch):
                self._note(report, file, found)
                if isinstance(found, Thread):
                    if not options.branches:
                        report.branches += len(found.branches)
                    for taken in self._lines(space, file, found, options):
                        report.taken.append(taken)
                        told(taken)
                        watch.piece(0)
        except Cancelled:
            report.cancelled = True
        return report

    def _note(self, report: Report, file: str, found: Found) -> None:
        if isinstance(found, LeftOut):
            whole = found.skipped.where == WHOLE
            (report.passed_over if whole else report.skipped).append(found)
            return
        report.skipped += (LeftOut(file, each) for each in found.skipped)
        report.counted.update(found.left_out)
        where = f"conversation {found.title!r}"
        report.notes += (LeftOut(file, Skipped(where, note)) for note in found.notes)

    # ---- files -----------------------------------------------------------------------------------

    def _found(
        self, paths: Sequence[Path], options: Options, watch: Watch
    ) -> Iterator[tuple[str, Found]]:
        for path in paths:
            if not path.exists():
                raise NotFound(f"There is no {path}.", "Name a file or a folder.")
        for path in paths:
            folder = path.is_dir()
            for each in regular_files(path):
                name = each.relative_to(path).as_posix() if folder else each.name
                try:
                    yield from self._of_file(each, name, options, watch)
                except Invalid as error:
                    if not folder:
                        raise
                    yield name, LeftOut(name, Skipped(WHOLE, error.message))

    def _of_file(
        self, path: Path, name: str, options: Options, watch: Watch
    ) -> Iterator[tuple[str, Found]]:
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with unpacked(path, self.home, watch) as files:
            for file in files:
                file.name = file.name.replace(path.name, name, 1)
                for found in reader_of(options.tool or tool_of(file))(file):
                    if isinstance(found, Skipped):
                        yield file.name, LeftOut(file.name, found)
                    elif options.wants(found):
                        yield file.name, found

    # ---- conversations ---------------------------------------------------------------------------

    def _lines(
        self, space: SpaceId, file: str, thread: Thread, options: Options
    ) -> Iterator[Taken]:
        yield self._line(space, file, thread, None, options)
        if options.branches:
            for branch in thread.branches:
                yield self._line(space, file, thread, branch, options)

    def _line(
        self,
        space: SpaceId,
        file: str,
        thread: Thread,
        branch: SideBranch | None,
        options: Options,
    ) -> Taken:
        turns = branch.turns if branch else thread.turns
        for _ in range(MAX_TRIES):
            placed = place(self.caller, space, thread, turns())
            if placed.kind == "deleted" and options.deleted:
                placed = replace(placed, kind="new", base=None, common=0)
            try:
                return self._write(space, file, thread, branch, placed)
            except Moved:
                continue
        raise SmritiError(
            f"{thread.title!r} could not be imported: others write its sessions all the time.",
            "Import once more when they are done.",
        )

    def _write(
        self,
        space: SpaceId,
        file: str,
        thread: Thread,
        branch: SideBranch | None,
        placed: Place,
    ) -> Taken:
        name = branch.source_id if branch else None
        session = placed.base.session if placed.base else None
        if placed.kind in ("known", "deleted"):
            if placed.kind == "known" and branch is None:
                self._rename(file, thread, placed)
            return Taken(file, thread, placed.kind, session, 0, name, placed.changed)
        turns = branch.turns if branch else thread.turns
        rest = placed.rest if placed.kind == "grown" else turns()

        def still() -> bool:
            first = next(turns(), None)
            held = look(self.caller, space, thread, first) if first else []
            return signature(held) == placed.candidates

        writer = LineWriter(self.caller, space, thread, file, placed, name, still)
        why = ""
        try:
            writer.write(rest)
        except SmritiError as error:
            if not writer.written:
                raise
            why = error.message
        return Taken(
            file, thread, placed.kind, writer.session, writer.written, name, placed.changed, why
        )

    def _rename(self, file: str, thread: Thread, placed: Place) -> None:
        renamed = renaming(thread, placed)
        if renamed is not None and placed.base is not None:
            stream = f"session/{placed.base.session}"
            with self.caller.write() as scope:
                scope.append(stream, renamed)
                scope.append(stream, came_from(thread, file))


def _may_hold(turn: ImportedTurn) -> bool:
    texts = (turn.text, *(each.text for each in turn.details))
    return any(any(secrets_in(text)) for text in texts if may_hold(text))
